"""A serial line under asyncio: pyserial opens and configures it, its file descriptor is watched by the loop."""

import asyncio
import errno
import fcntl
import os
import struct
import termios
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial

import serial

from drivers.faults import Cause, PortLost
from drivers.ports import causes
from drivers.ports.causes import SERIAL
from drivers.ports.line import SerialPort
from drivers.ports.network import ServedPort, connect_served_port
from drivers.tap import OpenTap, Tap
from drivers.unheld import unheld

READ_OCTETS = 4096  # a pty and the kernel's tty buffer hold no more
LOOK_SECONDS = 10.0  # between two looks for other programs that have the port open
TIOCGEXCL = 0x80045440  # whether TIOCEXCL was set (asm-generic/ioctls.h); the module termios lacks it
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
        """The settings in the form of a recording."""
        return {"baud": self.baud, "format": self.format}

    @property
    def seconds_per_octet(self) -> float:
        """The duration of start bit, data bits, parity bit and one stop bit."""
        return (1 + self.data_bits + (self.parity != "N") + 1) / self.baud


async def open_serial_port(
    device: str, port: str, settings: LineSettings, receive: Callable[[bytes], None], *, tap: Tap | None = None
) -> SerialPort:
    """Open a tty by path, or a serial server by its address (socket://host:port, rfc2217://host:port).

    What came while the line was closed is thrown away (pyserial flushes at opening). No other program but one of root
    can open it from then on. Raises PortLost: the port is absent, in use (the reason names the program, if the
    system shows it) or otherwise refused. `tap` receives every octet both ways.
    """
    try:
        if "://" in port:
            line = await connect_served_port(device, port, settings.baud, settings.data_bits, settings.parity)
            served = OpenTap(tap, port.partition(":")[0], settings.named)
            return ServedPort(device, port, line, receive, served)
        # Before it is opened, which alone would set the line as we want it and flush what another program waits for.
        programs = await _others(port)
        if programs:
            raise PortLost(device, causes.in_use(port, programs), "in_use")
        try:
            line = await unheld(partial(_open_tty, port, settings), partial(_let_go, port), f"{device} open")
        except (OSError, ValueError, termios.error) as refusal:  # SerialException is an OSError, termios.error is not
            raise PortLost(device, *_why_refused(port, refusal)) from None
    except PortLost as lost:
        if tap is not None:
            tap.refused(lost.reason)
        raise
    return _Tty(device, port, line, receive, OpenTap(tap, "tty", settings.named))


class SerialLine:
    """A serial line over all its openings, one at a time; octets written while it is closed are lost."""

    def __init__(self, device: str, port: str, settings: LineSettings, tap: Tap | None) -> None:
        self._device, self._port, self._settings, self._tap = device, port, settings, tap
        self._open: SerialPort | None = None

    @asynccontextmanager
    async def opened(self, receive: Callable[[bytes], None]) -> AsyncIterator[SerialPort]:
        """The port, open during the context. Raises PortLost."""
        line = await open_serial_port(self._device, self._port, self._settings, receive, tap=self._tap)
        self._open = line
        try:
            yield line
        finally:
            self._open = None
            line.close()

    def write(self, octets: bytes) -> None:
        if self._open is not None:
            self._open.write(octets)

    def wake(self) -> None:
        if self._open is not None:
            self._open.wake()


def _open_tty(port: str, settings: LineSettings) -> serial.Serial:
    try:
        line = serial.Serial(
            port,
            baudrate=settings.baud,
            bytesize=settings.data_bits,
            parity=settings.parity,
            timeout=0,
            exclusive=True,
        )
    except termios.error:
        # A pty has no character format: it ignores 7E1 the first time and refuses it when nothing else is to change.
        if not causes.is_pseudo_terminal(port):
            raise
        line = serial.Serial(port, baudrate=settings.baud, timeout=0, exclusive=True)
    try:
        _take(port, line)
    except OSError:
        line.close()
        raise
    return line


def _take(port: str, line: serial.Serial) -> None:
    """Makes the kernel refuse the port to other programs. Raises OSError if another program has done so before.

    The lock that pyserial takes binds only those who ask for it. On a pseudo-terminal TIOCEXCL is not used: it outlives
    a killed program there for as long as the far end keeps the near one open.
    """
    if not causes.is_pseudo_terminal(port):
        (taken,) = struct.unpack("i", fcntl.ioctl(line.fileno(), TIOCGEXCL, b"\0\0\0\0"))
        if taken:  # root is let in all the same
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        fcntl.ioctl(line.fileno(), termios.TIOCEXCL)


async def _others(port: str) -> list[str]:
    return await unheld(partial(causes.holders, port), lambda found: None, "look for other programs")


def _let_go(port: str, line: serial.Serial) -> None:
    """Closes the port; other programs may open it at once. The kernel keeps it until the written octets have left:
    30 s if the device accepts nothing.
    """
    if causes.is_pseudo_terminal(port):
        line.close()
        return
    with suppress(OSError):
        fcntl.flock(line.fileno(), fcntl.LOCK_UN)
        fcntl.ioctl(line.fileno(), termios.TIOCNXCL)
    threading.Thread(target=line.close, name=f"close {port}", daemon=True).start()


def _why_refused(port: str, refusal: Exception) -> tuple[str, Cause]:
    cause = SERIAL.get(refusal.errno if isinstance(refusal, OSError) else None, "unknown")
    reasons: dict[Cause, str] = {
        "unplugged": f"no device at {port}",
        "in_use": causes.in_use(port),
        "forbidden": f"no permission to open {port}",
    }
    return reasons.get(cause, f"cannot open {port}: {refusal}"), cause


class _Tty(SerialPort):
    """Reads in the loop's callback, with no task between the wire and the driver."""

    def __init__(
        self, device: str, port: str, line: serial.Serial, receive: Callable[[bytes], None], tap: OpenTap
    ) -> None:
        super().__init__(device, port, receive, tap)
        self._line = line
        self._descriptor = line.fileno()
        self._waiting = bytearray()
        self._closed = False
        self._loop.add_reader(self._descriptor, self._readable)
        self._look = self._loop.create_task(self._look_for_others())

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
            self._lose(f"{self._port} takes nothing more", "silent")

    @property
    def _waits(self) -> bool:
        return bool(self._waiting)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._look.cancel()
            self._unwatch()
            _let_go(self._port, self._line)
            self._tap.closed("host", "closed")

    async def _look_for_others(self) -> None:
        """Looks for other programs that read the port: octets that they read are lost here, so the link is unusable."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if programs := await _others(self._port):
                reason = causes.in_use(self._port, programs)
                self._tap.closed("host", reason)
                self._lose(reason, "in_use")
                return

    def _readable(self) -> None:
        try:
            octets = os.read(self._descriptor, READ_OCTETS)
        except BlockingIOError:
            return
        except OSError as hang_up:
            self._hung_up(f"hung up ({hang_up.strerror})", "unplugged")
            return
        if octets:
            self._tap.received(octets)
            self._receive(octets)
        else:
            self._hung_up("hung up", "unplugged")

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
            self._hung_up(f"hung up ({hang_up.strerror})", "unplugged")
            return 0
        self._tap.sent(octets[:sent])
        return sent

    def _lose(self, reason: str, cause: Cause) -> None:
        self._unwatch()  # a hung-up descriptor is readable for ever
        super()._lose(reason, cause)

    def _unwatch(self) -> None:
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        self._waiting.clear()
