"""The progressive sign on a serial line."""

import asyncio

from drivers.alpha.sign import PACKET_PAUSE_SECONDS, WRITE_WAIT_SECONDS, AlphaSign, SignPort
from drivers.device import DeviceName
from drivers.link import LinkTiming
from drivers.ports.line import SerialPort
from drivers.ports.serial import LineSettings, open_serial_port
from drivers.tap import Tap

BAUD = 9600


class SerialSign(AlphaSign):
    """An AlphaSign on a serial line, which keeps each packet as long as its octets take."""

    def __init__(
        self,
        *,
        port: str,
        name: DeviceName = "sign",
        baud: int = BAUD,
        framing: str = "7E1",
        address: str = "00",
        packet_pause_seconds: float = PACKET_PAUSE_SECONDS,
        write_wait_seconds: float = WRITE_WAIT_SECONDS,
        link_timing: LinkTiming | None = None,
        tap: Tap | None = None,
    ) -> None:
        super().__init__(name=name, address=address, link_timing=link_timing)
        self._port_text = port
        self._settings = LineSettings(baud, framing)
        self._packet_pause = packet_pause_seconds
        self._write_wait = write_wait_seconds
        self._tap = tap

    async def _open(self) -> SignPort:
        line = await open_serial_port(self.name, self._port_text, self._settings, self._receive, tap=self._tap)
        return _Serial(line, self._settings.seconds_per_octet, self._packet_pause, self._write_wait)


class _Serial:
    def __init__(self, line: SerialPort, seconds_per_octet: float, packet_pause: float, write_wait: float) -> None:
        self._line = line
        self._seconds_per_octet = seconds_per_octet
        self._packet_pause = packet_pause
        self._write_wait = write_wait

    async def send(self, octets: bytes) -> None:
        self._line.write(octets)
        await self._line.drain(self._write_wait)

    async def rest(self, octets: bytes) -> None:
        loop = asyncio.get_running_loop()
        done = loop.time() + len(octets) * self._seconds_per_octet + self._packet_pause
        while (left := done - loop.time()) > 0:
            await self._line.pause(left)

    async def idle(self) -> None:
        await self._line.pause(None)

    def wake(self) -> None:
        self._line.wake()

    def close(self) -> None:
        self._line.close()
