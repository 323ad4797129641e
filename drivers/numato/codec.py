"""A Numato 16-channel board's commands, answers and notifications; from public sources, not confirmed on hardware.

No I/O here.
"""

import re
from dataclasses import dataclass
from typing import Final

from drivers.faults import LineNoise

BAUD: Final = 115200  # of no consequence: the board is a USB CDC device
LINES: Final = 16

_PROMPT, _RETURN, _FEED = b">\r\n"
_LONGEST_TEXT = 64  # echo and value; the longest known is "gpio notify get" and "gpio notify disabled"
_HEX = frozenset(b"0123456789abcdefABCDEF")
_NOTIFICATION = b"# hhhh hhhh hhhh"


@dataclass(frozen=True, slots=True)
class NumatoCommand:
    """A command that is typed at the prompt. `value` is the shape of what the board prints between the echo and its
    prompt.
    """

    text: str
    value: str = ""  # a regular expression; most commands print nothing

    @property
    def octets(self) -> bytes:
        return self.text.encode("ascii") + b"\r"


READ_ALL: Final = NumatoCommand("gpio readall", "[0-9a-f]{4}")
VERSION: Final = NumatoCommand("ver", ".+")
NOTIFY: Final = NumatoCommand("gpio notify on", ".*")  # a board that cannot notify says so in words of its own
END_OF_LINE: Final = b"\r"  # puts an end to what an earlier program had begun to type


@dataclass(frozen=True, slots=True)
class NumatoAnswer:
    """Everything from one prompt to the next: the echo of a command and its value, without line ends."""

    text: str

    def value_of(self, command: NumatoCommand) -> str | None:
        """The board's answer to `command`; None if this answers another command, or was changed by noise.

        The echo is what the board has received, so a command changed by noise is detected here too.

        >>> NumatoAnswer("gpio readall0005").value_of(READ_ALL)
        '0005'
        >>> NumatoAnswer("gpi readall0005").value_of(READ_ALL) is None
        True
        """
        text = self.text.lower()  # boards differ in the case of echo and digits
        if not text.startswith(command.text):
            return None
        value = text[len(command.text) :]
        return value if re.fullmatch(command.value, value) else None


@dataclass(frozen=True, slots=True)
class Notification:
    """Some input has changed: the present levels, the earlier levels and the directions, in an order that sources
    disagree about.
    """

    fields: tuple[int, int, int]

    def edges(self, directions: int) -> int:
        """The lines that changed, by XOR of the two fields that are not the directions; 0 if neither of them is a
        level.

        >>> Notification((0x0004, 0x0005, 0x00FF)).edges(directions=0x00FF)
        1
        """
        levels = list(self.fields)
        if directions not in levels:
            return 0
        levels.remove(directions)
        return levels[0] ^ levels[1]


Received = NumatoAnswer | Notification | LineNoise


class NumatoCodec:
    """The host's side. `receive` takes octets in any pieces and never raises on them."""

    def __init__(self) -> None:
        self._rest = b""
        self._text = bytearray()

    def receive(self, octets: bytes) -> list[Received]:
        r"""Returns what these octets complete, in order. A notification may be anywhere inside an answer.

        >>> NumatoCodec().receive(b"gpio readall\n\r0005\n\r>")
        [NumatoAnswer(text='gpio readall0005')]
        """
        stream = self._rest + octets
        found: list[Received] = []
        noise = at = 0
        while at < len(stream):
            length = 1
            match stream[at]:
                case 0x23:  # "#"
                    notification, length = _notification(stream, at)
                    if length == 0:
                        break
                    if notification is None:
                        noise += 1
                    else:
                        found.append(notification)
                case _ if stream[at] == _PROMPT:
                    found.append(NumatoAnswer(self._text.decode("ascii")))
                    self._text.clear()
                case _ if stream[at] in (_RETURN, _FEED):
                    pass
                case octet if 0x20 <= octet <= 0x7E:
                    self._text.append(octet)
                    if len(self._text) > _LONGEST_TEXT:
                        noise += len(self._text)
                        self._text.clear()
                case _:
                    noise += 1
            at += length
        if noise:
            found.append(LineNoise(noise))
        self._rest = stream[at:]
        return found


def write_all(lines: int) -> NumatoCommand:
    r"""Drives the outputs that the mask allows.

    >>> write_all(0x8001).octets
    b'gpio writeall 8001\r'
    """
    return NumatoCommand(f"gpio writeall {_word(lines)}")


def directions(inputs: int) -> NumatoCommand:
    r"""Make these lines inputs and all others outputs, as far as the mask lets them through.

    >>> directions(0x00FF).octets
    b'gpio iodir 00ff\r'
    """
    return NumatoCommand(f"gpio iodir {_word(inputs)}")


def mask(lines: int) -> NumatoCommand:
    r"""Allows `write_all` and `directions` to change only these lines.

    >>> mask(0xFF00).octets
    b'gpio iomask ff00\r'
    """
    return NumatoCommand(f"gpio iomask {_word(lines)}")


def _word(lines: int) -> str:
    if not 0 <= lines < 1 << LINES:
        raise ValueError(f"{lines:x} is not {LINES} lines")
    return f"{lines:04x}"


def _notification(stream: bytes, at: int) -> tuple[Notification | None, int]:
    """The notification at `at` and its length; None is noise, length 0 is not yet complete."""
    piece = stream[at : at + len(_NOTIFICATION)]
    for octet, shape in zip(piece, _NOTIFICATION, strict=False):
        if octet not in _HEX if shape == ord("h") else octet != shape:
            return None, 1
    if len(piece) < len(_NOTIFICATION):
        return None, 0
    first, second, third = (int(word, 16) for word in piece[2:].split())
    return Notification((first, second, third)), len(_NOTIFICATION)
