"""Envelopes leave for files: none is lost or there twice, whatever is killed, and each is found as before."""

import asyncio
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import psycopg
import pytest

from controller.pit import archive as archive_module
from controller.pit.__main__ import main
from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from controller.pit.database import connected
from controller.pit.envelopes import of_journal
from controller.pit.inbox import Message, TableJournal
from tests.pit.broadcasting import message
from tests.pit.conftest import copy_of, empty_database, opened, rows
from tests.pit.test_pit_config import GOOD
from tests.pit.test_pit_views import of_many_tables
from tests.station.forked import forked_run

OLD = datetime(2025, 11, 20, tzinfo=UTC)
RETENTION = "[retention]\nenvelopes_months = 2\n"


class Retaining:
    """An archive of a few tables, whose first messages were received long ago."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database, self.config = folder / "envelopes", database, folder / "pit.toml"
        self.config.write_text(GOOD.replace("dbname=pit", database) + RETENTION)
        published = of_many_tables(3)
        self.reported = sorted(published, key=lambda row: (row.journal, row.sequence))
        odd = TableJournal("macau-1", "t-1", "j-1")
        self.reported += [message(number, odd, text='"quoted", \\ \u2028 é 澳門\n\r,') for number in range(1, 5)]

    async def store(self) -> None:
        archive = await opened(self.database)
        for old in (True, False):
            some = [sent for sent in self.reported if (sent.sequence <= 100) == old]
            with pytest.MonkeyPatch.context() as patch:
                if old:
                    patch.setattr(archive_module, "_now", lambda: OLD)
                for first in range(0, len(some), 70):
                    await archive.store(some[first : first + 70])
        await archive.close()

    def run(self) -> int:
        return main(["retain", "--config", str(self.config)])

    def found(self) -> list[Message]:
        """All messages by the one way that the pit has to read them."""

        async def read() -> list[Message]:
            async with await connected(self.database) as connection:
                journals = {sent.journal: None for sent in self.reported}
                return [sent for journal in journals async for sent in of_journal(connection, journal)]

        return asyncio.run(read())

    def partitions(self) -> list[str]:
        query = "SELECT relname FROM pg_class WHERE relname LIKE 'messages_20%' AND relkind = 'r' ORDER BY 1"
        return [str(name) for (name,) in rows(self.database, query)]


@pytest.fixture(scope="module")
def stored(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Retaining:
    """No test changes this one: each has a copy."""
    made = Retaining(tmp_path_factory.mktemp("stored"), empty_database(cluster))
    asyncio.run(made.store())
    return made


@pytest.fixture
def retaining(tmp_path: Path, cluster: Cluster, stored: Retaining) -> Retaining:
    return Retaining(tmp_path, copy_of(cluster, stored.database))


def test_envelopes_that_a_clock_put_into_the_month_before_are_found_in_order(
    retaining: Retaining, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = TableJournal("macau-1", "t-9", "j-9")
    published = [message(number, journal) for number in range(1, 10)]

    async def store() -> None:
        archive = await Archive.open(retaining.database, "a")
        assert await archive.lead_once_free()
        for sent in published:
            now = OLD + timedelta(days=11) if sent.sequence in (1, 4, 5, 9) else OLD
            monkeypatch.setattr(archive_module, "_now", lambda now=now: now)
            await archive.store([sent])
        await archive.close()

    asyncio.run(store())
    monkeypatch.undo()
    retaining.reported += published
    assert retaining.run() == 0
    files = f"SELECT first, last, month FROM pit.envelope_files WHERE journal = '{journal.name}' ORDER BY first"
    november, december = (OLD.date().replace(month=month, day=1) for month in (11, 12))
    assert rows(retaining.database, files) == [
        (1, 1, december), (2, 3, november), (4, 5, december), (6, 8, november), (9, 9, december),
    ]  # fmt: skip
    assert retaining.found() == retaining.reported


KEPT_ROWS = "SELECT count(*), sum(win)::bigint FROM pit.rounds", "SELECT count(*) FROM pit.lines"


def test_envelopes_leave_and_are_found_as_before(retaining: Retaining, capsys: pytest.CaptureFixture[str]) -> None:
    of_rows = [rows(retaining.database, query) for query in KEPT_ROWS]
    assert "messages_2025_11" in retaining.partitions() and retaining.found() == retaining.reported
    assert retaining.run() == 0
    assert "2025-11: 304 envelopes of 4 tables are in" in capsys.readouterr().out
    assert "messages_2025_11" not in retaining.partitions()
    paths = sorted(str(path.relative_to(retaining.folder)) for path in retaining.folder.rglob("*") if path.is_file())
    tables = ["macau-1/t-1", "site/t1-0", "site/t1-1", "site/t1-2"]
    assert paths == [f"{table}/2025-11.parquet" for table in tables]
    assert retaining.found() == retaining.reported, "byte for byte, in order"
    assert [rows(retaining.database, query) for query in KEPT_ROWS] == of_rows
    with duckdb.connect() as db:
        query = f"SELECT type, envelope FROM '{retaining.folder}/macau-1/t-1/2025-11.parquet' ORDER BY sequence"
        of_file = db.execute(query).fetchall()
    assert of_file == [(sent.type, sent.content.decode()) for sent in retaining.reported if sent.journal.name == "j-1"]
    journal = retaining.reported[0].journal.name
    assert main(["messages", f"{journal}/99-102", "--config", str(retaining.config)]) == 0
    printed = capsys.readouterr().out.encode()
    assert all(sent.content in printed for sent in retaining.reported[98:102])
    assert retaining.run() == 0 and retaining.found() == retaining.reported


STEPS = {
    "the file is half written": ("envelope_files._row", "before"),
    "before the file is synced": ("envelope_files.os.fsync", "before"),
    "before it has its name": ("envelope_files.os.rename", "before"),
    "after it has its name": ("envelope_files.os.rename", "after"),
    "before it is verified": ("retention.verify_file", "before"),
    "after it is verified": ("retention.digest", "before"),
    "before the partition goes": ("retention.drop_month", "before"),
    "before the commit": ("psycopg.AsyncConnection.execute", "after DROP"),
    "after the commit": ("retention.say", "before"),
}


OFTEN = "the file is half written", "after it has its name", "before the commit", "after the commit"


@pytest.mark.parametrize("step", [pytest.param(it, marks=() if it in OFTEN else pytest.mark.soak) for it in STEPS])
def test_a_process_that_is_killed_loses_and_doubles_nothing(retaining: Retaining, step: str) -> None:
    name, when = STEPS[step]
    many = 150 if name.endswith("_row") else 2 if "digest" in name or "envelope" in name or "verify" in name else 1
    for times in {1, many}:
        given = [name, when, str(times), "retain", "--config", str(retaining.config)]
        code, _, complaints = forked_run("tests.pit.dying", *given, seconds=120)
        gone = "messages_2025_11" not in retaining.partitions()
        if not gone or step == "after the commit":
            assert code == -signal.SIGKILL, complaints
        assert gone == (step == "after the commit")
        assert retaining.found() == retaining.reported
        if gone:
            break
    assert retaining.run() == 0
    assert "messages_2025_11" not in retaining.partitions() and retaining.found() == retaining.reported
    assert {path.suffix for path in retaining.folder.rglob("*") if path.is_file()} == {".parquet"}


@pytest.mark.parametrize("how", ["another message", "fewer messages", "no parquet"])
def test_a_file_that_has_something_else_is_no_reason_to_drop_a_partition(
    retaining: Retaining, how: str, cluster: Cluster, stored: Retaining, capsys: pytest.CaptureFixture[str]
) -> None:
    path = retaining.folder / "site/t1-1/2025-11.parquet"
    assert retaining.run() == 0
    content = path.read_bytes()
    if how == "no parquet":
        path.write_bytes(content[:-9])
    else:
        change = "REPLACE (replace(envelope, '1', '2') AS envelope)" if how == "another message" else ""
        limit = "LIMIT 99" if how == "fewer messages" else ""
        with duckdb.connect() as db:
            db.execute(f"COPY (SELECT * {change} FROM '{path}' {limit}) TO '{path}.2' (FORMAT parquet)")
        Path(f"{path}.2").rename(path)
    retaining = Retaining(retaining.config.parent, copy_of(cluster, stored.database))  # the files are left
    assert retaining.run() == 65
    assert str(path) in capsys.readouterr().err and "messages_2025_11" in retaining.partitions()
    path.unlink()
    assert retaining.run() == 0 and retaining.found() == retaining.reported


def test_what_cannot_be_is_refused(retaining: Retaining, capsys: pytest.CaptureFixture[str]) -> None:
    before = retaining.partitions()
    with psycopg.connect(retaining.database) as connection:
        connection.execute("INSERT INTO pit.gaps VALUES ('site', 't1-2', 'j', 3, 5, 'lost')")
    assert retaining.run() == 2 and "site/t1-2 has 1 with 3 messages" in capsys.readouterr().err
    with psycopg.connect(retaining.database) as connection:
        connection.execute("UPDATE pit.gaps SET decided_by = 'rui'")
    folder = retaining.folder / "site/t1-1"
    folder.mkdir(parents=True)
    (folder / ".2025-11.parquet.csv").symlink_to("/dev/full")
    assert retaining.run() == 74 and "No space left on device" in capsys.readouterr().err
    assert retaining.partitions() == before and retaining.found() == retaining.reported
    assert retaining.run() == 0
    (folder / "2025-11.parquet").unlink()
    journal = next(sent.journal.name for sent in retaining.reported if sent.journal.table == "t1-1")
    assert main(["messages", f"{journal}/5", "--config", str(retaining.config)]) == 65
    assert "is not there: put the file back" in capsys.readouterr().err
    retaining.config.write_text(retaining.config.read_text().replace(RETENTION, ""))
    assert retaining.run() == 78 and "no section [retention]" in capsys.readouterr().err


def test_rows_of_alarms_and_persons_go_if_they_are_to(retaining: Retaining) -> None:
    count = "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname IN ('alarms_2025_11', 'persons_2025_11')"
    assert retaining.run() == 0 and rows(retaining.database, count) == [(2,)]
    with retaining.config.open("a") as file:
        file.write("alarms_months = 1\n")
    assert retaining.run() == 0 and rows(retaining.database, count) == [(1,)]
    assert rows(retaining.database, count.replace("2025_11", f"{datetime.now(UTC):%Y_%m}")) == [(2,)]
