"""The dealing shoe: hears each report once, says how many were lost, and keeps lock and error as they are wanted."""

import asyncio
from dataclasses import dataclass

from drivers.angel_eye.codec import BAUD, REFUSALS, Accepted, AngelEyeCodec, Refused, Report, clear_error, lock
from drivers.angel_eye.report_order import REPORTS_IN_CYCLE, ReportOrder
from drivers.device import Hear, Mark
from drivers.faults import DeviceSilent
from drivers.line_noise import LineNoise
from drivers.link import Link, LinkTiming
from drivers.messages import CardDrawn, ReportsLost, ShoeError, ShoeErrorCleared, ShoeLocked, ShoeRefused, ShoeStarted
from drivers.orders import Order, ShoeLock
from drivers.ports.serial import LineSettings, SerialPort, open_serial_port
from drivers.tap import Tap

ANSWER_WAIT_SECONDS = 0.4  # the shoe answers within 250 ms; with what the line and the host add
ANSWER_TRIES = 3  # commands without an answer before the shoe is called silent
RETRY_SECONDS = 0.5  # after NAK (busy, writing), when somebody else changed the lock, or an error is still not cleared
CLEAR_TRIES = 3  # accepted without a report that the error is cleared: that report was lost, or only a hand can help
COPIES_SECONDS = 0.3  # three copies about 50 ms apart: none comes later than this after a restart


@dataclass(frozen=True, slots=True)
class _Lock:
    """The command LK."""

    locked: bool


@dataclass(frozen=True, slots=True)
class _Clear:
    """The command EC."""

    code: int


_NEVER = float("inf")


