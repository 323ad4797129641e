"""The bench's own wires as the exporting side uses them: the pty of a serial device, the socket of a USB device."""

import asyncio
import contextlib
import os
import struct
from collections.abc import Callable
from pathlib import Path

from simulators.usb_cable import (
    BUSY,
    FAILED,
    IO_GONE,
    OK,
    STALLED,
    TIMED_OUT,
    TOO_LONG,
    Operation,
    read_request,
    request,
)
from simulators.usbip.packets import BROKEN, OUT_OF_REACH, PROTOCOL_ERROR, TOO_MUCH

READ_MILLISECONDS = 10  # how long a read keeps a write waiting
CHUNK = 4096
AS_KERNEL = {IO_GONE: OUT_OF_REACH, FAILED: PROTOCOL_ERROR, STALLED: BROKEN, TOO_LONG: TOO_MUCH, BUSY: OUT_OF_REACH}
KERNEL_DETACH = b"\2"


class TransferFailed(Exception):
    """A transfer failed with this negative errno of the kernel."""

    def __init__(self, status: int) -> None:
        super().__init__(os.strerror(-status))
        self.status = status


class PtyCable:
    """A pty of the bench as a wire: `received` rings when there is something in `waiting`, `gone` when it hung up.

    While `listening` is false, what exceeds `room` octets is lost, as in a converter that no one reads from.
    """

    def __init__(self, path: Path, room: int) -> None:
        self.waiting = bytearray()
        self.received = asyncio.Event()
        self.listening = False
        self._room = room
        self._gone: Callable[[], None] = lambda: None
        self._descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        asyncio.get_running_loop().add_reader(self._descriptor, self._readable)

    def on_hang_up(self, gone: Callable[[], None]) -> None:
        """Call this when the device has been unplugged from the bench."""
        self._gone = gone

    def close(self) -> None:
        """Releases the wire."""
        if self._descriptor >= 0:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def write(self, octets: bytes) -> None:
        """Sends octets; those that the wire does not accept at once are lost, as without flow control."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):  # a hang-up is noticed by reading
                os.write(self._descriptor, octets)

    def take(self, size: int) -> bytes:
        """Takes at most this many octets."""
        taken = bytes(self.waiting[:size])
        del self.waiting[:size]
        return taken

    def purge(self) -> None:
        """Forget what has been received."""
        self.waiting.clear()

    def _readable(self) -> None:
        try:
            octets = os.read(self._descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            octets = b""
        if not octets:
            self.close()
            self._gone()
            return
        self.waiting += octets
        if not self.listening:
            del self.waiting[self._room :]
        self.received.set()


class SocketCable:
    """The socket of a USB device of the bench, opened as a host opens it. Raises TransferFailed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = asyncio.Lock()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def plugged(self) -> bool:
        """Whether the bench has the device plugged in."""
        try:
            return await self._ask(Operation.IS_PLUGGED) == b"\x01"
        except TransferFailed:
            return False

    async def open(self) -> None:
        """Opens the device as a host does; no other driver has it."""
        await self._ask(Operation.OPEN)
        await self._ask(Operation.KERNEL_DRIVER, KERNEL_DETACH)
        await self._ask(Operation.CONFIGURE)

    async def write(self, octets: bytes) -> None:
        """An OUT transfer."""
        await self._ask(Operation.WRITE, octets)

    async def read(self, size: int) -> bytes | None:
        """Reads an IN transfer; None if there is nothing at the moment."""
        return await self._ask(Operation.READ, read_request(READ_MILLISECONDS, size))

    async def clear_halt(self, endpoint: int) -> None:
        """Both ends of the endpoint begin again."""
        await self._ask(Operation.CLEAR_HALT, bytes([endpoint]))

    async def reset(self) -> None:
        await self._ask(Operation.RESET)

    def close(self) -> None:
        """Releases the device."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _ask(self, operation: Operation, content: bytes = b"") -> bytes | None:
        return await asyncio.shield(asyncio.ensure_future(self._in_turn(operation, content)))

    async def _in_turn(self, operation: Operation, content: bytes) -> bytes | None:
        async with self._turn:
            return await self._asked(operation, content)

    async def _asked(self, operation: Operation, content: bytes) -> bytes | None:
        try:
            if self._streams is None:
                self._streams = await asyncio.open_unix_connection(self._path)
            reader, writer = self._streams
            writer.write(request(operation, content))
            (length,) = struct.unpack(">H", await reader.readexactly(2))
            message = await reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError) as failure:
            self.close()
            raise TransferFailed(OUT_OF_REACH) from failure
        (status,) = struct.unpack(">b", message[:1])
        if status == OK:
            return message[1:]
        if status == TIMED_OUT:
            return None
        raise TransferFailed(AS_KERNEL[status])
