"""A serial line under asyncio: pyserial opens and configures it, its file descriptor is watched by the loop."""

import asyncio
import errno
import os
import termios
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import serial

from drivers.faults import PortLost
from drivers.ports.network import ServedPort, connect_served_port
from drivers.tap import OpenTap, Tap
from drivers.wake import Wake

READ_OCTETS = 4096  # a pty and the kernel's tty buffer hold no more
LONGEST_QUEUE = 65536  # octets waiting for a peer that does not read; the largest sign packet is below 1000


@dataclass(frozen=True, slots=True)
class LineSettings:
    """Baud rate and character format, for example 9600 and "7E1"."""

    baud: int
    format: str = "8N1"

    def __post_init__(self) -> None:
        if len(self.format) != 3 or self.format[0] not in "78" or self.format[1] not in "NEO" or self.format[2] != "1":
            raise ValueError(f'line format "{self.format}" is not like 8N1 or 7E1')

    @property
    def data_bits(self) -> int:
        return int(self.format[0])

    @property
    def parity(self) -> str:
        return self.format[1]

    @property
    def named(self) -> dict[str, int | str]:
        """As a recording writes them down."""
        return {"baud": self.baud, "format": self.format}

    @property
    def seconds_per_octet(self) -> float:
        """Start bit, data bits, parity bit and one stop bit."""
        return (1 + self.data_bits + (self.parity != "N") + 1) / self.baud


class SerialPort(Protocol):
    """An open line. Octets come to the callback it was opened with, on the loop's thread, until lost or closed."""

    def write(self, octets: bytes) -> None:
        """Send, now or as soon as the line takes more; never blocks."""
        ...

    async def drain(self, seconds: float) -> None:
        """Wait until what was written has left this process. Raises PortLost, also when `seconds` do not suffice."""
        ...

    def wake(self) -> None:
        """End the present or next `pause`."""
        ...

    async def pause(self, seconds: float | None) -> None:
        """Wait for `seconds` (None: without end) or `wake`. Raises PortLost once the line is lost."""
        ...

    def close(self) -> None:
        """Close; what was not yet sent is dropped."""
        ...


async def open_serial_port(
    device: str, port: str, settings: LineSettings, hear: Callable[[bytes], None], *, tap: Tap | None = None
) -> SerialPort:
    """Open a tty by path, or a serial server by its address (socket://host:port, rfc2217://host:port).

    What came while the line was closed is thrown away (pyserial flushes at opening). Raises PortLost, saying whether
    the port is absent, in use or otherwise refused. `tap` hears every octet both ways.
    """
    try:
        if "://" in port:
            line = await connect_served_port(device, port, settings.baud, settings.data_bits, settings.parity)
            served = OpenTap(tap, port.partition(":")[0], settings.named)
            return ServedPort(device, port, line, hear, served)
        try:
            line = _open_tty(port, settings)
        except (OSError, ValueError, termios.error) as refusal:  # SerialException is an OSError, termios.error is not
            raise PortLost(device, _why_refused(port, refusal)) from None
    except PortLost as lost:
        if tap is not None:
            tap.refused(lost.reason)
        raise
    return _Tty(device, port, line, hear, OpenTap(tap, "tty", settings.named))


def _open_tty(port: str, settings: LineSettings) -> serial.Serial:
    try:
        return serial.Serial(
            port,
            baudrate=settings.baud,
            bytesize=settings.data_bits,
            parity=settings.parity,
            timeout=0,
            exclusive=True,
        )
    except termios.error:
        # A pty has no character format: it ignores 7E1 the first time and refuses it when nothing else is to change.
        if not os.path.realpath(port).startswith("/dev/pts/"):
            raise
        return serial.Serial(port, baudrate=settings.baud, timeout=0, exclusive=True)


def _why_refused(port: str, refusal: Exception) -> str:
    number = refusal.errno if isinstance(refusal, OSError) else None
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO):
        return f"no device at {port}"
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"{port} is in use by another program"
    if number in (errno.EACCES, errno.EPERM):
        return f"no permission to open {port}"
    return f"cannot open {port}: {refusal}"


class _Tty:
    """Reads in the loop's callback, with no task between the wire and the driver."""

    def __init__(
        self, device: str, port: str, line: serial.Serial, hear: Callable[[bytes], None], tap: OpenTap
    ) -> None:
        self._device = device
        self._port = port
        self._line = line
        self._tap = tap
        self._descriptor = line.fileno()
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._waiting = bytearray()
        self._wake = Wake()
        self._drained = Wake()
        self._closed = False
        self._loop.add_reader(self._descriptor, self._readable)

    def write(self, octets: bytes) -> None:
        if self._closed or self._wake.failed:
            return
        if not self._waiting:
            octets = octets[self._send(octets) :]
            if not octets or self._wake.failed:
                return
            self._loop.add_writer(self._descriptor, self._writable)
        self._waiting += octets
        if len(self._waiting) > LONGEST_QUEUE:
            self._lose(f"{self._port} takes nothing more")

    async def drain(self, seconds: float) -> None:
        deadline = self._loop.time() + seconds
        while self._waiting or self._wake.failed:
            left = deadline - self._loop.time()
            if left <= 0:
                self._lose(f"{self._port} takes nothing for {seconds:g} s")
            await self._drained.pause(left)

    def wake(self) -> None:
        self._wake.now()

    async def pause(self, seconds: float | None) -> None:
        await self._wake.pause(seconds)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._unwatch()
            self._line.close()
            self._tap.closed("host", "closed")

    def _readable(self) -> None:
        try:
            octets = os.read(self._descriptor, READ_OCTETS)
        except BlockingIOError:
            return
        except OSError as hang_up:
            self._hung_up(f" ({hang_up.strerror})")
            return
        if octets:
            self._tap.heard(octets)
            self._hear(octets)
        else:
            self._hung_up()

    def _writable(self) -> None:
        del self._waiting[: self._send(bytes(self._waiting))]
        if not self._waiting and not self._wake.failed:
            self._loop.remove_writer(self._descriptor)
            self._drained.now()

    def _send(self, octets: bytes) -> int:
        try:
            sent = os.write(self._descriptor, octets)
        except BlockingIOError:
            return 0
        except OSError as hang_up:
            self._hung_up(f" ({hang_up.strerror})")
            return 0
        self._tap.said(octets[:sent])
        return sent

    def _hung_up(self, why: str = "") -> None:
        self._tap.closed("device", f"hung up{why}")
        self._lose(f"{self._port} hung up{why}")

    def _lose(self, reason: str) -> None:
        self._tap.closed("host", reason)
        self._unwatch()  # a hung-up descriptor is readable for ever
        failure = PortLost(self._device, reason)
        self._wake.fail(failure)
        self._drained.fail(failure)

    def _unwatch(self) -> None:
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        self._waiting.clear()
