"""A process that stores messages, to be killed: DATABASE HOLDER FILE COUNT. It stores a batch for each line."""

import asyncio
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import sleep

from controller.pit import archive, lease
from controller.pit.inbox import Message

HURRY = {"LEASE_SECONDS": 0.4, "WATCH_SECONDS": 0.1}  # no one else leads


async def store_the_rest(
    database: str,
    holder: str,
    messages: Sequence[Message],
    at_once: int,
    before: Callable[[int], None] = lambda _: None,
) -> None:
    """Store what is missing, so many messages in a transaction."""
    own = await archive.Archive.open(database, holder)
    if not await own.lead_once_free():
        raise RuntimeError("another process leads")
    through = await own.through()
    missing = [table for table in messages if table.sequence > through.get(table.journal, 0)]
    for first in range(0, len(missing), at_once):
        await own.lead()
        before(first)
        await own.store(missing[first : first + at_once])
        await own.merge()
    await own.close()


def storing(
    database: str, holder: str, file: Path, at_once: int, batches: int, chance: Random
) -> subprocess.Popen[bytes]:
    """A process that has stored so many batches of the messages in the file, and is somewhere in the next one."""
    child = subprocess.Popen(
        [sys.executable, "-m", __name__, database, holder, str(file), str(at_once)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
    )  # fmt: skip
    assert child.stdin and child.stdout
    for _ in range(batches):
        assert child.stdout.readline(), "it stores until it is killed"
        child.stdin.write(b"\n")
    sleep(chance.uniform(0.0, 0.025))
    return child


def _asked(first: int) -> None:
    print(first, flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    for module in (lease, archive):
        vars(module).update(HURRY)
    database, holder, file, at_once = sys.argv[1:]
    asyncio.run(store_the_rest(database, holder, pickle.loads(Path(file).read_bytes()), int(at_once), _asked))
