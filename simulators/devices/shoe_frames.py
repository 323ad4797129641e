"""Frames of the Angel Eye II-EX shoe, reports out and commands in. No I/O here.

Known from two public implementations, not confirmed on hardware.
"""

from dataclasses import dataclass
from functools import reduce
from operator import xor

from simulators.felt.cards import Card
from simulators.felt.tiles import Tile

ENQ, STX, ETX, ACK, NAK = 0x05, 0x02, 0x03, 0x06, 0x15
START_SEQUENCE = "C"
SUIT_NUMBERS = {"d": 1, "c": 2, "s": 3, "h": 4}
NAK_BCC, NAK_NO_ETX, NAK_FORMAT, NAK_ADDRESS, NAK_COMMAND, NAK_TYPE = 0x02, 0x03, 0x11, 0x12, 0x13, 0x14
COMMAND_LENGTH = 10  # 02 'O' 'P' t t d d 03 BCC BCC


def checksum(covered: bytes) -> bytes:
    """XOR of the bytes as two upper-case hex digits."""
    return b"%02X" % reduce(xor, covered, 0)


def report(sequence: str, code: str, content: bytes = b"") -> bytes:
    """One report, in which bit 7 of every content byte is set."""
    covered = (sequence + code).encode("ascii") + bytes(byte | 0x80 for byte in content) + bytes([ETX])
    return bytes([ENQ]) + covered + checksum(covered)


def card_content(kind: int, index: int, card: Card) -> bytes:
    """The two bytes of a card: its purpose and index, then suit and rank."""
    return bytes([kind << 4 | index & 0x0F, SUIT_NUMBERS[card.suit] << 4 | card.rank])


def tile_content(kind: int, index: int, tile: Tile) -> bytes:
    """The two bytes of a tile: kind and index as of a card, then the larger number of dots and the smaller one."""
    return bytes([kind << 4 | index & 0x0F, tile.high << 4 | tile.low])


@dataclass(frozen=True, slots=True)
class ShoeCommand:
    """A well-formed command: two letters and a number, `LK` 2."""

    letters: str
    number: int


class CommandReader:
    """Splits the host's octets into commands; a mistake gives its NAK code."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[ShoeCommand | int]:
        """The commands and mistakes completed by `chunk`; bytes outside a frame are noise and dropped."""
        self._rest += chunk
        found: list[ShoeCommand | int] = []
        while (start := self._rest.find(STX)) >= 0 and len(self._rest) - start >= COMMAND_LENGTH:
            frame = self._rest[start : start + COMMAND_LENGTH]
            self._rest = self._rest[start + COMMAND_LENGTH :]
            found.append(read_command(frame))
        if start < 0:
            self._rest = b""
        return found


def read_command(frame: bytes) -> ShoeCommand | int:
    """Ten bytes from STX on: the command, or the NAK code of the first mistake."""
    if frame[7] != ETX:
        return NAK_NO_ETX
    if frame[8:] != checksum(frame[:8]):
        return NAK_BCC
    if frame[1:2] != b"O":
        return NAK_ADDRESS
    if frame[2:3] != b"P":
        return NAK_TYPE
    if not frame[5:7].isdigit():
        return NAK_FORMAT
    command = ShoeCommand(frame[3:5].decode("latin-1"), int(frame[5:7]))
    known = command.letters == "EC" or (command.letters == "LK" and command.number in (1, 2))
    return command if known else NAK_COMMAND
