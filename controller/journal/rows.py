"""The rows of a journal within a transaction: each change writes them, and returns the head that the file then has."""

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from controller.engine.outcomes import Outcome
from controller.engine.state.events import JournalPruned
from controller.journal import guards, message_files
from controller.journal.guards import minus, plus
from controller.journal.message_files import MessageFile, files_of
from controller.journal.past import segments_of
from controller.journal.records import DeviceMark, Head, OutboxRow, Stamp
from controller.journal.segments import Segment
from controller.journal.tree import Subtrees

ROWS_AT_ONCE = 250  # that are in a segment and leave the file: in two milliseconds
PAGES_AT_ONCE = 250  # that are free and go back to the disk
PAGES_KEPT = 16_384  # free ones, which the next events take: of a kilobyte each
ANSWERS_KEPT = 20_000  # inputs whose repeat is still answered as the first time

_encode = msgspec.json.encode


# What a batch changes.


def store_outbox(db: sqlite3.Connection, head: Head, outbox: Sequence[OutboxRow]) -> Head:
    """Stores the new messages."""
    rows = [(row.sequence, row.topic, row.payload) for row in outbox]
    db.executemany("INSERT INTO outbox VALUES (?, ?, ?)", rows)
    last = rows[-1][0] if rows else head.sequence
    return msgspec.structs.replace(head, sequence=last, outbox_sum=plus(head.outbox_sum, rows))


def rename_outbox(db: sqlite3.Connection, head: Head, acknowledged: int, old: str, new: str) -> Head:
    """Gives the waiting messages the new name: the floor knows their numbers under the old one. Messages in files are
    renamed as they are read.
    """
    rows = db.execute(f"{guards.ROWS['outbox']} WHERE sequence > ?", (acknowledged,)).fetchall()
    named = [message_files.renamed(OutboxRow(*row), old, new) for row in rows]
    renamed = [(row.sequence, row.topic, row.payload) for row in named]
    db.executemany("INSERT OR REPLACE INTO outbox VALUES (?, ?, ?)", renamed)
    return msgspec.structs.replace(head, outbox_sum=plus(minus(head.outbox_sum, rows), renamed))


def store_outcomes(db: sqlite3.Connection, head: Head, outcomes: Mapping[str, Outcome]) -> Head:
    """Stores the outcomes of inputs by their id; only the newest ANSWERS_KEPT remain."""
    if not outcomes:
        return head
    rows = [
        (input_id, number, _encode(outcome))
        for number, (input_id, outcome) in enumerate(outcomes.items(), start=head.answers + 1)
    ]
    db.executemany("INSERT INTO answers VALUES (?, ?, ?)", rows)
    number = head.answers + len(rows)
    which = "WHERE number <= ?"
    gone = guards.guarded_rows(db, "answers", which, number - ANSWERS_KEPT)
    answers_sum = minus(plus(head.answers_sum, rows), gone)
    db.execute(f"DELETE FROM answers {which}", (number - ANSWERS_KEPT,))
    return msgspec.structs.replace(head, answers=number, answers_sum=answers_sum)


def store_marks(db: sqlite3.Connection, head: Head, marks: Sequence[DeviceMark]) -> Head:
    """Stores up to which message each device was received."""
    if not marks:
        return head
    rows = [(mark.device, mark.boot, mark.sequence) for mark in marks]
    db.executemany("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", rows)
    return msgspec.structs.replace(head, marks_sum=guards.sum_of(db, "marks"))


def set_aside(db: sqlite3.Connection, head: Head, sequence: int) -> Head:
    """Removes a message that no broker takes, from the file or from a file of messages."""
    if sequence > head.filed:
        return _without_messages(db, head, sequence, sequence)
    [file] = files_of(db, "WHERE last = (SELECT min(last) FROM files WHERE last >= ?)", sequence)
    return _with_file(db, head, msgspec.structs.replace(file, aside=(*file.aside, sequence)))


def prune(db: sqlite3.Connection, head: Head, pruned: JournalPruned, at: Stamp) -> Head:
    """Removes segments from the journal; their files are removed later."""
    [last] = segments_of(db, "WHERE last = ?", pruned.last)
    which = "WHERE last <= ?"
    left = minus(head.segments_sum, guards.guarded_rows(db, "segments", which, pruned.last))
    db.execute(f"DELETE FROM segments {which}", (pruned.last,))
    hash = bytes.fromhex(pruned.hash)
    return msgspec.structs.replace(
        head, segments_sum=left, pruned=pruned.last, pruned_hash=hash, pruned_edge=last.edge, pruned_at=at
    )


