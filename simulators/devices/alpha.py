"""The Alpha sign of the bench on its serial line."""

from pathlib import Path

from simulators.devices.line import SimulatedLine
from simulators.devices.make import OnUsb, SimulatedSignMake
from simulators.devices.sign import BAUD, SimulatedSign
from simulators.devices.talks import SignTalk
from simulators.pace import Pace
from simulators.usb_descriptors import ftdi

TOML = """\
[devices.sign]
driver = "alpha"
port = "sign"
format = "7E1"
address = "00"
"""


def _place(folder: Path, pace: Pace, sign: SimulatedSign) -> SimulatedLine:
    line = SimulatedLine(folder / "sign", BAUD, pace.wires, sign.receive, listens=True)
    sign.transmit = line.send
    return line


MAKE = SimulatedSignMake(TOML, _place, talk=SignTalk, on_usb=lambda: OnUsb("sign", ftdi("SIMSIGN1"), BAUD))
