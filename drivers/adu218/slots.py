"""The jackpot slots on an ADU218: reads every change of its inputs, and sets the lamps."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from drivers.adu218.codec import CHANNELS
from drivers.adu218.wire import Adu218Wire, AduTiming
from drivers.device import DeviceName
from drivers.link import LinkTiming
from drivers.polled_slots import LAMPS_AGAIN_SECONDS, POLL_SECONDS, PolledSlots, Reading
from drivers.ports.usb import UsbBackend, UsbIdentity, UsbSocket, UsbThread, libusb_backend
from drivers.tap import Tap
from drivers.waiting import Wake

IDENTITY = UsbIdentity(vendor=0x0A07, product=0x00DA, endpoint_out=0x01, endpoint_in=0x81)
REST_COUNTERS_SECONDS = 1.0  # what came and went between two polls at rest is known by then


class Slots(PolledSlots):
    """On USB. `open_backend` gives the pyusb backend for each opening; without it, libusb.

    The counters are read at the next change of any level. A tripped watchdog opens the relays, so they are read back.
    """

    outputs = CHANNELS

    def __init__(
        self,
        *,
        button: int,
        open_backend: Callable[[], UsbBackend] = libusb_backend,
        name: DeviceName = "slots",
        poll_seconds: float = POLL_SECONDS,
        lamps_again_seconds: float = LAMPS_AGAIN_SECONDS,
        timing: AduTiming | None = None,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        super().__init__(button, name, poll_seconds, lamps_again_seconds, link_timing)
        self._socket = UsbSocket(name, IDENTITY, open_backend, tap=tap)
        self._timing = timing or AduTiming()
        self._pausing = Wake()

    async def _converse(self) -> None:
        loop = asyncio.get_running_loop()

        def noise(octets: int) -> None:
            with suppress(RuntimeError):  # the loop has closed before the thread
                loop.call_soon_threadsafe(self._link.noise, octets)

        self._thread = UsbThread(self.name)
        self._wire = Adu218Wire(self.name, self._socket.open, self._button, self._timing, noise)
        self._next_counters, self._rested = 0.0, False
        try:
            self._shown = await self._thread.run(self._wire.greet)
            await self._poll()
        finally:
            self._wire.abandon()
            self._thread.finish(self._wire.close)

    def _wake(self) -> None:
        self._pausing.now()

    async def _pause(self, until: float) -> None:
        await self._pausing.pause(until - asyncio.get_running_loop().time())

    async def _read(self, asked: bool) -> Reading | None:
        started, rests = asyncio.get_running_loop().time(), self._rests
        # The counters are read as a round begins, too: from then on they show what comes and goes in it.
        counters = asked or (started >= self._next_counters if rests else self._rested)
        reading = await self._thread.run(partial(self._wire.poll, counters, rests))
        if counters:
            self._next_counters = started + REST_COUNTERS_SECONDS
        self._rested = rests
        return reading

    async def _light(self, lamps: tuple[bool, ...], changed: bool) -> None:
        if not changed:
            self._shown = await self._thread.run(self._wire.relays)
        if self._shown != lamps:
            self._shown = await self._thread.run(partial(self._wire.set_relays, lamps))
