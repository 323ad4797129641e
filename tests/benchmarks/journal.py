"""`python -m tests.benchmarks journal`: a decision written and synced, a round's bytes, rounds settled again."""

import argparse
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import msgspec

from controller.command_line.argument import count
from controller.commands.bench_table import Figures, add_dir, percentiles, print_progress
from controller.engine.outcomes import Accepted
from controller.engine.state.applied import Event
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import Table
from controller.floor.messages import Identity, Publication, publications
from controller.journal.auditing import unreported
from controller.journal.chain import COLUMNS
from controller.journal.records import GENESIS, Batch
from controller.journal.sealing import KEY_BYTES, Seal
from controller.journal.segments import write_segment
from controller.journal.store import SNAPSHOT_EVERY, Journal
from controller.queries.what_if import Supposed, what_if
from controller.rulebook.jackpot_award import TENTHS_IN_TURN
from controller.runtime.clock import Clock
from controller.runtime.draft import Draft
from tests.benchmarks.engine import SETTINGS, Rounds, decks
from tests.benchmarks.rows import Row

SUPPOSED = Supposed(rules={TENTHS_IN_TURN: True})
EXAMPLES = """\
examples:
  python -m tests.benchmarks journal
  python -m tests.benchmarks journal --dir /var/lib/dealer-station    on the disk that will hold it
  python -m tests.benchmarks journal --rounds 1000 --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes the decisions of rounds at six seats to a journal, one after the other, each synced, and after each of "
        "them as many bytes to a plain file, synced too; both in the same folder. Then settles all rounds by another "
        "reading, in seconds of one processor."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("--rounds", type=count, default=40, metavar="N", help="to write (default: %(default)s)")
    add_dir(parser)


def measure(stack: ExitStack, folder: Path, _: tuple[str, int], options: argparse.Namespace) -> Figures:
    path = folder / "bench.db"
    journal = stack.enter_context(closing(Journal(path, Seal(os.urandom(KEY_BYTES)), "simulation")))
    journal.restore()
    empty = path.stat().st_size
    plain = stack.enter_context((folder / "bench.plain").open("ab", buffering=0))
    committed, synced = [], []
    for number, batch in _batches(options.rounds, journal.name):
        began = time.monotonic_ns()
        journal.commit(batch, batch.outbox[0].sequence - 1 if batch.outbox else 0)
        between = time.monotonic_ns()
        plain.write(b"".join(msgspec.json.encode(entry.event) for entry in batch.entries))
        os.fdatasync(plain.fileno())
        synced.append(time.monotonic_ns() - between)
        committed.append(between - began)
        print_progress(number, options.rounds, "rounds")
    journal.close()
    began = time.process_time_ns()
    judged = what_if(path, "simulation", SUPPOSED, unreported)
    seconds = (time.process_time_ns() - began) / 1e9
    return {
        "rounds": options.rounds,
        "commits": len(committed),
        "commit": percentiles(committed),
        "plain_file": percentiles(synced),
        "bytes_a_round": round((path.stat().st_size - empty) / options.rounds),
        "event_bytes_a_round": round((folder / "bench.plain").stat().st_size / options.rounds),
        "segment_bytes_a_round": round(_segment_bytes(path) / options.rounds),
        "rounds_judged_a_second": round(judged.rounds / seconds),
    }


def _batches(rounds: int, name: str) -> Iterator[tuple[int, Batch]]:
    """What a station writes of so many rounds, and of which round; the floor takes each message at once."""
    identity = Identity("bench", "table", name, "simulation", "MOP", 2)
    played, table, clock, sequence, due = Rounds(), Table(), Clock(), 0, SNAPSHOT_EVERY
    for number, deck in enumerate(decks(rounds), 1):
        played.play(deck)
        for input, decision in played.taken():
            stamp = clock.stamp()
            draft = Draft(table, {}, sequence, {}, SETTINGS, settings_kept=table.version > 0)
            draft.absorb(decision, input, partial(_publications, identity, stamp.time))
            table, sequence = draft.table, draft.sequence
            answers = {}
            if isinstance(input, PersonInput):
                answers[input.input_id] = Accepted(input_id=input.input_id, as_of=sequence)
            snapshot = table if table.version >= due else None
            due += SNAPSHOT_EVERY * (snapshot is not None)
            yield number, Batch(stamp, draft.entries, draft.outbox, answers, snapshot=snapshot, settings=SETTINGS)


def _publications(
    identity: Identity, time: str, event: Event, before: Table, after: Table, sequence: int
) -> list[Publication]:
    return publications(identity, event, before, after, sequence, time)


def _segment_bytes(path: Path) -> int:
    """How many bytes all events of a journal take in a segment."""
    with closing(sqlite3.connect(path)) as db:
        return write_segment(path, GENESIS, db.execute(f"SELECT {COLUMNS} FROM events ORDER BY id")).size


def rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    return [
        Row(
            "a decision written and synced, p50",
            f"{figures['commit']['p50_ms']:.2f} ms",
            f"{figures['plain_file']['p50_ms']:.2f} ms appended to a file and synced",
        ),
        Row(
            "the file for a round of six seats",
            f"{figures['bytes_a_round'] / 1000:.1f} kB",
            f"{figures['event_bytes_a_round'] / 1000:.1f} kB its events as text",
        ),
        Row(
            "a round of six seats in a segment",
            f"{figures['segment_bytes_a_round'] / 1000:.1f} kB",
            "its events and inputs, compressed",
        ),
        Row(
            "a round settled by another reading (`audit replay --rules`)",
            f"{figures['rounds_judged_a_second']:,} a second",
        ),
    ]
