"""The jackpot slots on an ADU218: reads every change of its inputs, and keeps the lamps as they are wanted."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from drivers.adu218.codec import CHANNELS
from drivers.adu218.wire import Adu218Wire, AduTiming, Reading
from drivers.device import Device, DeviceName, Hear
from drivers.link import Link, LinkTiming
from drivers.messages import SlotsRead
from drivers.orders import Lamps, Order
from drivers.ports.usb import UsbBackend, UsbIdentity, UsbSocket, UsbThread, libusb_backend
from drivers.readings import NextReading
from drivers.tap import Tap
from drivers.wake import Wake

IDENTITY = UsbIdentity(vendor=0x0A07, product=0x00DA, endpoint_out=0x01, endpoint_in=0x81)
POLL_SECONDS = 0.02  # a round trip is about 16 ms on hardware
REST_POLL_SECONDS = 0.25  # while no round is in play
REST_COUNTERS_SECONDS = 1.0  # what came and went between two polls at rest is known by then
RELAY_CHECK_SECONDS = 1.0  # a tripped watchdog opens the relays without a word


class Slots(Device):
    """A Device. `open_backend` gives the pyusb backend for each opening; without it, libusb.

    `button` is the input whose press closes the betting: no chip laid before it is told after it. Chips that come and
    go between two polls show in the counters at the next change of any level.
    Orders: Lamps.
    """

    def __init__(
        self,
        *,
        button: int,
        open_backend: Callable[[], UsbBackend] = libusb_backend,
        name: DeviceName = "slots",
        poll_seconds: float = POLL_SECONDS,
        relay_check_seconds: float = RELAY_CHECK_SECONDS,
        timing: AduTiming | None = None,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        self.name = name
        self._button = button
        self._socket = UsbSocket(name, IDENTITY, open_backend, tap=tap)
        self._poll = poll_seconds
        self._relay_check = relay_check_seconds
        self._timing = timing or AduTiming()
        self._link = Link(name, link_timing or LinkTiming())
        self._wanted: Lamps | None = None
        self._wake = Wake()
        self._next = NextReading()

    async def run(self, hear: Hear) -> None:
        await self._link.run(hear, self._converse)

    def order(self, wanted: Order) -> None:
        """Raises ValueError if there are not eight lamps."""
        if not isinstance(wanted, Lamps):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        if len(wanted.relays) != CHANNELS:
            raise ValueError(f"{self.name}: {len(wanted.relays)} lamps, not {CHANNELS}")
        if wanted != self._wanted:
            self._wanted = wanted
            self._wake.now()

    async def read_again(self) -> None:
        """Return once what the sensors show by now has been told, or where the link is lost."""
        if self._link.up:
            self._wake.now()
            await self._next.wait()

    async def _converse(self) -> None:
        loop = asyncio.get_running_loop()

        def noise(octets: int) -> None:
            with suppress(RuntimeError):  # the loop has closed before the thread
                loop.call_soon_threadsafe(self._link.noise, octets)

        thread = UsbThread(self.name)
        wire = Adu218Wire(self.name, self._socket.open, self._button, self._timing, noise)
        try:
            await self._watch(thread, wire)
        finally:
            self._next.lost()
            wire.abandon()
            thread.finish(wire.close)

    async def _watch(self, thread: UsbThread, wire: Adu218Wire) -> None:
        loop = asyncio.get_running_loop()
        shown = await thread.run(wire.greet)
        told: Reading | None = None
        established: tuple[bool, ...] | None = None  # the order last carried out in this conversation
        next_check = next_counters = 0.0
        rested = False
        while True:
            started = loop.time()
            rests = self._wanted is not None and not self._wanted.in_play
            # The counters are read as a round begins, too: they tell from then on what comes and goes in it.
            counters = self._next.begins() or (started >= next_counters if rests else rested)
            reading = await thread.run(partial(wire.poll, counters, rests))
            if counters:
                next_counters = started + REST_COUNTERS_SECONDS
            rested = rests
            self._link.answered()
            if reading is not None and reading != told:
                before = None if told is None else told.counters
                told = reading
                self._link.tell(SlotsRead(reading.levels, reading.counters, before))
            self._next.told()
            wanted = None if self._wanted is None else self._wanted.relays
            if wanted is not None and (wanted != established or started >= next_check):
                if wanted == established:
                    shown = await thread.run(wire.relays)
                if shown != wanted:
                    shown = await thread.run(partial(wire.set_relays, wanted))
                established, next_check = wanted, started + self._relay_check
            await self._wake.pause(started + (REST_POLL_SECONDS if rests else self._poll) - loop.time())
