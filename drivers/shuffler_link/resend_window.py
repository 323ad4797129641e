"""Which of the shuffler's numbered messages are new, which are repeats, and when to ask for some again. No I/O here."""

from dataclasses import dataclass
from enum import Enum

from drivers.device import Mark

RESENDS_BEFORE_LOST = 3  # a gap that is still there after so many answers to RESEND will not be filled


class Verdict(Enum):
    """What to do with a numbered message."""

    NEW = "new"  # pass it on
    AGAIN = "again"  # its number was passed on before: ask who says so, it may be another boot
    ASK = "ask"  # not yet: send RESEND
    WAIT = "wait"  # not yet: a RESEND is on its way


@dataclass(frozen=True, slots=True)
class Judged:
    verdict: Verdict
    lost: int = 0  # messages before this one that will never come; only with NEW


class ResendWindow:
    """The host's end of the numbering, modulo 65536: a is before b when (b - a) mod 65536 < 32768.

    After an unknown boot the oldest message the machine still holds is where to begin. The first message that arrives
    may not be the oldest (noise may have destroyed the one before), so it is requested twice and the older of both is
    taken.
    """

    def __init__(self, mark: Mark | None) -> None:
        self.boot = 0 if mark is None else mark.boot
        self._expected: int | None = None if mark is None else (mark.sequence + 1) & 0xFFFF
        self._oldest: int | None = None
        self._confirmed = False
        self._greeted = False
        self._asking = False
        self._fruitless = 0

    def reopen(self) -> None:
        """The port was opened again: until HELLO, it is not known to which boot the numbers belong."""
        self._greeted = False
        self._oldest, self._confirmed = None, False

    @property
    def asking(self) -> bool:
        """A RESEND has no HELLO yet."""
        return self._asking

    def ask(self) -> tuple[int, int]:
        """Returns boot id and sequence for the RESEND that is due."""
        self._asking = True
        return (0, 0) if self._expected is None else (self.boot, self._expected)

    def hello(self, boot: int, next_sequence: int) -> bool:
        """Handle a HELLO; True if the machine was restarted since the last one."""
        self._greeted, self._asking = True, False
        behind = self._expected is not None and _before(next_sequence, self._expected)
        if boot != self.boot or behind:
            self.boot = boot
            self._expected = 1 if next_sequence == 1 else None  # 1: nothing was sent before, so 1 is the oldest
            self._oldest, self._confirmed, self._fruitless = None, False, 0
            return True
        self._confirmed = self._oldest is not None
        return False

    def judge(self, sequence: int) -> Judged:
        """Judge a numbered message; NEW moves the window past it.

        >>> window = ResendWindow(Mark(boot=7, sequence=41))
        >>> restarted = window.hello(boot=7, next_sequence=45)
        >>> window.judge(42).verdict, window.judge(44).verdict
        (<Verdict.NEW: 'new'>, <Verdict.ASK: 'ask'>)
        """
        if not self._greeted:
            return self._later()
        if self._expected is None:
            if self._oldest is None or _before(sequence, self._oldest):
                self._oldest = sequence
            if not self._confirmed:
                return self._later()
            self._expected = self._oldest
        ahead = (sequence - self._expected) & 0xFFFF
        if ahead >= 0x8000:
            return Judged(Verdict.AGAIN)
        if ahead:
            if self._asking:
                return Judged(Verdict.WAIT)
            self._fruitless += 1
            if self._fruitless <= RESENDS_BEFORE_LOST:
                return Judged(Verdict.ASK)
        self._fruitless = 0
        self._expected = (sequence + 1) & 0xFFFF
        return Judged(Verdict.NEW, ahead)

    def _later(self) -> Judged:
        return Judged(Verdict.WAIT if self._asking else Verdict.ASK)


def _before(a: int, b: int) -> bool:
    return a != b and (b - a) & 0xFFFF < 0x8000
