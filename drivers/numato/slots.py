"""The jackpot slots on a Numato board: reads its inputs, counts their edges, and sets the lamps."""

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from drivers.device import DeviceName
from drivers.faults import DeviceSilent
from drivers.link import LinkTiming
from drivers.numato.codec import (
    BAUD,
    END_OF_LINE,
    LINES,
    NOTIFY,
    READ_ALL,
    VERSION,
    Notification,
    NumatoAnswer,
    NumatoCodec,
    NumatoCommand,
    directions,
    mask,
    write_all,
)
from drivers.numato.edges import EdgeCounts
from drivers.orders import LampStates, Order
from drivers.polled_slots import LAMPS_AGAIN_SECONDS, POLL_SECONDS, PolledSlots, Reading
from drivers.ports.serial import LineSettings, SerialLine
from drivers.tap import Tap
from drivers.waiting import Patience

DRAIN_SECONDS = 0.05  # a round trip is a few milliseconds: what is left over from an earlier program has come by then
DRAIN_PAUSES = 20  # a board that will not stop talking is not drained for ever
ANSWER_SECONDS = 0.75  # a round trip is a few milliseconds, and longer where the board or this computer is busy
SILENCE_SECONDS = 1.0  # how long the answer is waited for that would be behind all others
ASK_TRIES = 2
READINGS_BEHIND_A_PRESS = 2  # or behind a question; edges notified while the first is under way count with the second
ALL_LINES = (1 << LINES) - 1


@dataclass(frozen=True, slots=True)
class NumatoTiming:
    """The time limits of the questions, in seconds; shortened in tests."""

    drain: float = DRAIN_SECONDS
    answer: float = ANSWER_SECONDS
    silence: float = SILENCE_SECONDS


