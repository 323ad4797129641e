"""A PostgreSQL for the tests of the pit: one cluster, an empty database for each test."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from controller.pit.lease import LEASE_SECONDS
from controller.system.tasks import ended

_numbers = count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    # Below its own folders pytest lets no one else in, and the server is another user.
    with TemporaryDirectory(prefix="pit-") as folder:
        Path(folder).chmod(0o711)
        cluster = Cluster(Path(folder) / "cluster")
        cluster.start()
        with psycopg.connect(cluster.database, autocommit=True) as connection:
            for setting in ("autovacuum", "fsync", "full_page_writes", "jit"):  # a database of a test is soon left
                connection.execute(SQL("ALTER SYSTEM SET {} = off").format(Identifier(setting)))
            connection.execute("SELECT pg_reload_conf()")
        yield cluster
        cluster.stop("immediate")


@pytest.fixture
def database(cluster: Cluster) -> str:
    return empty_database(cluster)


@pytest.fixture
def another_database(cluster: Cluster) -> str:
    return empty_database(cluster)


def empty_database(cluster: Cluster) -> str:
    return copy_of(cluster, "dbname=template1")


def copy_of(cluster: Cluster, database: str) -> str:
    """A database of this cluster with what another one has, which no one is connected to."""
    name, source = f"test_{next(_numbers)}", database.split("dbname=")[1].split()[0]
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(Identifier(name), Identifier(source)))
    return cluster.database.replace("dbname=postgres", f"dbname={name}")


def rows(database: str, query: str) -> list[tuple[object, ...]]:
    """What a query finds."""
    with psycopg.connect(database) as connection:
        return connection.execute(query.encode()).fetchall()


@asynccontextmanager
async def leading(database: str) -> AsyncIterator[None]:
    """Another process that leads, and is alive."""
    archive = await Archive.open(database, "another")
    assert await archive.lead()

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
