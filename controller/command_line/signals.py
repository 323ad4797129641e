"""Handles the signals that end a long-running command."""

import asyncio
import signal
import socket
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, TypeVar

from controller.system.tasks import ENDING, on_ending_signal
from drivers.unheld import unheld

Given = TypeVar("Given")


async def until_signal(work: Coroutine[Any, Any, Given]) -> Given | None:
    """Return the result of `work`, or None once SIGTERM, SIGINT or SIGHUP has ended it.

    The first signal cancels `work`, which then ends in its own order; later signals change nothing.
    """
    task = asyncio.create_task(work)
    signalled = asyncio.Event()

    def on_signal(_: signal.Signals) -> None:
        if not signalled.is_set():
            signalled.set()
            task.cancel()

    _resolve_unheld(asyncio.get_running_loop())
    on_ending_signal(on_signal)
    await asyncio.wait([task])
    return None if task.cancelled() and signalled.is_set() else task.result()


def _resolve_unheld(loop: asyncio.AbstractEventLoop) -> None:
    """Looks names up in threads that the end of the process does not wait for. It would wait for asyncio's own threads
    as long as a resolver gives no answer.
    """

    async def getaddrinfo(host: Any, port: Any, **hints: int) -> Any:
        return await unheld(partial(socket.getaddrinfo, host, port, **hints), lambda found: None, "resolver")

    loop.getaddrinfo = getaddrinfo  # type: ignore[method-assign]


_unbroken: list[int | None] = []  # the innermost body that no signal breaks, with the signal that came in it


@contextmanager
def leaving_nothing() -> Iterator[None]:
    """Within the body, a signal that ends the process raises SystemExit, so that the body removes its processes and
    files.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        if _unbroken:
            _unbroken[-1] = number
            return
        for signal_number in ENDING:  # once, however many come
            signal.signal(signal_number, signal.SIG_IGN)
        raise SystemExit(128 + number)

    known = {signal_number: signal.getsignal(signal_number) for signal_number in ENDING}
    for number, handler in known.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in known.items():
            signal.signal(number, handler)


@contextmanager
def unbroken() -> Iterator[None]:
    """A signal during the body takes effect at its end.

    Python discards an exception of a signal handler that runs during a fork (os.register_at_fork).
    """
    _unbroken.append(None)
    try:
        yield
    finally:
        number = _unbroken.pop()
    if number is not None:
        signal.raise_signal(number)
