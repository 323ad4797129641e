"""A PostgreSQL for the tests of the pit: one cluster, and a database for each test."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from controller.pit.lease import LEASE_SECONDS
from controller.system.tasks import ended
from tests.pit.replicated import folder_of_a_database
from tests.station.processes import Mosquitto

_numbers = count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with folder_of_a_database() as folder:
        cluster = Cluster(folder / "cluster")
        cluster.start()
        with psycopg.connect(cluster.database, autocommit=True) as connection:
            for setting in ("autovacuum", "fsync", "full_page_writes", "jit"):  # a database of a test is soon left
                connection.execute(SQL("ALTER SYSTEM SET {} = off").format(Identifier(setting)))
            connection.execute("SELECT pg_reload_conf()")
        yield cluster
        READER.close()
        cluster.stop("immediate")


@pytest.fixture
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """What a test leaves at its broker, such as a pot, no other test finds."""
    with Mosquitto(tmp_path_factory.mktemp("broker")) as broker:
        yield broker


@pytest.fixture(scope="session")
def empty_archive(cluster: Cluster) -> str:
    """A database that a pit has opened and in which it has stored nothing. No test connects to it."""

    async def make(database: str) -> None:
        archive = await opened(database)
        await archive.make_months()
        await archive.close()

    database = empty_database(cluster)
    asyncio.run(make(database))
    with psycopg.connect(database) as connection:
        connection.execute("DELETE FROM pit.leases")
    return database


@pytest.fixture
def database(cluster: Cluster, empty_archive: str) -> str:
    """A copy of the empty archive: to make its tables again takes three times as long."""
    return copy_of(cluster, empty_archive)


@pytest.fixture
def another_database(cluster: Cluster, empty_archive: str) -> str:
    return copy_of(cluster, empty_archive)


@pytest.fixture
def new_database(cluster: Cluster) -> str:
    """One that no pit has opened."""
    return empty_database(cluster)


def empty_database(cluster: Cluster) -> str:
    return copy_of(cluster, "dbname=template1")


def copy_of(cluster: Cluster, database: str) -> str:
    """A database of this cluster with what another one has, which no one is connected to."""
    name, source = f"test_{next(_numbers)}", database.split("dbname=")[1].split()[0]
    query = SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(Identifier(name), Identifier(source))
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        connection.execute(query)
    return cluster.database.replace("dbname=postgres", f"dbname={name}")


class Reader:
    """A connection to the database that was asked last: to connect takes longer than to answer."""

    def __init__(self) -> None:
        self._database = ""
        self._connection: psycopg.Connection[Any] | None = None

    def connected(self, database: str) -> psycopg.Connection[Any]:
        """The connection, or another one where the database has been restored since."""
        if self._connection is not None and database == self._database:
            with suppress(psycopg.OperationalError):
                self._connection.execute("SELECT 1")
                return self._connection
        self.close()
        self._connection, self._database = psycopg.connect(database, autocommit=True), database
        return self._connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


READER = Reader()


def rows(database: str, query: str) -> list[tuple[object, ...]]:
    """What a query finds."""
    return READER.connected(database).execute(query.encode()).fetchall()


CONFIG = """
[floor]
broker = "mqtt://127.0.0.1:1"
[archive]
name = "pit"
database = "{}"
[people]
carla = "supervisor"
rui = "supervisor"
nuno = "dealer"
vera = "dealer"
"""


def pit_toml(folder: Path, database: str) -> Path:
    """The configuration of a pit whose archive is this database."""
    (file := folder / "pit.toml").write_text(CONFIG.format(database))
    return file


async def opened(database: str, holder: str = "a") -> Archive:
    """An archive that leads."""
    archive = await Archive.open(database, holder)
    assert await archive.lead()
    return archive


async def until(holds: Callable[[], object]) -> None:
    """Until it is so in another process, which notifies no one."""
    while not holds():  # noqa: ASYNC110
        await asyncio.sleep(0.02)


@asynccontextmanager
async def leading(database: str) -> AsyncIterator[None]:
    """Another process that leads, and is alive."""
    archive = await opened(database, "another")

    async def renew() -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 4)
            assert await archive.lead()

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        await ended(renewing)
        await archive.close()
