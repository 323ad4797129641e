"""A serial line in made-up time, which a defect may spoil."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from drivers.alpha import serial_sign
from drivers.faults import PortLost
from drivers.ports import serial
from drivers.ports.line import SerialPort
from drivers.ports.serial import LineSettings
from drivers.tap import OpenTap, Tap


def now() -> float:
    return asyncio.get_running_loop().time()


def later(seconds: float, call: Callable[[], object]) -> None:
    asyncio.get_running_loop().call_later(seconds, call)


class FarLine:
    """The device's end of a serial line. A defect replaces one of the functions; `receive` gets what the host sends."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        self.plugged = True
        self.near: NearLine | None = None
        self.receive = receive
        self.open: Callable[[], None] = lambda: None  # a station opens it
        self.close: Callable[[], None] = self._close
        self.unplug: Callable[[], None] = self._unplug
        self.plug: Callable[[], None] = self._plug
        self.refuses: Callable[[], bool] = lambda: not self.plugged

    @property
    def host(self) -> bool:
        """Whether a station has it open."""
        return self.near is not None

    def send(self, octets: bytes) -> None:
        """Octets to the host."""
        if self.near is not None:
            asyncio.get_running_loop().call_soon(self.near.receive, octets)

    def _close(self) -> None:
        self.near = None

    def _unplug(self) -> None:
        self.plugged = False
        if self.near is not None:
            self.near.hang_up()
            self.close()

    def _plug(self) -> None:
        self.plugged = True


def every(line: FarLine, seconds: float, call: Callable[[], None]) -> None:
    """Call it again and again, from the first opening of the line."""
    opened, begun = line.open, [False]

    def again() -> None:
        call()
        later(seconds, again)

    def open_() -> None:
        opened()
        if not begun[0]:
            begun[0] = True
            later(seconds, again)

    line.open = open_


class NearLine(SerialPort):
    """What the driver opens."""

    def __init__(self, device: str, far: FarLine, receive: Callable[[bytes], None], tap: OpenTap) -> None:
        super().__init__(device, "port", receive, tap)
        self._far, self._closed = far, False

    def write(self, octets: bytes) -> None:
        if not self._closed and not self._wake.failed:
            self._tap.sent(octets)
            self._loop.call_soon(self._carry, octets)

    def receive(self, octets: bytes) -> None:
        if not self._closed and not self._wake.failed:
            self._tap.received(octets)
            self._receive(octets)

    def hang_up(self) -> None:
        self._hung_up("hung up", "unplugged")

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            if self._far.near is self:
                self._far.close()

    @property
    def _waits(self) -> bool:
        return False

    def _carry(self, octets: bytes) -> None:
        if self._far.plugged:
            self._far.receive(octets)


@contextmanager
def wired(far: FarLine) -> Iterator[None]:
    """Every serial port that is opened is this one."""

    async def open_port(
        device: str, port: str, settings: LineSettings, receive: Callable[[bytes], None], *, tap: Tap | None = None
    ) -> SerialPort:
        if far.refuses():
            raise PortLost(device, "no device at port", "unplugged")
        far.open()
        far.near = NearLine(device, far, receive, OpenTap(tap, "tty", settings.named))
        return far.near

    with patch.object(serial, "open_serial_port", open_port), patch.object(serial_sign, "open_serial_port", open_port):
        yield
