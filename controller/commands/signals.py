"""What runs until it is told to stop: the signals that end it."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

Given = TypeVar("Given")


async def until_told(work: Coroutine[Any, Any, Given], *others: signal.Signals) -> Given | None:
    """What it gives; None once SIGTERM, SIGINT or one of the others has ended it.

    It is told once, however many signals come, and so ends in its own order.
    """
    task = asyncio.create_task(work)
    told = asyncio.Event()

    def tell() -> None:
        if not told.is_set():
            told.set()
            task.cancel()

    for one in (signal.SIGTERM, signal.SIGINT, *others):
        asyncio.get_running_loop().add_signal_handler(one, tell)
    await asyncio.wait([task])
    return None if task.cancelled() and told.is_set() else task.result()
