"""The station's access to its journal: acknowledgements are written with the next commit.

Calls block the loop on purpose: nothing may be decided, shown or sent before the commit is on the disk, and a separate
thread would cost a quarter of a millisecond for each card without a gain.
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from controller.engine.outcomes import Outcome
from controller.journal.closing import MESSAGES
from controller.journal.reading import read_messages
from controller.journal.records import Batch, JournalUnavailable, OutboxRow, Restored
from controller.journal.sealing import Seal
from controller.journal.store import Journal

ASK_AGAIN_SECONDS = 1.0


class Writer:
    """An open journal. `restored` is the table that it had when it was opened."""

    def __init__(self, journal: Journal, restored: Restored) -> None:
        self.restored = restored
        self.journal = journal
        self.on_unknown: Callable[[JournalUnavailable], None] = lambda error: None
        self.on_log_grown: Callable[[int], None] = lambda size: None
        self.on_commit: Callable[[float], None] = lambda seconds: None
        self._reported_log_size = 0
        self._written = 0
        self._acknowledged = 0
        self._archived: dict[str, int] = {}
        self.archives = journal.archives  # what is written down
        self._oldest: OutboxRow | None = None

    @classmethod
    async def open(cls, path: Path, seal: Seal, mode: str) -> "Writer":
        """Open and verify a journal; a missing one is created, except for a live table.

        Raises NoJournal, JournalUnavailable, JournalCorrupt or WrongJournal.
        """
        journal = Journal(path, seal, mode, create=mode != "live")
        try:
            return cls(journal, journal.restore())
        except BaseException:
            journal.close()
            raise

    async def commit(self, batch: Batch) -> None:
        """Return once the batch is on the disk. Raises JournalUnavailable only when it certainly is not.

        While the file cannot be read, this waits, and calls `on_unknown` at every attempt.
        """
        began = time.perf_counter()
        try:
            self.journal.commit(batch, self._acknowledged)
        except JournalUnavailable:
            if not await self._landed():
                raise
        self.on_commit(time.perf_counter() - began)
        self._written = self._acknowledged
        size = self.journal.log_kept_by_readers
        if size > 2 * self._reported_log_size:
            self._reported_log_size = size
            self.on_log_grown(size)
        elif not size:
            self._reported_log_size = 0

    async def _landed(self) -> bool:
        while True:
            try:
                return self.journal.landed()
            except JournalUnavailable as error:
                self.on_unknown(error)
            await self._until_next_try()

    async def _until_next_try(self) -> None:
        await asyncio.sleep(ASK_AGAIN_SECONDS)

    def acknowledged(self, sequence: int) -> None:
        """The broker has this message: written down with the next commit, or the next flush."""
        self._acknowledged = sequence

    def archived(self, archive: str, through: int) -> None:
        """An archive has the messages up to this one: written down with the next flush."""
        self._archived[archive] = through

    def reserve_sessions(self, count: int) -> range:
        """Numbers for sessions with the broker; durable on return. Raises JournalUnavailable."""
        return self.journal.reserve_sessions(count)

    def check_files(self) -> None:
        """Raises JournalUnavailable if the journal's files were removed or replaced."""
        self.journal.check_files()

    async def flush(self) -> bool:
        """Writes the acknowledgements of the floor, if no commit has done so, and tidies up; returns whether an archive
        now has another message. Raises JournalUnavailable.
        """
        if self._acknowledged > self._written or self._archived or self.journal.untidy:
            self.journal.forget(self._acknowledged, self._archived)
            self.archives |= self._archived
            archived, self._archived = self._archived, {}
            self._written = self._acknowledged
            return bool(archived)
        return False

    @property
    def waiting(self) -> int:
        """The number of messages that the floor has not acknowledged."""
        return self.journal.sequence - self._last_acknowledged

    def oldest(self) -> OutboxRow | None:
        """The first stored message. Raises JournalUnavailable or JournalCorrupt."""
        if self.waiting and (self._oldest is None or self._oldest.sequence <= self._last_acknowledged):
            self._oldest = next(iter(self.journal.outbox(self._last_acknowledged, 1)), None)
        return self._oldest if self.waiting else None

    @property
    def _last_acknowledged(self) -> int:
        return max(self._acknowledged, self.journal.acknowledged)

    async def outcome(self, input_id: str) -> Outcome | None:
        """The outcome of this input, if it was decided before."""
        return self.journal.outcome(input_id)

    async def outbox(self, after: int, limit: int) -> list[OutboxRow]:
        """The oldest unacknowledged messages after a sequence; if they are in a file, all the rest of the file.

        Raises JournalUnavailable, or JournalCorrupt if they have changed.
        """
        first = max(after, self._last_acknowledged) + 1
        if first > self.journal.filed:
            return self.journal.outbox(first - 1, limit)
        return await asyncio.to_thread(read_messages, self.journal.path, first, MESSAGES)

    async def close(self) -> None:
        """Close the file."""
        self.journal.close()
