"""The port a simulated USB device is plugged into: a Unix socket that daemons come to and go from."""

import asyncio
import random
import struct
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from simulators.devices.usb_cable import BUSY, IO_GONE, OK, TIMED_OUT, Operation, answer
from simulators.devices.wire_faults import WireFaults

HANG_UP_SECONDS = 1.0
POWER_LOSS_SECONDS = 0.2
NO_TEXT = 0x80  # set in a byte, it is no ASCII any more


class UsbDevice(Protocol):
    """What can be plugged in: takes OUT transfers, rings `arrived` when there is something in `answers`."""

    answers: deque[bytes]
    arrived: Callable[[], None]

    def write(self, report: bytes) -> None:
        """An OUT transfer."""

    def lose_power(self) -> None:
        """The cable has been pulled."""


class UsbPort:
    """One device, one opener: who opens it last has it, and the earlier one finds the device gone.

    `faults` spoil what the device sends, or what it hears if it only `listens`.
    """

    def __init__(self, device: UsbDevice, path: Path, listens: bool = False) -> None:
        self.plugged = True  # has power
        self._pulled = False
        self.faults = (
            WireFaults(device.write, babble=self._queue)
            if listens
            else WireFaults(self._queue, no_text, babble=self._queue)
        )
        self._device = device
        self._hear: Callable[[bytes], None] = self.faults.pass_on if listens else device.write
        self._say: Callable[[bytes], None] = self._queue if listens else self.faults.pass_on
        self._queued: deque[bytes] = deque()
        self._path = path
        self._owner: object | None = None
        self._kernel_driver = True  # as Linux does with a HID device it sees for the first time
        self._bell = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._serving: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._returning: asyncio.TimerHandle | None = None
        device.arrived = self._answered

    async def open(self) -> None:
        """Listen on the socket."""
        self._path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self._path)

    async def close(self) -> None:
        """Hang up on everybody."""
        self.faults.close()
        if self._returning:
            self._returning.cancel()
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
        if not self._pulled:
            self._pulled = True
            self._cut_power()
            self.faults.tell("unplug", True)

    def plug(self) -> None:
        """Put the cable back."""
        if self._pulled:
            self._pulled = False
            self._give_power()
            self.faults.tell("unplug", False)

    def restart(self) -> None:
        """The device loses its power for a moment."""
        if self.plugged:
            self._cut_power()
            self.faults.tell("restart", True)
            self._returning = asyncio.get_running_loop().call_later(POWER_LOSS_SECONDS, self._give_power)

    def _cut_power(self) -> None:
        if self._returning:
            self._returning.cancel()
            self._returning = None
        self.plugged = False
        self._owner = None
        self.faults.forget()
        self._device.lose_power()
        self._queued.clear()
        self._bell.set()

    def _give_power(self) -> None:
        self._returning = None
        self.plugged = True
        self._kernel_driver = True

    def _answered(self) -> None:
        while self._device.answers:
            self._say(self._device.answers.popleft())

    def _queue(self, report: bytes) -> None:
        if self.plugged:
            self._queued.append(report)
            self._bell.set()

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
                self._hear(content)
            case Operation.READ:
                milliseconds, size = struct.unpack(">IH", content)
                return await self._read(handle, milliseconds / 1000 or None, size)
        return answer(OK)

    async def _read(self, handle: object, wait: float | None, size: int) -> bytes:
        try:
            async with asyncio.timeout(wait):
                while self._owner is handle and not self._queued:
                    self._bell.clear()
                    await self._bell.wait()
        except TimeoutError:
            if not self._queued:  # it may have come in the same turn
                return answer(TIMED_OUT)
        if self._owner is not handle:
            return answer(IO_GONE)
        return answer(OK, self._queued.popleft()[:size])


def no_text(report: bytes, chance: random.Random) -> bytes:
    """A byte of the report spoilt so that it is seen: USB itself would not have let a wrong digit through."""
    place = chance.randrange(len(report))
    return report[:place] + bytes([report[place] | NO_TEXT]) + report[place + 1 :]
