"""Failover depends on no time of day: the row of the lease is watched, each process with its own monotonic clock."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection
from structlog.testing import capture_logs

from controller.pit.alarms import UNSYNCHRONISED, Alarms, check_clock
from controller.pit.archive import Archive
from controller.pit.lease import LEASE_SECONDS, WATCH_SECONDS, Lease
from controller.pit.live import Live
from controller.system import times
from tests.link.entries import FORTUNE
from tests.made_up_time import unhurried
from tests.pit.conftest import leading
from tests.pit.link_pit import Pits
from tests.pit.linked_tables import LinkedTable
from tests.pit.replicated import Replicated, folder_of_a_database
from tests.station.processes import Mosquitto

MOST_SECONDS = 6.0  # that docs/pit.md promises
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOVED = """
    CREATE SCHEMA moved;
    CREATE TABLE moved.clocks (node text PRIMARY KEY, ahead interval NOT NULL);
    INSERT INTO moved.clocks VALUES ('one', '0'), ('two', '0');
    CREATE FUNCTION moved.now() RETURNS timestamptz STABLE LANGUAGE sql AS $$
        SELECT pg_catalog.now() + ahead FROM moved.clocks
        WHERE pg_catalog.current_setting('unix_socket_directories') LIKE '%/' || node
    $$;
    ALTER DATABASE postgres SET search_path = moved, pg_catalog, public;
"""
"""A node's own clock: `now()` is looked for in this schema before the system's."""


class Time:
    """A monotonic clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def made(database: str) -> AsyncConnection[Any]:
    return await AsyncConnection.connect(database, autocommit=True)


async def test_linked_pot_6_the_lead_is_taken_once_the_row_has_not_changed_for_the_length_of_the_lease(
    database: str,
) -> None:
    own, other, db = Time(), Time(), await made(database)
    other.now = 7.0  # monotonic clocks of two computers have nothing in common
    leader, waiting = Lease("a", "one", own), Lease("a", "two", other)
    assert await leader.take(db) and leader.holds()
    for _ in range(10):
        own.now += LEASE_SECONDS - 0.1
        other.now += LEASE_SECONDS - 0.1
        assert leader.holds() and await leader.take(db) and not await waiting.take(db)
    own.now += LEASE_SECONDS
    other.now += LEASE_SECONDS - 0.1
    assert not leader.holds() and not await waiting.take(db)
    other.now += 0.1
    assert await waiting.take(db) and (waiting.epoch or 0) > (leader.epoch or 0)
    assert not await leader.take(db) and leader.epoch is None and not leader.holds()
    await waiting.release(db)
    assert await leader.take(db), "a lead that was released is taken at once"
    await db.close()


async def test_linked_pot_6_of_two_that_see_the_lease_run_out_one_takes_it(database: str) -> None:
    clock, db = Time(), await made(database)
    assert await Lease("a", "one", clock).take(db)
    contenders = [Lease("a", name, clock) for name in ("two", "three")]
    connections = [await AsyncConnection.connect(database, autocommit=True) for _ in contenders]
    for contender, connection in zip(contenders, connections, strict=True):
        assert not await contender.take(connection)
    clock.now += LEASE_SECONDS
    taken = await asyncio.gather(*(lock.take(each) for lock, each in zip(contenders, connections, strict=True)))
    assert sorted(taken) == [False, True]
    for each in (db, *connections):
        await each.close()


async def test_linked_pot_6_an_epoch_rises_also_where_the_clock_of_the_database_was_set_back(database: str) -> None:
    db, epochs = await made(database), list[int]()
    for ahead in (DAY, -DAY, timedelta(0), HOUR, -HOUR):
        await db.execute("DROP SCHEMA IF EXISTS moved CASCADE")
        await db.execute("CREATE SCHEMA moved")
        interval = f"interval '{ahead.total_seconds()} s'"
        sql = (
            f"CREATE FUNCTION moved.now() RETURNS timestamptz LANGUAGE sql AS $$SELECT pg_catalog.now() + {interval}$$"
        )
        await db.execute(sql.encode())
        await db.execute("SET search_path = moved, pg_catalog")
        lease = Lease("a", "one", Time())
        assert await lease.take(db)
        await lease.release(db)
        assert lease.epoch is not None
        epochs.append(lease.epoch)
    assert epochs == sorted(set(epochs))
    await db.close()


async def test_a_command_waits_for_the_lease_of_a_process_that_died_and_not_for_one_that_is_alive(
    database: str,
) -> None:
    dead, command = await Archive.open(database, "dead"), await Archive.open(database, "command")
    assert await dead.lead()
    await dead.abandon()
    assert await command.lead_once_free()
    await command.close()
    async with leading(database):
        late = await Archive.open(database, "another command")
        assert not await late.lead_once_free()
        await late.close()


@pytest.mark.parametrize(
    "ahead",
    [
        pytest.param(HOUR, id="+1 h", marks=pytest.mark.soak),
        pytest.param(-HOUR, id="-1 h", marks=pytest.mark.soak),
        pytest.param(DAY, id="+1 day"),
        pytest.param(-DAY, id="-1 day", marks=pytest.mark.soak),
    ],
)
@unhurried
async def test_linked_pot_6_another_process_takes_over_whatever_the_clocks_of_the_servers_say(
    ahead: timedelta, tmp_path: Path, broker: Mosquitto
) -> None:
    """The leading process is killed, and so is its database server; the clock of that one is ahead of the other's."""
    with folder_of_a_database() as folder:
        servers = await asyncio.to_thread(Replicated, folder)
        with psycopg.connect(servers.database, autocommit=True) as connection:
            connection.execute(MOVED)
            connection.execute("UPDATE moved.clocks SET ahead = %s WHERE node = %s", (ahead, servers.nodes[0]))
        pits = Pits(tmp_path, broker.port, servers.database, 1, processes=1)
        table = LinkedTable(broker.port, "macau-1", "t-0", FORTUNE)
        try:
            await table.contribute(1)
            pits.start()
            await asyncio.sleep(3)
            epoch = table.seen[-1][0].epoch
            pits.kill_oldest()
            await asyncio.to_thread(servers.fail_over)
            await table.until(lambda: table.seen[-1][0].epoch > epoch)
            await table.contribute(1)
            await table.published_all()
            assert not table.table.kept.broken
        finally:
            await table.kill()
            pits.stop()
            await asyncio.to_thread(servers.stop)


async def test_linked_pot_6_a_pit_warns_of_a_clock_that_is_not_synchronised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its log once, and on its page until it is."""
    file = tmp_path / "synchronized"
    monkeypatch.setattr(times, "SYNCHRONISED", file)
    alarms = Alarms()
    live = Live(alarms=alarms)

    def names(shown: bytes) -> list[str]:
        return [alarm["name"] for alarm in json.loads(shown)["alarms"]]

    with capture_logs() as logs:
        shown = live.picture()
        for _ in range(2):
            check_clock(alarms)
        assert [(entry["alarm"], entry["log_level"]) for entry in logs] == [(UNSYNCHRONISED, "error")]
        assert logs[0]["event"].startswith("The clock of this computer is not synchronised")
        shown = await live.changed(shown)
        assert names(shown) == [UNSYNCHRONISED]
        file.touch()
        check_clock(alarms)
        assert names(await live.changed(shown)) == []
        file.unlink()
        check_clock(alarms)
        assert [log["event"] for log in logs] == [logs[0]["event"], "alarm over", logs[0]["event"]], "once each time"


def test_a_process_that_waits_looks_often_enough() -> None:
    assert LEASE_SECONDS + 2 * WATCH_SECONDS < MOST_SECONDS
