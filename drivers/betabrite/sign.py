"""The progressive sign as a BetaBrite Prism on USB: the same packets; not confirmed on hardware."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from drivers.alpha.sign import PACKET_PAUSE_SECONDS, WRITE_WAIT_SECONDS, AlphaSign, SignPort
from drivers.device import DeviceName
from drivers.faults import PortLost
from drivers.link import LinkTiming
from drivers.ports.usb import UsbBackend, UsbIdentity, UsbPort, UsbSocket, UsbThread, libusb_backend
from drivers.tap import Tap
from drivers.waiting import Wake

IDENTITY = UsbIdentity(vendor=0x8765, product=0x1234, endpoint_out=0x02, endpoint_in=0x82)
PACKET_OCTETS: Final = 64  # of the bulk endpoints; the host's controller cuts a message into as many as it needs
END_OF_MESSAGE: Final = b""  # a transfer without octets
LOOK_SECONDS = 0.05  # only a transfer finds out that the sign is unplugged: whenever nothing is sent, it is listened to


class BetaBrite(AlphaSign):
    """An AlphaSign on USB. `open_backend` gives the pyusb backend for each opening; without it, libusb."""

    def __init__(
        self,
        *,
        open_backend: Callable[[], UsbBackend] = libusb_backend,
        name: DeviceName = "sign",
        address: str = "00",
        packet_pause_seconds: float = PACKET_PAUSE_SECONDS,
        write_wait_seconds: float = WRITE_WAIT_SECONDS,
        look_seconds: float = LOOK_SECONDS,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        super().__init__(name=name, address=address, link_timing=link_timing)
        self._socket = UsbSocket(name, IDENTITY, open_backend, tap=tap)
        self._packet_pause = packet_pause_seconds
        self._write_wait = write_wait_seconds
        self._look = look_seconds

    async def _open(self) -> SignPort:
        port = _Usb(self.name, self._packet_pause, self._write_wait, self._look, self._receive)
        try:
            await port.open(self._socket.open)
        except BaseException:
            port.close()
            raise
        return port


class _Usb:
    """A SignPort: its calls block, so they run on the thread."""

    def __init__(
        self, device: str, packet_pause: float, write_wait: float, look: float, receive: Callable[[bytes], None]
    ) -> None:
        self._device = device
        self._packet_pause = packet_pause
        self._write_wait = write_wait
        self._look = look
        self._receive = receive
        self._thread = UsbThread(device)
        self._wake = Wake()
        self._opened: UsbPort | None = None

    async def open(self, open_port: Callable[[], UsbPort]) -> None:
        def open_here() -> bytes | None:
            self._opened = open_port()
            # Both endpoints must work before anything is sent: what only listens would be lost again at once.
            return self._opened.read(PACKET_OCTETS, self._look)

        if octets := await self._thread.run(open_here):
            self._receive(octets)

    async def send(self, octets: bytes) -> None:
        for transfer in (octets, END_OF_MESSAGE):
            if not await self._thread.run(partial(self._port.write, transfer, self._write_wait)):
                raise PortLost(self._device, f"takes nothing for {self._write_wait:g} s", "silent")

    async def rest(self, octets: bytes) -> None:
        loop = asyncio.get_running_loop()
        done = loop.time() + self._packet_pause
        while (left := done - loop.time()) > 0:
            spare = await self._listen(min(left, self._look))
            await asyncio.sleep(spare)

    async def idle(self) -> None:
        await self._wake.pause(await self._listen(self._look))

    async def _listen(self, seconds: float) -> float:
        """Reads for `seconds`, or until the sign is unplugged; returns the seconds left if it read something."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        octets = await self._thread.run(partial(self._port.read, PACKET_OCTETS, seconds))
        if octets:
            self._receive(octets)
        return max(0.0, until - loop.time())

    def wake(self) -> None:
        self._wake.now()

    def close(self) -> None:
        def close_here() -> None:
            if self._opened is not None:
                self._opened.close()

        self._thread.finish(close_here)

    @property
    def _port(self) -> UsbPort:
        assert self._opened is not None, "open comes first"
        return self._opened