class Shoe:
    """A Device. `mark` is the journal's last one of the shoe: reports missing since then are told as ReportsLost.

    The shoe has no question to ask it, so the lock command is the greeting, and the probe whenever the lock changes;
    `idle_probe_seconds` repeats it in idle too. What the shoe reports while the port is closed is gone.
    An error of the shoe is cleared as soon as the shoe is to be unlocked.
    Orders: ShoeLock.
    """

    def __init__(
        self,
        *,
        port: str,
        mark: Mark | None = None,
        name: str = "shoe",
        baud: int = BAUD,
        answer_wait_seconds: float = ANSWER_WAIT_SECONDS,
        retry_seconds: float = RETRY_SECONDS,
        copies_seconds: float = COPIES_SECONDS,
        idle_probe_seconds: float | None = None,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        self.name = name
        self._port_text = port
        self._settings = LineSettings(baud)
        self._answer_wait = answer_wait_seconds
        self._retry = retry_seconds
        self._copies = copies_seconds
        self._idle_probe = idle_probe_seconds
        self._link = Link(name, link_timing or LinkTiming())
        self._tap = tap
        self._reports = ReportOrder(None if mark is None else mark.sequence)
        self._codec = AngelEyeCodec()
        self._line: SerialPort | None = None
        self._wanted = True
        self._told: bool | None = None  # the lock as the station last heard it
        self._error: int | None = None  # as the shoe last reported it
        self._cleared = 0  # commands to clear it that were accepted
        self._refusals_told: set[type[_Lock | _Clear]] = set()
        self._asked: _Lock | _Clear | None = None  # the command on its way
        self._deadline = 0.0  # when to give it up as unanswered
        self._unanswered = 0
        self._lock_due = self._clear_due = _NEVER
        self._copies_until = 0.0

    async def run(self, hear: Hear) -> None:
        await self._link.run(hear, self._converse)

    def order(self, wanted: Order) -> None:
        if not isinstance(wanted, ShoeLock):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        if wanted.locked != self._wanted:
            self._wanted = wanted.locked
            self._cleared = 0
            self._clear_in(0)
            self._lock_in(0)

    def durable(self, mark: Mark) -> None:
        """Nothing to do: the shoe never repeats a report later, and is not told what was heard."""

    async def _converse(self) -> None:
        loop = asyncio.get_running_loop()
        self._codec = AngelEyeCodec()
        line = await open_serial_port(self.name, self._port_text, self._settings, self._receive, tap=self._tap)
        self._line = line
        try:
            self._told, self._asked, self._unanswered, self._cleared = None, None, 0, 0
            self._refusals_told.clear()
            self._lock_due = self._clear_due = loop.time()
            self._copies_until = loop.time() + self._copies
            while True:
                self._tend(line, loop.time())
                due = min(self._lock_due, self._clearing_due) if self._asked is None else self._deadline
                await line.pause(None if due == _NEVER else due - loop.time())
        finally:
            self._line = None
            line.close()

    def _tend(self, line: SerialPort, now: float) -> None:
        """Send the command that is due, one at a time."""
        if self._asked is not None:
            if now < self._deadline:
                return
            self._unanswered += 1
            if self._unanswered >= ANSWER_TRIES:
                raise DeviceSilent(self.name, ANSWER_TRIES * self._answer_wait)
            if isinstance(self._asked, _Lock):
                self._lock_due = now
            else:
                self._clear_due = now
            self._asked = None
        if self._error is not None and self._clearing_due <= now:
            self._asked, self._clear_due = _Clear(self._error), _NEVER
            line.write(clear_error(self._error))
        elif self._lock_due <= now:
            self._asked, self._lock_due = _Lock(self._wanted), _NEVER
            line.write(lock(self._wanted))
        self._deadline = now + self._answer_wait

    @property
    def _clearing_due(self) -> float:
        return _NEVER if self._error is None or self._wanted else self._clear_due

    def _lock_in(self, seconds: float | None) -> None:
        """Send the lock command in so many seconds (None: not at all)."""
        self._lock_due = self._due_in(seconds)

    def _clear_in(self, seconds: float | None) -> None:
        """Send the command to clear the error in so many seconds (None: not at all), if there is need of it then."""
        self._clear_due = self._due_in(seconds)

    def _due_in(self, seconds: float | None) -> float:
        if self._line is None:
            return _NEVER
        self._line.wake()
        return _NEVER if seconds is None else asyncio.get_running_loop().time() + seconds

    def _receive(self, octets: bytes) -> None:
        for received in self._codec.receive(octets):
            match received:
                case Report():
                    self._take(received)
                case LineNoise():
                    self._link.noise(received.octets)
                case Accepted() | Refused() if self._asked is None:
                    self._link.noise(1 if isinstance(received, Accepted) else 2)
                case Accepted():
                    self._accept()
                case Refused():
                    self._refuse(received.code)

    def _take(self, report: Report) -> None:
        self._link.answered()
        recent = asyncio.get_running_loop().time() < self._copies_until
        fresh = self._reports.take(report, copies_possible=recent)
        if fresh is None:
            return
        if fresh.lost:
            before = (fresh.after + fresh.lost - 1) % REPORTS_IN_CYCLE + 1
            self._link.tell(ReportsLost(fresh.lost), Mark(0, before))
        self._link.tell(report.message, Mark(0, fresh.sequence))
        match report.message:
            case ShoeLocked(locked):
                self._told = locked
                if locked != self._wanted and not isinstance(self._asked, _Lock):
                    self._lock_in(self._retry)
            case ShoeStarted():
                self._told = self._error = None
                if self._asked is None:
                    self._lock_in(0)
                else:
                    self._deadline = self._due_in(self._answer_wait)
            case ShoeError(code):
                self._error, self._cleared = code, 0
                self._clear_in(0)
            case ShoeErrorCleared(code) if code == self._error:
                self._error = None
            case CardDrawn() if self._error is not None:
                # In error it would have been CardDrawnOutOfTurn: the report that it was cleared is lost.
                cleared, self._error = self._error, None
                self._link.tell(ShoeErrorCleared(cleared), Mark(0, fresh.sequence))

    def _accept(self) -> None:
        asked, self._asked, self._unanswered = self._asked, None, 0
        self._link.answered()
        match asked:
            case _Lock(locked):
                self._refusals_told.discard(_Lock)
                if locked != self._told:
                    self._told = locked
                    self._link.tell(ShoeLocked(locked))
                self._lock_in(self._idle_probe if locked == self._wanted else 0)
            case _Clear():
                self._refusals_told.discard(_Clear)
                self._cleared += 1
                self._clear_in(self._retry if self._cleared < CLEAR_TRIES else None)

    def _refuse(self, code: int) -> None:
        asked, self._asked, self._unanswered = self._asked, None, 0
        self._link.answered()
        if asked is not None and type(asked) not in self._refusals_told:
            self._refusals_told.add(type(asked))
            self._link.tell(ShoeRefused(code, REFUSALS[code]))
        if isinstance(asked, _Lock):
            self._lock_in(self._retry)
        else:
            self._clear_in(self._retry)
