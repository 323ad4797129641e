"""Limits strangers' part of the loop's time: one piece of work in each turn, and a share of the seconds."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

MOST_CREDIT = 0.05  # seconds; what a page asks for at once at a quiet table does not wait
LONGEST_WAIT = 0.1  # seconds until the next piece of work, however much was charged


class Turns:
    """Does one piece of work after the other, oldest first, so that all take at most a `share` of this thread's time.

    Work that a piece of work schedules on the loop counts too, until the next turn.
    """

    def __init__(self, share: float, clock: Callable[[], float] = time.thread_time) -> None:
        self._share = share
        self._clock = clock
        self._waiting: deque[Callable[[], None]] = deque()
        self._running = False
        self._credit = MOST_CREDIT
        self._since = time.monotonic()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, work: Callable[[], None]) -> None:
        """Adds work to do when its turn comes."""
        self._waiting.append(work)
        if not self._running:
            self._running = True
            asyncio.get_running_loop().call_soon(self._next)

    def charge(self, seconds: float) -> None:
        """Count this too, though it was not done in a turn."""
        self._credit = max(self._credit - seconds, -MOST_CREDIT)

    def _next(self) -> None:
        now = time.monotonic()
        self._credit = min(MOST_CREDIT, self._credit + (now - self._since) * self._share)
        self._since = now
        loop = asyncio.get_running_loop()
        if self._credit > 0:
            self._do()
        else:
            loop.call_later(min(-self._credit / self._share, LONGEST_WAIT), self._do)

    def _do(self) -> None:
        began = self._clock()
        try:
            self._waiting.popleft()()
        finally:
            # Tasks that the work has begun come before this.
            asyncio.get_running_loop().call_soon(self._done, began)

    def _done(self, began: float) -> None:
        self.charge(self._clock() - began)
        self._running = bool(self._waiting)
        if self._running:
            self._next()
