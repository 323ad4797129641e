"""A database of the pit that is put back to a backup: nothing is paid twice, the link stops, and two persons decide."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiomqtt
import psycopg
import pytest
from structlog.testing import capture_logs

from controller.floor.broker import Broker
from controller.link.table import WENT_BACK
from controller.pit.__main__ import main
from controller.pit.cluster import Cluster
from controller.pit.linking import Linking
from controller.pit.links_watch import LinksWatch
from controller.pit.marks import Marks
from controller.pit.service import Service, ServiceIntervals
from controller.rulebook.jackpot_award import Win
from controller.system.tasks import ended
from tests.link.entries import FORTUNE, PARAMETERS, PIT_KEY
from tests.pit.conftest import pit_toml, rows
from tests.pit.link_pit import opening
from tests.pit.linked_tables import LINK, LinkedTable
from tests.station.processes import Mosquitto

TOPIC = f"dealer/macau-1/links/{LINK}/pot"
BOTH = ["--by", "nuno", "--and", "carla"]
LONG_ENOUGH = 4.0  # seconds in which a table would take chips: a leader looks for one, and beats four times a second


class Floor:
    """A broker, a database that is backed up and restored, and what a pit's computer keeps beside them."""

    def __init__(self, folder: Path, broker: Mosquitto, cluster: Cluster, database: str) -> None:
        self.folder, self.broker, self.database = folder, broker, database
        self._cluster, self._name = cluster, database.split("dbname=")[1].split()[0]
        self._numbers = itertools.count(1)
        self.config = pit_toml(folder, database)

    def backup(self) -> Path:
        """All of the database, while the pit runs."""
        file = self._cluster.folder / f"{self._name}.{next(self._numbers)}.dump"
        self._cluster.run("pg_dump", "--format", "custom", "--file", file, "--dbname", self.database)
        return file

    def restore(self, file: Path) -> None:
        """The database is lost, and put back to a backup; the pit may run."""
        name = self._name
        with psycopg.connect(self._cluster.database, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}_restored".encode())
            restored = self.database.replace(f"dbname={name}", f"dbname={name}_restored")
            self._cluster.run("pg_restore", "--dbname", restored, file)
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (name,)
            )
            connection.execute(f"ALTER DATABASE {name} RENAME TO {name}_lost".encode())
            connection.execute(f"ALTER DATABASE {name}_restored RENAME TO {name}".encode())
            connection.execute(f"DROP DATABASE {name}_lost".encode())

    @asynccontextmanager
    async def pit(self, computer: str = "marks") -> AsyncIterator[None]:
        """A pit that runs on a computer."""
        link = Linking(opening(3), self.database, PIT_KEY, Marks(self.folder / computer))
        broker = Broker("127.0.0.1", self.broker.port)
        running = asyncio.create_task(
            Service(broker, "pit-1", self.database, computer, ServiceIntervals(retry=0.1), [link]).run()
        )
        try:
            yield
        finally:
            await ended(running)

    def table(self, number: int) -> LinkedTable:
        return LinkedTable(self.broker.port, "macau-1", f"t-{number}", FORTUNE)

    async def forget_retained(self) -> None:
        """The broker has lost what it retained."""
        async with aiomqtt.Client("127.0.0.1", self.broker.port) as client:
            await client.publish(TOPIC, b"", retain=True, qos=1)

    async def link(self, *more: str) -> int:
        """`dealer-pit link`, as persons give it."""
        return await asyncio.to_thread(main, ["link", LINK, "--config", str(self.config), *more])

    def stopped(self) -> str:
        [(why,)] = rows(self.database, "SELECT state->>'stopped' FROM pit.links")
        return str(why)


@pytest.fixture
def floor(tmp_path: Path, broker: Mosquitto, cluster: Cluster, database: str) -> Floor:
    return Floor(tmp_path, broker, cluster, database)


async def until_stopped(floor: Floor) -> None:
    while floor.stopped() != WENT_BACK:  # noqa: ASYNC110 another process writes it
        await asyncio.sleep(0.05)


async def won(floor: Floor, first: LinkedTable, second: LinkedTable) -> tuple[Path, Path]:
    """Table one is off, there is a backup, table two wins the whole pot and is paid. The backups before and after."""
    await first.contribute(3)
    await second.contribute(5)
    await first.published_all()
    await second.published_all()
    await first.kill()
    before = await asyncio.to_thread(floor.backup)
    await second.contribute(1)
    hit = await second.win(Win(2, "royal_flush"))
    assert hit.grant is not None and hit.grant.amount > PARAMETERS.minimum
    await second.published_all()
    [(kept,)] = rows(floor.database, "SELECT revision FROM pit.links")
    await second.until(lambda: second.seen[-1][0].revision >= int(str(kept)))
    return before, await asyncio.to_thread(floor.backup)


