"""A process that stores messages, to be killed: DATABASE HOLDER FILE. It stores a batch for each line of its input."""

import asyncio
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from controller.pit.archive import Archive
from controller.pit.inbox import Message

AT_ONCE = 50


async def store_the_rest(database: str, holder: str, messages: Sequence[Message], asked: TextIO | None = None) -> None:
    """Store what is missing, in batches: one for each line of `asked`, answered by a line; all at once without it."""
    archive = await Archive.open(database, holder)
    if not await archive.lead_once_free():
        raise RuntimeError("another process leads")
    through = await archive.through()
    missing = [table for table in messages if table.sequence > through.get(table.journal, 0)]
    for first in range(0, len(missing), AT_ONCE):
        await archive.lead()
        if asked:
            print(first, flush=True)
            asked.readline()
        await archive.store(missing[first : first + AT_ONCE])
        await archive.merge()
    await archive.close()


if __name__ == "__main__":
    database, holder, file = sys.argv[1:]
    asyncio.run(store_the_rest(database, holder, pickle.loads(Path(file).read_bytes()), sys.stdin))
