"""A blocking call in a thread of its own: its result, its error, and what becomes of a result that no one waits for."""

import asyncio
import threading

import pytest

from drivers.unheld import unheld

SECONDS = 10.0


async def test_the_result_and_the_error_of_a_call() -> None:
    late: list[int] = []
    assert await unheld(lambda: 7, late.append, "call") == 7
    with pytest.raises(ZeroDivisionError):
        await unheld(lambda: 1 // 0, late.append, "call")
    assert late == []


async def test_what_comes_after_a_cancellation_is_handed_over_once() -> None:
    begun, go, given = threading.Event(), threading.Event(), threading.Event()
    late: list[int] = []

    def call() -> int:
        begun.set()
        go.wait(SECONDS)
        return 7

    def take(result: int) -> None:
        late.append(result)
        given.set()

    task = asyncio.create_task(unheld(call, take, "call"))
    assert await asyncio.to_thread(begun.wait, SECONDS)
    task.cancel()
    await asyncio.wait([task], timeout=SECONDS)
    assert task.cancelled() and late == []
    go.set()
    assert await asyncio.to_thread(given.wait, SECONDS)
    assert late == [7]


async def test_a_result_that_comes_together_with_a_cancellation_is_handed_over_once() -> None:
    for _ in range(200):
        late: list[int] = []
        task = asyncio.create_task(unheld(lambda: 7, late.append, "call"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=SECONDS)
        for thread in [known for known in threading.enumerate() if known.name == "call"]:
            await asyncio.to_thread(thread.join)
        await asyncio.sleep(0)
        assert late == ([7] if task.cancelled() else [])
