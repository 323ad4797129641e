"""All events of a journal: older ones in segments, the others in its own file. All calls block."""

import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.state.applied import Event, decode_event
from controller.journal.chain import COLUMNS, chained
from controller.journal.creation import FOUND_LIVE, KINDS, ROUND_BEGUN, starts_with
from controller.journal.records import GENESIS, Head, JournalCorrupt, Stamp
from controller.journal.segments import INDEXED, Segment, SegmentReader, SegmentRow, round_begun
from controller.rulebook.events import RoundBegun

RELEASED = "released"  # the row of `meta` that has the keys of rounds
PAGE = 500  # rows read at once from the journal's own file, newest first

FoundEvent = tuple[int, Stamp, Event]
"""Number, stamp and event of a row."""

_WITH_BEFORE = """SELECT e.id, e.time, e.boot, e.monotonic_ns, e.synchronised, e.body, e.sealed, e.hash, e.input,
                         before.hash
                  FROM events AS e LEFT JOIN events AS before ON before.id = e.id - 1"""

decode_segment = msgspec.json.Decoder(Segment).decode


class Past:
    """The events as a connection sees them. Raises JournalCorrupt if a row or a segment has changed since it was
    written.
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db
        self.segments = [SegmentReader(path, segment) for segment in segments_of(db)]
        self._ends = [part.segment.last for part in self.segments]
        # A row may still be in the journal's own file though it is in a segment.
        self.closed, self._closed_hash = pruned_of(db)
        if self.segments:
            self.closed, self._closed_hash = self._ends[-1], self.segments[-1].segment.hash

    @property
    def begins_after(self) -> tuple[int, bytes]:
        """The event before the first stored one, and its hash."""
        if self.segments:
            first = self.segments[0].segment
            return first.first - 1, first.before
        return self.closed, self._closed_hash

    def after(self, number: int) -> Iterator[SegmentRow]:
        """The rows after an event, oldest first, as far as they are kept."""
        for reader in self.segments[bisect_left(self._ends, number + 1) :]:
            yield from reader.rows(number)
        live = max(number, self.closed)
        # Not `yield from`, which closes the cursor of a connection that is closed already.
        for row in self._db.execute(f"SELECT {COLUMNS} FROM events WHERE id > ? ORDER BY id", (live,)):  # noqa: UP028
            yield row

    def before(self, number: int) -> Iterator[SegmentRow]:
        """The rows before an event, newest first."""
        page = f"SELECT {COLUMNS} FROM events WHERE id < ? AND id > ? ORDER BY id DESC LIMIT {PAGE}"
        while rows := self._db.execute(page, (number, self.closed)).fetchall():
            yield from rows
            number = rows[-1][0]
        for reader in reversed(self.segments[: bisect_left(self._ends, number - 1) + 1]):
            if reader.segment.first < number:
                yield from reader.rows_back(number)

    def of_kind(
        self, kind: str, newest_first: bool = False, passed: Callable[[Segment], bool] = lambda _: False
    ) -> Iterator[FoundEvent]:
        """The events of a kind, found by indexes, without segments that are `passed`."""
        found = partial(found_event, self._path)
        if not newest_first:
            for reader in self.segments:
                yield from map(found, reader.rows_of(kind))
        order = "DESC" if newest_first else "ASC"
        which = f"{starts_with('e.body', KINDS[kind])} AND e.id > ? ORDER BY e.id {order}"
        yield from self._live(which, self.closed)
        if newest_first:
            for reader in reversed(self.segments):
                if not passed(reader.segment):
                    yield from map(found, reversed(reader.rows_of(kind)))

    def texts_of(
        self, kinds: Iterable[str], after: int, before: int, passed: Callable[[Segment], bool] = lambda _: False
    ) -> Iterator[tuple[int, bytes]]:
        """Number and text of the events of these kinds between two events, newest first, unverified.

        A segment that is `passed` is not read.
        """
        kinds = {kind: INDEXED[kind] for kind in kinds}
        each = {kind: starts_with("body", opening) for kind, opening in kinds.items()}
        # SQLite takes an index for one condition, and none for several with OR between.
        conditions = [each.pop(kind) for kind in kinds if kind in FOUND_LIVE]
        conditions += [f"({' OR '.join(each.values())})"] if each else []
        live: list[tuple[int, bytes]] = []
        for condition in conditions:
            query = f"SELECT id, body FROM events WHERE id < ? AND id > ? AND {condition}"
            live += self._db.execute(query, (before, max(after, self.closed))).fetchall()
        yield from sorted(live, reverse=True)
        for reader in reversed(self.segments):
            if reader.segment.first >= before or reader.segment.last <= after or passed(reader.segment):
                continue
            for row in sorted((row for kind in kinds for row in reader.rows_of(kind)), reverse=True):
                if after < row[0] < before:
                    yield row[0], row[5]

    def where(
        self, condition: str, wanted: Callable[[bytes], bool], day: str | None = None, after: int = 0
    ) -> Iterator[FoundEvent]:
        """The events whose texts are `wanted`, as `texts_where`."""
        return (read() for _, read in self.texts_where(condition, wanted, day, after))

    def texts_where(
        self, condition: str, wanted: Callable[[bytes], bool], day: str | None = None, after: int = 0
    ) -> Iterator[tuple[bytes, Callable[[], FoundEvent]]]:
        """The texts that are `wanted`, oldest first, each with what verifies and reads its event, where that is asked.

        Those of a day, or all, and those after an event. Outside the segments `condition` holds of every one wanted.
        """
        for reader in self.segments[bisect_left(self._ends, after + 1) :]:
            earliest, latest = (time[:10] for time in reader.segment.times)
            if day is None or earliest <= day <= latest:
                for row in reader.rows(after):
                    if (day is None or row[1].startswith(day)) and wanted(row[5]):
                        yield row[5], partial(found_event, self._path, row)
        of_day = "" if day is None else " AND substr(e.time, 1, 10) = ?"
        live = max(after, self.closed)
        values = (live,) if day is None else (live, day)
        for row in self._db.execute(f"{_WITH_BEFORE} WHERE {condition} AND e.id > ?{of_day} ORDER BY e.id", values):
            if wanted(row[5]):
                yield row[5], partial(self._verified, row)

    @property
    def last(self) -> int:
        """The last event."""
        return head_of(self._db).event

    def rounds(self) -> tuple[int, int]:
        """The first and the last round whose first event is stored; 0 if there is none."""
        begun = [*self._begun_live]
        for segment in self.segments:
            begun += segment.segment.rounds or ()
        return min(begun, default=0), max(begun, default=0)

    def begins(self, round: int) -> int | None:
        """The event that begins a round, found by the segments' indexes; None if it is not stored."""
        for reader in self.segments:
            first, last = reader.segment.rounds or (1, 0)
            if first <= round <= last:
                return reader.begins(round)
        return self._begins_live(round)

    def _begins_live(self, round: int) -> int | None:
        """The first event of a round among the rows. Rounds begin in the order of their numbers, so only some rows are
        read.
        """
        begun_after = f"id > ? AND {starts_with('body', ROUND_BEGUN)} ORDER BY id LIMIT 1"
        low, high = self.closed, self.last
        while low < high:
            middle = (low + high) // 2
            number, body = self._db.execute(
                f"SELECT id, body FROM events WHERE {begun_after}", (middle,)
            ).fetchone() or (0, b"")
            begun = round_begun(body)
            if begun == round != 0:
                return int(number)
            low, high = (low, middle) if not begun or begun > round else (number, high)
        return None

    @cached_property
    def _begun_live(self) -> dict[int, int]:
        which = f"{starts_with('body', ROUND_BEGUN)} AND id > ? ORDER BY id"
        rows = self._db.execute(f"SELECT id, body FROM events WHERE {which}", (self.closed,))
        return {round_begun(body): number for number, body in rows}

    def round_begun_before(self, number: int) -> RoundBegun | None:
        """The last round that had begun before an event."""
        which = f"{starts_with('e.body', ROUND_BEGUN)} AND e.id < ? AND e.id > ? ORDER BY e.id DESC LIMIT 1"
        for _, _, begun in self._live(which, number, self.closed):
            if isinstance(begun, RoundBegun):
                return begun
        for reader in reversed(self.segments):
            if reader.segment.first < number and reader.segment.rounds is not None:
                for row in reader.rows_back(number):
                    if row[5].startswith(ROUND_BEGUN):
                        return msgspec.json.decode(row[5], type=RoundBegun)
        return None

    def _live(self, which: str, *values: Any) -> Iterator[FoundEvent]:
        yield from map(self._verified, self._db.execute(f"{_WITH_BEFORE} WHERE {which}", values))

    def _verified(self, row: SegmentRow) -> FoundEvent:
        """A row, after its hash was checked against that of the row before it."""
        number, time, boot, monotonic_ns, synchronised, body, sealed, hash, input, before = row
        stamp = Stamp(time=time, boot=boot, monotonic_ns=monotonic_ns, synchronised=bool(synchronised))
        if number == self.closed + 1:
            before = self._closed_hash
        if chained(before or GENESIS, number, stamp, body, sealed, input) != hash:
            raise JournalCorrupt(f"{self._path}: event {number} is not as it was written (hash chain)")
        return found_event(self._path, row)


