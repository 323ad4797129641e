"""Journals of played rounds, and changes made to their files behind the station's back."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from controller.engine.outcomes import Accepted
from controller.engine.recorded import Recorded
from controller.engine.state.applied import Event, apply, fold
from controller.engine.state.current import Settings
from controller.engine.state.events import JournalPruned
from controller.engine.state.table import Table
from controller.journal.closing import close_segment
from controller.journal.pruning import expired
from controller.journal.records import Batch, DeviceMark, JournalEntry, OutboxRow, Restored, Stamp
from controller.journal.sealing import Seal
from controller.journal.store import Journal
from tests.engine.playing import Play

KEY = bytes(range(32))
STAMP = Stamp(time="2026-01-02T03:04:05.678Z", boot="boot", monotonic_ns=1, synchronised=True)


def open_journal(path: Path, key: bytes = KEY, mode: str = "simulation") -> Journal:
    return Journal(path, Seal(key), mode)


def played(rounds: int = 2) -> Play:
    """Whole rounds, and one more whose cards are face down."""
    play = Play()
    for _ in range(rounds):
        play.to_wagers().bet(1, ante=100).bet(2, pair_plus=100).chips(1)
        play.lock()
        play.finish()
    play.to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1)
    play.lock()
    return play.deal()


def entries_of(play: Play) -> list[JournalEntry]:
    return [JournalEntry(event, drawn, play.inputs.get(place)) for place, (event, drawn) in enumerate(play.entries)]


def of_itself(event: Event) -> JournalEntry:
    """An event that the station records of itself."""
    return JournalEntry(event, {}, Recorded(b"{}"))


def accepted(name: str) -> Accepted:
    return Accepted(input_id=name, as_of=1)


def batch(
    entries: Sequence[JournalEntry] = (),
    outbox: Sequence[tuple[int, bytes]] = (),
    answers: Sequence[str] = (),
    marks: Sequence[DeviceMark] = (),
    snapshot: Table | None = None,
    settings: Settings | None = None,
) -> Batch:
    return Batch(
        stamp=STAMP,
        entries=entries,
        outbox=[OutboxRow(sequence=sequence, topic="t", payload=payload) for sequence, payload in outbox],
        outcomes={name: accepted(name) for name in answers},
        marks=marks,
        snapshot=snapshot,
        settings=settings,
    )


def commit_each(
    journal: Journal, entries: Iterable[JournalEntry], table: Table | None = None, every: int = 20
) -> Table:
    """One event a commit, with a snapshot after every so many events."""
    table = table or Table()
    for entry in entries:
        table = apply(table, entry.event)
        journal.commit(batch([entry], snapshot=table if table.version % every == 0 else None))
    return table


def record(journal: Journal, *events: Event) -> None:
    """Events that the station records, in one commit."""
    journal.commit(batch([JournalEntry(event=event) for event in events]))


def close_segments(journal: Journal, events: int) -> None:
    """Every segment of so many events that is due, taken up and cleared away."""
    while (segment := close_segment(journal.path, events=events)) is not None:
        journal.take_up(segment)
        while journal.untidy:
            journal.forget(0)


def prune(journal: Journal) -> JournalPruned:
    """All segments there are."""
    pruned = expired(journal.path, "2027")
    assert pruned is not None
    journal.commit(batch([of_itself(pruned)]))
    return pruned


def restored(path: Path, key: bytes = KEY) -> Restored:
    """What a start finds in a journal."""
    with closing(open_journal(path, key)) as journal:
        return journal.restore()


def write(path: Path, play: Play, snapshot_at: int | None = None) -> None:
    """The journal of a play."""
    write_entries(path, entries_of(play), snapshot_at)


def write_entries(path: Path, entries: Sequence[JournalEntry], snapshot_at: int | None = None) -> None:
    """A journal of five events a commit; with a snapshot after so many events."""
    journal, table = open_journal(path), Table()
    ends = sorted({*range(5, len(entries), 5), snapshot_at or len(entries), len(entries)})
    for first, last in pairwise((0, *ends)):
        table = fold(table, [entry.event for entry in entries[first:last]])
        journal.commit(batch(entries[first:last], snapshot=table if last == snapshot_at else None))
    journal.close()


def tamper(path: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    """SQL on the file, then one file again without a log beside it."""
    db = sqlite3.connect(path, isolation_level=None)
    for statement, values in statements:
        db.execute(statement, values)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def contents(path: Path, but: str = "") -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, or of all but one."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.text_factory = lambda text: text.decode(errors="surrogateescape")
    try:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: db.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in names if name != but}
    finally:
        db.close()