@pytest.mark.parametrize("seen", ["by the other table", "by the broker", "by the mark"])
async def test_linked_pot_1_a_restored_database_does_not_pay_the_same_pot_again(
    floor: Floor, seen: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the other table on; and with every table off, by the broker's retained pot, or the mark on the computer."""
    first, second = floor.table(1), floor.table(2)
    async with floor.pit():
        before, _ = await won(floor, first, second)
        if seen != "by the other table":
            await second.kill()
    if seen != "by the broker":
        await floor.forget_retained()
    await asyncio.to_thread(floor.restore, before)
    async with floor.pit("marks" if seen == "by the mark" else "another computer"):
        began = time.monotonic()
        first.start()
        await until_stopped(floor)
        await first.until(lambda: first.seen and first.seen[-1][0].stopped == WENT_BACK)
        while time.monotonic() < began + LONG_ENOUGH:
            assert not first.table.takes_chips(time.monotonic())
            await asyncio.sleep(0.02)
        assert rows(floor.database, "SELECT count(*) FROM pit.link_claims") == [(0,)]
        if seen == "by the other table":
            assert second.table.kept.broken == WENT_BACK
            await second.kill()
        await first.kill()
        await alarmed(floor)
    assert await floor.link() == 0
    output = capsys.readouterr().out
    where = {"by the other table": "macau-1/t-2", "by the broker": "retained pot", "by the mark": "the mark"}[seen]
    assert "stopped: the database has less than was published" in output and where in output
    assert "restore the right database" in output and "--accept-loss" in output
    assert await floor.link(*BOTH) == 2 and "--accept-loss" in capsys.readouterr().err, "to resume is not enough"


async def test_linked_pot_9_once_the_right_database_leads_two_persons_release_the_table_that_saw_the_other(
    floor: Floor, capsys: pytest.CaptureFixture[str]
) -> None:
    """The database is lost and restored below a pit that runs."""
    first, second = floor.table(1), floor.table(2)
    async with floor.pit():
        before, right = await won(floor, first, second)
        await asyncio.to_thread(floor.restore, before)
        await until_stopped(floor)
        await second.until(lambda: second.table.kept.broken == WENT_BACK)
        assert await floor.link("--release", "macau-1/t-2", *BOTH) == 75, "the pit runs"
    assert await floor.link("--release", "macau-1/t-2", *BOTH) == 2
    capsys.readouterr()
    await asyncio.to_thread(floor.restore, right)
    async with floor.pit():
        first.start()
        await first.contribute(1)
        await first.published_all()
        await second.until(lambda: rows(floor.database, "SELECT state->'broken'->'macau-1/t-2' FROM pit.links")[0][0])
        assert second.table.kept.broken == WENT_BACK and not second.table.takes_chips(time.monotonic())
    assert await floor.link() == 0 and "release it (--release macau-1/t-2)" in capsys.readouterr().out
    assert await floor.link("--release", "macau-1/t-1", *BOTH) == 2
    assert await floor.link("--release", "macau-1/t-2", *BOTH) == 0
    async with floor.pit():
        await second.contribute(2)
        for table in (first, second):
            await table.published_all()
            await table.kill()
            assert not table.table.kept.broken
    assert await floor.link() == 0 and "release" not in capsys.readouterr().out
    entries = {name: len(own) for table in (first, second) for name, own in table.entries.items()}
    kept = rows(floor.database, "SELECT journal, count(*) FROM pit.link_entries GROUP BY journal")
    assert {str(name): count for name, count in kept} == entries, "every entry once"


async def test_linked_pot_1_two_persons_accept_what_is_lost_where_the_right_database_is_lost_for_good(
    floor: Floor, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = floor.table(1), floor.table(2)
    async with floor.pit():
        before, _ = await won(floor, first, second)
        await second.kill()
    assert await floor.link("--accept-loss", *BOTH) == 2 and "no evidence" in capsys.readouterr().err
    await asyncio.to_thread(floor.restore, before)
    async with floor.pit("another computer"):
        await until_stopped(floor)
    assert await floor.link("--accept-loss", "--by", "nuno", "--and", "vera") == 2
    assert await floor.link("--accept-loss", *BOTH) == 0
    assert floor.stopped() == ""
    for computer in ("marks", "another computer"):  # an older mark stops nothing that persons have accepted
        async with floor.pit(computer):
            first.start()
            await first.contribute(1)
            await first.published_all()
            await first.kill()
            assert floor.stopped() == "" and not first.table.kept.broken
    async with floor.pit():
        second.start()
        await second.until(lambda: second.table.kept.broken == WENT_BACK)
        await asyncio.sleep(2)
        assert not second.table.takes_chips(time.monotonic()), (
            "what it published is lost: it continues under another name"
        )
        assert floor.stopped() == ""
        await second.kill()
    query = "SELECT decided->1->'what'->>'type' FROM pit.link_revisions WHERE decided IS NOT NULL"
    assert rows(floor.database, query) == [("accept_loss",)]


async def alarmed(floor: Floor) -> None:
    """Page and log of the pit say so."""
    watch, changed = LinksWatch(floor.database), asyncio.Event()
    watch.changed = changed.set
    with capture_logs() as logs:
        watching = asyncio.create_task(watch.run())
        await changed.wait()
        await ended(watching)
    assert [link.stopped for link in watch.links] == [WENT_BACK]
    assert {"link": LINK, "reason": WENT_BACK} in [{key: log.get(key) for key in ("link", "reason")} for log in logs]


async def test_linked_pot_1_a_pit_whose_clock_is_behind_a_table_s_epoch_leads_above_it(floor: Floor) -> None:
    """The clock of the database that led last was an hour ahead, and all that a pit can look at is lost."""
    table = floor.table(1)
    async with floor.pit():
        await table.contribute(3)
        await table.published_all()
        backup = await asyncio.to_thread(floor.backup)
    with psycopg.connect(floor.database, autocommit=True) as connection:
        connection.execute("UPDATE pit.leases SET epoch = epoch + 3600000")
    ahead = rows(floor.database, "SELECT epoch FROM pit.leases")[0][0]
    async with floor.pit():
        await table.until(lambda: table.table.epoch > int(str(ahead)))
    received = table.table.epoch
    await asyncio.to_thread(floor.restore, backup)
    await floor.forget_retained()
    async with floor.pit("another computer"):
        await table.contribute(2)
        await table.published_all()
        await table.until(lambda: table.seen[-1][0].epoch > received)
    assert not table.table.kept.broken
    await table.kill()
