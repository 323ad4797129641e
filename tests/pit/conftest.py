"""A PostgreSQL for the tests of the pit: one cluster, an empty database for each test."""

from collections.abc import Iterator
from itertools import count

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from controller.pit.cluster import Cluster

_numbers = count(1)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("pg", numbered=True)
    for parent in (folder, *folder.parents):
        if parent.owner() == "root" and parent.stat().st_mode & 0o777 == 0o700:
            parent.chmod(0o711)  # the server is another user
    cluster = Cluster(folder / "c")
    cluster.start()
    yield cluster
    cluster.stop("immediate")


@pytest.fixture
def database(cluster: Cluster) -> str:
    name = f"test_{next(_numbers)}"
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    return cluster.database.replace("dbname=postgres", f"dbname={name}")


def rows(database: str, query: str) -> list[tuple[object, ...]]:
    """What a query finds."""
    with psycopg.connect(database) as connection:
        return connection.execute(query.encode()).fetchall()
