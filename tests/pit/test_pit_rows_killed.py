"""The archive and its server are killed while they store: messages and rows are there once, and agree."""

import asyncio
import pickle
import random
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.pit import lease
from controller.pit.cluster import Cluster
from tests.pit.kept import kept
from tests.pit.storing import HURRY, store_the_rest, storing
from tests.pit.test_pit_views import NAMES, differences, of_many_tables

KILLS = 2  # of the archive alone, then with its server
TABLES = 5
AT_ONCE = 50
BATCHES = 9  # at most before a kill: of 1910 messages no kill finds the last


def test_messages_and_rows_are_there_once_whatever_is_killed_while_they_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, file = random.Random(44), tmp_path / "messages"
    file.write_bytes(pickle.dumps(of_many_tables(TABLES)))
    with TemporaryDirectory(prefix="pit-") as folder:
        Path(folder).chmod(0o711)
        cluster = Cluster(Path(folder) / "cluster")
        cluster.start()
        try:
            for number in range(KILLS):
                batches = chance.randint(2, BATCHES)
                child = storing(cluster.database, str(number), file, AT_ONCE, batches, chance)
                if number % 2:
                    cluster.stop("immediate")
                child.kill()
                child.communicate()
                if number % 2:
                    cluster.start()
                print(f"kill {number}: {len(kept(cluster.database))} messages")
                assert {difference[1:] for difference in differences(cluster.database).values()} == {(0, 0)}
            for name, value in HURRY.items():
                monkeypatch.setattr(lease, name, value)
            asyncio.run(store_the_rest(cluster.database, "last", of_many_tables(TABLES), AT_ONCE))
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
