"""A scripted peer on a real pty, and the running of a device against it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

import pytest

from drivers.device import Device
from drivers.link import LinkTiming
from drivers.messages import LinkLost, LinkUp
from tests.made_up_time import UnhurriedTime
from tests.wire.peer import QUICK, Peer, Received, received_of


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], UnhurriedTime]]:
    """Devices and their far ends share a loop, whose time leaves out what a busy machine takes from both."""
    return {"unhurried": UnhurriedTime}


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
    return received_of


@pytest.fixture
def quick() -> LinkTiming:
    return QUICK


@pytest.fixture
async def peer(tmp_path: Path) -> AsyncIterator[Peer]:
    peer = Peer(tmp_path / "port")
    peer.plug()
    yield peer
    peer.unplug()
