"""Decodes what the shuffler reports to the controller that drives it. No I/O here."""

from collections.abc import Iterator

from drivers.device import Mark
from drivers.faults import LineNoise
from drivers.messages import Message, ReportsLost
from drivers.passive import Read
from drivers.ports.serial import LineSettings
from drivers.shuffler_link.codec import BAUD, Hello, Numbered, ShufflerCodec
from drivers.tap import End

GAP_SECONDS = 1.0  # the machine repeats after 250 ms what its controller has not acknowledged


class ShufflerPassive:
    """A PassiveReader. Messages missing between two numbers are awaited for a second, since they may be sent again.

    `mark` is the journal's last one.
    """

    settings = LineSettings(BAUD)

    def __init__(self, mark: Mark | None) -> None:
        self._boot = 0 if mark is None else mark.boot
        self._expected = None if mark is None else (mark.sequence + 1) & 0xFFFF
        self.opened(0.0)

    def opened(self, now: float) -> None:
        self._codec = ShufflerCodec()
        self._ahead: dict[int, tuple[Message, float]] = {}

    def receive(self, end: End, octets: bytes, now: float) -> Iterator[Read]:
        if end == "host":
            return
        for received in self._codec.receive(octets):
            match received:
                case LineNoise():
                    yield received
                case Hello():
                    yield from self._greet(received)
                case Numbered():
                    yield from self._take(received, now)

    def _greet(self, hello: Hello) -> Iterator[Read]:
        if hello.message.boot != self._boot:
            self._boot, self._expected = hello.message.boot, 1 if hello.next_sequence == 1 else None
            self._ahead.clear()
        yield hello.message, None

    def _take(self, numbered: Numbered, now: float) -> Iterator[Read]:
        if self._expected is None:
            self._expected = numbered.sequence
        if self._behind(numbered.sequence) >= 0x8000:
            return  # sent again
        self._ahead.setdefault(numbered.sequence, (numbered.message, now))
        first = min(self._ahead, key=self._behind)
        if first != self._expected and now - min(since for _, since in self._ahead.values()) > GAP_SECONDS:
            yield ReportsLost(self._behind(first)), Mark(self._boot, (first - 1) & 0xFFFF)
            self._expected = first
        while self._expected in self._ahead:
            message, _ = self._ahead.pop(self._expected)
            yield message, Mark(self._boot, self._expected)
            self._expected = (self._expected + 1) & 0xFFFF

    def _behind(self, sequence: int) -> int:
        assert self._expected is not None, "the first number is known"
        return (sequence - self._expected) & 0xFFFF
