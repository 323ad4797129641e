"""The dealing shoe: receives each report once, reports how many were lost, and keeps lock and error as ordered."""

import asyncio

from drivers.angel_eye.codec import BAUD
from drivers.angel_eye.dialogue import NoAnswer, ShoeAnswered, ShoeDialogue, ShoeTiming
from drivers.device import Device, DeviceName, Mark, Receive
from drivers.faults import DeviceSilent
from drivers.link import Link, LinkTiming
from drivers.orders import Order, ShoeLock
from drivers.ports.serial import LineSettings, SerialLine
from drivers.tap import Tap


class AngelEye(Device):
    """A Device. `mark` is the journal's last one of the shoe: reports missing since then are reported as ReportsLost.

    The shoe has no question to ask it, so the lock command is the greeting, and the probe whenever the lock changes;
    `timing.idle_probe` repeats it in idle too. Reports of the shoe while the port is closed are lost. An error of the
    shoe is cleared as soon as the shoe is to be unlocked. Orders: ShoeLock.
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

    async def run(self, receive: Receive) -> None:
        await self._link.run(receive, self._converse)

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
        for result in self._dialogue.receive(octets, asyncio.get_running_loop().time()):
            if isinstance(result, ShoeAnswered):
                self._link.answered()
                for message, mark in result.new:
                    self._link.report(message, mark)
            else:
                self._link.noise(result.octets)
        self._line.wake()
