"""The octets of the board: one question, one command, and their answers. No I/O here.

Every line is ``text*checksum`` and CR; the checksum is the sum of the text's octets, as two hexadecimal digits.

    R3      the host asks, with a digit that the answer repeats
    R3 05 0001 0000 0002 0000 0000 0000 0000 0000    levels of the eight inputs, and how often each has risen
    L4 81   the host lights the lamps 0 and 7; the answer is the same line
"""

import re
from dataclasses import dataclass

from drivers.faults import LineNoise

BAUD = 9600
LINES = 8
LONGEST = 64  # octets of a line; what is longer is noise
_LINE = re.compile(rb"([RL])(\d) ([0-9a-f]{2})((?: [0-9a-f]{4}){8})?\*([0-9a-f]{2})")


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """The answer to the question or command of this number; without levels it is that of a command."""

    number: int
    levels: tuple[bool, ...] = ()
    counters: tuple[int, ...] = ()


class PlainBoardCodec:
    """Octets in any pieces to answers and noise."""

    def __init__(self) -> None:
        self._pending = b""

    def receive(self, octets: bytes) -> list[BoardAnswer | LineNoise]:
        *lines, self._pending = (self._pending + octets).split(b"\r")
        found = [_decoded(line) for line in lines]
        if len(self._pending) > LONGEST:
            found.append(LineNoise(len(self._pending)))
            self._pending = b""
        return found


def question(number: int) -> bytes:
    return _line(f"R{number}")


def light(number: int, lamps: tuple[bool, ...]) -> bytes:
    return _line(f"L{number} {sum(on << line for line, on in enumerate(lamps)):02x}")


def _line(text: str) -> bytes:
    octets = text.encode("ascii")
    return octets + b"*%02x\r" % (sum(octets) & 0xFF)


def _decoded(line: bytes) -> BoardAnswer | LineNoise:
    found = _LINE.fullmatch(line)
    if found is None or sum(line[:-3]) & 0xFF != int(found[5], 16) or (found[1] == b"R") != (found[4] is not None):
        return LineNoise(len(line) + 1)
    if found[4] is None:
        return BoardAnswer(int(found[2]))
    levels = tuple(bool(int(found[3], 16) >> at & 1) for at in range(LINES))
    return BoardAnswer(int(found[2]), levels, tuple(int(count, 16) for count in found[4].split()))
