"""The progressive sign: brings its memory, packet by packet, to the face that is wanted now."""

import asyncio

from drivers.alpha_codec import LONGEST_STRING, PAGE_LABELS, packet, page_text, plain
from drivers.device import Hear, Mark
from drivers.link import Link, LinkTiming
from drivers.orders import Order, SignFace
from drivers.serial_port import LineSettings, SerialPort, open_serial_port
from drivers.sign_memory import SignMemory

BAUD = 9600
PACKET_PAUSE_SECONDS = 0.1  # between packets; the protocol asks for 100 ms after an STX only where commands are nested
WRITE_WAIT_SECONDS = 5.0  # a page takes 0.3 s at 9600 baud: a line that takes nothing for so long is stuck


class Sign:
    """A Device. It never answers, so a link is up when the port is open and a first packet has gone out.

    After an opening everything is written anew: memory, amount, pages, run sequence; afterwards only what differs, so
    an amount is one STRING packet. A face that is overtaken before its turn is never sent.
    Orders: SignFace.
    """

    def __init__(
        self,
        *,
        port: str,
        name: str = "sign",
        baud: int = BAUD,
        format: str = "7E1",
        address: str = "00",
        packet_pause_seconds: float = PACKET_PAUSE_SECONDS,
        write_wait_seconds: float = WRITE_WAIT_SECONDS,
        link_timing: LinkTiming | None = None,
    ) -> None:
        if len(address) != 2 or any(digit not in "0123456789ABCDEF" for digit in address):
            raise ValueError(f'sign address "{address}" is not two upper-case hex digits')
        self.name = name
        self._port_text = port
        self._settings = LineSettings(baud, format)
        self._address = address
        self._packet_pause = packet_pause_seconds
        self._write_wait = write_wait_seconds
        self._link = Link(name, link_timing or LinkTiming())
        self._wanted: tuple[tuple[bytes, ...], bytes] | None = None  # pages and amount
        self._line: SerialPort | None = None

    async def run(self, hear: Hear) -> None:
        await self._link.run(hear, self._converse)

    def order(self, wanted: Order) -> None:
        """Raises ValueError for more pages or a longer amount than the sign can hold: an amount is never cut."""
        if not isinstance(wanted, SignFace):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        amount = plain(wanted.amount)
        if len(wanted.pages) > len(PAGE_LABELS) or len(amount) > LONGEST_STRING:
            raise ValueError(f"{self.name}: at most {len(PAGE_LABELS)} pages and {LONGEST_STRING} octets of amount")
        self._wanted = tuple(map(page_text, wanted.pages)), amount
        if self._line is not None:
            self._line.wake()

    def durable(self, mark: Mark) -> None:
        """Nothing to do: the sign says nothing."""

    async def _converse(self) -> None:
        line = await open_serial_port(self.name, self._port_text, self._settings, self._receive)
        self._line = line
        try:
            memory = SignMemory()
            while True:
                command = None if self._wanted is None else memory.next_command(*self._wanted)
                if command is None:
                    await line.pause(None)
                else:
                    await self._send(line, packet(command, self._address))
        finally:
            self._line = None
            line.close()

    async def _send(self, line: SerialPort, octets: bytes) -> None:
        loop = asyncio.get_running_loop()
        line.write(octets)
        await line.drain(self._write_wait)
        self._link.answered()
        done = loop.time() + len(octets) * self._settings.seconds_per_octet + self._packet_pause
        while (left := done - loop.time()) > 0:
            await line.pause(left)

    def _receive(self, octets: bytes) -> None:
        self._link.noise(len(octets))  # nothing was asked of it
