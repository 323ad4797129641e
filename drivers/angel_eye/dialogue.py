"""The dialogue with the shoe as a state machine: octets, orders and time in; octets, messages and deadlines out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from drivers.angel_eye.codec import REFUSALS, AngelEyeCodec, CommandAccepted, CommandRefused, Report, clear_error, lock
from drivers.device import Mark
from drivers.faults import LineNoise
from drivers.messages import (
    CardDrawn,
    Message,
    ReportsLost,
    ShoeError,
    ShoeErrorCleared,
    ShoeLocked,
    ShoeRefused,
    ShoeStarted,
)

REPORTS_IN_CYCLE = 9  # '1' to '9'


@dataclass(frozen=True, slots=True)
class Fresh:
    """A report not received before; `lost` (0 to 8) are missing just before it, after the report numbered `after`."""

    lost: int
    after: int
    sequence: int

    @property
    def lost_before(self) -> Iterator[tuple[ReportsLost, Mark]]:
        """The message about missing reports, if there are any."""
        if self.lost:
            before = (self.after + self.lost - 1) % REPORTS_IN_CYCLE + 1
            yield ReportsLost(self.lost), Mark(0, before)


class ReportOrder:
    """The last report's number, and its octets if this process received it.

    A frame equal in every octet is a copy; the same number with other octets is eight lost. After a restart the octets
    are not known (a mark must not hold a card), so the marked number is a copy only while copies can still be coming.
    The loss of nine is not noticed, since the numbers wrap round. A start report begins the numbers again at 1.
    """

    def __init__(self, sequence: int | None) -> None:
        self._last = sequence  # 0 after a start report, None when nothing is known
        self._octets: bytes | None = None

    def take(self, report: Report, copies_possible: bool) -> Fresh | None:
        """None for a copy. `copies_possible`: the port was opened so recently that copies of a marked report may still
        come.

        >>> octets = bytes.fromhex("05 33 43 03 37 33")
        >>> [report] = AngelEyeCodec().receive(octets)
        >>> ReportOrder(sequence=1).take(report, copies_possible=False)
        Fresh(lost=1, after=1, sequence=3)
        """
        if report.octets == self._octets:
            return None
        same = (report.sequence or 0) == self._last
        if self._octets is None and same and copies_possible:
            self._octets = report.octets
            return None
        last, self._octets = self._last, report.octets
        self._last = report.sequence or 0
        if report.sequence is None or last is None:
            return Fresh(0, 0, self._last)
        return Fresh((report.sequence - last - 1) % REPORTS_IN_CYCLE, last, report.sequence)


ANSWER_TRIES: Final = 3  # commands without an answer before the shoe is called silent
CLEAR_TRIES: Final = 3  # accepted without a report that the error is cleared: it was lost, or only a hand can help

_NEVER: Final = float("inf")
_AT_ONCE: Final = float("-inf")

NewReport = tuple[Message, Mark | None]


@dataclass(frozen=True, slots=True)
class ShoeTiming:
    """The time limits of the dialogue, in seconds; shortened in tests."""

    answer: float = 0.4  # the shoe answers within 250 ms; with what the line and the host add
    retry: float = 0.5  # after NAK (busy, writing), when someone else changed the lock, or an error is still there
    copies: float = 0.3  # three copies about 50 ms apart: none comes later than this after a restart
    idle_probe: float | None = None  # the lock command is repeated so often; None: only when the lock changes


@dataclass(frozen=True, slots=True)
class ShoeAnswered:
    """The shoe sent something valid. `new` are the reports that the station does not have yet, often none."""

    new: tuple[NewReport, ...] = ()


class NoAnswer(Exception):
    """The last try of a command has not been answered either, within `seconds`."""

    def __init__(self, waited: float) -> None:
        super().__init__(waited)
        self.waited = waited


@dataclass(slots=True)
class _Command:
    due: float
    refusal_reported: bool = False


class ShoeDialogue:
    """`opened` begins it at each opening of the port; `send` is called then, and again at `due` and after every input.

    The order of the reports, the wanted lock and the shoe's error outlast an opening; nothing else does.
    """

    def __init__(self, mark: Mark | None, timing: ShoeTiming) -> None:
        self.timing = timing
        self._reports = ReportOrder(None if mark is None else mark.sequence)
        self._wanted = True
        self._error: int | None = None  # as the shoe last reported it
        self.opened(_NEVER)

    def opened(self, now: float) -> None:
        """The port is open from now on; nothing else is known of the shoe."""
        self._codec = AngelEyeCodec()
        self._copies_until = now + self.timing.copies
        self._lock, self._clear = _Command(now), _Command(now)
        self._asked: _Command | None = None  # the command on its way
        self._asked_lock = self._wanted  # what the lock command last sent has asked for
        self._deadline = _NEVER  # when to give the command up as unanswered
        self._unanswered = 0
        self._reported_lock: bool | None = None  # the lock as last reported to the station
        self._clearings = 0  # commands to clear the error that were accepted

    def order(self, locked: bool) -> None:
        """Sets the wanted state of the lock."""
        if locked != self._wanted:
            self._wanted = locked
            self._clearings = 0
            self._lock.due = self._clear.due = _AT_ONCE

    @property
    def due(self) -> float | None:
        """When `send` is to be called if nothing happens before; None for never."""
        due = min(self._lock.due, self._clearing_due) if self._asked is None else self._deadline
        return None if due == _NEVER else due

    def send(self, now: float) -> bytes:
        """Returns the command that is due, one at a time, or nothing. Raises NoAnswer."""
        if self._asked is not None:
            if now < self._deadline:
                return b""
            self._unanswered += 1
            if self._unanswered == ANSWER_TRIES:
                raise NoAnswer(ANSWER_TRIES * self.timing.answer)
            self._asked.due, self._asked = now, None
        if self._error is not None and self._clearing_due <= now:
            self._asked, command = self._clear, clear_error(self._error)
        elif self._lock.due <= now:
            self._asked, self._asked_lock, command = self._lock, self._wanted, lock(self._wanted)
        else:
            return b""
        self._asked.due = _NEVER
        self._deadline = now + self.timing.answer
        return command

    def receive(self, octets: bytes, now: float) -> list[ShoeAnswered | LineNoise]:
        """Returns what these octets complete, in order."""
        results: list[ShoeAnswered | LineNoise] = []
        for received in self._codec.receive(octets):
            match received:
                case Report():
                    results.append(ShoeAnswered(tuple(self._take(received, now))))
                case LineNoise():
                    results.append(received)
                case _:
                    results.append(self._answer(received, now))
        return results

    @property
    def _clearing_due(self) -> float:
        return _NEVER if self._error is None or self._wanted else self._clear.due

    def _take(self, report: Report, now: float) -> Iterator[NewReport]:
        fresh = self._reports.take(report, copies_possible=now < self._copies_until)
        if fresh is None:
            return
        yield from fresh.lost_before
        mark = Mark(0, fresh.sequence)
        yield report.message, mark
        match report.message:
            case ShoeLocked(locked):
                self._reported_lock = locked
                if locked != self._wanted:
                    self._lock.due = now + self.timing.retry
            case ShoeStarted():
                self._reported_lock = self._error = None
                if self._asked is None:
                    self._lock.due = now
                else:
                    self._deadline = now + self.timing.answer
            case ShoeError(code):
                self._error, self._clearings = code, 0
                self._clear.due = now
            case ShoeErrorCleared(code) if code == self._error:
                self._error = None
            case CardDrawn() if self._error is not None:
                # In error it would have been CardDrawnOutOfTurn: the report that it was cleared is lost.
                cleared, self._error = self._error, None
                yield ShoeErrorCleared(cleared), mark

    def _answer(self, answer: CommandAccepted | CommandRefused, now: float) -> ShoeAnswered | LineNoise:
        asked, self._asked = self._asked, None
        if asked is None:
            return LineNoise(1 if isinstance(answer, CommandAccepted) else 2)
        self._unanswered = 0
        if isinstance(answer, CommandRefused):
            repeated, asked.refusal_reported = asked.refusal_reported, True
            asked.due = now + self.timing.retry
            return (
                ShoeAnswered() if repeated else ShoeAnswered(((ShoeRefused(answer.code, REFUSALS[answer.code]), None),))
            )
        asked.refusal_reported = False
        if asked is self._clear:
            self._clearings += 1
            asked.due = now + self.timing.retry if self._clearings < CLEAR_TRIES else _NEVER
            return ShoeAnswered()
        repeated, self._reported_lock = self._reported_lock == self._asked_lock, self._asked_lock
        if self._reported_lock != self._wanted:
            asked.due = now
        elif self.timing.idle_probe is not None:
            asked.due = now + self.timing.idle_probe
        else:
            asked.due = _NEVER
        return ShoeAnswered() if repeated else ShoeAnswered(((ShoeLocked(self._reported_lock), None),))
