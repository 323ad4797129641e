"""The MQTT client is stopped whenever it is asked to, however unlucky the moment."""

import asyncio
from contextlib import suppress
from typing import Any

import aiomqtt
import pytest

from controller.floor.client import AcknowledgedClient


async def _swallows() -> None:
    """As Python 3.11's wait_for does with a cancellation that comes together with what is waited for."""
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(60)


async def _cancelled(task: asyncio.Task[None]) -> None:
    await asyncio.sleep(0)
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=5)
    assert done and task.cancelled()


async def test_a_cancellation_that_comes_together_with_the_connection_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[AcknowledgedClient] = []

    async def connects(self: AcknowledgedClient) -> AcknowledgedClient:
        await _swallows()
        self._connected.set_result(None)
        return self

    async def leaves(self: AcknowledgedClient, *_: object) -> None:
        left.append(self)

    monkeypatch.setattr(aiomqtt.Client, "__aenter__", connects)
    monkeypatch.setattr(AcknowledgedClient, "__aexit__", leaves)

    async def use() -> None:
        async with AcknowledgedClient("127.0.0.1"):
            await asyncio.sleep(60)

    await _cancelled(asyncio.create_task(use()))
    assert len(left) == 1, "the connection is given up"


async def test_a_cancellation_that_comes_together_with_an_acknowledgement_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def publishes(self: AcknowledgedClient, *_: Any, **__: Any) -> None:
        await _swallows()

    monkeypatch.setattr(aiomqtt.Client, "publish", publishes)

    async def use() -> None:
        client = AcknowledgedClient("127.0.0.1")
        await client.deliver("topic", b"payload")
        await asyncio.sleep(60)

    await _cancelled(asyncio.create_task(use()))
