"""A device that another controller drives: what both report is read at a tap, and nothing can be written."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import Protocol

from drivers.device import Device, DeviceName, Mark, Receive
from drivers.faults import LineNoise, PortLost
from drivers.link import Link, LinkTiming
from drivers.messages import Message
from drivers.orders import Order
from drivers.ports.receive_only import ReceiveOnly
from drivers.ports.serial import LineSettings
from drivers.tap import End, OpenTap, Tap

Read = LineNoise | tuple[Message, Mark | None]


class PassiveReader(Protocol):
    """What octets of both ends of a wire mean, of one make. No I/O."""

    settings: LineSettings

    def opened(self, now: float) -> None:
        """Both taps are open from now on; what came before is not known."""
        ...

    def receive(self, end: End, octets: bytes, now: float) -> Iterable[Read]:
        """What these octets of one end complete, in order; noise in the device's octets alone."""
        ...


class PassiveDevice(Device):
    """A Device at the end of another controller's wire. It takes no order, and its link is up once a message was read.

    `ports` are the taps by whose octets they carry.
    """

    def __init__(
        self,
        *,
        name: DeviceName,
        ports: Mapping[End, str],
        reader: PassiveReader,
        tap: Tap | None = None,
        link_timing: LinkTiming | None = None,
    ) -> None:
        self.name = name
        self._ports = dict(ports)
        self._reader = reader
        self._tap = tap
        self._link = Link(name, link_timing or LinkTiming())

    async def run(self, receive: Receive) -> None:
        await self._link.run(receive, self._converse)

    def order(self, wanted: Order) -> None:
        """Nothing: another controller orders."""

    async def _converse(self) -> None:
        loop = asyncio.get_running_loop()
        lost: asyncio.Future[PortLost] = loop.create_future()
        with ExitStack() as closing:
            tapped = OpenTap(self._tap, "receive-only", self._reader.settings.named)
            closing.callback(tapped.closed, "host", "closed")
            self._reader.opened(loop.time())
            for end, port in self._ports.items():
                opened = ReceiveOnly(self.name, port, self._reader.settings, self._receiving(end, tapped), lost)
                closing.callback(opened.close)
            raise await lost

    def _receiving(self, end: End, tapped: OpenTap) -> Callable[[bytes], None]:
        def received(octets: bytes) -> None:
            (tapped.received if end == "device" else tapped.sent)(octets)
            for read in self._reader.receive(end, octets, asyncio.get_running_loop().time()):
                if isinstance(read, LineNoise):
                    self._link.noise(read.octets)
                else:
                    self._link.answered()
                    self._link.report(*read)

        return received
