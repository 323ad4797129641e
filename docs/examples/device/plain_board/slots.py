"""The device: reads the inputs of the board, and keeps its lamps as they are wanted."""

import asyncio

from drivers.device import DeviceName
from drivers.faults import DeviceSilent
from drivers.link import LinkTiming
from drivers.polled_slots import LAMPS_AGAIN_SECONDS, POLL_SECONDS, PolledSlots, Reading
from drivers.ports.serial import LineSettings, SerialLine
from drivers.tap import Tap
from drivers.waiting import Patience

from .codec import BAUD, LINES, BoardAnswer, PlainBoardCodec, light, question

ANSWER_SECONDS = 0.5  # the longest answer takes 50 ms at 9600 baud
TRIES = 3


class PlainBoard(PolledSlots):
    """On a serial port. A reading shows all inputs at one moment, so the button needs no second one."""

    outputs = LINES

    def __init__(
        self,
        *,
        port: str,
        button: int,
        name: DeviceName = "slots",
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        super().__init__(button, name, POLL_SECONDS, LAMPS_AGAIN_SECONDS, link_timing)
        self._serial = SerialLine(name, port, LineSettings(BAUD), tap)
        self._codec = PlainBoardCodec()
        self._answers: list[BoardAnswer] = []
        self._number = 0
        self._woken = False

    async def _converse(self) -> None:
        self._codec = PlainBoardCodec()
        self._answers.clear()
        async with self._serial.opened(self._receive) as self._line:
            await self._poll()

    def _wake(self) -> None:
        self._woken = True
        self._serial.wake()

    async def _pause(self, until: float) -> None:
        loop = asyncio.get_running_loop()
        while not self._woken and (left := until - loop.time()) > 0:
            await self._line.pause(left)
        self._woken = False

    async def _read(self, asked: bool) -> Reading | None:
        answer = await self._ask(None)
        return Reading(answer.levels, answer.counters)

    async def _light(self, lamps: tuple[bool, ...], changed: bool) -> None:
        await self._ask(lamps)

    async def _ask(self, lamps: tuple[bool, ...] | None) -> BoardAnswer:
        """The answer to the lamps, or else to the question. Both may be repeated. Raises DeviceSilent."""
        for _ in range(TRIES):
            self._number = (self._number + 1) % 10
            self._line.write(question(self._number) if lamps is None else light(self._number, lamps))
            patience = Patience(ANSWER_SECONDS)
            while step := patience.step():
                await self._line.pause(step)
                answers, self._answers = self._answers, []
                for answer in answers:
                    if answer.number == self._number and bool(answer.levels) == (lamps is None):
                        return answer
        raise DeviceSilent(self.name, TRIES * ANSWER_SECONDS)

    def _receive(self, octets: bytes) -> None:
        for received in self._codec.receive(octets):
            if isinstance(received, BoardAnswer):
                self._answers.append(received)
            else:
                self._link.noise(received.octets)
        self._serial.wake()
