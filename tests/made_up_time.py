"""An event loop whose clock goes on to the next timer as soon as nothing is left to do: waiting takes no time.

For tests that wait for timers alone. What comes from outside, out of a thread or a kernel, would come too late here.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

P = ParamSpec("P")


class _Selector(selectors.DefaultSelector):
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
    """Its time begins at 0 and stands still while anything is done."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Selector(self._skip))

    def time(self) -> float:
        """Seconds."""
        return self._now

    def _skip(self, seconds: float) -> None:
        self._now += seconds


def in_made_up_time(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Runs a test on such a loop."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=MadeUpTime) as runner:
            runner.run(test(*args, **kwargs))

    return run
