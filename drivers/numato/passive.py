"""Decodes what a Numato board answers to the controller that drives it. No I/O here."""

from collections.abc import Iterator

from drivers.device import Mark
from drivers.faults import LineNoise
from drivers.messages import Message, SlotsRead
from drivers.numato.codec import BAUD, READ_ALL, Notification, NumatoAnswer, NumatoCodec
from drivers.numato.edges import EdgeCounts
from drivers.numato.slots import ALL_LINES, READINGS_BEHIND_A_PRESS
from drivers.passive import Read
from drivers.ports.serial import LineSettings
from drivers.tap import End


class NumatoPassive:
    """A PassiveReader. It reads what the controller asks for: levels by `gpio readall`, edges by notifications.

    `inputs` and `lamps` are lines as bits, `button` is a line. Counters begin at 0 with each opening.
    """

    settings = LineSettings(BAUD)

    def __init__(self, inputs: int, lamps: int, button: int) -> None:
        self._inputs, self._lamps, self._button = inputs, lamps, button
        self.opened(0.0)

    def opened(self, now: float) -> None:
        self._codec = NumatoCodec()
        self._edges: EdgeCounts | None = None
        self._asked = b""
        self._reading = False
        self._meanwhile: list[int] = []  # edges notified while a reading is under way
        self._reported: SlotsRead | None = None
        self._behind_a_press = 0  # readings awaited before a press is reported

    def receive(self, end: End, octets: bytes, now: float) -> Iterator[Read]:
        if end == "host":
            *asked, self._asked = (self._asked + octets).split(b"\r")
            self._reading |= READ_ALL.text.encode() in asked
            return
        for received in self._codec.receive(octets):
            match received:
                case LineNoise():
                    yield received
                case Notification():
                    self._notified(received.edges(ALL_LINES & ~self._lamps))
                case NumatoAnswer() if (value := received.value_of(READ_ALL)) is not None:
                    yield from self._read(int(value, 16), now)

    def _notified(self, edges: int) -> None:
        if self._reading:
            self._meanwhile.append(edges)
        elif self._edges is not None:
            self._edges.notified(edges)

    def _read(self, value: int, now: float) -> Iterator[tuple[Message, Mark | None]]:
        self._reading = False
        if self._edges is None:
            self._edges = EdgeCounts(self._inputs, value)
        else:
            self._edges.read(value, now, self._meanwhile)
        self._meanwhile.clear()
        before = None if self._reported is None else self._reported.counters
        read = SlotsRead(self._edges.levels, tuple(self._edges.counters), before)
        if before is not None and read.counters[self._button] != before[self._button]:
            # What was there before the press is notified before it, but perhaps only now.
            self._behind_a_press += 1
            if self._behind_a_press <= READINGS_BEHIND_A_PRESS:
                return
        self._behind_a_press = 0
        if self._reported is None or (read.levels, read.counters) != (self._reported.levels, self._reported.counters):
            self._reported = read
            yield read, None
