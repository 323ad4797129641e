"""The jackpot slots on a Numato board: reads its inputs, counts their edges, and keeps the lamps as they are wanted."""

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from drivers.device import Device, DeviceName, Hear
from drivers.faults import DeviceSilent
from drivers.link import Link, LinkTiming
from drivers.messages import SlotsRead
from drivers.numato.codec import (
    BAUD,
    END_OF_LINE,
    LINES,
    NOTIFY,
    READ_ALL,
    VERSION,
    Answer,
    Command,
    Notification,
    NumatoCodec,
    directions,
    mask,
    write_all,
)
from drivers.numato.edges import EdgeCounts
from drivers.orders import Lamps, Order
from drivers.patience import Patience
from drivers.ports.line import SerialPort
from drivers.ports.serial import LineSettings, SerialLine
from drivers.readings import NextReading
from drivers.tap import Tap

POLL_SECONDS = 0.02  # edges within one poll count as one chip: a contact bounces for less, nobody lays two within that
REST_POLL_SECONDS = 0.25  # while no round is in play; edges are told by the board itself
REPEAT_SECONDS = 1.0  # a board that has started again without hanging up knows neither directions nor lamps
DRAIN_SECONDS = 0.05  # a round trip is a few milliseconds: what is left over from an earlier program has come by then
DRAIN_PAUSES = 20  # a board that will not stop talking is not drained for ever
ANSWER_SECONDS = 0.75  # a round trip is a few milliseconds, and longer where the board or this computer is busy
SILENCE_SECONDS = 1.0  # how long the answer is waited for that would be behind all others
ASK_TRIES = 2
READINGS_BEHIND_A_PRESS = 2  # or behind a question; edges notified while the first is under way count with the second
ALL_LINES = (1 << LINES) - 1

Reading = tuple[tuple[bool, ...], tuple[int, ...]]
"""Levels and counters."""


@dataclass(frozen=True, slots=True)
class NumatoTiming:
    """Seconds of the questions; shortened in tests."""

    drain: float = DRAIN_SECONDS
    answer: float = ANSWER_SECONDS
    silence: float = SILENCE_SECONDS


