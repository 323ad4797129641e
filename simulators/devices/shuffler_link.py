"""The machine of the bench at the end of the shuffler link."""

from collections.abc import Callable
from pathlib import Path

from simulators.devices.card_machine import BAUD, CardMachine
from simulators.devices.line import SimulatedLine
from simulators.devices.make import OnUsb, SimulatedShufflerMake, Transmit, Wire
from simulators.devices.talks import ShufflerTalk
from simulators.pace import Pace
from simulators.usb_descriptors import ftdi

TOML = """\
[devices.shuffler]
driver = "shuffler-link"
port = "shuffler"
"""


def _place(folder: Path, pace: Pace, build: Callable[[Transmit], CardMachine]) -> Wire:
    machine = build(lambda chunk: line.send(chunk))
    line = SimulatedLine(folder / "shuffler", BAUD, pace.wires, machine.receive)
    return line


MAKE = SimulatedShufflerMake(TOML, _place, talk=ShufflerTalk, on_usb=lambda: OnUsb("shuffler", ftdi("SIMSHUF1"), BAUD))
