"""`dealer-pit retain`: envelopes of old months leave for Parquet files, and rows that are kept no longer go."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier

from controller.command_line.output import EXIT_CONFIGURATION, say
from controller.command_line.progress import bar
from controller.pit.config import PitConfig
from controller.pit.database import connected, naming_holders
from controller.pit.envelope_files import Part, digest, verify_file, write_file
from controller.pit.envelopes import kept_of
from controller.pit.frames import ArchivedMessage
from controller.pit.inbox import TableJournal
from controller.pit.months import month_of, month_of_partition, partition
from controller.pit.one_moment import check_gaps, exit_code_of
from controller.pit.refusals import CannotReport, refuse

_PARTITIONS = """
    SELECT c.relname FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
    WHERE inhparent = %s::regclass ORDER BY c.relname
"""
_FILE = """
    INSERT INTO pit.envelope_files (site, "table", journal, first, last, month, file, sha256)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
# Messages of a journal between which there are none of another month.
_RUNS = """
    SELECT site, "table", journal, min(first), max(last), sum(count)::bigint FROM (
        SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY site, "table", journal ORDER BY first) AS run FROM (
            SELECT *, first > 1 + lag(last) OVER (PARTITION BY site, "table", journal ORDER BY first) AS begins FROM {}
        ) AS one
    ) AS one
    GROUP BY site, "table", journal, run ORDER BY 1, 2, 3, 4
"""
Table = tuple[str, str]


class MonthFile(NamedTuple):
    """A verified file of a table and month."""

    table: Table
    path: Path
    sha256: str
    parts: list[Part]


def retain(config: PitConfig) -> int:
    """Does what [retention] configures; returns the exit code. It may be killed at any moment and run again.

    Raises ImportError where DuckDB is not installed.
    """
    wanted = config.retention
    if wanted is None:
        return refuse("pit.toml has no section [retention]: everything stays", EXIT_CONFIGURATION)
    import duckdb  # noqa: F401 before anything is changed

    async def run() -> int:
        async with await connected(config.database) as connection:
            for month in await _older(connection, "messages", wanted.envelopes_months):
                await _leave(connection, wanted.folder, month)
            for table in ("alarms", "persons"):
                for month in await _older(connection, table, getattr(wanted, f"{table}_months")):
                    await _drop(connection, table, month)
                    say(f"{month:%Y-%m}: the rows of {table} are gone")
        return say("done")

    return exit_code_of(run)


async def _older(connection: AsyncConnection[Any], table: str, months: int) -> list[date]:
    """The months of a table's partitions that are older than `months` full months; none for 0."""
    rows = await (await connection.execute(_PARTITIONS, (f"pit.{table}",))).fetchall()
    first_kept = month_of(datetime.now(UTC), -months)
    return [month for (name,) in rows if months and (month := month_of_partition(name)) < first_kept]


async def _leave(connection: AsyncConnection[Any], folder: Path, month: date) -> None:
    """Write, verify and register the files of a month, then drop its partition."""
    name = partition("messages", month)
    query = SQL('SELECT DISTINCT site, "table" FROM {} ORDER BY 1, 2').format(Identifier("pit", name))
    tables = await (await connection.execute(query)).fetchall()
    await check_gaps(connection, [f"{site}/{table}" for site, table in tables])
    files: list[MonthFile] = []
    with bar(f"{month:%Y-%m}", len(tables)) as advance:
        for table in tables:
            files.append(await _written(connection, folder, month, table))
            advance()
    await drop_month(connection, month, files)
    count = sum(part.count for file in files for part in file.parts)
    say(f"{month:%Y-%m}: {count} envelopes of {len(files)} tables are in {folder}, and no longer in the database")


async def _written(connection: AsyncConnection[Any], folder: Path, month: date, table: Table) -> MonthFile:
    """The verified file of a table. It may be there already, of a process that was killed."""
    path = (folder / table[0] / table[1] / f"{month:%Y-%m}.parquet").absolute()
    name = partition("messages", month)
    async with connection.transaction():
        await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        if not path.exists():
            await write_file(path, _messages(connection, name, table))
        parts = await verify_file(path, _messages(connection, name, table))
    return MonthFile(table, path, digest(path), parts)


async def _messages(
    connection: AsyncConnection[Any], name: str, table: Table
) -> AsyncIterator[tuple[TableJournal, ArchivedMessage]]:
    """The messages of a table in a partition, by journal and in order."""
    query = SQL('SELECT DISTINCT journal FROM {} WHERE (site, "table") = (%s, %s) ORDER BY 1').format(
        Identifier("pit", name)
    )
    for (journal,) in await (await connection.execute(query, table)).fetchall():
        own = TableJournal(*table, journal)
        async for kept in kept_of(connection, own, table=name):
            yield own, kept


async def drop_month(connection: AsyncConnection[Any], month: date, files: Sequence[MonthFile]) -> None:
    """Register the files, and drop the partition that has the same messages: both or neither.

    Raises CannotReport where the partition has changed since, and Locked.
    """
    whole = Identifier("pit", partition("messages", month))
    of_tables = {file.table: file for file in files}
    async with naming_holders(connection), connection.transaction():
        # As a reader does: first the whole, then the partition.
        await connection.execute("LOCK TABLE ONLY pit.messages IN ACCESS EXCLUSIVE MODE")
        await connection.execute(SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(whole))
        rows = await (await connection.execute(SQL(_RUNS).format(whole))).fetchall()
        counts: Counter[tuple[Table, str]] = Counter()
        for site, table, journal, _, _, count in rows:
            counts[(site, table), journal] += count
        if counts != {(file.table, part.journal): part.count for file in files for part in file.parts}:
            raise CannotReport(f"{month:%Y-%m} has changed since it was read: run this again")
        for site, table, journal, first, last, _ in rows:
            file = of_tables[site, table]
            await connection.execute(_FILE, (site, table, journal, first, last, month, str(file.path), file.sha256))
        await connection.execute(SQL("DROP TABLE {}").format(whole))


async def _drop(connection: AsyncConnection[Any], table: str, month: date) -> None:
    async with naming_holders(connection), connection.transaction():
        await connection.execute(SQL("DROP TABLE {}").format(Identifier("pit", partition(table, month))))
