"""Verifies a journal's old events from the first on, slowly, while its station runs.

A start verifies only the events after the last checkpoint. The events before it, for which the checkpoint's MAC
vouches, are read again here, in slices that delay neither the table nor its checkpoints.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.engine.state.events import JournalPruned
from controller.journal.background import Background
from controller.journal.chain import COLUMNS, verified
from controller.journal.creation import KINDS, starts_with
from controller.journal.message_files import checked_octets, files_of
from controller.journal.past import head_of, segments_of
from controller.journal.records import GENESIS, Head, JournalCorrupt, JournalUnavailable
from controller.journal.segments import INDEXED, Segment, SegmentReader, SegmentRow
from controller.journal.sql import snapshot
from controller.journal.tree import Growing, check_kept
from controller.tlog.merkle import HASH_BYTES

SLICE = 100  # events: under a millisecond
PAUSE_SECONDS = 0.01  # between two slices: some eight thousand events a second
AGAIN_SECONDS = 24 * 3600.0
RETRY_SECONDS = 60.0  # after a disk that could not be read

Place = tuple[int, bytes]
"""An event, and its hash."""

_End = tuple[int, bytes, bytes]
"""The last event, its hash, and the edge of the tree."""

_PRUNED = b'{"type":"journal_pruned"'
_LOOKED_AT = (_PRUNED, *INDEXED.values())
_decode_pruned = msgspec.json.Decoder(JournalPruned).decode


class Walk(msgspec.Struct):
    """The progress of verification, and the open segment.

    `base` is the last deleted event according to the head; `seen` is that according to the last event about it. `tree`
    grows with the events; None if the walk began after the first stored event.
    """

    event: int = 0
    hash: bytes = GENESIS
    reader: SegmentReader | None = None
    base: Place = (0, GENESIS)
    seen: Place = (0, GENESIS)
    tree: Growing | None = None


def begin_walk(path: Path, db: sqlite3.Connection) -> Walk:
    """The state of a walk that begins with the first stored event."""
    head = head_of(db)
    base = head.pruned, head.pruned_hash
    return Walk(event=head.pruned, hash=head.pruned_hash, base=base, tree=_tree_before(path, head))


def _tree_before(path: Path, head: Head) -> Growing:
    """The tree before the first event that is kept."""
    if head.pruned < 0 or len(head.pruned_edge) != HASH_BYTES * head.pruned.bit_count():
        raise JournalCorrupt(f"{path}: what the head says of the tree before event {head.pruned + 1} cannot be (tree)")
    return Growing(head.pruned, head.pruned_edge)


def begin_behind(path: Path, db: sqlite3.Connection, segment: Segment) -> Walk:
    """The state of a walk that begins after a segment, from the journal's row about it."""
    walk = begin_walk(path, db)
    walk.event, walk.hash = segment.last, segment.hash
    walk.tree = Growing(segment.last, segment.edge)
    return walk


def walk_on(path: Path, db: sqlite3.Connection, walk: Walk, limit: int) -> list[SegmentRow]:
    """Verify some more events, up to a number; returns their rows.

    Raises JournalCorrupt. `db` sees the journal as it is at one moment.
    """
    head = head_of(db)
    if walk.event < head.pruned:
        walk.event, walk.hash, walk.reader, walk.tree = (
            head.pruned,
            head.pruned_hash,
            None,
            _tree_before(path, head),
        )
    if walk.reader is None or walk.reader.segment.last <= walk.event:
        segments = segments_of(db, "WHERE last = (SELECT min(last) FROM segments WHERE last > ?)", walk.event)
        walk.reader = SegmentReader(path, segments[0]) if segments else None
    after = walk.event
    rows = _live_rows(db, after, limit) if walk.reader is None else _rows_of_block(path, walk, walk.reader)[:limit]
    if walk.reader is None:
        for _ in verified(path, rows, after, walk.hash):
            pass
    if rows:
        walk.event, walk.hash = rows[-1][0], rows[-1][7]
    if walk.tree is not None:
        for row in rows:
            check_kept(path, db, walk.tree.add(row[7]))
    looked_at = [row for row in rows if row[5].startswith(_LOOKED_AT)]
    for row in looked_at:
        if row[5].startswith(_PRUNED):
            pruned = _decode_pruned(row[5])
            walk.seen = pruned.last, _hash_of(path, row[0], pruned)
    for kind, opening in (KINDS if walk.reader is None else INDEXED).items():
        of_kind = [row[0] for row in looked_at if row[5].startswith(opening)]
        if _indexed(db, walk.reader, kind, after, walk.event) != of_kind:
            raise JournalCorrupt(f"{path}: an index of the events is not as it was written (up to event {walk.event})")
    return rows