class Numato(PolledSlots):
    """On a serial port. `seats`, `button` and `lamps` are line numbers; any other line stays an input and is not read.

    The board has no event counters: they are counted here, from 0 at each opening, so a chip that came and went while
    the port was closed is not known. Edges are reported by the board itself, also while no round is in play.
    """

    outputs = LINES

    def __init__(
        self,
        *,
        port: str,
        seats: Iterable[int],
        button: int,
        lamps: Iterable[int],
        name: DeviceName = "slots",
        poll_seconds: float = POLL_SECONDS,
        lamps_again_seconds: float = LAMPS_AGAIN_SECONDS,
        timing: NumatoTiming | None = None,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        """Raises ValueError for a line that the board has not, or that is both input and lamp."""
        super().__init__(button, name, poll_seconds, inf, link_timing)
        self._serial = SerialLine(name, port, LineSettings(BAUD), tap)
        self._inputs, self._lamps = _bits([*seats, button]), _bits(lamps)
        if both := self._inputs & self._lamps:
            raise ValueError(f"{name}: lines {both:04x} are both inputs and outputs")
        self._configure_again = lamps_again_seconds
        self._timing = timing or NumatoTiming()
        self._codec = NumatoCodec()
        self._answers: deque[NumatoAnswer] = deque()
        self._edges: EdgeCounts | None = None
        self._reading = self._woken = False
        self._meanwhile: list[int] = []  # edges notified while a reading is under way, before or after its moment
        self._last_octets = self._next_configuration = 0.0
        self._presses: int | None = None

    def order(self, wanted: Order) -> None:
        """Raises ValueError also for a lamp that is lit at a line without one."""
        if (
            isinstance(wanted, LampStates)
            and len(wanted.relays) == LINES
            and (dark := _bits_of(wanted.relays) & ~self._lamps)
        ):
            raise ValueError(f"{self.name}: lines {dark:04x} have no lamp")
        super().order(wanted)

    async def _converse(self) -> None:
        self._codec = NumatoCodec()
        self._answers.clear()
        self._edges, self._reading, self._presses = None, False, None
        self._meanwhile.clear()
        self._next_configuration = 0.0
        async with self._serial.opened(self._receive) as self._line:
            await self._drain()
            await self._poll()

    def _wake(self) -> None:
        self._woken = True
        self._serial.wake()

    async def _pause(self, until: float) -> None:
        loop = asyncio.get_running_loop()
        while not self._woken and (left := until - loop.time()) > 0:
            await self._line.pause(left)
        self._woken = False

    async def _read(self, asked: bool) -> Reading:
        now = asyncio.get_running_loop().time()
        if now >= self._next_configuration:
            self._next_configuration = now + self._configure_again
            await self._configure()
            self._lit = None
        reading = await self._read_once()
        presses = reading.counters[self._button]
        if asked or (self._presses is not None and presses != self._presses):
            # What was there before is notified before the press is, but perhaps only now.
            for _ in range(READINGS_BEHIND_A_PRESS):
                reading = await self._read_once()
        self._presses = reading.counters[self._button]
        return reading

    async def _light(self, lamps: tuple[bool, ...], changed: bool) -> None:
        await self._ask(write_all(_bits_of(lamps)))

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        self._line.write(END_OF_LINE)
        self._last_octets = loop.time()
        give_up = loop.time() + DRAIN_PAUSES * self._timing.drain
        while (left := min(give_up, self._last_octets + self._timing.drain) - loop.time()) > 0:
            await self._line.pause(left)
        self._answers.clear()

    async def _read_once(self) -> Reading:
        self._reading = True
        levels = int(await self._ask(READ_ALL), 16)
        self._reading = False
        if self._edges is None:
            self._edges = EdgeCounts(self._inputs, levels)
        else:
            self._edges.read(levels, asyncio.get_running_loop().time(), self._meanwhile)
        self._meanwhile.clear()
        return Reading(self._edges.levels, tuple(self._edges.counters))

    async def _configure(self) -> None:
        """The mask lets the directions through, and afterwards only the lamps."""
        await self._ask(mask(ALL_LINES))
        await self._ask(directions(ALL_LINES & ~self._lamps))
        await self._ask(mask(self._lamps))
        await self._ask(NOTIFY)

    async def _ask(self, command: NumatoCommand) -> str:
        """The value in the board's answer. A command without an answer is repeated, which is harmless for every
        command.
        """
        loop = asyncio.get_running_loop()
        started = loop.time()
        for _ in range(ASK_TRIES):
            while self._answers:  # no one asked for these: left here, they would answer the next question
                self._link.noise(len(self._answers.popleft().text))
            self._line.write(command.octets)
            value = await self._await(command, self._timing.answer)
            if value is not None:
                return value
            # Answers come in order: behind the answer to a command that is asked nowhere else nothing is left over.
            self._line.write(END_OF_LINE + VERSION.octets)
            if await self._await(VERSION, self._timing.silence) is None:
                break
        raise DeviceSilent(self.name, round(loop.time() - started, 2))

    async def _await(self, command: NumatoCommand, seconds: float) -> str | None:
        """The value of the first answer to `command`; other answers are late ones, or spoilt."""
        patience = Patience(seconds)
        while True:
            while self._answers:
                answer = self._answers.popleft()
                value = answer.value_of(command)
                if value is not None:
                    return value
                self._link.noise(len(answer.text))
            if not (step := patience.step()):
                return None
            await self._line.pause(step)

    def _receive(self, octets: bytes) -> None:
        self._last_octets = asyncio.get_running_loop().time()
        for received in self._codec.receive(octets):
            match received:
                case NumatoAnswer():
                    self._answers.append(received)
                case Notification():
                    edges = received.edges(ALL_LINES & ~self._lamps)
                    if self._reading:
                        self._meanwhile.append(edges)
                    elif self._edges is not None:
                        self._edges.notified(edges)
                case _:
                    self._link.noise(received.octets)
        self._serial.wake()


def _bits(lines: Iterable[int]) -> int:
    bits = 0
    for line in lines:
        if line not in range(LINES):
            raise ValueError(f"line {line} is not 0 to {LINES - 1}")
        bits |= 1 << line
    return bits


def _bits_of(lamps: tuple[bool, ...]) -> int:
    return _bits(line for line, is_lit in enumerate(lamps) if is_lit)
