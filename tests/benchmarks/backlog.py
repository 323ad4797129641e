"""`python -m tests.benchmarks backlog`: a start, and the journal's file, after a fast table whose broker was away.

A journal is written at a pace as a station writes it that sees no broker, its older events and messages closed beside
it. Then stations are started on it and on an empty one, in turn.
"""

import argparse
import os
import time
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from statistics import median

from controller.command_line.argument import count
from controller.commands.bench_table import (
    BenchFailed,
    Figures,
    ShoeWire,
    add_dir,
    print_progress,
    write_config,
)
from controller.system.addresses import free_port
from tests.benchmarks.rows import Row
from tests.benchmarks.station import EXIT_CODES, Stations

MESSAGES_A_ROUND, EVENTS_A_ROUND = 46, 60  # of six seats
PAYLOAD_BYTES, EVENT_BYTES = 800, 120  # about
RANDOM_BYTES = 50  # of a message: compressed, it has as many as a real one
SMALL_BYTES = 100_000_000
NOWHERE = ("127.0.0.1", 1)  # where no broker is


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = __doc__
    parser.epilog = (
        "examples:\n  python -m tests.benchmarks backlog\n"
        "  python -m tests.benchmarks backlog --rounds 28000 --pace 50 --json\n\n" + EXIT_CODES
    )
    parser.add_argument("--rounds", type=count, default=1000, metavar="N", help="to write (default: %(default)s)")
    parser.add_argument("--pace", type=count, default=50, metavar="N", help="rounds a second (default: %(default)s)")
    parser.add_argument("--starts", type=count, default=5, metavar="N", help="of each (default: %(default)s)")
    parser.add_argument(
        "--settle", type=count, default=600, metavar="SECONDS",
        help="for which a station may run until the file is below 100 MB (default: %(default)s)",
    )  # fmt: skip
    add_dir(parser)


def measure(stack: ExitStack, folder: Path, _: tuple[str, int], options: argparse.Namespace) -> Figures:
    tables = {}
    for name in ("empty", "backlog"):
        (folder / name).mkdir()
        port = free_port()
        tables[name] = Stations(write_config(folder / name, NOWHERE, port, ShoeWire().path), port)
    _fill(tables["empty"].config, 0, options.pace)
    journal = _fill(tables["backlog"].config, options.rounds, options.pace)
    written = _bytes(journal)
    seconds: dict[str, list[float]] = {name: [] for name in tables}
    for turn in range(options.starts + 1):
        for name, stations in tables.items():
            with stations.started() as started:
                seconds[name].append(started[1] / 1e9)
        print_progress(turn, options.starts, "starts")
    settled = _settled(tables["backlog"], journal, options.settle)
    return {
        "rounds": options.rounds,
        "messages": options.rounds * MESSAGES_A_ROUND,
        "events": options.rounds * EVENTS_A_ROUND,
        "start_seconds": {name: round(median(found[1:]), 3) for name, found in seconds.items()},
        "file_mb": {"written": round(written / 1e6, 1), "settled": round(_bytes(journal) / 1e6, 1)},
        "below_100_mb_after_seconds": settled,
        "beside_it_mb": round(sum(path.stat().st_size for path in journal.parent.glob("*.zst")) / 1e6, 1),
    }


def _bytes(journal: Path) -> int:
    return sum(path.stat().st_size for path in (journal, journal.with_name(journal.name + "-wal")) if path.exists())


def _settled(stations: Stations, journal: Path, most: int) -> float | None:
    """After how many seconds of a station's work the file and its log are small; None where they are not by then."""
    with stations.started():
        began = time.monotonic()
        while _bytes(journal) >= SMALL_BYTES:
            if time.monotonic() - began > most:
                return None
            time.sleep(0.1)
        return round(time.monotonic() - began, 1)


def _fill(config_file: Path, rounds: int, pace: int) -> Path:
    """A journal as a station leaves it that was killed after so many rounds without a broker; where it is."""
    from controller.config.file import read_config
    from controller.engine.state.applied import apply
    from controller.engine.state.events import DeviceReported
    from controller.engine.state.table import Table
    from controller.journal.closing import MESSAGE_FILES, SEGMENT_FILES, Closer, close_messages, close_segment
    from controller.journal.records import Batch, JournalEntry, OutboxRow
    from controller.journal.sealing import Seal, read_key
    from controller.journal.store import SNAPSHOT_EVERY, TIDY_SECONDS, Journal
    from controller.runtime.clock import Clock

    config, clock, table, sequence, due = read_config(config_file), Clock(), Table(), 0, SNAPSHOT_EVERY
    event = DeviceReported(device="shoe", what="noise", details="x" * EVENT_BYTES)
    seal = Seal(read_key(config.seal_key_file, create=True))
    failed: list[Exception] = []
    with closing(Journal(config.journal, seal, config.mode)) as journal, ExitStack() as closed:
        journal.restore()
        path, take_up, fail = journal.path, journal.take_up, failed.append
        segments_done, messages_done = lambda: journal.segment_taken_up, lambda: journal.messages_taken_up
        close, close_next = partial(close_segment, path), lambda pause: close_messages(path, clock.stamp().time, pause)
        kept = (lambda: None, lambda old: None, fail, fail)
        closers = (
            Closer(path, SEGMENT_FILES, close, take_up, segments_done, *kept),
            Closer(path, MESSAGE_FILES, close_next, take_up, messages_done, *kept),
        )
        for closer in closers:
            closer.start()
            closed.callback(closer.stop)
        began = tidied = time.monotonic()
        for number in range(1, rounds + 1):
            if failed:
                raise BenchFailed(f"the older events are not closed: {failed[0]!r}")
            for _ in range(EVENTS_A_ROUND):
                table = apply(table, event)
            outbox = [
                OutboxRow(sequence_, "bench/backlog", os.urandom(RANDOM_BYTES).hex().encode() + b"x" * PAYLOAD_BYTES)
                for sequence_ in range(sequence + 1, sequence + 1 + MESSAGES_A_ROUND)
            ]
            sequence = outbox[-1].sequence
            snapshot = table if table.version >= due else None
            due += SNAPSHOT_EVERY * (snapshot is not None)
            entries = [JournalEntry(event=event)] * EVENTS_A_ROUND
            journal.commit(Batch(stamp=clock.stamp(), entries=entries, outbox=outbox, snapshot=snapshot))
            if journal.untidy and time.monotonic() - tidied > TIDY_SECONDS:
                journal.forget(0)
                tidied = time.monotonic()
            time.sleep(max(0.0, began + number / pace - time.monotonic()))
            print_progress(number, rounds, "rounds")
    return config.journal


def rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    starts, file = figures["start_seconds"], figures["file_mb"]
    return [
        Row(
            f"start while {figures['messages']:,} messages wait, p50",
            f"{starts['backlog']:.2f} s",
            f"{starts['empty']:.2f} s with an empty journal",
        ),
        Row(
            f"the journal's file after {figures['rounds']:,} rounds without a broker",
            f"{file['written']:.0f} MB",
            f"{file['settled']:.0f} MB once settled",
        ),
    ]
