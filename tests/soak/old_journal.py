"""A journal as a table has it after years: some rounds, and then what devices say, as quickly as the disk takes it.

What is older than its checkpoints is in segments.
"""

from collections.abc import Iterator
from pathlib import Path

from controller.engine.state.applied import apply
from controller.engine.state.events import DeviceReported
from controller.engine.state.table import Table
from controller.journal.closing import close_segment
from controller.journal.records import JournalEntry
from controller.journal.store import SNAPSHOT_EVERY, Journal
from tests.journal.keeping import batch, entries_of, open_journal, played

AT_ONCE = 250


def make(path: Path, events: int) -> Table:
    """So many events and a few more, with checkpoints as a station makes them; the table after them."""
    journal, table, due = open_journal(path), Table(), SNAPSHOT_EVERY
    entries, sequence = _entries(), 0
    try:
        while table.version < events:
            written = [next(entries) for _ in range(AT_ONCE)]
            for entry in written:
                table = apply(table, entry.event)
            sequence += 1
            snapshot = table if table.version >= due else None
            if snapshot is not None:
                due = table.version + SNAPSHOT_EVERY
            names = [f"input-{table.version}-{number}" for number in range(3)]
            sent = [(sequence, bytes(300))]
            journal.commit(batch(written, outbox=sent, answers=names, snapshot=snapshot), acknowledged=sequence - 1)
            if snapshot is not None:
                tidy(journal)
    finally:
        journal.close()
    return table


def tidy(journal: Journal) -> None:
    """Close what is due, and clear it away."""
    segment = close_segment(journal.path)
    if segment is not None:
        journal.take_up(segment)
    while journal.untidy:
        journal.forget(0)


def _entries() -> Iterator[JournalEntry]:
    yield from entries_of(played(20))
    number = 0
    while True:
        number += 1
        yield JournalEntry(
            event=DeviceReported(device="slots", what="noise", details=f"{number} {'x' * 150}", values={"count": 1})
        )
