"""The pit beside a real station, and killed while it stores: every message is there once, and its rows agree."""

import asyncio
import json
import pickle
import random
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from controller.command_line.failures import load_config
from controller.floor.broker import Broker
from controller.pit import lease
from controller.pit.__main__ import main
from controller.pit.cluster import Cluster
from controller.pit.service import Service, ServiceIntervals
from controller.queries.published import messages, spoken
from controller.system.tasks import ended
from tests.pit.conftest import pit_toml
from tests.pit.kept import kept
from tests.pit.replicated import folder_of_a_database
from tests.pit.storing import HURRY, store_the_rest, storing
from tests.pit.test_pit_views import NAMES, differences, of_many_tables
from tests.station.floor_ear import FloorEar, Published, is_sequenced
from tests.station.processes import Mosquitto, archived_table
from tests.station.screen import get_table

ARCHIVE = "hall"


async def archived(service: Service, has_all: Callable[[], None]) -> None:
    """Let the archive run until the table knows that it has everything."""
    running = asyncio.create_task(service.run())
    try:
        await asyncio.to_thread(has_all)
    finally:
        await ended(running)


def test_an_archive_that_comes_late_has_every_message_of_a_table_and_the_table_knows(
    tmp_path: Path, broker: Mosquitto, database: str, another_database: str
) -> None:
    with (
        archived_table(tmp_path / "table", broker, ARCHIVE, "--rounds", "2", "--seed", "3") as (bench, daemon),
        FloorEar(broker.port) as ear,
    ):
        daemon.start()
        bench.wait_finished(60)
        last = get_table(daemon.address)["as_of"]
        ear.wait_sequence(last, 20)

        def knows(messages_seen: list[Published]) -> bool:
            payloads = [sent.payload for sent in messages_seen if sent.topic.endswith(f"archives/{ARCHIVE}")]
            return any(json.loads(payload)["data"]["through"] >= last for payload in payloads)

        pace = ServiceIntervals(ask_after=0.1, again=2.0, retry=0.1)
        service = Service(Broker("127.0.0.1", broker.port), ARCHIVE, database, "one", pace)
        asyncio.run(archived(service, lambda: ear.wait(knows, 30, "the archive's acknowledgement")))
        whole = kept(database)
        messages_seen = [*dict.fromkeys(sent.payload for sent in ear.messages if is_sequenced(sent.topic))]
        assert messages_seen[:last] == [sent.content for sent in whole[:last]] and len(messages_seen) >= last
        assert daemon.terminate() == 0
        config = pit_toml(tmp_path, another_database)
        found = load_config(bench.config)
        assert found is not None
        assert main(["rebuild", "--config", str(config), str(found.journal)]) == 0
        assert kept(another_database)[: len(whole)] == whole, "its journal makes the same archive"
        of = spoken(found.journal, lambda done, total: None)
        assert of is not None
        computed = messages(msgspec.structs.replace(of, kept=of.last + 1), lambda done, total: None)
        assert [*computed] == [*messages(of, lambda done, total: None)], "and so do its events"


KILLS = 2  # of the archive alone, then with its server
TABLES = 5
AT_ONCE = 50
BATCHES = 9  # at most before a kill: of 1910 messages no kill finds the last


def test_messages_and_rows_are_there_once_whatever_is_killed_while_they_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, file = random.Random(44), tmp_path / "messages"
    file.write_bytes(pickle.dumps(of_many_tables(TABLES)))
    with folder_of_a_database() as folder:
        cluster = Cluster(folder / "cluster")
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