class Numato(Device):
    """A Device. `seats`, `button` and `outputs` are line numbers; any other line stays an input and is not read.

    The button's press closes the betting: no chip laid before it is told after it.
    The board has no event counters: they are counted here, from 0 at each opening, so a chip that came and went while
    the port was closed is not known. Orders: Lamps.
    """

    def __init__(
        self,
        *,
        port: str,
        seats: Iterable[int],
        button: int,
        outputs: Iterable[int],
        name: DeviceName = "slots",
        poll_seconds: float = POLL_SECONDS,
        repeat_seconds: float = REPEAT_SECONDS,
        timing: NumatoTiming | None = None,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        """Raises ValueError for a line that the board has not, or that is both input and output."""
        self.name = name
        self._line = SerialLine(name, port, LineSettings(BAUD), tap)
        self._inputs, self._outputs = _bits([*seats, button]), _bits(outputs)
        if self._inputs & self._outputs:
            raise ValueError(f"{name}: lines {self._inputs & self._outputs:04x} are both inputs and outputs")
        self._button = button
        self._poll = poll_seconds
        self._repeat = repeat_seconds
        self._timing = timing or NumatoTiming()
        self._link = Link(name, link_timing or LinkTiming())
        self._codec = NumatoCodec()
        self._answers: deque[Answer] = deque()
        self._edges: EdgeCounts | None = None
        self._reading = False
        self._meanwhile: list[int] = []  # edges notified while a reading is under way, before or after its moment
        self._last_octets = 0.0
        self._lamps: int | None = None
        self._rests = False
        self._next = NextReading()

    async def run(self, hear: Hear) -> None:
        await self._link.run(hear, self._converse)

    def order(self, wanted: Order) -> None:
        """Raises ValueError if there are not as many lamps as lines, or one is lit at a line that is no output."""
        if not isinstance(wanted, Lamps):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        if len(wanted.relays) != LINES:
            raise ValueError(f"{self.name}: {len(wanted.relays)} lamps, not {LINES}")
        lamps = _bits(line for line, lit in enumerate(wanted.relays) if lit)
        if lamps & ~self._outputs:
            raise ValueError(f"{self.name}: lines {lamps & ~self._outputs:04x} have no lamp")
        if (lamps, not wanted.in_play) != (self._lamps, self._rests):
            self._lamps, self._rests = lamps, not wanted.in_play  # carried out at the next poll, which comes soon
            self._line.wake()

    async def read_again(self) -> None:
        """Return once what the sensors show by now has been told, or where the link is lost."""
        if self._link.up:
            self._line.wake()
            await self._next.wait()

    async def _converse(self) -> None:
        self._codec = NumatoCodec()
        self._answers.clear()
        self._edges, self._reading = None, False
        self._meanwhile.clear()
        try:
            async with self._line.opened(self._receive) as line:
                await self._drain(line)
                await self._watch(line)
        finally:
            self._next.lost()

    async def _drain(self, line: SerialPort) -> None:
        loop = asyncio.get_running_loop()
        line.write(END_OF_LINE)
        self._last_octets = loop.time()
        give_up = loop.time() + DRAIN_PAUSES * self._timing.drain
        while (left := min(give_up, self._last_octets + self._timing.drain) - loop.time()) > 0:
            await line.pause(left)
        self._answers.clear()

    async def _watch(self, line: SerialPort) -> None:
        loop = asyncio.get_running_loop()
        told: Reading | None = None
        established: int | None = None  # the lamps last set in this conversation
        next_repeat = 0.0
        while True:
            started = loop.time()
            repeat = started >= next_repeat
            if repeat:
                next_repeat = started + self._repeat
                await self._configure(line)
            asked = self._next.begins()
            reading = await self._read(line)
            if asked or (told is not None and reading[1][self._button] != told[1][self._button]):
                # What lay there before is notified before the press is, but perhaps only now.
                for _ in range(READINGS_BEHIND_A_PRESS):
                    reading = await self._read(line)
            self._link.answered()
            if reading != told:
                before = None if told is None else told[1]
                told = reading
                self._link.tell(SlotsRead(*reading, before))
            self._next.told()
            wanted = self._lamps
            if wanted is not None and (repeat or wanted != established):
                await self._ask(line, write_all(wanted))
                established = wanted
            while (left := started + self._until_next_poll(established) - loop.time()) > 0:
                await line.pause(left)

    def _until_next_poll(self, established: int | None) -> float:
        return REST_POLL_SECONDS if self._rests and self._lamps == established else self._poll

    async def _read(self, line: SerialPort) -> Reading:
        self._reading = True
        levels = int(await self._ask(line, READ_ALL), 16)
        self._reading = False
        if self._edges is None:
            self._edges = EdgeCounts(self._inputs, levels)
        else:
            self._edges.read(levels, asyncio.get_running_loop().time(), self._meanwhile)
        self._meanwhile.clear()
        return self._edges.levels, tuple(self._edges.counters)

    async def _configure(self, line: SerialPort) -> None:
        """The mask lets the directions through, and afterwards only the lamps."""
        await self._ask(line, mask(ALL_LINES))
        await self._ask(line, directions(ALL_LINES & ~self._outputs))
        await self._ask(line, mask(self._outputs))
        await self._ask(line, NOTIFY)

    async def _ask(self, line: SerialPort, command: Command) -> str:
        """The value of the board's answer. Every command can be given twice, so one without an answer is repeated."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        for _ in range(ASK_TRIES):
            while self._answers:  # nobody asked for these: left now, they would answer what is asked next
                self._link.noise(len(self._answers.popleft().text))
            line.write(command.octets)
            value = await self._await(line, command, self._timing.answer)
            if value is not None:
                return value
            # Answers come in order: behind the answer to a command that is asked nowhere else nothing is left over.
            line.write(END_OF_LINE + VERSION.octets)
            if await self._await(line, VERSION, self._timing.silence) is None:
                break
        raise DeviceSilent(self.name, round(loop.time() - started, 2))

    async def _await(self, line: SerialPort, command: Command, seconds: float) -> str | None:
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
            await line.pause(step)

    def _receive(self, octets: bytes) -> None:
        self._last_octets = asyncio.get_running_loop().time()
        for received in self._codec.receive(octets):
            match received:
                case Answer():
                    self._answers.append(received)
                case Notification():
                    edges = received.edges(ALL_LINES & ~self._outputs)
                    if self._reading:
                        self._meanwhile.append(edges)
                    elif self._edges is not None:
                        self._edges.notified(edges)
                case _:
                    self._link.noise(received.octets)
        self._line.wake()


def _bits(lines: Iterable[int]) -> int:
    bits = 0
    for line in lines:
        if line not in range(LINES):
            raise ValueError(f"line {line} is not 0 to {LINES - 1}")
        bits |= 1 << line
    return bits
