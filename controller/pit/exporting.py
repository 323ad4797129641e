"""`dealer-pit export`: rows of the archive as CSV or Parquet files, with the type and unit of each column."""

import os
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier, Literal

from controller.command_line.output import say
from controller.command_line.progress import bar
from controller.pit import parquet
from controller.pit.config import PitConfig
from controller.pit.folders import whole_folder
from controller.pit.one_moment import check_gaps, in_one_moment
from controller.pit.refusals import CannotReport, refuse

TEXT, WHOLE, SMALL, TIME = "VARCHAR", "BIGINT", "INTEGER", "TIMESTAMP WITH TIME ZONE"
MEAN, SECONDS = "DECIMAL(10,2)", "DOUBLE"
MINOR, E4 = "minor units of `currency`", "1/10 000 of a minor unit"


class Column(Struct, frozen=True):
    """A column: its type in Parquet, and its unit if it has one. `source` is the SQL expression from which it is
    read.
    """

    name: str
    type: str
    unit: str = ""
    source: str = ""

    @property
    def sql(self) -> str:
        """The SQL that reads a value exactly or raises an error."""
        return f'{self.source or self.name}{"::bigint" if self.type == WHOLE else ""} AS "{self.name}"'


class Shape(Struct, frozen=True):
    """The columns of an exported table, and the one of its time."""

    by: str
    columns: tuple[Column, ...]


def _columns(*given: str | Column) -> tuple[Column, ...]:
    """Columns from texts: `name`, `name:TYPE` or a Column; a name without a type is text."""
    types = {"whole": WHOLE, "small": SMALL, "time": TIME}
    found = []
    for column in given:
        if isinstance(column, str):
            name, _, kind = column.partition(":")
            column = Column(name, types.get(kind, TEXT))
        found.append(column)
    return tuple(found)


def _money(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, WHOLE, MINOR) for name in names)


def _units(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, WHOLE, E4) for name in names)


_TABLE = "site", Column("table", TEXT, source='"table"'), "journal"
_CURRENCY = "currency", Column("exponent", SMALL, "decimals of `currency`")
_GAME = "game", "mode", *_CURRENCY

SHAPES = {
    "rounds": Shape("confirmed", _columns(
        *_TABLE, "sequence:whole", "round:whole", "confirmed:time", "received:time", "began:time", *_GAME, "outcome",
        "confirmed_by", "void_article", "void_reason", Column("occupied", WHOLE, "seats"),
        *_money("handle", "win", "pot"),
    )),
    "lines": Shape("confirmed", _columns(
        *_TABLE, "sequence:whole", "round:whole", "confirmed:time", "received:time", *_GAME, "seat:small", "wager",
        "player", "outcome", "odds", *_money("stake", "net", "commission"), "article",
    )),
    "hits": Shape("locked", _columns(
        *_TABLE, "round:whole", "locked:time", "received:time", "hit:whole", "seat:small", "tier", *_money("amount"),
        *_CURRENCY, "article", "paid:time", "slip:whole", Column("confirmed_by", TEXT, "JSON"), "withdrawn:time",
    )),
    "adjustments": Shape("time", _columns(
        *_TABLE, "sequence:whole", "time:time", "received:time", "what", "round:whole", "seat:small", "part",
        *_money("amount"), *_CURRENCY, "actor", "second", "reason",
    )),
    "alarms": Shape("time", _columns(
        *_TABLE, "sequence:whole", "time:time", "received:time", "what", "alarm", "actor", "text",
    )),
    "persons": Shape("time", _columns(
        *_TABLE, "sequence:whole", "time:time", "received:time", "what", "name", "role", "screen",
    )),
    "table_hours": Shape("hour", _columns(
        *_TABLE[:2], "hour:time", *_GAME, "rounds:whole", "voids:whole", Column("occupied", MEAN, "seats of a round"),
        *_money("handle", "win"), Column("median_seconds", SECONDS, "seconds"),
    )),
    "meter_hours": Shape("hour", _columns(
        *_TABLE, "link", "hour:time", *_CURRENCY, "through:whole", Column("chips", WHOLE, "chips"),
        *_units("initial_e4", "contributions_e4", "returned_e4", "house_funded_e4", "paid_e4", "adjustments_e4",
                "pot_e4", "reserve_e4", "overflow_e4", "pending_e4"),
    )),
}  # fmt: skip


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
