"""The Alpha sign of the bench on its serial line."""

from pathlib import Path

from simulators.devices.line import SerialLine
from simulators.devices.make import SimulatedSignMake
from simulators.devices.sign import BAUD, SimulatedSign
from simulators.pace import Pace

TOML = """\
[devices.sign]
driver = "alpha"
port = "sign"
format = "7E1"
address = "00"
"""


def _place(folder: Path, pace: Pace, sign: SimulatedSign) -> SerialLine:
    line = SerialLine(folder / "sign", BAUD, pace.wires, sign.receive, listens=True)
    sign.transmit = line.send
    return line


ALPHA = SimulatedSignMake(TOML, _place)
