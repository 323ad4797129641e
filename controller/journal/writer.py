"""The journal's one thread: every call on the file is made there, in the order asked."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from controller.journal.sealing import Seal
from controller.journal.store import Answer, Batch, Journal, JournalUnavailable, OutboxRow, Restored

T = TypeVar("T")


class Writer:
    """An open journal behind its thread. `restored` is what it held when it was opened."""

    def __init__(self, journal: Journal, restored: Restored, thread: ThreadPoolExecutor) -> None:
        self.restored = restored
        self.journal = journal
        self._thread = thread
        self._acknowledged = 0
        self._pending_acknowledgement = 0

    @classmethod
    async def open(cls, path: Path, seal: Seal, mode: str) -> "Writer":
        """Open and verify. Raises JournalUnavailable, JournalCorrupt or WrongJournal."""
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        loop = asyncio.get_running_loop()
        journal = await loop.run_in_executor(thread, Journal, path, seal, mode)
        try:
            restored = await loop.run_in_executor(thread, journal.restore)
        except BaseException:
            journal.close()
            raise
        return cls(journal, restored, thread)

    async def commit(self, batch: Batch) -> None:
        """Return once the batch is on the disk. Raises JournalUnavailable."""
        acknowledged = self._pending_acknowledgement
        await self._call(self._commit, batch, acknowledged)
        self._acknowledged = max(self._acknowledged, acknowledged)

    def _commit(self, batch: Batch, acknowledged: int) -> None:
        try:
            self.journal.commit(batch, acknowledged)
        except JournalUnavailable:
            if not self.journal.landed():
                raise

    def acknowledged(self, sequence: int) -> None:
        """The floor has this message: it leaves the outbox with the next commit, or the next flush."""
        self._pending_acknowledgement = sequence

    async def flush(self) -> None:
        """Write down what the floor has acknowledged, if no commit has done so. Raises JournalUnavailable."""
        acknowledged = self._pending_acknowledgement
        if acknowledged > self._acknowledged:
            await self._call(self.journal.forget, acknowledged)
            self._acknowledged = acknowledged

    async def answer(self, input_id: str) -> Answer | None:
        """What this input was answered before."""
        return await self._call(self.journal.answer, input_id)

    async def outbox(self, after: int, limit: int) -> list[OutboxRow]:
        """The oldest messages after a sequence that the floor has not acknowledged."""
        return await self._call(self.journal.outbox, after, limit)

    async def close(self) -> None:
        """Close the file."""
        await self._call(self.journal.close)
        self._thread.shutdown()

    async def _call(self, function: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)
