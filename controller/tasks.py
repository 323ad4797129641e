"""Tasks of asyncio, where Python 3.11 and libraries that wait with it need a hand."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def cancellable() -> Iterator[None]:
    """A cancellation inside is never lost: psycopg waits with `asyncio.wait_for`, and Python 3.11's may swallow one."""
    task = asyncio.current_task()
    # Not always 0: Python 3.11's TaskGroup leaves its parent's count raised after a child has failed.
    before = task.cancelling() if task is not None else 0
    yield
    if task is not None and task.cancelling() > before:
        raise asyncio.CancelledError


async def ended(task: "asyncio.Task[object]") -> None:
    """Cancel a task until it has ended: a library that uses `asyncio.wait_for` of Python 3.11 may lose the first."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.1)


def first_of(group: BaseExceptionGroup[Exception]) -> Exception:
    """The first failure in a group."""
    error: Exception | BaseExceptionGroup[Exception] = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
