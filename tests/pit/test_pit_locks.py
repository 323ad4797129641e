"""What other sessions do in the database stops neither archive nor linked pot: a backup, a reader, a lock."""

import asyncio
import random
import re
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from psycopg import waiting

from controller.pit import archive as archive_module
from controller.pit import database as database_module
from controller.pit.alarms import LOCKED, NO_MONTHS, Alarms
from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from controller.pit.database import Locked, connected, dropped
from controller.pit.inbox import TableJournal
from controller.pit.linking import Linking
from controller.pit.marks import Marks
from controller.system.tasks import ended
from tests.link.entries import FORTUNE, PIT_KEY
from tests.pit.broadcasting import message
from tests.pit.conftest import leading, opened, rows, until
from tests.pit.link_pit import opening
from tests.pit.linked_tables import LinkedTable
from tests.pit.test_pit_archive import partitions
from tests.pit.test_pit_service import running, stored, table_at, until_stored
from tests.station.processes import Mosquitto


@asynccontextmanager
async def session(database: str, statement: str) -> AsyncIterator["psycopg.AsyncConnection[tuple[object, ...]]"]:
    """A transaction that another program leaves open. Its statement may wait for one of the pit in this event loop."""
    async with await psycopg.AsyncConnection.connect(database, application_name="another program") as connection:
        await connection.execute(statement.encode())
        yield connection


@asynccontextmanager
async def linked_at(broker: Mosquitto) -> AsyncIterator[LinkedTable]:
    """A table at a linked pot."""
    linked = LinkedTable(broker.port, "macau-1", "t-0", FORTUNE)
    try:
        yield linked
    finally:
        await linked.kill()


@asynccontextmanager
async def backup(cluster: Cluster, database: str) -> AsyncIterator["subprocess.Popen[bytes]"]:
    """A real pg_dump that is in the middle of it: no one reads its output."""
    command: list[str] = [
        str(cluster.program("pg_dump")),
        "--dbname",
        database.replace("dbname=", "application_name=pg_dump dbname="),
    ]
    dump = await asyncio.to_thread(lambda: subprocess.Popen(command, stdout=subprocess.PIPE))
    try:
        of_it = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_dump' AND query LIKE 'COPY%'"

        await until(lambda: rows(database, of_it) != [])
        yield dump
    finally:
        assert dump.stdout is not None
        await asyncio.to_thread(dump.stdout.read)
        dump.stdout.close()
        assert dump.wait() == 0