# What changes beside the batches.


def store_archived(db: sqlite3.Connection, head: Head, archived: Mapping[str, int]) -> Head:
    """Stores the last message that each archive has."""
    if not archived:
        return head
    db.executemany("INSERT OR REPLACE INTO archives VALUES (?, ?)", list(archived.items()))
    return msgspec.structs.replace(head, archives_sum=guards.sum_of(db, "archives"))


def register_segment(path: Path, db: sqlite3.Connection, head: Head, segment: Segment | None) -> Head:
    """Registers a segment that is on the disk, if it is the next."""
    if segment is None or segment.first != head.closed + 1:
        return head
    edge = Subtrees(path, db, head).edge(segment.last)
    row = (segment.last, _encode(msgspec.structs.replace(segment, edge=edge)))
    db.execute("INSERT INTO segments VALUES (?, ?)", row)
    return msgspec.structs.replace(head, closed=segment.last, segments_sum=plus(head.segments_sum, [row]))


def register_messages(db: sqlite3.Connection, head: Head, file: MessageFile | None) -> Head:
    """Registers a file of messages that is on the disk, if it is the next."""
    if file is None or file.first != head.filed + 1:
        return head
    which = "SELECT sequence FROM outbox WHERE sequence >= ? AND sequence <= ?"
    there = {number for (number,) in db.execute(which, (file.first, file.last))}
    # One may have been put aside since the file was written.
    aside = tuple(number for number in range(file.first, file.last + 1) if number not in there)
    head = _with_file(db, head, msgspec.structs.replace(file, aside=aside))
    return msgspec.structs.replace(head, filed=file.last)


def drop_lapsed(db: sqlite3.Connection, head: Head, lapsed: tuple[int, Stamp] | None) -> Head:
    """Removes the files of messages up to this message, as far as the broker has them."""
    if lapsed is None:
        return head
    which, last = "WHERE last <= ?", min(lapsed[0], head.acknowledged)
    left = minus(head.files_sum, guards.guarded_rows(db, "files", which, last))
    db.execute(f"DELETE FROM files {which}", (last,))
    return msgspec.structs.replace(head, files_sum=left, lapsed_at=lapsed[1])


# Room for later rows. Little at a time, as the table waits.


def clear_messages(db: sqlite3.Connection, head: Head) -> tuple[Head, bool]:
    """Deletes some messages that are in files; returns whether there may be more."""
    [[oldest]] = db.execute("SELECT min(sequence) FROM outbox").fetchall()
    if oldest is None or oldest > head.filed:
        return head, False
    return _without_messages(db, head, oldest, min(oldest + ROWS_AT_ONCE - 1, head.filed)), True


def clear_events(db: sqlite3.Connection, closed: int) -> bool:
    """Deletes some events that are in segments; returns whether there may be more."""
    [[oldest]] = db.execute("SELECT min(id) FROM events").fetchall()
    if oldest is None or oldest > closed:
        return False
    db.execute("DELETE FROM events WHERE id <= ?", (min(oldest + ROWS_AT_ONCE - 1, closed),))
    return True


def give_pages_back(db: sqlite3.Connection) -> bool:
    """Gives some free pages back to the disk; returns whether there may be more."""
    [[free]] = db.execute("PRAGMA freelist_count").fetchall()
    if free <= PAGES_KEPT:
        return False
    db.execute(f"PRAGMA incremental_vacuum({min(PAGES_AT_ONCE, free - PAGES_KEPT)})").fetchall()
    return True


def _with_file(db: sqlite3.Connection, head: Head, file: MessageFile) -> Head:
    """Replaces the row of a file of messages."""
    row = (file.last, _encode(file))
    before = guards.guarded_rows(db, "files", "WHERE last = ?", file.last)
    files_sum = plus(minus(head.files_sum, before), [row])
    db.execute("INSERT OR REPLACE INTO files VALUES (?, ?)", row)
    return msgspec.structs.replace(head, files_sum=files_sum)


def _without_messages(db: sqlite3.Connection, head: Head, first: int, last: int) -> Head:
    which = "WHERE sequence >= ? AND sequence <= ?"
    left = minus(head.outbox_sum, guards.guarded_rows(db, "outbox", which, first, last))
    db.execute(f"DELETE FROM outbox {which}", (first, last))
    return msgspec.structs.replace(head, outbox_sum=left)
