"""What runs until it is told to stop: the signals that end it."""

import asyncio
import signal
import socket
from collections.abc import Coroutine
from functools import partial
from typing import Any, TypeVar

from drivers.unheld import unheld

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

    _resolve_unheld(asyncio.get_running_loop())
    for one in (signal.SIGTERM, signal.SIGINT, *others):
        asyncio.get_running_loop().add_signal_handler(one, tell)
    await asyncio.wait([task])
    return None if task.cancelled() and told.is_set() else task.result()


def _resolve_unheld(loop: asyncio.AbstractEventLoop) -> None:
    """Look names up in threads that no end waits for; asyncio's own are, for as long as a resolver gives no answer."""

    async def getaddrinfo(host: Any, port: Any, **hints: int) -> Any:
        return await unheld(partial(socket.getaddrinfo, host, port, **hints), lambda found: None, "resolver")

    loop.getaddrinfo = getaddrinfo  # type: ignore[method-assign]
