"""The dealing shoe: hears each report once, says how many were lost, and keeps lock and error as they are wanted."""

import asyncio

from drivers.angel_eye.codec import BAUD
from drivers.angel_eye.dialogue import Answered, NoAnswer, ShoeDialogue, ShoeTiming
from drivers.device import Device, DeviceName, Hear, Mark
from drivers.faults import DeviceSilent
from drivers.link import Link, LinkTiming
from drivers.orders import Order, ShoeLock
from drivers.ports.serial import LineSettings, SerialLine
from drivers.tap import Tap


class Shoe(Device):
    """A Device. `mark` is the journal's last one of the shoe: reports missing since then are told as ReportsLost.

    The shoe has no question to ask it, so the lock command is the greeting, and the probe whenever the lock changes;
    `timing.idle_probe` repeats it in idle too. What the shoe reports while the port is closed is gone.
    An error of the shoe is cleared as soon as the shoe is to be unlocked.
    Orders: ShoeLock.
    """

    def __init__(
        self,
        *,
        port: str,
        mark: Mark | None = None,
        name: DeviceName = "shoe",
        baud: int = BAUD,
        timing: ShoeTiming | None = None,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        self.name = name
        self._line = SerialLine(name, port, LineSettings(baud), tap)
        self._dialogue = ShoeDialogue(mark, timing or ShoeTiming())
        self._link = Link(name, link_timing or LinkTiming())

    async def run(self, hear: Hear) -> None:
        await self._link.run(hear, self._converse)

    def order(self, wanted: Order) -> None:
        if not isinstance(wanted, ShoeLock):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        self._dialogue.order(wanted.locked)
        self._line.wake()

    async def _converse(self) -> None:
        loop = asyncio.get_running_loop()
        async with self._line.opened(self._receive) as line:
            self._dialogue.opened(loop.time())
            while True:
                try:
                    command = self._dialogue.send(loop.time())
                except NoAnswer as silence:
                    raise DeviceSilent(self.name, silence.waited) from None
                if command:
                    line.write(command)
                due = self._dialogue.due
                await line.pause(None if due is None else due - loop.time())

    def _receive(self, octets: bytes) -> None:
        for heard in self._dialogue.receive(octets, asyncio.get_running_loop().time()):
            if isinstance(heard, Answered):
                self._link.answered()
                for message, mark in heard.told:
                    self._link.tell(message, mark)
            else:
                self._link.noise(heard.octets)
        self._line.wake()
