"""Decodes what the shoe and the controller that drives it send to each other. No I/O here."""

from collections.abc import Iterator

from drivers.angel_eye.codec import BAUD, AngelEyeCodec, CommandAccepted, Report, lock
from drivers.angel_eye.dialogue import ReportOrder, ShoeTiming
from drivers.device import Mark
from drivers.faults import LineNoise
from drivers.messages import Message, ShoeLocked
from drivers.passive import Read
from drivers.ports.serial import LineSettings
from drivers.tap import End

COMMANDS = {lock(True): True, lock(False): False}
LONGEST = max(map(len, COMMANDS))


class AngelEyePassive:
    """A PassiveReader. `mark` is the journal's last one: reports missing since then are reported as ReportsLost."""

    settings = LineSettings(BAUD)

    def __init__(self, mark: Mark | None) -> None:
        self._reports = ReportOrder(None if mark is None else mark.sequence)
        self.opened(0.0)

    def opened(self, now: float) -> None:
        self._codec = AngelEyeCodec()
        self._copies_until = now + ShoeTiming().copies
        self._commands = b""
        self._asked: bool | None = None  # what the controller has ordered and the shoe has not acknowledged

    def receive(self, end: End, octets: bytes, now: float) -> Iterator[Read]:
        if end == "host":
            self._order(octets)
            return
        for received in self._codec.receive(octets):
            match received:
                case LineNoise():
                    yield received
                case Report():
                    yield from self._take(received, now)
                case CommandAccepted() if self._asked is not None:
                    asked, self._asked = self._asked, None
                    yield ShoeLocked(asked), None

    def _order(self, octets: bytes) -> None:
        self._commands += octets
        found = {self._commands.rfind(command): locked for command, locked in COMMANDS.items()}
        if max(found) >= 0:
            self._asked = found[max(found)]
            self._commands = self._commands[max(found) + LONGEST :]
        self._commands = self._commands[-LONGEST:]

    def _take(self, report: Report, now: float) -> Iterator[tuple[Message, Mark | None]]:
        fresh = self._reports.take(report, copies_possible=now < self._copies_until)
        if fresh is not None:
            yield from fresh.lost_before
            yield report.message, Mark(0, fresh.sequence)
