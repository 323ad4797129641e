"""`dealer-pit export`: rows of the archive as CSV or Parquet files."""

import os
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier, Literal

from controller.command_line.output import say
from controller.command_line.progress import bar
from controller.pit import parquet
from controller.pit.config import PitConfig
from controller.pit.folders import whole_folder
from controller.pit.gaps import check_gaps
from controller.pit.one_moment import in_one_moment
from controller.pit.refusals import CannotReport, refuse
from controller.pit.shapes import SHAPES, Shape


def export(config: PitConfig, form: str, first: date, last: date, tables: Sequence[str], folder: Path) -> int:
    """Write what happened from one day to another, both included, to an empty folder; the exit code.

    Raises ImportError where the form is `parquet` and DuckDB is not installed.
    """
    if last < first:
        return refuse(f"--to {last} is before --from {first}")
    if form == "parquet":
        import duckdb  # noqa: F401 before anything is read

    zone = ZoneInfo(config.time_zone)
    begin, end = (datetime(day.year, day.month, day.day, tzinfo=zone) for day in (first, last + timedelta(days=1)))

    async def work(connection: AsyncConnection[Any]) -> int:
        chosen = await _tables(connection, tables)
        await check_gaps(connection, chosen)
        await connection.execute("SET LOCAL TIME ZONE 'UTC'")
        await connection.execute("SET LOCAL DateStyle = 'ISO'")
        counts = {}
        with whole_folder(folder) as fresh, bar("tables", len(SHAPES) * len(chosen)) as advance:
            for name, shape in SHAPES.items():
                path = fresh / f"{name}.csv"
                with path.open("wb") as file:
                    file.write(",".join(column.name for column in shape.columns).encode() + b"\n")
                    counts[name] = 0
                    for table in chosen:
                        counts[name] += await _copy(connection, file, name, table, (begin, end))
                        advance()
                if form == "parquet":
                    to_parquet(path, shape, counts[name])
                    path = path.with_suffix(".parquet")
                with path.open("rb") as written:
                    os.fsync(written.fileno())
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
    connection: AsyncConnection[Any], file: Any, name: str, of: str, between: tuple[datetime, datetime]
) -> int:
    """Write the rows of `name` of one table in order, as CSV; how many."""
    shape = SHAPES[name]
    site, _, table = of.partition("/")
    query = SQL(
        'COPY (SELECT {columns} FROM {source} WHERE site = {site} AND "table" = {table} '
        "AND {by} >= {begin} AND {by} < {end} ORDER BY {by}, {rest}) TO STDOUT (FORMAT csv)"
    ).format(
        columns=SQL(", ".join(column.sql for column in shape.columns)),
        source=Identifier("pit", name),
        site=Literal(site),
        table=Literal(table),
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
    made = path.with_suffix(".parquet")
    written = parquet.write_parquet(path, {column.name: column.type for column in shape.columns}, made, header=True)
    if written != count:
        raise CannotReport(f"{made.name} has {written} rows, and the archive {count}: this is a defect of the pit")
    path.unlink()
