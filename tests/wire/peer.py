"""The far end of a device's serial line, and what a running device reports."""

import asyncio
import os
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from drivers.device import Device, DeviceMessage
from drivers.link import LinkTiming
from drivers.messages import Message

M = TypeVar("M")
QUICK = LinkTiming(floor=0.02, ceiling=0.1, noise_report=0.05)


class Peer:
    """The far end of a serial line under a stable name. `answer` is called with what arrives, if it is set."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.got = bytearray()
        self.answer: Callable[[bytes], None] | None = None
        self._ends: tuple[int, int] | None = None

    def plug(self) -> None:
        near, far = os.openpty()
        tty.setraw(far)
        os.set_blocking(near, False)
        self._ends = near, far
        self.path.symlink_to(os.ttyname(far))
        asyncio.get_running_loop().add_reader(near, self._readable)

    def unplug(self) -> None:
        if self._ends is not None:
            near, far = self._ends
            asyncio.get_running_loop().remove_reader(near)
            self._ends = None
            self.path.unlink()
            os.close(near)
            os.close(far)

    def stop_reading(self) -> None:
        assert self._ends is not None
        asyncio.get_running_loop().remove_reader(self._ends[0])

    def send(self, octets: bytes) -> None:
        assert self._ends is not None
        os.write(self._ends[0], octets)

    def _readable(self) -> None:
        assert self._ends is not None
        octets = os.read(self._ends[0], 4096)
        self.got += octets
        if self.answer is not None:
            self.answer(octets)


class Received:
    """What a running device has reported, in order."""

    def __init__(self) -> None:
        self.reports: list[DeviceMessage] = []

    def __call__(self, message: DeviceMessage) -> None:
        self.reports.append(message)

    @property
    def messages(self) -> list[Message]:
        return [message.message for message in self.reports]

    def of(self, *kinds: type[M]) -> list[M]:
        return [message for message in self.messages if isinstance(message, kinds)]

    async def until(self, condition: Callable[[], object], seconds: float = 60.0) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not condition():
            assert loop.time() < deadline, f"waited {seconds} s in vain; received {self.messages}"
            await asyncio.sleep(0.002)


@asynccontextmanager
async def received_of(device: Device) -> AsyncIterator[Received]:
    """A device that runs, and what it reports."""
    received = Received()
    task = asyncio.create_task(device.run(received))
    try:
        yield received
        assert not task.done(), task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
