"""`dealer-pit export`: rows of the archive as CSV or Parquet files."""

import os
import sys
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier, Literal
from rich.console import Console
from rich.progress import Progress

from controller.command_line.output import say
from controller.pit.config import Config
from controller.pit.decisions import refuse
from controller.pit.folders import CannotReport, whole_folder
from controller.pit.one_moment import in_one_moment
from controller.pit.returned_rows import check_gaps
from controller.pit.shapes import SHAPES, Shape


def export(config: Config, form: str, first: date, last: date, tables: Sequence[str], folder: Path) -> int:
    """Write what happened from one day to another, both included, to an empty folder; the exit code.

    Raises ImportError where the form is `parquet` and DuckDB is not installed.
    """
    if last < first:
        return refuse(f"--to {last} is before --from {first}")
    if form == "parquet":
        import duckdb  # noqa: F401 before anything is read

    zone = ZoneInfo(config.time_zone)
    begin, end = (datetime(one.year, one.month, one.day, tzinfo=zone) for one in (first, last + timedelta(days=1)))

    async def work(connection: AsyncConnection[Any]) -> int:
        chosen = await _tables(connection, tables)
        await check_gaps(connection, chosen)
        await connection.execute("SET LOCAL TIME ZONE 'UTC'")
        await connection.execute("SET LOCAL DateStyle = 'ISO'")
        counts = {}
        with (
            whole_folder(folder) as fresh,
            Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as on,
        ):
            bar = on.add_task("tables", total=len(SHAPES) * len(chosen))
            for name, shape in SHAPES.items():
                path = fresh / f"{name}.csv"
                with path.open("wb") as file:
                    file.write(",".join(column.name for column in shape.columns).encode() + b"\n")
                    counts[name] = 0
                    for table in chosen:
                        counts[name] += await _copy(connection, file, shape, table, (begin, end))
                        on.advance(bar)
                    file.flush()
                    os.fsync(file.fileno())
                if form == "parquet":
                    to_parquet(path, shape, counts[name])
        rows = ", ".join(f"{count} {name}" for name, count in counts.items())
        return say(f"{folder}: {first} to {last} in {config.time_zone}, {len(chosen)} tables: {rows}")

    return in_one_moment(config.database, work)


async def _tables(connection: AsyncConnection[Any], wanted: Sequence[str]) -> list[str]:
    query = """SELECT DISTINCT site || '/' || "table" FROM pit.journals ORDER BY 1"""
    known = [table for (table,) in await (await connection.execute(query)).fetchall()]
    unknown = [table for table in wanted if table not in known]
    if unknown:
        raise CannotReport(f"the archive has nothing of {', '.join(unknown)}; it has {', '.join(known) or 'no table'}")
    return [table for table in known if not wanted or table in wanted]


async def _copy(
    connection: AsyncConnection[Any], file: Any, shape: Shape, table: str, between: tuple[datetime, datetime]
) -> int:
    """Write the rows of one table in order, as CSV; how many."""
    site, _, name = table.partition("/")
    query = SQL(
        'COPY (SELECT {columns} FROM {source} WHERE site = {site} AND "table" = {table} '
        "AND {by} >= {begin} AND {by} < {end} ORDER BY {by}, {rest}) TO STDOUT (FORMAT csv)"
    ).format(
        columns=SQL(", ".join(column.sql for column in shape.columns)),
        source=Identifier("pit", shape.source),
        site=Literal(site),
        table=Literal(name),
        by=Identifier(shape.by),
        begin=Literal(between[0]),
        end=Literal(between[1]),
        rest=SQL(", ".join(str(place) for place, column in enumerate(shape.columns, 1) if column.unit != "JSON")),
    )
    async with connection.cursor() as cursor:
        async with cursor.copy(query) as copy:
            async for part in copy:
                file.write(part)
        return cursor.rowcount


def to_parquet(path: Path, shape: Shape, count: int) -> None:
    """Replace a CSV file by a Parquet file that has as many rows. Raises CannotReport and OSError."""
    import duckdb

    made = path.with_suffix(".parquet")
    types = ", ".join(f"'{column.name}': '{column.type}'" for column in shape.columns)
    with duckdb.connect(config={"memory_limit": "512MB", "temp_directory": str(path.parent)}) as db:
        db.execute("SET TimeZone = 'UTC'")
        read = (
            f"read_csv({_quoted(path)}, columns = {{{types}}}, header = true, auto_detect = false, delim = ',', "
            "quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false)"
        )
        try:
            db.execute(f"COPY (SELECT * FROM {read}) TO {_quoted(made)} (FORMAT parquet, COMPRESSION zstd)")
            [written] = db.execute(f"SELECT count(*) FROM read_parquet({_quoted(made)})").fetchone() or [0]
        except duckdb.IOException as error:
            raise OSError(f"{made.name}: {error}") from None
    if written != count:
        raise CannotReport(f"{made.name} has {written} rows, and the archive {count}: this is a defect of the pit")
    path.unlink()
    with made.open("rb") as file:
        os.fsync(file.fileno())


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
