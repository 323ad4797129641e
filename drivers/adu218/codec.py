"""The Ontrak ADU218's HID reports: 01, ASCII, NULs, eight octets both ways (public transcripts). No I/O here."""

from dataclasses import dataclass
from typing import Final

from drivers.faults import LineNoise

REPORT_OCTETS: Final = 8
CHANNELS: Final = 8

_REPORT_ID = 1


@dataclass(frozen=True, slots=True)
class Question:
    """A command that is answered. `digits` distinguishes its answer from a late one to another question."""

    command: str
    digits: int
    largest: int


INPUTS: Final = Question("PI", 3, 255)
RELAYS: Final = Question("PK", 3, 255)
DEBOUNCE: Final = Question("DB", 1, 9)
COUNTERS: Final = tuple(Question(f"RE{n}", 5, 65535) for n in range(CHANNELS))  # RE reads, RC would also clear


@dataclass(frozen=True, slots=True)
class AduAnswer:
    digits: int
    value: int

    def fits(self, question: Question) -> bool:
        """Whether these octets can be the answer to a question.

        >>> AduAnswer(digits=3, value=129).fits(INPUTS), AduAnswer(digits=3, value=256).fits(INPUTS)
        (True, False)
        """
        return self.digits == question.digits and self.value <= question.largest


def ask(question: Question) -> bytes:
    r"""The report with this command.

    >>> ask(COUNTERS[2]).hex(" ")
    '01 52 45 32 00 00 00 00'
    >>> ask(INPUTS)
    b'\x01PI\x00\x00\x00\x00\x00'
    """
    return _report(question.command)


def set_relays(relays: tuple[bool, ...]) -> bytes:
    r"""MKddd: all eight at once. Not answered; RELAYS reads them back. Raises ValueError if they are not eight.

    >>> set_relays((True, False, False, False, False, False, False, True))
    b'\x01MK129\x00\x00'
    """
    if len(relays) != CHANNELS:
        raise ValueError(f"{len(relays)} relays, not {CHANNELS}")
    return _report(f"MK{sum(on << n for n, on in enumerate(relays)):03d}")


def set_debounce(step: int) -> bytes:
    r"""DBn: 0 is 10 ms, 1 is 1 ms, 2 is 100 µs. Not answered. Raises ValueError for another step.

    >>> set_debounce(0)
    b'\x01DB0\x00\x00\x00\x00'
    """
    if step not in (0, 1, 2):
        raise ValueError(f"debounce step {step} is not 0, 1 or 2")
    return _report(f"DB{step}")


def decode(report: bytes) -> AduAnswer | LineNoise:
    r"""Reads one HID report; never raises. Octets after the first NUL are left over from an older answer.

    >>> decode(bytes.fromhex("01 31 30 34 34 39 00 00"))
    AduAnswer(digits=5, value=10449)
    >>> decode(b"\x01PI\0\0\0\0\0")
    LineNoise(octets=8)
    """
    text = report[1:].partition(b"\0")[0]
    if len(report) != REPORT_OCTETS or report[0] != _REPORT_ID or not text.isdigit():
        return LineNoise(len(report))
    return AduAnswer(len(text), int(text))


def levels(value: int) -> tuple[bool, ...]:
    """The eight bits of PI or PK by number; bit 0 is input or relay 0 (port A is the low nibble).

    >>> levels(0b10000001)
    (True, False, False, False, False, False, False, True)
    """
    return tuple(bool(value >> n & 1) for n in range(CHANNELS))


def _report(command: str) -> bytes:
    return (bytes([_REPORT_ID]) + command.encode("ascii")).ljust(REPORT_OCTETS, b"\0")
