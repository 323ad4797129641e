"""The durable outbox as the floor client reads it: in order, a window at a time, whatever its length. No I/O here."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

WINDOW = 512  # messages asked for at once; a week without a broker stays in the journal


class UnsentMessage(Protocol):
    """A message that is durable and not yet acknowledged."""

    @property
    def sequence(self) -> int: ...
    @property
    def topic(self) -> str: ...
    @property
    def payload(self) -> bytes: ...


Read = Callable[[int, int], Awaitable[Sequence[UnsentMessage]]]


class Outbox:
    """Messages from the journal, oldest first. `read(after, limit)` asks the journal for those not in the window.

    `read` may give more: all messages of a file.
    """

    def __init__(self, read: Read, last: int) -> None:
        self._read = read
        self._window: deque[UnsentMessage] = deque()
        self._known = 0  # every message up to here is acknowledged or in the window
        self._last = last  # the newest message the journal holds
        self._done = 0  # the newest that was acknowledged or put aside
        self._changed = asyncio.Event()
        self._emptied = asyncio.Event()
        self.acknowledged = 0  # the newest message acknowledged since this station started

    @property
    def empty(self) -> bool:
        """Whether every message is acknowledged."""
        return not self._window and self._known >= self._last

    def add(self, rows: Sequence[UnsentMessage]) -> None:
        """Messages that have just become durable."""
        if not rows:
            return
        if self._known == self._last and len(self._window) + len(rows) <= WINDOW:
            self._window.extend(rows)
            self._known = rows[-1].sequence
        self._last = rows[-1].sequence
        self._changed.set()

    def wake(self) -> None:
        """Wake the waiting tasks, though no message came."""
        self._changed.set()

    async def head(self, after: int = 0) -> UnsentMessage | None:
        """The oldest message, or the oldest after one that is in flight; None if there is none in memory."""
        if not self._window and self._known < self._last:
            last = self._last  # what comes while the journal is read is not in the answer
            rows = await self._read(self._known, WINDOW)
            self._window.extend(row for row in rows if row.sequence > self._done)  # one may be put aside meanwhile
            self._known = rows[-1].sequence if rows else last
        # They are numbered without a gap.
        ahead = max(0, after + 1 - self._window[0].sequence) if self._window else 0
        return self._window[ahead] if ahead < len(self._window) else None

    def done(self, sequence: int) -> None:
        """The broker has acknowledged this message, or it was put aside; it is the head, or was removed before."""
        self._done = max(self._done, sequence)
        if self._window and self._window[0].sequence == sequence:
            self.acknowledged = self._window.popleft().sequence
        if self.empty:
            self._emptied.set()

    async def emptied(self) -> None:
        """Wait until every message is acknowledged."""
        while not self.empty:
            self._emptied.clear()
            await self._emptied.wait()

    async def changed(self) -> None:
        """Wait until something was added or someone called wake."""
        await self._changed.wait()
        self._changed.clear()
