"""The Angel Eye II-EX shoe's reports and commands; from public sources, not confirmed on hardware. No I/O here."""

import re
from dataclasses import dataclass, field
from functools import reduce
from operator import xor
from typing import Final

from drivers.faults import LineNoise
from drivers.messages import (
    CardDrawn,
    CardDrawnOutOfTurn,
    CutCardSeen,
    Message,
    PresetChanged,
    ReportRepeated,
    ReportUnknown,
    ShoeError,
    ShoeErrorCleared,
    ShoeLocked,
    ShoeStandby,
    ShoeStarted,
)

BAUD: Final = 4800  # 8N1
ERRORS: Final = {
    1: "card cannot be read",
    2: "card overdrawn",
    3: "button misused",
    4: "card reversed at the exit",
    5: "card reversed midway",
    6: "card code",
    7: "draw timed out",
}
REFUSALS: Final = {
    0x01: "line error",
    0x02: "wrong check digits",
    0x03: "no end of text",
    0x11: "format",
    0x12: "address",
    0x13: "unknown command",
    0x14: "type",
    0x21: "busy",
    0x22: "writing",
    0xFF: "other",
}

_STX, _ETX, _ENQ, _ACK, _NAK = 0x02, 0x03, 0x05, 0x06, 0x15
_LONGEST_TEXT = 8  # octets after the code; known reports have at most two
_REPORT = re.compile(rb"\x05([1-9C])([A-Za-z])([\x80-\xff]{0,%d})\x03([0-9A-F]{2})" % _LONGEST_TEXT)
_REPORT_BEGUN = re.compile(rb"\x05(?:[1-9C](?:[A-Za-z][\x80-\xff]{0,%d}(?:\x03[0-9A-F]?)?)?)?" % _LONGEST_TEXT)
_RANKS = "A23456789TJQK"
_SUITS = {1: "d", 2: "c", 3: "s", 4: "h"}
_TILE = 6  # where a card has its kind


@dataclass(frozen=True, slots=True)
class Report:
    """One complete report, equal in its three copies. `octets` is the frame, to recognise copies; it may contain a
    card.
    """

    sequence: int | None  # 1 to 9; None in a start report
    message: Message
    octets: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CommandAccepted:
    """The shoe acknowledged a command."""


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """The shoe answered NAK with one of REFUSALS."""

    code: int


Received = Report | CommandAccepted | CommandRefused | LineNoise


class AngelEyeCodec:
    """The host's side. `receive` takes octets in any pieces and never raises on them."""

    def __init__(self) -> None:
        self._rest = b""

    def receive(self, octets: bytes) -> list[Received]:
        """Returns what these octets complete, in order. At most one unfinished report is kept (13 octets).

        >>> [report] = AngelEyeCodec().receive(bytes.fromhex("05 31 44 81 b8 03 34 46"))
        >>> report.sequence, report.message.card
        (1, '8s')
        """
        text = self._rest + octets
        found: list[Received] = []
        noise = at = 0
        while at < len(text):
            received, length = _next(text, at)
            if length == 0:
                break
            if received is None:
                noise += length
            else:
                if noise:
                    found.append(LineNoise(noise))
                    noise = 0
                found.append(received)
            at += length
        if noise:
            found.append(LineNoise(noise))
        self._rest = text[at:]
        return found


class AngelEyeBlot:
    """Replaces every card in a report by the ace of spades, or the tile 1-1. Noise becomes zeros, which are noise
    too.
    """

    def __init__(self) -> None:
        self._rest = b""

    def receive(self, octets: bytes) -> bytes:
        """Returns the octets of the reports that these octets complete, with the cards replaced.

        >>> AngelEyeBlot().receive(bytes.fromhex("05 31 44 81 b8 03 34 46")).hex(" ")
        '05 31 44 81 b1 03 34 36'
        """
        text = self._rest + octets
        found = b""
        at = 0
        while at < len(text):
            received, length = _next(text, at)
            if length == 0:
                break
            piece = text[at : at + length]
            found += bytes(length) if received is None else _blotted(piece) if isinstance(received, Report) else piece
            at += length
        self._rest = text[at:]
        return found


