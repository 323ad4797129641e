"""Tasks of asyncio: repairs for Python 3.11 and for libraries that wait with it."""

import asyncio
import gc
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
AGAIN_SECONDS = 0.5  # what a task still does when it ends is not cut off sooner
_T = TypeVar("_T")


class ProgramStops(Exception):
    """The program stops, and so do streams, which would not end by themselves."""


@contextmanager
def cancellable() -> Iterator[None]:
    """A cancellation inside is never lost: psycopg waits with `asyncio.wait_for`, and Python 3.11's may swallow one."""
    task = asyncio.current_task()
    # Not always 0: Python 3.11's TaskGroup leaves its parent's count raised after a child has failed.
    before = task.cancelling() if task is not None else 0
    yield
    if task is not None and task.cancelling() > before:
        raise asyncio.CancelledError


def on_ending_signal(do: Callable[[signal.Signals], object]) -> None:
    """Calls `do` in the running loop at each signal that ends a process, except a hang-up that `nohup` ignores."""
    for signal_number in ENDING:
        if signal.getsignal(signal_number) != signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(signal_number, do, signal_number)


async def ended(task: "asyncio.Task[Any]") -> None:
    """Cancel a task until it has ended: a library that uses `asyncio.wait_for` of Python 3.11 may lose a cancellation.

    If the caller is cancelled meanwhile, that takes effect afterwards: no task is left behind.
    """
    cancelled = False
    while not task.done():
        task.cancel()
        try:
            await asyncio.wait([task], timeout=AGAIN_SECONDS)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError


async def apart(work: Coroutine[Any, Any, _T]) -> _T:
    """Runs it in a task of its own, for callers who continue after it has failed.

    A TaskGroup of Python 3.11 loses a cancellation of its own task that comes while the group fails.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        await ended(task)
        if not task.cancelled():
            task.exception()  # no one asks any more
        raise
    return task.result()


def first_exception(group: BaseExceptionGroup[Exception]) -> Exception:
    """The first exception in an exception group."""
    error: Exception | BaseExceptionGroup[Exception] = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def for_good() -> None:
    """Excludes everything loaded so far from garbage collection.

    A collection of all of it stops the event loop for a tenth of a second or more.
    """
    gc.collect()
    gc.freeze()
