"""The pit or its server is killed while envelopes are stored, leave for files, or rows are exported.

After each kill every message that was stored is there once, by journal, number and SHA-256, in the database or in a
file; at the end all are, and an export is there whole or not at all.
"""

import asyncio
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

import psycopg
import pytest

from controller.pit import archive as archive_module
from controller.pit.archive import Archive
from controller.pit.cluster import Cluster, ClusterFailed
from controller.pit.database import connected
from controller.pit.envelopes import of_journal
from controller.pit.inbox import Message, TableJournal
from controller.pit.months import month_of
from tests.pit.replicated import folder_of_a_database
from tests.pit.storing import store_the_rest, storing
from tests.pit.test_pit_views import differences, of_many_tables

KILLS = 200  # in each of the three; every second one is of the server
SECONDS = 2 * 3600
TABLES, AT_ONCE, BATCHES = 40, 10, 3  # messages of a transaction, and transactions before a kill
MONTHS = 8  # that leave, before all are stored again
OLD = datetime(2025, 11, 20, tzinfo=UTC)
STOPPED = 60.0  # seconds for the processes of a killed server to end
CONFIG = """
[floor]
broker = "mqtt://127.0.0.1"
[archive]
name = "pit"
marks = "marks"
database = "{database}"
[retention]
envelopes_months = 2
"""
PROGRAM = """
import sys, duckdb
from controller.pit import archive, envelope_files, envelopes, exporting, retention
from controller.pit.__main__ import main
print("ready", flush=True)
sys.exit(main(sys.argv[1:]))
"""
Digest = tuple[TableJournal, int, str]


class Server:
    """A database whose server is killed, and started again."""

    def __init__(self, folder: Path) -> None:
        self.cluster = Cluster(folder / "cluster")
        self.cluster.start()
        self.database = self.cluster.database
        self.config = folder / "pit.toml"
        self.config.write_text(CONFIG.format(database=self.database))

    def kill(self) -> None:
        """SIGKILL of the postmaster alone, and a start once its processes have noticed."""
        pid = int((self.cluster.folder / "data/postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + STOPPED
        while True:
            try:
                self.cluster.start()
                return
            except ClusterFailed:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def command(self, *given: str) -> subprocess.Popen[bytes]:
        """A command of the pit that is about to begin."""
        command = [sys.executable, "-c", PROGRAM, *given, "--config", str(self.config)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert child.stdout and child.stdout.readline() == b"ready\n"
        return child


@contextmanager
def serving() -> Iterator[tuple[Server, Path]]:
    with folder_of_a_database() as folder:
        server = Server(folder)
        try:
            yield server, folder
        finally:
            server.cluster.stop("immediate")


def digests(messages: Sequence[Message]) -> list[Digest]:
    return sorted((message.journal, message.sequence, sha256(message.content).hexdigest()) for message in messages)


def found(database: str, journals: Sequence[TableJournal]) -> list[Digest]:
    """What the archive has of journals, in the database and in files, by the one way that the pit has to read it."""

    async def read() -> list[Message]:
        async with await connected(database) as connection:
            return [message for journal in journals async for message in of_journal(connection, journal)]

    return digests(asyncio.run(read()))


@pytest.mark.timeout(SECONDS)
def test_what_is_stored_is_there_once_whatever_is_killed() -> None:
    chance, published = random.Random(44), of_many_tables(TABLES)
    journals = sorted({message.journal for message in published})
    expected, count = set(digests(published)), 0
    with serving() as (server, folder):
        (file := folder / "messages").write_bytes(pickle.dumps(published))
        for number in range(KILLS):
            batches = chance.randint(1, BATCHES)
            child = storing(server.database, str(number), file, AT_ONCE, batches, chance)
            if number % 2:
                server.kill()
            child.kill()
            child.communicate()
            there = found(server.database, journals)
            assert len(there) == len(set(there)) >= count and set(there) <= expected
            count = len(there)
        assert {difference[1:] for difference in differences(server.database).values()} == {(0, 0)}
        asyncio.run(store_the_rest(server.database, "rest", published, AT_ONCE))
        assert found(server.database, journals) == sorted(expected)
        assert {difference[1:] for difference in differences(server.database).values()} == {(0, 0)}
    print(f"stored: {KILLS} kills, {count} messages before the last, {len(expected)} at the end, each once")


@pytest.mark.timeout(SECONDS)
def test_what_leaves_for_files_is_there_once_whatever_is_killed() -> None:
    chance, published, left = random.Random(45), of_many_tables(3), 0
    journals = sorted({message.journal for message in published})
    expected = digests(published)
    with serving() as (server, folder):
        store_by_month(server.database, published)
        for number in range(KILLS):
            child = server.command("retain")
            time.sleep(chance.uniform(0.0, 0.8))
            if number % 2:
                server.kill()
            else:
                child.kill()
            child.communicate()
            assert found(server.database, journals) == expected
            if not old_partitions(server.database):
                left += MONTHS
                rmtree(folder / "envelopes")
                store_by_month(server.database, published)
        child = server.command("retain")
        child.communicate()
        assert child.returncode == 0 and not old_partitions(server.database)
        assert found(server.database, journals) == expected
    print(f"left for files: {KILLS} kills, {left + MONTHS} months, {len(expected)} messages, each once")


def store_by_month(database: str, published: Sequence[Message]) -> None:
    """Empties the archive, and stores a part of each journal in each of some old months, and the last part now."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS pit CASCADE")

    async def store(patch: pytest.MonkeyPatch) -> None:
        archive = await Archive.open(database, "months")
        assert await archive.lead()
        longest = max(message.sequence for message in published)
        for part in range(MONTHS + 1):
            begin = month_of(OLD, part - MONTHS)
            at = datetime(begin.year, begin.month, 20, tzinfo=UTC) if part < MONTHS else datetime.now(UTC)
            patch.setattr(archive_module, "_now", lambda at=at: at)
            await archive.lead()
            await archive.store([sent for sent in published if sent.sequence * (MONTHS + 1) // (longest + 1) == part])
        await archive.close()

    with pytest.MonkeyPatch.context() as patch:
        asyncio.run(store(patch))


def old_partitions(database: str) -> bool:
    with psycopg.connect(database) as connection:
        query = "SELECT count(*) FROM pg_class WHERE relname ~ '^messages_20(24|25)_[0-9]+$' AND relkind = 'r'"
        return connection.execute(query).fetchall() != [(0,)]


@pytest.mark.timeout(SECONDS)
def test_an_export_is_whole_or_not_there_whatever_is_killed() -> None:
    chance, published, whole = random.Random(46), of_many_tables(10), 0
    with serving() as (server, folder):
        store_by_month(server.database, published)
        given = ["export", "--format", "csv", "--from", "2026-03-01", "--to", "2026-03-31"]
        first = server.command(*given, str(folder / "first"))
        first.communicate()
        assert first.returncode == 0
        expected = files(folder / "first")
        for number in range(KILLS):
            child = server.command(*given, str(folder / "next"))
            time.sleep(chance.uniform(0.0, 0.6))
            if number % 2:
                server.kill()
            else:
                child.kill()
            child.communicate()
            if (folder / "next").exists():
                whole += 1
                assert files(folder / "next") == expected
                rmtree(folder / "next")
            for rest in folder.glob(".next.*"):
                rmtree(rest)
        last = server.command(*given, str(folder / "next"))
        last.communicate()
        assert last.returncode == 0 and files(folder / "next") == expected
        assert found(server.database, sorted({message.journal for message in published})) == digests(published)
    print(f"exported: {KILLS} kills, {whole} exports whole before the kill, none in part")


def files(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
