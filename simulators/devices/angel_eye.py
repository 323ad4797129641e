"""The Angel Eye II-EX of the bench on its serial line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from simulators.devices.line import SimulatedLine
from simulators.devices.make import OnUsb, PlacedReader, SimulatedShoeMake
from simulators.devices.shoe import BAUD, Shoe, TileReader
from simulators.devices.talks import ShoeTalk
from simulators.felt.deck import Pieces
from simulators.pace import Pace
from simulators.usb_descriptors import ftdi

TOML = """\
[devices.shoe]
driver = "angel-eye"
port = "shoe"
"""


def _place(folder: Path, pace: Pace, pieces: Pieces[Any], tiles: bool, bell: Callable[[], None]) -> PlacedReader:
    reader = (TileReader if tiles else Shoe)(pieces, pace, lambda chunk: line.send(chunk), bell)
    line = SimulatedLine(folder / "shoe", BAUD, pace.wires, reader.receive)
    return PlacedReader(reader, line)


MAKE = SimulatedShoeMake(TOML, _place, talk=ShoeTalk, on_usb=lambda: OnUsb("shoe", ftdi("SIMSHOE1"), BAUD))
