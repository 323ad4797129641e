"""The port the simulated ADU218 is plugged into: a Unix socket that daemons come to and go from."""

import asyncio
import struct
from pathlib import Path

from simulators.devices.adu218 import Adu218
from simulators.devices.usb_cable import BUSY, IO_GONE, OK, TIMED_OUT, Operation, answer

HANG_UP_SECONDS = 1.0


class UsbPort:
    """One device, one opener: who opens it last has it, and the earlier one finds the device gone."""

    def __init__(self, device: Adu218, path: Path) -> None:
        self.plugged = True
        self._device = device
        self._path = path
        self._owner: object | None = None
        self._kernel_driver = True  # as Linux does with a HID device it sees for the first time
        self._bell = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._serving: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        device.arrived = self._bell.set

    async def open(self) -> None:
        """Listen on the socket."""
        self._path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self._path)

    async def close(self) -> None:
        """Hang up on everybody."""
        if self._server:
            self._server.close()
        self.plugged = False
        self._owner = None
        self._bell.set()
        for writer in self._serving.values():
            writer.close()
        if self._serving:
            await asyncio.wait(self._serving, timeout=HANG_UP_SECONDS)
        self._path.unlink(missing_ok=True)

    def unplug(self) -> None:
        """Pull the cable; the device loses its power and whoever had it open must open it again."""
        self.plugged = False
        self._owner = None
        self._device.lose_power()
        self._bell.set()

    def plug(self) -> None:
        """Put the cable back."""
        self.plugged = True
        self._kernel_driver = True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handle = object()
        task = asyncio.current_task()
        assert task is not None
        self._serving[task] = writer
        try:
            while True:
                (length,) = struct.unpack(">H", await reader.readexactly(2))
                message = await reader.readexactly(length)
                writer.write(await self._answer(handle, Operation(message[0]), message[1:]))
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            if self._owner is handle:
                self._owner = None
            del self._serving[task]
            writer.close()

    async def _answer(self, handle: object, operation: Operation, content: bytes) -> bytes:
        if operation is Operation.IS_PLUGGED:
            return answer(OK, bytes([self.plugged]))
        if not self.plugged:
            return answer(IO_GONE)
        if operation is Operation.OPEN:
            self._owner = handle
            self._bell.set()
            return answer(OK)
        if self._owner is not handle:
            return answer(IO_GONE)
        match operation:
            case Operation.CLOSE:
                self._owner = None
            case Operation.CLAIM | Operation.CONFIGURE:
                return answer(BUSY if self._kernel_driver else OK)
            case Operation.KERNEL_DRIVER:
                if content[0]:
                    self._kernel_driver = content[0] == 1
                return answer(OK, bytes([self._kernel_driver]))
            case Operation.WRITE:
                self._device.write(content)
            case Operation.READ:
                milliseconds, size = struct.unpack(">IH", content)
                return await self._read(handle, milliseconds / 1000 or None, size)
        return answer(OK)

    async def _read(self, handle: object, wait: float | None, size: int) -> bytes:
        try:
            async with asyncio.timeout(wait):
                while self._owner is handle and not self._device.answers:
                    self._bell.clear()
                    await self._bell.wait()
        except TimeoutError:
            return answer(TIMED_OUT)
        if self._owner is not handle:
            return answer(IO_GONE)
        return answer(OK, self._device.answers.popleft()[:size])
