"""Decodes what an ADU218 answers to another controller that drives it. No I/O here."""

from collections import deque
from collections.abc import Iterator

from drivers.adu218.codec import CHANNELS, INPUTS, RELAYS, AduAnswer, decode, levels
from drivers.adu218.slots import IDENTITY
from drivers.faults import LineNoise
from drivers.messages import SlotsRead
from drivers.passive import Read
from drivers.tap import End

STALE_SECONDS = 1.0  # an answer is late by no more: a question without one is forgotten
MOST_WAITING = 32


class Adu218Passive:
    """A PassiveReader. Levels are read where the controller asks for the inputs (PI), and rises are counted here.

    Counters begin at 0 with each opening, so a chip that came and went between two questions is not known.
    """

    identity = IDENTITY

    def __init__(self) -> None:
        self.opened(0.0)

    def opened(self, now: float) -> None:
        self._asked: deque[tuple[str, float]] = deque(maxlen=MOST_WAITING)
        self._levels: tuple[bool, ...] | None = None
        self._counters: tuple[int, ...] = (0,) * CHANNELS

    def receive(self, end: End, octets: bytes, now: float) -> Iterator[Read]:
        if end == "host":
            command = octets[1:].partition(b"\0")[0].decode("ascii", "replace")
            if command in (INPUTS.command, RELAYS.command):
                self._asked.append((command, now))
            return
        answer = decode(octets)
        if isinstance(answer, LineNoise):
            yield answer
        elif answer.fits(INPUTS) and self._is_of_inputs(now):
            yield from self._read(answer)

    def _is_of_inputs(self, now: float) -> bool:
        """Whether an answer is about the inputs. Relays are answered in the same form, so if both were asked an
        answer may be of either.
        """
        while self._asked and now - self._asked[0][1] > STALE_SECONDS:
            self._asked.popleft()
        kinds = {command for command, _ in self._asked}
        if self._asked:
            self._asked.popleft()
        return kinds == {INPUTS.command}

    def _read(self, answer: AduAnswer) -> Iterator[Read]:
        now = levels(answer.value)
        if now == self._levels:
            return
        before, counted = self._levels, self._counters
        if before is not None:
            self._counters = tuple(
                (count + (level and not was)) % 65536
                for count, level, was in zip(self._counters, now, before, strict=True)
            )
        self._levels = now
        yield SlotsRead(now, self._counters, None if before is None else counted), None