def _hash_of(path: Path, event: int, pruned: JournalPruned) -> bytes:
    try:
        return bytes.fromhex(pruned.hash)
    except ValueError:
        raise JournalCorrupt(f"{path}: event {event} has no hash of the last event that was pruned") from None


def _live_rows(db: sqlite3.Connection, after: int, limit: int) -> list[SegmentRow]:
    return db.execute(f"SELECT {COLUMNS} FROM events WHERE id > ? ORDER BY id LIMIT ?", (after, limit)).fetchall()


def _rows_of_block(path: Path, walk: Walk, reader: SegmentReader) -> list[SegmentRow]:
    """The next rows of a segment, which its reader has compared with the hash that the segment begins behind."""
    rows = reader.block(reader.block_of(walk.event + 1))
    if walk.event == reader.segment.first - 1 and walk.hash != reader.segment.before:
        raise JournalCorrupt(f"{path}: event {walk.event + 1} is not as it was written (hash chain)")
    return [row for row in rows if row[0] > walk.event]


def _indexed(db: sqlite3.Connection, reader: SegmentReader | None, kind: str, after: int, last: int) -> list[int]:
    if reader is not None:
        return [number for number in reader.numbers_of(kind) if after < number <= last]
    which = f"{starts_with('body', KINDS[kind])} AND id > ? AND id <= ? ORDER BY id"
    return [number for (number,) in db.execute(f"SELECT id FROM events WHERE {which}", (after, last))]


def check_head(path: Path, walk: Walk, end: _End) -> None:
    """Check that the verified events end with this event and hash. Raises JournalCorrupt."""
    if (walk.event, walk.hash) != end[:2]:
        raise JournalCorrupt(f"{path}: event {walk.event} is not the one that was written (hash chain)")
    if walk.tree is not None and walk.tree.edge != end[2]:
        raise JournalCorrupt(f"{path}: the tree up to event {walk.event} is not as it was written (tree)")


def check_end(path: Path, walk: Walk, end: _End) -> None:
    """Checks that the verified events end at the end of the journal. Raises JournalCorrupt."""
    check_head(path, walk, end)
    if walk.seen[0] < walk.base[0] or (walk.seen[0] == walk.base[0] and walk.seen != walk.base):
        raise JournalCorrupt(f"{path} keeps no event up to {walk.base[0]}, and no event of it says so")


def check_segments(path: Path, db: sqlite3.Connection, stopped: Callable[[], bool] = lambda: False) -> None:
    """Checks that every segment exists and has its length, and that the messages have not changed. Raises
    JournalCorrupt. If `stopped`, the rest of the messages is not checked.
    """
    for segment in segments_of(db):
        SegmentReader(path, segment).check_size()
    for file in files_of(db):
        if stopped():
            return
        checked_octets(path, file)


class Verifier(Background):
    """A thread that verifies a journal when its station has started, and once a day from then on.

    `end` returns the present end of the journal; `on_broken` is called once, in the thread.
    """

    def __init__(
        self,
        path: Path,
        end: Callable[[], _End],
        on_broken: Callable[[JournalCorrupt], None],
        on_defect: Callable[[Exception], None] = lambda _: None,
    ) -> None:
        super().__init__("journal verifier", on_defect)
        self._path = path
        self._end = end
        self._on_broken = on_broken

    def _run(self) -> None:
        pause = 0.0
        while not self._stopping.wait(pause):
            try:
                self.verify(PAUSE_SECONDS)
                pause = AGAIN_SECONDS
            except JournalUnavailable:
                pause = RETRY_SECONDS  # the table notices that for itself
            except JournalCorrupt as broken:
                self._on_broken(broken)
                return

    def verify(self, pause: float = 0.0) -> None:
        """Verifies all events that exist now. Raises JournalCorrupt or JournalUnavailable."""
        with snapshot(self._path) as db:
            check_segments(self._path, db, self._stopping.is_set)
            walk = begin_walk(self._path, db)
        end = self._end()
        while walk.event < end[0]:
            if self._stopping.wait(pause):
                return
            # Again for each slice: a station that writes its log again after a failure waits until no one reads.
            with snapshot(self._path) as db:
                if not walk_on(self._path, db, walk, min(SLICE, end[0] - walk.event)):
                    break
        check_end(self._path, walk, end)
