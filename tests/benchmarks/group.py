"""`python -m tests.benchmarks group`: two properties and a head office, each a PostgreSQL of its own.

Sixty tables of each property publish about a message a second, and a reader at the head office looks for each batch.
Then the line of a property is cut for a while, until it is even again; at last it is cut until the property gives its
messages up, as `max_slot_wal_keep_size` says.
"""

import argparse
import asyncio
import time
from contextlib import ExitStack
from itertools import count as counting
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import psycopg

from controller.command_line.argument import count
from controller.commands.bench_table import Figures, add_dir, percentiles, show_figures
from controller.pit.archive import Archive
from controller.pit.inbox import Message
from controller.rulebook.games import GAMES
from tests.benchmarks.rows import Row, print_rows
from tests.pit.conftest import rows as found_rows
from tests.pit.group import Group, group, messages_of, run

SITES = "macau_1", "macau_2"
TABLES = 60
BATCH_SECONDS = 0.25  # between two batches of a property: fifteen tables have something to report
LOOK_SECONDS = 0.002
FILLER = "SELECT pg_logical_emit_message(false, 'bench', repeat('x', 1000000)) FROM generate_series(1, 16)"
EXAMPLES = """\
examples:
  python -m tests.benchmarks group
  python -m tests.benchmarks group --seconds 300 --cut 600 --json

exit codes: 0 measured, 69 PostgreSQL is missing"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "How far a head office is behind two properties of sixty tables, and how it recovers."
    parser.epilog = EXAMPLES
    parser.add_argument("--seconds", type=count, default=30, metavar="N", help="to look (default: %(default)s)")
    parser.add_argument("--cut", type=count, default=20, metavar="N", help="seconds of the cut (default: %(default)s)")
    add_dir(parser)


def run_group(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="group-", dir=options.dir)))
        folder.chmod(0o711)  # the server is another user
        found = stack.enter_context(group(folder, *SITES))
        figures = asyncio.run(_measure(found, options.seconds, options.cut))
        return show_figures(options, figures, lambda found: print_rows(rows(found)))


class _Property:
    """The tables of a property, and when each of their batches was stored."""

    def __init__(self, site: str) -> None:
        games = [*GAMES]
        self.site = site
        self._tables = [messages_of(site, f"t-{number}", games[number % len(games)]) for number in range(TABLES)]
        self._next = [0] * TABLES
        self._journals = counting(2)
        self.stored: dict[tuple[str, str, str, int], int] = {}
        self.messages = self.rounds = 0

    async def store(self, archive: Archive, tick: int) -> None:
        """A message of every fourth table."""
        batch: list[Message] = []
        for table in range(tick % 4, TABLES, 4):
            if self._next[table] == len(self._tables[table]):
                games, journal = [*GAMES], f"j-{next(self._journals)}"
                self._tables[table] = messages_of(self.site, f"t-{table}", games[table % len(games)], journal)
                self._next[table] = 0
            batch.append(self._tables[table][self._next[table]])
            self._next[table] += 1
        await archive.store(batch)
        now = time.monotonic_ns()
        for message in batch:
            self.stored[message.journal.site, message.journal.table, message.journal.name, message.sequence] = now
        self.messages += len(batch)
        self.rounds += sum(message.type.endswith(".round") for message in batch)


class _Reader:
    """Looks at the heads in the head office, and notes when each was there."""

    def __init__(self, database: str) -> None:
        self.seen: dict[tuple[str, str, str, int], int] = {}
        self._database, self._over = database, Event()
        self._thread = Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        with psycopg.connect(self._database, autocommit=True) as connection:
            while not self._over.wait(LOOK_SECONDS):
                heads = connection.execute('SELECT site, "table", journal, through FROM pit.heads').fetchall()
                now = time.monotonic_ns()
                for site, table, journal, through in heads:
                    self.seen.setdefault((site, table, journal, through), now)

    def stop(self) -> None:
        """End the thread."""
        self._over.set()
        self._thread.join()


async def _measure(found: Group, seconds: int, cut: int) -> Figures:
    archives = {site: await found.open(site) for site in SITES}
    properties = [_Property(site) for site in SITES]
    for own in properties:
        await own.store(archives[own.site], 0)
        found.subscribe(own.site)
    reader = _Reader(found.head.database)
    try:
        await _until_even(found, properties)
        before = _wal(found, SITES[0])
        for own in properties:
            own.stored.clear()
            own.messages = own.rounds = 0
        await _play(properties, archives, seconds)
        await _until_even(found, properties)
        wal = _wal(found, SITES[0]) - before
        lags = [reader.seen[key] - at for own in properties for key, at in own.stored.items() if key in reader.seen]
        figures: Figures = {
            "messages": sum(own.messages for own in properties),
            "lag": percentiles(lags),
            "wal_octets_a_message": round(wal / properties[0].messages),
        }
        found.cut(SITES[0])
        await _play(properties, archives, cut)
        found.heal(SITES[0])
        healed = time.monotonic()
        await _until_even(found, properties)
        figures["cut_seconds"], figures["even_after_seconds"] = cut, round(time.monotonic() - healed, 1)
    finally:
        reader.stop()
    found.cut(SITES[0])
    while _slot(found, SITES[0]) != "lost":
        run(found.properties[SITES[0]], FILLER, "SELECT pg_switch_wal()", "CHECKPOINT")
    figures["wal_mb_when_given_up"] = round(_wal_files(found, SITES[0]) / 1e6)
    for archive in archives.values():
        await archive.close()
    return figures


async def _play(properties: list[_Property], archives: dict[str, Archive], seconds: int) -> None:
    began = time.monotonic()
    for tick in range(round(seconds / BATCH_SECONDS)):
        await asyncio.gather(*(own.store(archives[own.site], tick) for own in properties))
        await asyncio.sleep(max(0.0, began + (tick + 1) * BATCH_SECONDS - time.monotonic()))


async def _until_even(found: Group, properties: list[_Property]) -> None:
    query = 'SELECT site, "table", journal, through FROM pit.heads'
    while True:
        there = set(found_rows(found.head.database, query))
        wanted_rows = {row for own in properties for row in found_rows(found.properties[own.site].database, query)}
        if wanted_rows <= there:
            return
        await asyncio.sleep(0.05)


def _wal(found: Group, site: str) -> int:
    [(octets,)] = found_rows(found.properties[site].database, "SELECT (pg_current_wal_lsn() - '0/0')::bigint")
    return int(str(octets))


def _slot(found: Group, site: str) -> object:
    [(status,)] = found_rows(found.properties[site].database, "SELECT wal_status FROM pg_replication_slots")
    return status


def _wal_files(found: Group, site: str) -> int:
    [(octets,)] = found_rows(found.properties[site].database, "SELECT sum(size)::bigint FROM pg_ls_waldir()")
    return int(str(octets))


def rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    lag = figures["lag"]
    return [
        Row(f"a message at the head office, {share}", f"{lag[f'{share}_ms']:.0f} ms") for share in ("p50", "p99")
    ] + [
        Row("WAL of a property, a message", f"{figures['wal_octets_a_message']:,} octets"),
        Row(f"even again after a cut of {figures['cut_seconds']} s", f"{figures['even_after_seconds']:.1f} s"),
        Row("WAL when a cut property gives up", f"{figures['wal_mb_when_given_up']} MB", "64 MB the limit"),
    ]
