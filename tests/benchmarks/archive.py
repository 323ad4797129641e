"""`python -m tests.benchmarks archive`: the pit's archive: ingest, disk and ten questions, on a PostgreSQL of its own.

Recorded rounds of all games are read and stored as those of sixty tables, a message of each in turn, and the rows of
few messages put together. The rows of the rounds are then copied until the archive has a
month of them, and each question of the page is asked twice: after a restart of the server, and again. Beside it the
same messages and rows go into tables without index or key, by COPY alone.
"""

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from controller.command_line.argument import count
from controller.commands.bench_table import Figures, add_dir, show_figures
from controller.engine.outcomes import NotFound
from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from controller.pit.envelopes import IDLE, merge_small_rows
from controller.pit.inbox import Message, read
from controller.pit.months import month_of
from controller.pit.readings import ArchiveReader
from controller.pit.row_tables import HOURS
from controller.pit.rows import COLUMNS
from controller.rulebook.games import GAMES
from tests.benchmarks.rows import Row, print_rows
from tests.pit.broadcasting import of_jackpots_and_voids
from tests.pit.ingest import of_a_table, sequenced

TABLES = 60
MONTH = timedelta(days=31)
BARE = "COPY bare (sequence, type, time, envelope) FROM STDIN"
AT_ONCE = 2000  # messages of a transaction, as the service has it
QUESTIONS = Path(__file__).parents[2] / "docs/examples/pit-questions.sql"
TABLE = "'table-' || coalesce(substring(\"table\" FROM '[0-9]+$'), '1')"
GROWTH = (3, 12)
BARE_PART = 10  # of the copies, a tenth is enough to know what one takes without index or key
RARE_EVERY = 50  # copies of the rounds to one of hits, alarms and persons
EXAMPLES = """\
examples:
  python -m tests.benchmarks archive
  python -m tests.benchmarks archive --rounds 100000 --json
  python -m tests.benchmarks archive --rounds 300000 --months 12

exit codes: 0 measured, 69 PostgreSQL is missing"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Fills an archive with a month of sixty tables and asks it the ten questions of the page."
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--rounds", type=count, default=1_900_000, metavar="N", help="of the month, about (default: %(default)s; 3 GB)"
    )
    parser.add_argument(
        "--months",
        type=count,
        choices=(1, *GROWTH),
        default=1,
        metavar="N",
        help="ask again with as many rounds in each of 3 months, and of 12 (default: %(default)s)",
    )
    add_dir(parser)


def run(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="archive-", dir=options.dir)))
        folder.chmod(0o711)  # the server is another user
        cluster = Cluster(folder / "cluster")
        cluster.start()
        stack.callback(cluster.stop, "immediate")
        figures = asyncio.run(_ingest(cluster.database))
        figures |= _month(cluster, options.rounds)
        figures["questions"] = _questions(cluster)
        if options.months > 1:
            figures["growth"] = {"1": figures["questions"], **_more_months(cluster, figures["copies"], options.months)}
        return show_figures(options, figures, lambda found: print_rows(rows(found)))


def _recorded() -> list[tuple[str, str, bytes]]:
    """Site, table and bytes of each message."""
    games = [*GAMES]
    tables = [of_a_table(number, sequenced(games[number % len(games)]), 1) for number in range(TABLES)]
    published = [message for turn in zip_longest(*tables) for message in turn if message is not None]
    placed = [(topic.split("/"), content) for topic, content in published]
    rare = [(message.journal.site, message.journal.table, message.content) for message in of_jackpots_and_voids()]
    return [*((topic[1], topic[2], content) for topic, content in placed), *rare]


async def _ingest(database: str) -> Figures:
    recorded = _recorded()
    archive = await Archive.open(database, "bench")
    try:
        if not await archive.lead_once_free():
            raise RuntimeError("another process leads a database of its own")
        await archive.make_months()
        began, used = time.monotonic(), time.process_time()
        messages: list[Message] = []
        for first in range(0, len(recorded), AT_ONCE):
            await archive.lead()
            messages += (published := [read(*row) for row in recorded[first : first + AT_ONCE]])
            await archive.store(published)
        took, used = time.monotonic() - began, time.process_time() - used
        began = time.monotonic()
        while await merge_small_rows(archive._db, datetime.now(UTC) + 2 * IDLE):
            pass
        merge_took = time.monotonic() - began
    finally:
        await archive.close()
    await _make_months(database, 1)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE bare (sequence bigint, type text, time timestamptz, envelope json)")
        began = time.monotonic()
        with connection.cursor() as cursor, cursor.copy(BARE) as copy:
            for message in messages:
                copy.write_row((message.sequence, message.type, message.time, message.content.decode()))
        bare = time.monotonic() - began
        [[rounds]] = connection.execute("SELECT count(*) FROM pit.rounds").fetchall()
        connection.execute("VACUUM FULL pit.messages")  # what is put together later is stored in its place
        sizes = {"messages": _octets(connection, "messages"), "rows": sum(_octets(connection, key) for key in COLUMNS)}
        connection.execute("DROP TABLE bare")
    return {
        "messages": len(messages),
        "rounds_stored": rounds,
        "messages_a_second": round(len(messages) / took),
        "processor_microseconds_a_message": round(1e6 * used / len(messages), 1),
        "merged_messages_a_second": round(len(messages) / merge_took),
        "bare_messages_a_second": round(len(messages) / bare),
        "kb_a_round": {name: round(size / rounds / 1000, 2) for name, size in sizes.items()},
    }


def _octets(connection: psycopg.Connection[Any], table: str) -> int:
    query = "SELECT coalesce(sum(pg_total_relation_size(relid)), 0) FROM pg_partition_tree(%s::regclass) WHERE isleaf"
    [[octets]] = connection.execute(query, (f"pit.{table}",)).fetchall()
    return int(octets)


def _month(cluster: Cluster, rounds: int) -> Figures:
    """Replace the rows by a month of them, and beside it fill tables without index or key with a part of the same.

    What is filled in the transaction that has emptied it is synced at its end, and not logged before.
    """
    database, took, bare_took = cluster.database, 0.0, 0.0
    with psycopg.connect(database, autocommit=True) as target:
        for name, value in (("wal_level", "minimal"), ("max_wal_senders", "0")):
            target.execute(f"ALTER SYSTEM SET {name} = {value}".encode())
    cluster.stop()
    cluster.start()
    with psycopg.connect(database, autocommit=True) as target, psycopg.connect(database, autocommit=True) as source:
        [[stored]] = source.execute("SELECT count(*) FROM pit.rounds").fetchall()
        copies = max(1, rounds // stored)
        bare_copies = max(1, copies // BARE_PART)
        for table, names in COLUMNS.items():
            target.execute(f"CREATE TABLE own_{table} AS SELECT * FROM pit.{table}".encode())
            with target.transaction():
                target.execute(f"CREATE TABLE bare_{table} AS SELECT {', '.join(names)} FROM pit.{table}".encode())
                bare_took += _copied(source, target, table, bare_copies, 0, f"bare_{table}")
            target.execute(f"DROP TABLE bare_{table}".encode())
            with target.transaction():
                target.execute(f"TRUNCATE pit.{table}".encode())
                took += _copied(source, target, table, copies, 0, f"pit.{table}")
        octets = sum(_octets(target, column) for column in COLUMNS)
        count_all = "SELECT (SELECT count(*) FROM pit.rounds), (SELECT count(*) FROM pit.lines)"
        [[rounds, lines]] = target.execute(count_all).fetchall()
        target.execute("TRUNCATE pit.table_hours")
        hours_took = _fill_hours(target, 0)
    return {
        "rounds": rounds,
        "lines": lines,
        "copies": copies,
        "fill_seconds": round(took, 1),
        "bare_fill_seconds": round(bare_took * copies / bare_copies, 1),
        "hours_seconds": round(hours_took, 1),
        "kb_a_round_of_the_month": round(octets / rounds / 1000, 2),
    }


def _more_months(cluster: Cluster, copies: int, months: int) -> dict[str, dict[str, dict[str, float]]]:
    """The questions again by months that the archive has, up to so many: as many rows a month, further back each."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    filled = 1
    for many in (size for size in GROWTH if size <= months):
        asyncio.run(_make_months(cluster.database, many))
        with (
            psycopg.connect(cluster.database, autocommit=True) as target,
            psycopg.connect(cluster.database, autocommit=True) as source,
        ):
            for ago in range(filled, many):
                for table in COLUMNS:
                    _copied(source, target, table, copies, ago, f"pit.{table}")
                _fill_hours(target, ago)
        filled = many
        found[str(many)] = _questions(cluster)
    return found


