"""Event loops whose clocks are not the machine's, so that no test fails because the machine was busy."""

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

P = ParamSpec("P")
PATIENCE_SECONDS = 100.0


async def until(condition: Callable[[], object], pause: float = 0.005) -> None:
    """Wait for what nothing reports, longer than a busy machine needs."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(pause)


class _Skipping(selectors.PollSelector):
    """Hands the time for which it was to wait to `skip`."""

    def __init__(self, skip: Callable[[float], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(None if timeout is None else 0)
        if not ready and timeout:
            self._skip(timeout)
        return ready


class MadeUpTime(asyncio.SelectorEventLoop):
    """Its time begins at 0 and continues to the next timer as soon as nothing is left to do: waiting takes no time.

    For tests that wait for timers alone. What comes from outside, out of a thread or a kernel, would come too late.
    """

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Skipping(self._skip))

    def time(self) -> float:
        """Seconds."""
        return self._now

    def _skip(self, seconds: float) -> None:
        self._now += seconds


class _Waiting(selectors.PollSelector):
    """Reports `waited` how long nothing came.

    What is written to a pty is carried over by a thread of the kernel, which a busy machine lets wait like any other.
    Only `poll` waits for it: `epoll` would find nothing for as long.
    """

    def __init__(self, waited: Callable[[float], None]) -> None:
        super().__init__()
        self._waited = waited

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        began = time.monotonic()
        ready = super().select(timeout)
        if not ready and timeout:
            self._waited(min(time.monotonic() - began, timeout))
        return ready


class UnhurriedTime(asyncio.SelectorEventLoop):
    """Its time passes only while it waits and nothing comes: no timer is due before what has come is dealt with.

    For devices and their far ends on one loop. A process that was not let run for a while has not been silent.
    """

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Waiting(self._wait))

    def time(self) -> float:
        """Seconds."""
        return self._now

    def _wait(self, seconds: float) -> None:
        self._now += seconds


def in_made_up_time(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Runs a test in MadeUpTime."""
    return on_loop(MadeUpTime, test)


def unhurried(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Runs a test in UnhurriedTime."""
    return on_loop(UnhurriedTime, test)


def on_loop(
    loop: Callable[[], asyncio.AbstractEventLoop], test: Callable[P, Coroutine[Any, Any, None]]
) -> Callable[P, None]:
    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=loop) as runner:
            runner.run(test(*args, **kwargs))

    return run
