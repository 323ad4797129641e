"""The port of a simulated USB device: a Unix socket to which daemons connect."""

import asyncio
import random
import struct
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from simulators.devices.wire_faults import WireFaults
from simulators.devices.wire_log import WireLog
from simulators.usb_cable import BUSY, FAILED, IO_GONE, OK, STALLED, TIMED_OUT, Operation, answer

HANG_UP_SECONDS = 1.0
POWER_LOSS_SECONDS = 0.2
NO_TEXT = 0x80  # set in a byte, it is no ASCII any more


@dataclass(slots=True)
class Pipe:
    """An endpoint and the host's end of it, which outlives each opening (USB 2.0, 5.7.5 and 9.4.5).

    `refuses_to_clear` counts the requests to clear the halt that change nothing; only a reset ends it then.
    A packet whose data toggle is not the one expected is taken for a copy of the one before: acknowledged and dropped.
    """

    halted: bool = False
    refuses_to_clear: int = 0
    device_toggle: int = 0
    host_toggle: int = 0
    failures: deque[int] = field(default_factory=deque)  # what the next transfers come to, as libusb's numbers

    def clear(self, at_host: bool) -> None:
        """The device gets the request to clear the halt; `at_host`: the host's end begins again, too."""
        if self.refuses_to_clear:
            self.refuses_to_clear -= 1
            return
        self.halted, self.device_toggle = False, 0
        if at_host:
            self.host_toggle = 0

    def reset(self) -> None:
        """Resets the pipe, as after a bus reset or a new configuration."""
        self.halted, self.refuses_to_clear = False, 0
        self.device_toggle = self.host_toggle = 0

    def carries(self) -> bool:
        """One packet crosses; returns whether the receiver takes it for a new one. A dropped packet ends the gap."""
        new = self.host_toggle == self.device_toggle
        self.host_toggle ^= 1
        self.device_toggle ^= new
        return new

    def failure(self) -> int:
        """The result of the next transfer: OK, or libusb's error number."""
        if self.failures and not self.halted:
            failure = self.failures.popleft()
            self.halted = failure == STALLED
            return failure
        return STALLED if self.halted else OK


class UsbDevice(Protocol):
    """A device that can be plugged in: takes OUT transfers, and rings `arrived` when `answers` has something."""

    answers: deque[bytes]
    arrived: Callable[[], None]

    def write(self, report: bytes) -> None:
        """An OUT transfer."""

    def lose_power(self) -> None:
        """The cable has been pulled."""


class UsbCableSocket(ABC):
    """A socket in place of a USB cable: the last program that opens the device has it, and the earlier one finds it
    gone.
    """

    def __init__(self, path: Path) -> None:
        self.plugged = True
        self._path = path
        self._owner: object | None = None
        self._bell = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._serving: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def open(self) -> None:
        """Listen on the socket."""
        self._path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self._path)

    async def close(self) -> None:
        """Hang up on everybody."""
        if self._server:
            self._server.close()
        self.plugged = False
        self._release()
        for writer in self._serving.values():
            writer.close()
        if self._serving:
            await asyncio.wait(self._serving, timeout=HANG_UP_SECONDS)
        self._path.unlink(missing_ok=True)

    @abstractmethod
    def _obey(self, operation: Operation, content: bytes) -> bytes:
        """The answer to an operation of the one who has the device open, but READ."""

    @abstractmethod
    def _next(self, size: int) -> bytes | None:
        """The answer to a READ of `size` bytes; None while there is nothing to read."""

    def _opened(self) -> None:
        """The device has been opened."""
        self._bell.set()

    def _release(self) -> None:
        """No program has the device open any more."""
        self._owner = None
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
                self._release()
            del self._serving[task]
            writer.close()

    async def _answer(self, handle: object, operation: Operation, content: bytes) -> bytes:
        if operation is Operation.IS_PLUGGED:
            return answer(OK, bytes([self.plugged]))
        if not self.plugged:
            return answer(IO_GONE)
        if operation is Operation.OPEN:
            self._owner = handle
            self._opened()
            return answer(OK)
        if self._owner is not handle:
            return answer(IO_GONE)
        if operation is Operation.CLOSE:
            self._release()
            return answer(OK)
        return await self._read(handle, content) if operation is Operation.READ else self._obey(operation, content)

    async def _read(self, handle: object, content: bytes) -> bytes:
        milliseconds, size = struct.unpack(">IH", content)
        try:
            async with asyncio.timeout(milliseconds / 1000 or None):
                while self._owner is handle:
                    if (found := self._next(size)) is not None:
                        return found
                    self._bell.clear()
                    await self._bell.wait()
        except TimeoutError:  # something may have come in the same turn
            if self._owner is handle:
                return self._next(size) or answer(TIMED_OUT)
        return answer(IO_GONE)


