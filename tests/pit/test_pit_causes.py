"""Why the pit's database is away is named by its true cause, in its log and on its page."""

import asyncio
from collections.abc import Callable

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from controller.floor.broker import Broker
from controller.pit.alarms import AWAY
from controller.pit.cluster import Cluster
from controller.pit.database import SQLSTATES, DatabaseCause, why_away
from controller.pit.service import Service, ServiceIntervals
from controller.system.tasks import ended
from controller.words import in_every_language
from simulators.broker import free_port

SECONDS = 60.0


async def alarm_of(database: str, meanwhile: Callable[[], None] | None = None) -> tuple[dict[str, str], str]:
    """What the pit reports of this database: the alarm's texts and its details."""
    service = Service(Broker("127.0.0.1", free_port()), "pit-1", database, "one", ServiceIntervals(retry=0.05))
    changed = asyncio.Event()
    service.alarms.changed = changed.set
    running = asyncio.create_task(service.run())
    try:
        async with asyncio.timeout(SECONDS):
            if meanwhile is not None:
                await asyncio.to_thread(meanwhile)
            while AWAY not in [raised.name for raised in service.alarms.active()]:
                changed.clear()
                await changed.wait()
    finally:
        await ended(running)
    [alarm] = [raised for raised in service.alarms.active() if raised.name == AWAY]
    return alarm.texts, alarm.details


def texts_of(cause: DatabaseCause) -> dict[str, str]:
    return dict(in_every_language("pit_alarms", f"database_away/{cause}"))


async def test_no_server_no_name_no_database_and_no_such_user(cluster: Cluster) -> None:
    absent = f"host=127.0.0.1 port={free_port()} dbname=pit"
    expected: tuple[tuple[str, DatabaseCause], ...] = (
        (absent, "nothing_listens"),
        ("host=database.invalid dbname=pit", "name_unknown"),
        (make_conninfo(cluster.database, dbname="none"), "no_database"),
        (make_conninfo(cluster.database, user="zoe"), "credentials"),
    )
    for alarm, cause in expected:
        texts, details = await alarm_of(alarm)
        assert texts == texts_of(cause), details


async def test_a_user_without_a_connection_left_and_one_without_rights(new_database: str) -> None:
    with psycopg.connect(new_database, autocommit=True) as connection:
        connection.execute("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
        connection.execute("CREATE ROLE guest LOGIN")
    try:
        assert (await alarm_of(make_conninfo(new_database, user="crowded")))[0] == texts_of("connections")
        assert (await alarm_of(make_conninfo(new_database, user="guest")))[0] == texts_of("forbidden")
        read_only = make_conninfo(new_database, options="-c default_transaction_read_only=on")
        assert (await alarm_of(read_only))[0] == texts_of("read_only")
    finally:
        with psycopg.connect(new_database, autocommit=True) as connection:
            connection.execute("DROP ROLE crowded, guest")


async def test_it_is_over_once_the_database_is_back(database: str) -> None:
    service = Service(Broker("127.0.0.1", free_port()), "pit-1", database, "one", ServiceIntervals(retry=0.05))
    service.alarms.report_away("starting", "the database system is starting up")
    running = asyncio.create_task(service.run())
    async with asyncio.timeout(SECONDS):
        while service.alarms.active():  # noqa: ASYNC110 it is cleared within the loop of the service
            await asyncio.sleep(0.02)
    await ended(running)


@pytest.mark.parametrize("code", SQLSTATES)
def test_every_code_of_a_server(code: str) -> None:
    assert why_away(psycopg.errors.lookup(code)("in the words of any language")) == (
        SQLSTATES[code],
        "in the words of any language",
    )


WORDS = {  # of libpq and the server, before a connection is accepted
    'FATAL:  password authentication failed for user "pit"': "credentials",
    "fe_sendauth: no password supplied": "credentials",
    'FATAL:  no pg_hba.conf entry for host "10.0.0.7", user "pit", database "pit", no encryption': "credentials",
    "FATAL:  sorry, too many clients already": "connections",
    "FATAL:  remaining connection slots are reserved for non-replication superuser connections": "connections",
    "FATAL:  the database system is starting up": "starting",
    "FATAL:  the database system is not yet accepting connections": "starting",
    "FATAL:  terminating connection due to administrator command": "stopped",
    "connection to server at 10.0.0.7, port 5432 failed: No route to host": "unreachable",
    "connection to server at 10.0.0.7, port 5432 failed: Connection timed out": "no_answer",
    "SSL error: certificate verify failed": "tls_failed",
    "server closed the connection unexpectedly": "hung_up",
    "anything else": "unknown",
}


@pytest.mark.parametrize("words", WORDS)
def test_the_words_of_a_refused_connection(words: str) -> None:
    assert why_away(psycopg.OperationalError(f"connection failed: {words}"))[0] == WORDS[words]
