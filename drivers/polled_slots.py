"""Jackpot slots that are polled: the common part of all such boards, on any wire. No I/O here."""

import asyncio
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from drivers.device import Device, DeviceName, Receive
from drivers.link import Link, LinkTiming
from drivers.messages import SlotsRead
from drivers.orders import LampStates, Order
from drivers.waiting import NextReading

POLL_SECONDS = 0.02  # a round trip is about 16 ms on hardware; a contact bounces for less, no one places two in it
REST_POLL_SECONDS = 0.25  # while no round is in play
LAMPS_AGAIN_SECONDS = 1.0  # a board may open its relays, or start again, without a word


@dataclass(frozen=True, slots=True)
class Reading:
    """All inputs and their counters."""

    levels: tuple[bool, ...]
    counters: tuple[int, ...]


class PolledSlots(Device):
    """A Device. `button` is the input whose press closes the betting: no chip placed before it is reported after it.

    A chip that comes and goes between two polls shows in the counters. Orders: Lamps, one for each of `outputs`.
    """

    outputs: ClassVar[int]

    def __init__(
        self,
        button: int,
        name: DeviceName,
        poll_seconds: float,
        lamps_again_seconds: float,
        link_timing: LinkTiming | None,
    ) -> None:
        self.name = name
        self._button = button
        self._poll_seconds = poll_seconds
        self._lamps_again = lamps_again_seconds
        self._link = Link(name, link_timing or LinkTiming())
        self._wanted: LampStates | None = None
        self._lit: tuple[bool, ...] | None = None  # the lamps last set in this conversation
        self._next = NextReading()

    async def run(self, receive: Receive) -> None:
        await self._link.run(receive, self._until_lost)

    def order(self, wanted: Order) -> None:
        """Raises ValueError if there are not as many lamps as outputs."""
        if not isinstance(wanted, LampStates):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        if len(wanted.relays) != self.outputs:
            raise ValueError(f"{self.name}: {len(wanted.relays)} lamps, not {self.outputs}")
        if wanted != self._wanted:
            self._wanted = wanted
            self._wake()

    async def read_again(self) -> None:
        if self._link.up or self._link.is_starting:
            self._wake()
            await self._next.wait()

    async def _until_lost(self) -> None:
        try:
            await self._converse()
        finally:
            self._next.lost()

    @abstractmethod
    async def _converse(self) -> None:
        """Opens, greets and polls. Raises LinkFailure."""

    @abstractmethod
    def _wake(self) -> None:
        """Ends the present pause."""

    @abstractmethod
    async def _read(self, asked: bool) -> Reading | None:
        """Polls once; returns None if nothing has changed. `asked`: someone waits for this reading."""

    @abstractmethod
    async def _light(self, lamps: tuple[bool, ...], changed: bool) -> None:
        """Lights these lamps; `changed`: other lamps were wanted before in this conversation."""

    @abstractmethod
    async def _pause(self, until: float) -> None:
        """Waits until this time, or for `_wake`."""

    async def _poll(self) -> None:
        """Read and light again and again, until the link is lost."""
        self._lit = None
        loop = asyncio.get_running_loop()
        reported: Reading | None = None
        again = 0.0
        while True:
            started = loop.time()
            reading = await self._read(self._next.begins())
            self._link.answered()
            if reading is not None and reading != reported:
                before = None if reported is None else reported.counters
                reported = reading
                self._link.report(SlotsRead(reading.levels, reading.counters, before))
            self._next.reported()
            wanted = None if self._wanted is None else self._wanted.relays
            if wanted is not None and (wanted != self._lit or started >= again):
                await self._light(wanted, wanted != self._lit)
                self._lit, again = wanted, started + self._lamps_again
            await self._pause(started + (REST_POLL_SECONDS if self._rests else self._poll_seconds))

    @property
    def _rests(self) -> bool:
        """Whether no round is in play."""
        return self._wanted is not None and not self._wanted.in_play
