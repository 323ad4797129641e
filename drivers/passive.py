"""A device that another controller drives: a tap reads both sides, and nothing can be written."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from drivers.device import Device, DeviceName, Mark, Receive
from drivers.faults import LineNoise, PortLost
from drivers.link import Link, LinkTiming
from drivers.messages import Message
from drivers.orders import Order
from drivers.ports.receive_only import ReceiveOnly
from drivers.ports.serial import LineSettings
from drivers.ports.usb import UsbIdentity
from drivers.ports.usbmon import DEVICES, UsbMonitor
from drivers.tap import End, OpenTap, Tap

Read = LineNoise | tuple[Message, Mark | None]


class PassiveReader(Protocol):
    """Decodes the octets of both ends of a wire, for one make. No I/O."""

    def opened(self, now: float) -> None:
        """Both taps are open from now on; earlier octets are unknown."""
        ...

    def receive(self, end: End, octets: bytes, now: float) -> Iterable[Read]:
        """The messages that these octets of one end complete, in order; noise is reported for the device only.

        `now` is in seconds: on USB the kernel's time of the transfer, else the loop's.
        """
        ...


@runtime_checkable
class PassiveSerialReader(PassiveReader, Protocol):
    """A reader of a serial line, and the line's settings."""

    settings: LineSettings


class PassiveUsbReader(PassiveReader, Protocol):
    """A reader of a USB device, and its identity."""

    identity: UsbIdentity


Receiving = Callable[[End, bytes, float], None]


class PassiveDevice(Device):
    """A Device at the end of another controller's wire. It takes no order; its link is up once a message was read."""

    def __init__(
        self,
        name: DeviceName,
        reader: PassiveReader,
        wire: str,
        settings: Mapping[str, int | str],
        tap: Tap | None,
        link_timing: LinkTiming | None,
    ) -> None:
        self.name = name
        self._reader = reader
        self._wire, self._settings = wire, dict(settings)
        self._tap = tap
        self._link = Link(name, link_timing or LinkTiming())

    async def run(self, receive: Receive) -> None:
        await self._link.run(receive, self._converse)

    def order(self, wanted: Order) -> None:
        """Does nothing: another controller orders."""

    @abstractmethod
    def _open(self, closing: ExitStack, receive: Receiving, lost: "asyncio.Future[PortLost]") -> None:
        """Raises PortLost."""

    async def _converse(self) -> None:
        loop = asyncio.get_running_loop()
        lost: asyncio.Future[PortLost] = loop.create_future()
        with ExitStack() as closing:
            tapped = OpenTap(self._tap, self._wire, self._settings)
            closing.callback(tapped.closed, "host", "closed")
            self._reader.opened(loop.time())
            self._open(closing, self._receiving(tapped), lost)
            raise await lost

    def _receiving(self, tapped: OpenTap) -> Receiving:
        def received(end: End, octets: bytes, now: float) -> None:
            (tapped.received if end == "device" else tapped.sent)(octets)
            for read in self._reader.receive(end, octets, now):
                if isinstance(read, LineNoise):
                    self._link.noise(read.octets)
                else:
                    self._link.answered()
                    self._link.report(*read)

        return received


class PassiveSerial(PassiveDevice):
    """A passive device at two taps of a serial line: `ports` by the side whose octets they carry."""

    def __init__(
        self,
        *,
        name: DeviceName,
        ports: Mapping[End, str],
        reader: PassiveSerialReader,
        tap: Tap | None = None,
        link_timing: LinkTiming | None = None,
    ) -> None:
        super().__init__(name, reader, "receive-only", reader.settings.named, tap, link_timing)
        self._ports, self._line = dict(ports), reader.settings

    def _open(self, closing: ExitStack, receive: Receiving, lost: "asyncio.Future[PortLost]") -> None:
        loop = asyncio.get_running_loop()

        def received(end: End, octets: bytes) -> None:
            receive(end, octets, loop.time())

        for end, port in self._ports.items():
            closing.callback(ReceiveOnly(self.name, port, self._line, partial(received, end), lost).close)


class PassiveUsb(PassiveDevice):
    """A passive device at the kernel's own tap of USB. The folder `usbmon` of another computer has that computer's
    devices.
    """

    def __init__(
        self,
        *,
        name: DeviceName,
        reader: PassiveUsbReader,
        usbmon: Path,
        tap: Tap | None = None,
        link_timing: LinkTiming | None = None,
    ) -> None:
        super().__init__(name, reader, "usbmon", {}, tap, link_timing)
        self._identity, self._usbmon = reader.identity, usbmon

    def _open(self, closing: ExitStack, receive: Receiving, lost: "asyncio.Future[PortLost]") -> None:
        own = self._usbmon / "devices"
        devices = own if own.is_dir() else DEVICES
        monitor = UsbMonitor(self.name, self._identity, receive, lost, self._usbmon, devices)
        closing.callback(monitor.close)
