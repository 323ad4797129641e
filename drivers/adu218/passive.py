"""Decodes what an ADU218 answers to another controller that drives it. No I/O here."""

from collections import deque
from collections.abc import Iterator

from drivers.adu218.codec import CHANNELS, COUNTERS, INPUTS, RELAYS, AduAnswer, Question, decode, levels
from drivers.adu218.slots import IDENTITY
from drivers.faults import LineNoise
from drivers.messages import SlotsRead
from drivers.passive import Read
from drivers.ports.usbmon import CLOCK_SECONDS
from drivers.tap import End

STALE_SECONDS = 1.0  # an answer is late by no more: a question without one is forgotten
MOST_WAITING = 32
COUNTER_VALUES = COUNTERS[0].largest + 1
_QUESTIONS = {question.command: question for question in (INPUTS, RELAYS, *COUNTERS)}


class Adu218Passive:
    """A PassiveReader. Levels are read where the controller asks for the inputs (PI), and rises are counted here.

    Counters begin at 0 with each opening. A rise between two questions for the inputs is known if the controller reads
    the board's own counters (REn), at its next question for the inputs.
    """

    identity = IDENTITY

    def __init__(self) -> None:
        self.opened(0.0)

    def opened(self, now: float) -> None:
        self._asked: deque[tuple[Question, float]] = deque(maxlen=MOST_WAITING)
        self._levels: tuple[bool, ...] | None = None
        self._counters: tuple[int, ...] = (0,) * CHANNELS
        self._board: dict[int, int] = {}  # the board's own counters by input, as last read
        self._ahead = [0] * CHANNELS  # how many rises more the board has counted; less than 0 until it is read again

    def receive(self, end: End, octets: bytes, now: float) -> Iterator[Read]:
        if end == "host":
            question = _QUESTIONS.get(octets[1:].partition(b"\0")[0].decode("ascii", "replace"))
            if question is not None:
                self._asked.append((question, now))
            return
        answer = decode(octets)
        if isinstance(answer, LineNoise):
            yield answer
            return
        question = self._answered(answer, now)
        if question is INPUTS:
            yield from self._read(answer)
        elif question in COUNTERS:
            self._count(COUNTERS.index(question), answer.value)

    def _answered(self, answer: AduAnswer, now: float) -> Question | None:
        """The question that an answer is of. None if it may be of several: relays are answered as inputs are."""
        while self._asked and (now - self._asked[0][1]) % CLOCK_SECONDS > STALE_SECONDS:
            self._asked.popleft()
        fits = [(question, when) for question, when in self._asked if answer.fits(question)]
        if not fits:
            return None
        self._asked.remove(fits[0])
        return fits[0][0] if len({question for question, _ in fits}) == 1 else None

    def _count(self, input: int, value: int) -> None:
        rises = (value - self._board.get(input, value)) % COUNTER_VALUES
        self._board[input] = value
        # The board has counted each rise that a level has shown. Without power it counts from 0 again.
        self._ahead[input] = max(0, self._ahead[input] + rises) if rises < COUNTER_VALUES // 2 else 0

    def _read(self, answer: AduAnswer) -> Iterator[Read]:
        now = levels(answer.value)
        before, counted = self._levels, self._counters
        if before is None:
            rises = [0] * CHANNELS
            self._ahead = [0] * CHANNELS
        else:
            shown = [level and not was for level, was in zip(now, before, strict=True)]
            rises = [max(ahead, level) for ahead, level in zip(self._ahead, shown, strict=True)]
            self._ahead = [ahead - rise for ahead, rise in zip(self._ahead, rises, strict=True)]
        self._levels = now
        self._counters = tuple((count + rise) % COUNTER_VALUES for count, rise in zip(counted, rises, strict=True))
        if (now, self._counters) != (before, counted):
            yield SlotsRead(now, self._counters, None if before is None else counted), None
