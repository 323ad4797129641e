"""The dealing shoe: hears each report once, says how many were lost, and keeps the lock as it is wanted."""

import asyncio

from drivers.angel_eye_codec import BAUD, REFUSALS, Accepted, AngelEyeCodec, Refused, Report, lock
from drivers.device import Hear, Mark
from drivers.faults import DeviceSilent
from drivers.line_noise import LineNoise
from drivers.link import Link, LinkTiming
from drivers.messages import ReportsLost, ShoeLocked, ShoeRefused, ShoeStarted
from drivers.orders import Order, ShoeLock
from drivers.report_order import REPORTS_IN_CYCLE, ReportOrder
from drivers.serial_port import LineSettings, SerialPort, open_serial_port

ANSWER_WAIT_SECONDS = 0.4  # the shoe answers within 250 ms; with what the line and the host add
LOCK_TRIES = 3  # commands without an answer before the shoe is called silent
LOCK_RETRY_SECONDS = 0.5  # after NAK (busy, writing) or when somebody else changed the lock
COPIES_SECONDS = 0.3  # three copies about 50 ms apart: none comes later than this after a restart


class Shoe:
    """A Device. `mark` is the journal's last one of the shoe: reports missing since then are told as ReportsLost.

    The shoe has no question to ask it, so the lock command is the greeting, and the probe whenever the lock changes;
    `idle_probe_seconds` repeats it in idle too. What the shoe reports while the port is closed is gone.
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
        lock_retry_seconds: float = LOCK_RETRY_SECONDS,
        copies_seconds: float = COPIES_SECONDS,
        idle_probe_seconds: float | None = None,
        link_timing: LinkTiming | None = None,
    ) -> None:
        self.name = name
        self._port_text = port
        self._settings = LineSettings(baud)
        self._answer_wait = answer_wait_seconds
        self._lock_retry = lock_retry_seconds
        self._copies = copies_seconds
        self._idle_probe = idle_probe_seconds
        self._link = Link(name, link_timing or LinkTiming())
        self._reports = ReportOrder(None if mark is None else mark.sequence)
        self._codec = AngelEyeCodec()
        self._line: SerialPort | None = None
        self._wanted = True
        self._told: bool | None = None  # the lock as the station last heard it
        self._refusal_told = False
        self._asked: bool | None = None  # the lock command on its way
        self._unanswered = 0
        self._next_lock = 0.0  # when to send the lock command, or to give it up as unanswered
        self._copies_until = 0.0

    async def run(self, hear: Hear) -> None:
        await self._link.run(hear, self._converse)

    def order(self, wanted: Order) -> None:
        if not isinstance(wanted, ShoeLock):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        if wanted.locked != self._wanted:
            self._wanted = wanted.locked
            if self._asked is None:
                self._lock_in(0)

    def durable(self, mark: Mark) -> None:
        """Nothing to do: the shoe never repeats a report later, and is not told what was heard."""

    async def _converse(self) -> None:
        loop = asyncio.get_running_loop()
        self._codec = AngelEyeCodec()
        line = await open_serial_port(self.name, self._port_text, self._settings, self._receive)
        self._line = line
        try:
            self._told, self._asked, self._unanswered, self._refusal_told = None, None, 0, False
            self._next_lock = loop.time()
            self._copies_until = loop.time() + self._copies
            while True:
                self._tend(loop.time())
                await line.pause(None if self._next_lock == float("inf") else self._next_lock - loop.time())
        finally:
            self._line = None
            line.close()

    def _tend(self, now: float) -> None:
        if now < self._next_lock or self._line is None:
            return
        if self._asked is not None:
            self._unanswered += 1
            if self._unanswered >= LOCK_TRIES:
                raise DeviceSilent(self.name, LOCK_TRIES * self._answer_wait)
        self._asked = self._wanted
        self._next_lock = now + self._answer_wait
        self._line.write(lock(self._wanted))

    def _lock_in(self, seconds: float | None) -> None:
        """Send the lock command in so many seconds (None: not at all)."""
        if self._line is not None:
            due = float("inf") if seconds is None else asyncio.get_running_loop().time() + seconds
            self._next_lock = due
            self._line.wake()

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
                if locked != self._wanted and self._asked is None:
                    self._lock_in(self._lock_retry)
            case ShoeStarted():
                self._told = None
                self._lock_in(0 if self._asked is None else self._answer_wait)

    def _accept(self) -> None:
        locked, self._asked, self._unanswered, self._refusal_told = self._asked, None, 0, False
        self._link.answered()
        if locked is not None and locked != self._told:
            self._told = locked
            self._link.tell(ShoeLocked(locked))
        self._lock_in(self._idle_probe if locked == self._wanted else 0)

    def _refuse(self, code: int) -> None:
        self._asked, self._unanswered = None, 0
        self._link.answered()
        if not self._refusal_told:
            self._refusal_told = True
            self._link.tell(ShoeRefused(code, REFUSALS[code]))
        self._lock_in(self._lock_retry)
