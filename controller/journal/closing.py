"""Closing: old rounds' events and older messages are moved into files in the journal's folder.

First the segment is written to the disk and read back; then a write of its own registers it in the journal; only then
its rows are deleted from the journal's file, some at a time. If the power is cut in between, either the segment is not
registered and is written again, or the rows that remain are ignored. The same applies to messages.
"""

import os
import re
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Generic, TypeVar

from controller.journal import message_files
from controller.journal.background import Background
from controller.journal.chain import COLUMNS, verified
from controller.journal.creation import ROUND_BEGUN, starts_with
from controller.journal.message_files import MessageFile, files_of
from controller.journal.past import head_of, meta_of, segments_of
from controller.journal.records import JournalCorrupt, JournalUnavailable, OutboxRow, Stamp, epochs_of
from controller.journal.segments import Segment, SegmentReader, SegmentRow, write_segment
from controller.journal.sql import journal_errors, snapshot

MESSAGES = 2000  # of a file; as many and up to twice as many stay in the journal's own
EVENTS = 50_000  # of a segment at most; the journal's own file keeps as many and up to twice as many
LOOK_SECONDS = 5.0
SOON_SECONDS = 0.2  # after a file was written, since there may be more to write
SLICE = 100  # events: under a millisecond
PAUSE_SECONDS = 0.01  # between two slices
STILL_READ_SECONDS = 600.0  # someone may still read what was pruned

SEGMENT_FILES, MESSAGE_FILES = r"segment\.new|\d{12,}-\d{12,}\.zst", r"messages\.new|messages\.\d{12,}-\d{12,}\.zst"

Pause = Callable[[], None]
Lapsed = tuple[int, Stamp]
"""The last message that is deleted, and the time of that decision."""
File = TypeVar("File")
Old = TypeVar("Old")


def close_segment(path: Path, pause: Pause = lambda: None, events: int = 0) -> Segment | None:
    """Writes the oldest events that are due as a segment; None if none are due. Raises JournalUnavailable or
    JournalCorrupt.
    """
    with journal_errors(path):
        found = _due(path, events or EVENTS)
        if found is None:
            return None
        before, first, last = found
        segment = write_segment(path, before, _rows(path, before, first, last, pause))
        reader = SegmentReader(path, segment)
        for at in range(len(reader.index.blocks)):
            reader.block(at)
            pause()
        return segment


def remove_left_over(path: Path, files: str = f"{SEGMENT_FILES}|{MESSAGE_FILES}") -> None:
    """Removes files of a kind that were never registered, or have expired. Raises JournalUnavailable."""
    with journal_errors(path):
        with snapshot(path) as db:
            known = {segment.file(path).name for segment in segments_of(db)}
            known |= {file.file(path).name for file in files_of(db)}
        pattern = re.compile(rf"{re.escape(path.name)}\.({files})")
        for file in sorted(path.parent.iterdir()):
            if pattern.fullmatch(file.name) and file.name not in known:
                os.unlink(file)


def _due(path: Path, events: int) -> tuple[bytes, int, int] | None:
    """The hash before the events that are due, the first of these events and the last."""
    with snapshot(path) as db:
        head = head_of(db)
        if head.event - head.closed < 2 * events:
            return None
        [[oldest]] = db.execute("SELECT min(event) FROM snapshots").fetchall()  # a start may continue from
        most = min(head.closed + events, (oldest or 0) - 1)
        whole = f"{starts_with('body', ROUND_BEGUN)} AND id > ? AND id <= ? ORDER BY id DESC LIMIT 1"
        begun = db.execute(f"SELECT id FROM events WHERE {whole}", (head.closed + 1, most + 1)).fetchone()
        last = most if begun is None or begun[0] - 1 - head.closed < events // 2 else begun[0] - 1
        if last - head.closed < events // 2:
            return None
        segments = segments_of(db, "WHERE last = (SELECT max(last) FROM segments)")
    return segments[0].hash if segments else head.pruned_hash, head.closed + 1, last


def _rows(path: Path, before: bytes, first: int, last: int, pause: Pause) -> Iterator[SegmentRow]:
    after, hash = first - 1, before
    while after < last:
        page = f"SELECT {COLUMNS} FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT {SLICE}"
        with snapshot(path) as db:
            rows = db.execute(page, (after, last)).fetchall()
        if not rows:
            raise JournalCorrupt(f"{path}: event {after + 1} is not as it was written (hash chain)")
        for link in verified(path, rows, after, hash):
            after, hash = link.number, link.hash
        yield from rows
        pause()


def close_messages(path: Path, time: str, pause: Pause = lambda: None, messages: int = 0) -> MessageFile | None:
    """Write the oldest messages as a file, whether the broker has them or not; None while they are few.

    `time` is now, UTC. Raises JournalUnavailable or JournalCorrupt.
    """
    messages = messages or MESSAGES
    with journal_errors(path):
        with snapshot(path) as db:
            head, epochs = head_of(db), len(epochs_of(meta_of(db)))
            if head.sequence - head.filed < 2 * messages:
                return None
            page = "SELECT sequence, topic, payload FROM outbox WHERE sequence > ? AND sequence <= ? ORDER BY sequence"
            found = db.execute(page, (head.filed, head.filed + messages)).fetchall()
        rows = [OutboxRow(*row) for row in found]
        file = message_files.write_messages(path, head.filed + 1, head.filed + messages, rows, time, epochs, pause)
        message_files.read_message_file(path, file)
        return file


class _Stopped(Exception):
    """The station stops while a segment is written."""


class Closer(Background, Generic[File, Old]):
    """A thread that writes files of one kind when they are due, and finds those that have expired.

    `files` is the pattern of their names. `close` writes the next file that is due, `take_up` receives it, in the
    thread, and `taken_up` reports when that was done. What has `expired` is given to `on_expired`, again until it is
    gone from the journal; its files are removed later. `on_broken` is called once.
    """

    def __init__(
        self,
        path: Path,
        files: str,
        close: Callable[[Pause], File | None],
        take_up: Callable[[File], None],
        taken_up: Callable[[], bool],
        expired: Callable[[], Old | None],
        on_expired: Callable[[Old], None],
        on_broken: Callable[[JournalCorrupt], None],
        on_defect: Callable[[Exception], None],
    ) -> None:
        super().__init__("journal closer", on_defect)
        self._path = path
        self._files = files
        self._close_next = close
        self._take_up = take_up
        self._taken_up = taken_up
        self._expired = expired
        self._on_expired = on_expired
        self._on_broken = on_broken
        self._expired_at = -inf

    def _run(self) -> None:
        pause = LOOK_SECONDS
        try:
            while not self._stopping.wait(pause):
                pause = SOON_SECONDS if not self._taken_up() or self._close() else LOOK_SECONDS
        except _Stopped:
            pass
        except JournalCorrupt as broken:
            self._on_broken(broken)

    def _close(self) -> bool:
        """Writes a file if one is due; returns whether it did."""
        try:
            old = self._expired()
            if old is not None:
                self._expired_at = time.monotonic()
                self._on_expired(old)
            elif time.monotonic() - self._expired_at >= STILL_READ_SECONDS:
                remove_left_over(self._path, self._files)
            file = self._close_next(self._pause)
        except JournalUnavailable:
            return False  # tried again; the table notices for itself that its disk fails
        if file is not None:
            self._take_up(file)
        return file is not None

    def _pause(self) -> None:
        if self._stopping.wait(PAUSE_SECONDS):
            raise _Stopped