def found_event(path: Path, row: SegmentRow) -> FoundEvent:
    """The number, the stamp and the event of a row. Raises JournalCorrupt."""
    number, time, boot, monotonic_ns, synchronised, body = row[:6]
    stamp = Stamp(time=time, boot=boot, monotonic_ns=monotonic_ns, synchronised=bool(synchronised))
    return number, stamp, read_event(path, number, body)


def read_event(path: Path, number: int, body: bytes) -> Event:
    """The event that a row has as text. Raises JournalCorrupt."""
    try:
        event: Event = decode_event(body)
    except msgspec.DecodeError as error:
        raise JournalCorrupt(f"{path}: event {number} cannot be read: {error}") from None
    return event


def meta_of(db: sqlite3.Connection) -> dict[str, bytes]:
    """The rows of `meta`: the identity of a journal, and its end."""
    return {key: bytes(value) for key, value in db.execute("SELECT key, value FROM meta")}


def head_of(db: sqlite3.Connection) -> Head:
    """The head of the journal, as the file has it."""
    [[content]] = db.execute("SELECT value FROM meta WHERE key = 'head'").fetchall()
    return msgspec.json.decode(content, type=Head)


def released_keys(db: sqlite3.Connection) -> dict[int, str]:
    """The keys that two persons have released, in hexadecimal, by round."""
    rows = db.execute("SELECT value FROM meta WHERE key = ?", (RELEASED,)).fetchall()
    return msgspec.json.decode(rows[0][0], type=dict[int, str]) if rows else {}


def pruned_of(db: sqlite3.Connection) -> tuple[int, bytes]:
    """The last deleted event of a journal, and its hash."""
    head = head_of(db)
    return head.pruned, head.pruned_hash


def segments_of(db: sqlite3.Connection, which: str = "", *values: int) -> list[Segment]:
    """A journal's rows about its segments, oldest first."""
    rows = db.execute(f"SELECT about FROM segments {which} ORDER BY last", values)
    return [decode_segment(about) for (about,) in rows]
