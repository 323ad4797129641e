"""An Alpha sign behind any port: updates its memory, packet by packet, until it shows the wanted pages."""

from abc import abstractmethod
from typing import Protocol

from drivers.alpha.codec import (
    AMOUNT_LABEL,
    LONGEST_STRING,
    PAGE_LABELS,
    configure_memory,
    packet,
    page_room,
    page_text,
    plain,
    run_sequence,
    write_string,
    write_text,
)
from drivers.device import Device, DeviceName, Receive
from drivers.link import Link, LinkTiming
from drivers.orders import Order, SignFace


class SignMemory:
    """The memory of a sign: unknown at first; the first command, the memory configuration, clears it."""

    def __init__(self) -> None:
        self._rooms: tuple[int, ...] | None = None
        self._amount: bytes | None = None
        self._pages: list[bytes | None] = []
        self._running: int | None = None

    def next_command(self, pages: tuple[bytes, ...], amount: bytes) -> bytes | None:
        """Give the next command and take it as written; None when the sign shows the face.

        The configuration erases everything, so it comes only when the number of pages or a page's room has to change.

        >>> memory = SignMemory()
        >>> memory.next_command((b"JACKPOT",), b"600.00")
        b'E$AAU0100FF00JBL007D0000'
        >>> memory.next_command((b"JACKPOT",), b"600.00")
        b'GJ600.00'
        """
        needed = tuple(page_room(page) for page in pages)
        if self._rooms is None or len(needed) != len(self._rooms) or any(map(int.__gt__, needed, self._rooms)):
            self._rooms, self._pages = needed, [None] * len(pages)
            self._amount = self._running = None
            return configure_memory(needed)
        if self._amount is None:
            return self._write_amount(amount)
        # Pages before the next amount: a meter that runs without a pause must not hold back a win or a fault.
        for n, page in enumerate(pages):
            if page != self._pages[n]:
                self._pages[n] = page
                return write_text(PAGE_LABELS[n], page)
        if self._running != len(pages):
            self._running = len(pages)
            return run_sequence(len(pages))
        return self._write_amount(amount) if amount != self._amount else None

    def _write_amount(self, amount: bytes) -> bytes:
        self._amount = amount
        return write_string(AMOUNT_LABEL, amount)


PACKET_PAUSE_SECONDS = 0.1  # between packets; the protocol asks for 100 ms after an STX only where commands are nested
WRITE_WAIT_SECONDS = 5.0  # a page takes 0.3 s at 9600 baud: a port that takes nothing for so long is stuck


class SignPort(Protocol):
    """The port through which a sign's packets go out. All but `wake` and `close` raise LinkFailure once the port is
    lost.
    """

    async def send(self, octets: bytes) -> None:
        """Send one packet; returns when it has left this process."""
        ...

    async def rest(self, octets: bytes) -> None:
        """Wait until the sign has taken the packet just sent and may get another."""
        ...

    async def idle(self) -> None:
        """Waits for `wake`."""
        ...

    def wake(self) -> None:
        """Ends the present or next `idle`."""
        ...

    def close(self) -> None: ...


class AlphaSign(Device):
    """A Device. It never answers, so a link is up when the port is open and a first packet has gone out.

    After an opening everything is written again: memory, amount, pages, run sequence; afterwards only what differs, so
    an amount is one STRING packet. A face that is replaced before its turn is never sent. Orders: SignFace.
    """

    def __init__(self, *, name: DeviceName, address: str, link_timing: LinkTiming | None) -> None:
        if len(address) != 2 or any(digit not in "0123456789ABCDEF" for digit in address):
            raise ValueError(f'sign address "{address}" is not two upper-case hex digits')
        self.name = name
        self._address = address
        self._link = Link(name, link_timing or LinkTiming())
        self._wanted: tuple[tuple[bytes, ...], bytes] | None = None  # pages and amount
        self._port: SignPort | None = None

    async def run(self, receive: Receive) -> None:
        await self._link.run(receive, self._converse)

    def order(self, wanted: Order) -> None:
        """Raises ValueError for more pages or a longer amount than the sign can hold: an amount is never cut."""
        if not isinstance(wanted, SignFace):
            raise TypeError(f"{self.name} cannot be ordered {wanted!r}")
        amount = plain(wanted.amount)
        if len(wanted.pages) > len(PAGE_LABELS) or len(amount) > LONGEST_STRING:
            raise ValueError(f"{self.name}: at most {len(PAGE_LABELS)} pages and {LONGEST_STRING} octets of amount")
        self._wanted = tuple(map(page_text, wanted.pages)), amount
        if self._port is not None:
            self._port.wake()

    @abstractmethod
    async def _open(self) -> SignPort:
        """Raises LinkFailure."""

    async def _converse(self) -> None:
        port = await self._open()
        self._port = port
        try:
            memory = SignMemory()
            while True:
                command = None if self._wanted is None else memory.next_command(*self._wanted)
                if command is None:
                    await port.idle()
                else:
                    octets = packet(command, self._address)
                    await port.send(octets)
                    self._link.answered()
                    await port.rest(octets)
        finally:
            self._port = None
            port.close()

    def _receive(self, octets: bytes) -> None:
        self._link.noise(len(octets))  # nothing was asked of it