async def _make_months(database: str, months: int) -> None:
    archive = await Archive.open(database, "bench")
    try:
        for ago in range(months + 2):  # MONTH is longer than some
            await archive._make_month(month_of(datetime.now(UTC), -ago))
    finally:
        await archive.close()


def _fill_hours(target: psycopg.Connection[Any], ago: int) -> float:
    """Seconds to add up the hours of the month that ended so many months ago."""
    began, now = time.monotonic(), datetime.now(UTC)
    hours = """
        SELECT DISTINCT site, "table", date_trunc('hour', confirmed) FROM pit.rounds
        WHERE received >= %s AND received < %s
    """
    between = now - (ago + 1) * MONTH, now - ago * MONTH
    columns = [list(column) for column in zip(*target.execute(hours, between).fetchall(), strict=True)]
    target.execute(HOURS, columns)
    took = time.monotonic() - began
    target.execute("VACUUM ANALYZE")
    return took


def _copied(
    source: psycopg.Connection[Any], target: psycopg.Connection[Any], table: str, copies: int, ago: int, into: str
) -> float:
    """Seconds to copy a table's own rows many times, evenly over the month that ended so many months ago."""
    many = copies if table in ("rounds", "lines") else -(-copies // RARE_EVERY)
    order = "hit" if table == "hits" else "sequence"
    at = f"(%(at)s + %(step)s * (copy + {order} / 1000.0))"
    given = dict.fromkeys(("received", "confirmed", "locked", "time"), at)
    given |= {"site": "'macau-1'", "began": f"{at} - interval '80 s'", '"table"': TABLE}
    names = COLUMNS[table]
    asked = f"""
        COPY (
            SELECT {", ".join(given.get(name, name) for name in names)}
            FROM generate_series(0, %(last)s) AS copy, own_{table}
        ) TO STDOUT
    """
    values = {"at": datetime.now(UTC) - (ago + 1) * MONTH, "step": MONTH / many, "last": many - 1}
    began = time.monotonic()
    with (
        source.cursor() as reading,
        target.cursor() as writing,
        reading.copy(asked.encode(), values) as blocks,
        writing.copy(f"COPY {into} ({', '.join(names)}) FROM STDIN".encode()) as taken,
    ):
        for block in blocks:
            taken.write(block)
    return time.monotonic() - began


def _questions(cluster: Cluster) -> dict[str, dict[str, float]]:
    """Milliseconds of each question by its number, and of two answers to the page: the first time after a restart of
    the server, and once more."""
    cluster.stop()
    cluster.start()
    found: dict[str, dict[str, float]] = {}
    asked = QUESTIONS.read_text(encoding="utf-8").split(";\n")[:-1]
    with psycopg.connect(cluster.database) as connection:
        for name in ("cold_ms", "warm_ms"):
            for number, question in enumerate(asked, 1):
                began = time.monotonic()
                connection.execute(question.encode()).fetchall()
                found.setdefault(str(number), {})[name] = round(1000 * (time.monotonic() - began), 1)
    cluster.stop()
    cluster.start()
    for name in ("cold_ms", "warm_ms"):
        for what, seconds in asyncio.run(_page(cluster.database)).items():
            found.setdefault(what, {})[name] = round(1000 * seconds, 1)
    return found


async def _page(database: str) -> dict[str, float]:
    """Seconds of two answers to the page, with the connection that they need."""
    reader = ArchiveReader(database)
    found: dict[str, float] = {}
    asked: dict[str, Callable[[], Awaitable[bytes | NotFound]]] = {
        "page: a table": partial(reader.of_table, "macau-1", "table-1"),
        "page: alarms": reader.alarms,
    }
    try:
        for what, ask in asked.items():
            began = time.monotonic()
            answer = await ask()
            if not isinstance(answer, bytes):
                raise RuntimeError(f"{what}: {answer}")
            found[what] = time.monotonic() - began
    finally:
        await reader.close()
    return found


def rows(figures: Figures) -> list[Row]:
    """The lines of the documentation's table."""
    stored, bare = figures["messages_a_second"], figures["bare_messages_a_second"]
    octets, questions = figures["kb_a_round"], figures["questions"].values()
    fill, bare_fill = (figures["rounds"] / figures[name] for name in ("fill_seconds", "bare_fill_seconds"))
    return [
        Row(
            "archive: messages stored a second",
            f"{stored:,}",
            f"COPY of the same, read before, alone {bare:,}: {bare / stored:.1f} times",
        ),
        Row("archive: processor time of a message", f"{figures['processor_microseconds_a_message']} µs"),
        Row("archive: kB a round, envelopes", f"{octets['messages']:.2f}"),
        Row("archive: kB a round, rows", f"{figures['kb_a_round_of_the_month']:.2f}"),
        Row(
            "archive: rows of a round into a month, rounds a second", f"{fill:,.0f}", f"without index {bare_fill:,.0f}"
        ),
        Row(
            f"archive: slowest of ten questions, {figures['rounds']:,} rounds",
            f"{max(question['warm_ms'] for question in questions):,.0f} ms",
            f"after a restart {max(question['cold_ms'] for question in questions):,.0f} ms",
        ),
        *(
            Row(
                f"archive: slowest of ten questions, {months} months",
                f"{max(query['warm_ms'] for query in found.values()):,.0f} ms",
                f"after a restart {max(query['cold_ms'] for query in found.values()):,.0f} ms",
            )
            for months, found in figures.get("growth", {}).items()
        ),
    ]