class Clock:
    """The pit's clock, which is moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = datetime(2030, 11, 30, 23, 59, 59, tzinfo=UTC)
        monkeypatch.setattr(archive_module, "_now", lambda: self.at)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def test_a_backup_that_is_open_over_a_months_turn_stops_neither_archive_nor_linked_pot(
    broker: Mosquitto,
    cluster: Cluster,
    database: str,
    clock: Clock,
    tmp_path: Path,
) -> None:
    alarms = Alarms()
    archive = await opened(database)
    elsewhere = TableJournal("macau-2", "t-2", "elsewhere")
    texts = [random.Random(number).randbytes(5_000).hex() for number in range(1, 101)]  # that take space in a frame too
    await archive.store([message(number, elsewhere, text=text) for number, text in enumerate(texts, 1)])
    await archive.close()
    async with (
        table_at(broker) as table,
        running(broker, database, alarms=alarms, links=[Linking(opening(1), database, PIT_KEY, Marks(tmp_path))]),
        linked_at(broker) as linked,
    ):
        await table.publish(1)
        await table.say_state()
        await until_stored(database, 1)
        await linked.contribute(3)
        async with backup(cluster, database) as dump:
            # The first turn finds its partition; the second is one that no one can have made ahead.
            for turn, at in enumerate((datetime(2030, 12, 1, tzinfo=UTC), datetime(2035, 5, 1, tzinfo=UTC)), 1):
                clock.at, began = at, time.monotonic()
                await table.publish(1 + turn)
                await until_stored(database, *range(1, 2 + turn))
                await linked.contribute(5)
                await linked.published_all()
                print(f"month {at:%Y-%m}: {time.monotonic() - began:.2f} s")

            await until(lambda: "messages_2035_07" in partitions(database))
            standby = await Archive.open(database, "standby")
            assert not await standby.lead()
            await standby.close()
            assert dump.poll() is None and alarms.active() == ()
    assert {"messages_2030_11", "messages_2030_12", "messages_2035_05", "messages_2035_07"} < {*partitions(database)}


async def test_a_reader_of_the_views_keeps_no_process_from_starting(database: str) -> None:
    await (await opened(database)).close()
    async with session(database, "SELECT * FROM pit.rounds, pit.alarms, pit.kpis, pit.messages"):
        archive = await opened(database, "another")
        await archive.store([message(1)])
        await archive.close()


async def test_a_lock_on_the_messages_is_named_in_an_alarm_and_stops_no_linked_pot(
    broker: Mosquitto,
    database: str,
    tmp_path: Path,
) -> None:
    alarms = Alarms()

    def active(name: str) -> Callable[[], object]:
        return lambda: name in {raised.name for raised in alarms.active()}

    async with (
        table_at(broker) as table,
        running(broker, database, alarms=alarms, links=[Linking(opening(1), database, PIT_KEY, Marks(tmp_path))]),
        linked_at(broker) as linked,
    ):
        await table.publish(3)
        await table.say_state()
        await until_stored(database, 1, 2, 3)
        epoch = rows(database, "SELECT epoch FROM pit.leases")
        async with session(database, "LOCK TABLE pit.messages IN SHARE MODE") as holder:
            await table.publish(5)
            await table.say_state()
            await linked.until(active(LOCKED))
            named = f"another program (process {holder.info.backend_pid}, user postgres, since "
            # On a busy machine the first statement may end before the server has named the session.
            await linked.until(lambda: any(named in raised.details for raised in alarms.active()))
            [details] = [raised.details for raised in alarms.active() if named in raised.details]
            assert "LOCK TABLE pit.messages" in details
            await linked.contribute(3)
            await linked.published_all()
            assert await stored(database) == [1, 2, 3]
        await until_stored(database, 1, 2, 3, 4, 5)
        await linked.until(lambda: not active(LOCKED)())
        assert rows(database, "SELECT epoch FROM pit.leases") == epoch, "it led all the time"


async def test_a_lock_that_keeps_the_next_months_away_keeps_no_message_of_this_one_away(
    broker: Mosquitto,
    database: str,
    clock: Clock,
) -> None:
    alarms = Alarms()
    async with table_at(broker) as table, running(broker, database, alarms=alarms):
        await table.publish(1)
        await table.say_state()
        await until_stored(database, 1)

        await until(lambda: "messages_2031_01" in partitions(database))
        async with session(database, "LOCK TABLE pit.messages IN SHARE UPDATE EXCLUSIVE MODE"):  # as ANALYZE has it
            clock.at = datetime(2030, 12, 1, tzinfo=UTC)

            await until(lambda: NO_MONTHS in {alarm.name for alarm in alarms.active()})
            await table.publish(2)
            await table.say_state()
            await until_stored(database, 1, 2)

        await until(lambda: NO_MONTHS not in {alarm.name for alarm in alarms.active()})
    assert "messages_2031_02" in partitions(database)


async def test_a_process_that_waits_for_the_lead_has_no_alarm_of_a_lock_that_is_over(
    broker: Mosquitto, database: str
) -> None:
    alarms = Alarms()
    alarms.report(LOCKED, "while it made the schema")
    alarms.report(NO_MONTHS, "while it led")

    async with leading(database), running(broker, database, alarms=alarms):
        await until(lambda: alarms.active() == ())


async def test_an_archive_that_is_abandoned_leaves_no_session_that_waits(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "LOCK_SECONDS", 60.0)
    archive = await opened(database)
    await archive.store([message(1)])
    sessions = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'dealer-pit' AND datname = current_database()"
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with session(database, "LOCK TABLE pit.messages IN ACCESS EXCLUSIVE MODE"):
        storing = asyncio.create_task(archive.store([message(2)]))
        await until(lambda: rows(database, waiting) != [])
        await archive.abandon()
        with pytest.raises(psycopg.OperationalError):
            await storing
        await until(lambda: rows(database, sessions) == [])


async def test_a_schema_that_has_to_wait_says_for_whom(database: str) -> None:
    await (await opened(database)).close()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("COMMENT ON SCHEMA pit IS 'another one'")
    async with session(database, "SELECT * FROM pit.kpis"):
        reason = "another session"
        while reason.endswith("another session"):  # the statement may end before the server has named it
            with pytest.raises(Locked) as locked:
                await Archive.open(database, "later")
            reason = str(locked.value)
        assert re.search(r"lock of another program \(process \d+, ", reason)
    await (await opened(database)).close()


@pytest.mark.parametrize("failure", [None, psycopg.DataError()], ids=["commits", "rolls back"])
async def test_no_session_is_left_where_the_end_of_a_connection_is_cancelled(
    database: str, monkeypatch: pytest.MonkeyPatch, failure: Exception | None
) -> None:
    monkeypatch.setattr(waiting, "MAX_BUSY_TIME", 0.0)  # psycopg then lets others have a turn before it is done
    used, connections = asyncio.Event(), list[psycopg.AsyncConnection[object]]()

    async def use() -> None:
        async with await connected(database) as connection:
            connections.append(connection)
            used.set()
            if failure is not None:
                raise failure

    using = asyncio.create_task(use())
    await used.wait()
    using.cancel()
    await asyncio.wait([using])
    assert connections[0].closed


async def test_no_session_is_left_where_its_drop_is_cancelled(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(**_: float) -> None:
        await asyncio.Event().wait()

    connection = await connected(database)
    monkeypatch.setattr(connection, "cancel_safe", never)
    dropping = asyncio.create_task(dropped(connection))
    await asyncio.sleep(0)
    await ended(dropping)
    assert connection.closed