class SimulatedUsbPort(UsbCableSocket):
    """The port of one device.

    `faults` change what the device sends, or what it receives if it only `listens`. `out` and `into` are its two
    endpoints, from the host's side, as the bus keeps them.
    """

    def __init__(self, device: UsbDevice, path: Path, listens: bool = False, packet_bytes: int = 8) -> None:
        super().__init__(path)  # plugged in, it has power
        self.out, self.into = Pipe(), Pipe()
        self.resets = 0
        self.log = WireLog()
        self._packet_bytes = packet_bytes
        self._pulled = False
        self.faults = (
            WireFaults(device.write, babble=self._queue)
            if listens
            else WireFaults(self._queue, no_text, babble=self._queue)
        )
        self._device = device
        self._receive: Callable[[bytes], None] = self.faults.pass_on if listens else device.write
        self._say: Callable[[bytes], None] = self._queue if listens else self.faults.pass_on
        self._queued: deque[bytes] = deque()
        self._kernel_driver = True  # as Linux does with a HID device it sees for the first time
        self._returning: asyncio.TimerHandle | None = None
        device.arrived = self._answered

    async def close(self) -> None:
        """Hang up on everybody."""
        self.faults.close()
        if self._returning:
            self._returning.cancel()
        await super().close()

    def fail(self, pipe: Pipe, *failures: int, refuses_to_clear: int = 0) -> None:
        """Set the results of the next transfers of one endpoint: STALLED halts it, FAILED is EPROTO, TOO_LONG is
        babble.
        """
        pipe.failures += failures
        pipe.refuses_to_clear = refuses_to_clear
        self._bell.set()

    def unplug(self) -> None:
        """Pull the cable; the device loses its power, and a host must open it again."""
        if not self._pulled:
            self._pulled = True
            self._cut_power()
            self.faults.report("unplug", True)

    def plug(self) -> None:
        """Put the cable back."""
        if self._pulled:
            self._pulled = False
            self._give_power()
            self.faults.report("unplug", False)

    def restart(self) -> None:
        """The device loses its power for a moment."""
        if self.plugged:
            self._cut_power()
            self.faults.report("restart", True)
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
        self.out, self.into = Pipe(), Pipe()
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
            self.log.carried(True, report)
            self._queued.append(report)
            self._bell.set()

    def _obey(self, operation: Operation, content: bytes) -> bytes:
        match operation:
            case Operation.CONFIGURE if not self._kernel_driver:
                for pipe in (self.out, self.into):
                    pipe.reset()
            case Operation.CLAIM | Operation.CONFIGURE:
                return answer(BUSY if self._kernel_driver else OK)
            case Operation.KERNEL_DRIVER:
                if content[0]:
                    self._kernel_driver = content[0] == 1
                return answer(OK, bytes([self._kernel_driver]))
            case Operation.CLEAR_HALT | Operation.CLEAR_FEATURE:
                pipe = self.into if content[0] & 0x80 else self.out
                pipe.clear(at_host=operation is Operation.CLEAR_HALT)
            case Operation.RESET:
                self.resets += 1
                for pipe in (self.out, self.into):
                    pipe.reset()
            case Operation.WRITE:
                return self._write(content)
        return answer(OK)

    def _write(self, content: bytes) -> bytes:
        failure = self.out.failure()
        if failure not in (OK, FAILED):
            return answer(failure)
        packets = [content[at : at + self._packet_bytes] for at in range(0, len(content), self._packet_bytes)] or [b""]
        if taken := [packet for packet in packets if self.out.carries()]:
            self.log.carried(False, b"".join(taken))
            self._receive(b"".join(taken))
        if failure == FAILED:  # the acknowledgement of the last packet was lost, not the packet
            self.out.host_toggle ^= 1
        return answer(failure)

    def _next(self, size: int) -> bytes | None:
        while True:
            if failure := self.into.failure():
                return answer(failure)
            if not self._queued:
                return None
            report = self._queued.popleft()
            if self.into.carries():  # else the host takes it for a copy
                return answer(OK, report[:size])


def no_text(report: bytes, chance: random.Random) -> bytes:
    """A byte of the report spoilt so that it is seen: USB itself would not have let a wrong digit through."""
    place = chance.randrange(len(report))
    return report[:place] + bytes([report[place] | NO_TEXT]) + report[place + 1 :]
