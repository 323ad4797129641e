"""A pause that can be cut short or ended by a failure, so that one coroutine keeps all of a link's times."""

import asyncio


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