def lock(locked: bool) -> bytes:
    """The command LK: 02 locks, 01 unlocks. Its check includes STX, unlike a report's.

    >>> lock(True).hex(" ")
    '02 4f 50 4c 4b 30 32 03 31 42'
    """
    body = b"\x02OPLK" + (b"02" if locked else b"01") + b"\x03"
    return body + _check(body)


def clear_error(code: int) -> bytes:
    """The command EC00 to EC99. Raises ValueError for another code.

    >>> clear_error(7).hex(" ")
    '02 4f 50 45 43 30 37 03 31 46'
    """
    if not 0 <= code <= 99:
        raise ValueError(f"error code {code} is not 0 to 99")
    body = b"\x02OPEC%02d\x03" % code
    return body + _check(body)


def _check(octets: bytes) -> bytes:
    return b"%02X" % reduce(xor, octets)


def _next(text: bytes, at: int) -> tuple[Received | None, int]:
    """The item that begins at `at`, and its length. None is noise; length 0 is not yet complete."""
    first = text[at]
    if first == _ENQ:
        whole = _REPORT.match(text, at)
        if whole is not None:
            if _check(text[at + 1 : whole.end() - 2]) == whole[4]:
                return _report(whole), whole.end() - at
        elif _REPORT_BEGUN.fullmatch(text, at):
            return None, 0
    elif first == _ACK:
        return CommandAccepted(), 1
    elif first == _NAK:
        if at + 1 == len(text):
            return None, 0
        if text[at + 1] in REFUSALS:
            return CommandRefused(text[at + 1]), 2
    return None, 1


def _blotted(frame: bytes) -> bytes:
    code, text = frame[2:3], frame[3:-3]
    if code in (b"D", b"d") and len(text) == 2:
        tile = code == b"D" and text[0] >> 4 & 7 == _TILE
        read = _tile(text[1]) if tile else _card(text[1])
        text = text[:1] + (b"\x80" if read is None else b"\x91" if tile else b"\xb1")
    elif code not in (b"E", b"e", b"L"):
        text = b"\x80" * len(text)  # the meaning of other codes is not known, so they may have a card
    body = frame[1:3] + text + b"\x03"
    return frame[:1] + body + _check(body)


def _report(frame: re.Match[bytes]) -> Report:
    sequence = None if frame[1] == b"C" else int(frame[1])
    return Report(sequence, _meaning(frame[2], frame[3]), frame[0])


def _meaning(code: bytes, text: bytes) -> Message:
    match code, len(text):
        case b"D", 2 if text[0] >> 4 & 7 == _TILE:
            return CardDrawn(_tile(text[1]))
        case b"D", 2:  # the first octet says whose card it is in baccarat: no matter here
            return CardDrawn(_card(text[1]))
        case b"d", 2:
            state = text[0] >> 4 & 7
            if state == 0:
                return CardDrawnOutOfTurn("locked", _card(text[1]))
            return CardDrawnOutOfTurn("error" if state == 1 else "setting", _card(text[1]))
        case b"S", 0:
            return ShoeStarted()
        case b"P", 0:
            return ShoeStandby()
        case b"C", 0:
            return CutCardSeen()
        case b"R", 2:
            return ReportRepeated()
        case b"E", 1:
            return ShoeError(text[0] & 0x3F, ERRORS.get(text[0] & 0x3F, "unknown error"))
        case b"e", 1:
            return ShoeErrorCleared(text[0] & 0x3F)
        case b"L", 1:
            return ShoeLocked(bool(text[0] & 1))
        case b"M", 0:
            return PresetChanged()
    return ReportUnknown(code[0])


def _card(octet: int) -> str | None:
    suit, rank = octet >> 4 & 7, octet & 15
    return _RANKS[rank - 1] + _SUITS[suit] if suit in _SUITS and 1 <= rank <= 13 else None


def _tile(octet: int) -> str | None:
    larger, smaller = octet >> 4 & 7, octet & 15
    return f"{larger}-{smaller}" if 1 <= smaller <= larger <= 6 else None
