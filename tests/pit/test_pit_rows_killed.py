"""The archive and its server are killed while they store: messages and rows are there once, and agree."""

import asyncio
import random
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import pytest

from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from tests.pit.kept import kept
from tests.pit.test_pit_views import NAMES, differences, of_many_tables

KILLS = 2  # of the archive alone, then with its server
TABLES = 5
AT_ONCE = 50
BATCHES = 9  # at most before a kill: of 1910 messages no kill finds the last


async def store_the_rest(database: str, seed: str, asked: TextIO | None = None) -> None:
    """Store what is missing, in batches: one for each line of `asked`, answered by a line; all at once without it."""
    archive = await Archive.open(database, seed)
    if not await archive.lead_once_free():
        raise RuntimeError("another process leads")
    through = await archive.through()
    missing = [table for table in of_many_tables(TABLES) if table.sequence > through.get(table.journal, 0)]
    for first in range(0, len(missing), AT_ONCE):
        await archive.lead()
        if asked:
            print(first, flush=True)
            asked.readline()
        await archive.store(missing[first : first + AT_ONCE])
        await archive.merge()
    await archive.close()


@pytest.mark.timeout(300)
def test_messages_and_rows_are_there_once_whatever_is_killed_while_they_are_stored() -> None:
    chance = random.Random(44)
    with TemporaryDirectory(prefix="pit-") as name:
        Path(name).chmod(0o711)
        cluster = Cluster(Path(name) / "cluster")
        cluster.start()
        try:
            for number in range(KILLS):
                child = subprocess.Popen(
                    [sys.executable, "-m", __name__, cluster.database, str(number)],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
                )  # fmt: skip
                assert child.stdin and child.stdout
                for _ in range(chance.randint(2, BATCHES)):
                    assert child.stdout.readline(), "it stores until it is killed"
                    child.stdin.write(b"\n")
                time.sleep(chance.uniform(0.0, 0.02))  # into the last batch
                if number % 2:
                    cluster.stop("immediate")
                child.kill()
                child.communicate()
                if number % 2:
                    cluster.start()
                print(f"kill {number}: {len(kept(cluster.database))} messages")
                assert {difference[1:] for difference in differences(cluster.database).values()} == {(0, 0)}
            asyncio.run(store_the_rest(cluster.database, "last"))
            check(cluster.database)
        finally:
            cluster.stop("immediate")


def check(database: str) -> None:
    """By journal, sequence and hash, and the rows by the envelopes."""
    hashes = [
        sorted((message.journal, message.sequence, sha256(message.content).hexdigest()) for message in found)
        for found in (kept(database), of_many_tables(TABLES))
    ]
    assert hashes[0] == hashes[1]
    found = differences(database)
    assert {name: counts[1:] for name, counts in found.items()} == dict.fromkeys(NAMES, (0, 0)) and found["lines"][0]


if __name__ == "__main__":
    asyncio.run(store_the_rest(sys.argv[1], sys.argv[2], sys.stdin))
