"""How a driver waits: a pause that can be cut short, seconds in which this process ran, and the next reading of a
device's sensors.
"""

import asyncio
import time
from collections.abc import Callable


class Wake:
    """One waiter at most. Not thread-safe: `now` and `fail` are called on the loop's thread."""

    def __init__(self) -> None:
        self._waiter: asyncio.Future[None] | None = None
        self._due = False
        self._failure: Exception | None = None

    def now(self) -> None:
        """End the present pause, or the next one if no one waits."""
        self._due = True
        self._release()

    def fail(self, failure: Exception) -> None:
        """Make the present pause and every later one raise `failure`; only the first failure is kept."""
        if self._failure is None:
            self._failure = failure
        self._release()

    @property
    def failed(self) -> bool:
        return self._failure is not None

    async def pause(self, seconds: float | None) -> None:
        """Waits for `seconds` (None: without end) or until `now`. Raises the exception given to `fail`."""
        if self._failure is None and not self._due:
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            timer = None if seconds is None else loop.call_later(max(seconds, 0), self._release)
            try:
                await self._waiter
            finally:
                self._waiter = None
                if timer is not None:
                    timer.cancel()
        self._due = False
        if self._failure is not None:
            raise self._failure

    def _release(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


STEP_SECONDS = 0.05


class Patience:
    """Seconds to wait for an answer, in steps; a step in which the process was delayed counts as one step."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._left = seconds
        self._now = now
        self._since = now()

    def step(self) -> float:
        """The time to wait next; 0 when the time is over."""
        now = self._now()
        self._left -= min(now - self._since, STEP_SECONDS)
        self._since = now
        return max(0.0, min(self._left, STEP_SECONDS))


class NextReading:
    """All on the event loop's thread."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []
        self._under_way: list[asyncio.Future[None]] = []

    async def wait(self) -> None:
        """Waits until such a reading has been reported, or the link is lost."""
        asked = asyncio.get_running_loop().create_future()
        self._waiting.append(asked)
        await asked

    def begins(self) -> bool:
        """A reading begins; whether anybody waits for it."""
        self._under_way, self._waiting = self._under_way + self._waiting, []
        return bool(self._under_way)

    def reported(self) -> None:
        """The changes that the reading showed have been reported."""
        for asked in self._under_way:
            if not asked.done():  # who asked may have been cancelled
                asked.set_result(None)
        self._under_way = []

    def lost(self) -> None:
        """The wait ends: no reading will come."""
        self.begins()
        self.reported()
