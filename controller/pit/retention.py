"""`dealer-pit retain`: envelopes of old months leave for Parquet files, and rows that are kept no longer go."""

import sys
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import astuple
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier
from rich.console import Console
from rich.progress import Progress

from controller.command_line.exit_codes import EXIT_CONFIGURATION
from controller.command_line.output import say
from controller.pit.config import Config
from controller.pit.database import connected, naming_holders
from controller.pit.decisions import refuse
from controller.pit.envelope_files import Part, digest, verify_file, write_file
from controller.pit.envelopes import dictionaries_of
from controller.pit.folders import CannotReport
from controller.pit.frames import Kept, dictionary_of, unpacked
from controller.pit.inbox import TableJournal
from controller.pit.one_moment import answered
from controller.pit.returned_rows import check_gaps

_PARTITIONS = """
    SELECT c.relname FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
    WHERE inhparent = %s::regclass ORDER BY c.relname
"""
_FILE = """
    INSERT INTO pit.envelope_files (site, "table", journal, first, last, count, month, file, sha256)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
Table = tuple[str, str]


class _File(NamedTuple):
    """A verified file of a table and month."""

    table: Table
    path: Path
    sha256: str
    parts: list[Part]


def retain(config: Config) -> int:
    """Do what [retention] says; the exit code. It may be killed at any moment and run again.

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

    return answered(run)


async def _older(connection: AsyncConnection[Any], table: str, months: int) -> list[date]:
    """The months of which a table has a partition and that are older than so many full months; none for 0."""
    now = datetime.now(UTC)
    kept = now.year * 12 + now.month - 1 - months
    rows = await (await connection.execute(_PARTITIONS, (f"pit.{table}",))).fetchall()
    found = [date(int(name[-7:-3]), int(name[-2:]), 1) for (name,) in rows]
    return [one for one in found if months and one.year * 12 + one.month - 1 < kept]


async def _leave(connection: AsyncConnection[Any], folder: Path, month: date) -> None:
    """Write, verify and register the files of a month, then drop its partition."""
    partition = f"messages_{month:%Y_%m}"
    query = SQL('SELECT DISTINCT site, "table" FROM {} ORDER BY 1, 2').format(Identifier("pit", partition))
    tables = await (await connection.execute(query)).fetchall()
    await check_gaps(connection, [f"{site}/{table}" for site, table in tables])
    files: list[_File] = []
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as shown:
        for table in shown.track(tables, description=f"{month:%Y-%m}"):
            path = (folder / table[0] / table[1] / f"{month:%Y-%m}.parquet").absolute()
            if not path.exists():
                await write_file(path, _messages(connection, partition, table))
            parts = await verify_file(path, _messages(connection, partition, table))
            files.append(_File(table, path, digest(path), parts))
    await drop_month(connection, month, files)
    count = sum(part.count for file in files for part in file.parts)
    say(f"{month:%Y-%m}: {count} envelopes of {len(files)} tables are in {folder}, and no longer in the database")


async def _messages(
    connection: AsyncConnection[Any], partition: str, table: Table
) -> AsyncIterator[tuple[TableJournal, Kept]]:
    """The messages of a table in a partition, by journal and in order."""
    query = SQL(
        'SELECT journal, first, frame FROM {} WHERE (site, "table") = (%s, %s) AND (journal, first) > (%s, %s) '
        "ORDER BY journal, first LIMIT 1"
    ).format(Identifier("pit", partition))
    name, first = "", 0
    dictionaries: dict[int, Any] = {}
    while (row := await (await connection.execute(query, (*table, name, first))).fetchone()) is not None:
        name, first, frame = row
        if dictionary_of(frame) not in dictionaries:
            dictionaries |= await dictionaries_of(connection, [frame])
        for kept in unpacked(frame, dictionaries):
            yield TableJournal(*table, name), kept


async def drop_month(connection: AsyncConnection[Any], month: date, files: Sequence[_File]) -> None:
    """Register the files, and drop the partition that has the same messages: both or neither.

    Raises CannotReport where the partition has changed since, and Locked.
    """
    partition = Identifier("pit", f"messages_{month:%Y_%m}")
    expected = {(*file.table, *astuple(part)) for file in files for part in file.parts}
    async with naming_holders(connection), connection.transaction():
        # As a reader does: first the whole, then the partition.
        await connection.execute("LOCK TABLE ONLY pit.messages IN ACCESS EXCLUSIVE MODE")
        await connection.execute(SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(partition))
        query = SQL('SELECT site, "table", journal, min(first), max(last), sum(count)::bigint FROM {} GROUP BY 1, 2, 3')
        rows = await (await connection.execute(query.format(partition))).fetchall()
        if set(rows) != expected:
            raise CannotReport(f"{month:%Y-%m} has changed since it was read: run this again")
        for file in files:
            for part in file.parts:
                await connection.execute(_FILE, (*file.table, *astuple(part), month, str(file.path), file.sha256))
        await connection.execute(SQL("DROP TABLE {}").format(partition))


async def _drop(connection: AsyncConnection[Any], table: str, month: date) -> None:
    async with naming_holders(connection), connection.transaction():
        await connection.execute(SQL("DROP TABLE {}").format(Identifier("pit", f"{table}_{month:%Y_%m}")))
