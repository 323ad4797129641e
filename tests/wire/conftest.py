"""A scripted peer on a real pty, and the running of a device against it."""

import asyncio
import os
import tty
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol, TypeVar

import pytest

from drivers.device import Device, DeviceMessage
from drivers.link import LinkTiming
from drivers.messages import LinkLost, LinkUp, Message
from tests.made_up_time import UnhurriedTime

M = TypeVar("M")
QUICK = LinkTiming(floor=0.02, ceiling=0.1, noise_report=0.05)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], UnhurriedTime]]:
    """Devices and their far ends share a loop, whose time leaves out what a busy machine takes from both."""
    return {"unhurried": UnhurriedTime}


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

    async def until(self, condition: Callable[[], object], seconds: float = 3.0) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not condition():
            assert loop.time() < deadline, f"waited {seconds} s in vain; received {self.messages}"
            await asyncio.sleep(0.002)


class Mutable(Protocol):
    """A far end that can be silent."""

    mute: bool


async def silence_is_blamed_on(device: Mutable, received: Received) -> None:
    """The link is lost while the device is silent, and is up again when it answers."""
    device.mute = True
    await received.until(lambda: received.of(LinkLost))
    (lost,) = received.of(LinkLost)
    assert lost.reason.startswith("port is open, but no answer for")
    device.mute = False
    await received.until(lambda: len(received.of(LinkUp)) == 2)


Running = Callable[[Device], AbstractAsyncContextManager[Received]]


@pytest.fixture
def running() -> Running:
    @asynccontextmanager
    async def run(device: Device) -> AsyncIterator[Received]:
        received = Received()
        task = asyncio.create_task(device.run(received))
        try:
            yield received
            assert not task.done(), task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    return run


@pytest.fixture
def quick() -> LinkTiming:
    return QUICK


@pytest.fixture
async def peer(tmp_path: Path) -> AsyncIterator[Peer]:
    peer = Peer(tmp_path / "port")
    peer.plug()
    yield peer
    peer.unplug()
