"""A whole journal verified at once, beside the station that writes it or in a copy. Only reads. All calls block."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from controller.journal import guards
from controller.journal.creation import check_schema
from controller.journal.past import meta_of, segments_of
from controller.journal.reading import opened_journal
from controller.journal.records import Epoch, Head, JournalCorrupt, JournalUnavailable, epochs_of
from controller.journal.restoring import check_pages
from controller.journal.sealing import Seal
from controller.journal.segments import SegmentRow
from controller.journal.verifying import (
    Place,
    Walk,
    _End,
    begin_behind,
    begin_walk,
    check_end,
    check_head,
    check_segments,
    walk_on,
)
from controller.system.processes import beside

AT_ONCE = 1000  # events, between two reports

Report = Callable[[int, int], None]
"""The number of events that are done, and the total."""

Part = TypeVar("Part", contravariant=True)
Done = TypeVar("Done", covariant=True)


class Work(Protocol[Part, Done]):
    """The work of a process on one part."""

    def __call__(self, part: Part, /, report: Report = ...) -> Done: ...


def unreported(done: int, total: int) -> None:
    """The progress report of a caller who wants none."""


def reported_beside(
    work: Work[Part, Done], parts: Sequence[Part], report: Report, after: int, until: int, last: int
) -> list[Done]:
    """The result of `work` for each part, each in its own process, as `beside`, with a report of the progress.

    Only the first part, with the events from `after` to `until`, is watched. The report assumes that the others are as
    far, so that all parts together reach `last`.
    """

    def progress(done: int, _: int) -> None:
        report(min(last, after + (done - after) * (last - after) // max(1, until - after)), last)

    done = beside(work, parts[0], parts[1:], partial(work, report=progress))
    report(last, last)
    return done


class Audited(msgspec.Struct, frozen=True):
    """A verified journal; `mac` says whether it was also verified with its key.

    The events up to `pruned` have been deleted.
    """

    journal: str
    events: int
    pruned: int
    sequence: int
    mac: bool
    begun_by: tuple[str, ...]
    epochs: tuple[Epoch, ...] = ()


class AuditPart(msgspec.Struct, frozen=True):
    """Consecutive events: those after the start of a walk, up to the `last`."""

    path: Path
    mode: str
    walk: Walk
    last: int


def audit(path: Path, mode: str, seal: Seal | None, report: Report, processes: int = 1) -> Audited:
    """Verify everything; `report` receives how many events are done, and of how many.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    with opened_journal(path, mode) as (db, uuid):
        meta = meta_of(db)
        head = _head(path, meta)
        guards.check_guards(path, db, seal, meta, head)
        walks, seams = _walks(path, db, head, processes)
        check_schema(path, db)
        check_pages(path, db, ())
        check_segments(path, db)
        begun_by = msgspec.json.decode(meta["begun_by"], type=Epoch).persons if "begun_by" in meta else {}
        epochs = epochs_of(meta)
    end = head.event, head.hash, head.edge
    parts = [AuditPart(path, mode, walk, until) for walk, (until, *_) in zip(walks, [*seams, end], strict=True)]
    *walks, last = reported_beside(_verified, parts, report, head.pruned, parts[0].last, head.event)
    for walk, seam in zip(walks, seams, strict=True):
        if walk.event <= seam[0]:  # else some of the next one are kept no longer by now
            check_head(path, walk, seam)
    last.seen = max(walk.seen for walk in (*walks, last))
    check_end(path, last, end)
    return Audited(
        journal=uuid,
        events=head.event,
        pruned=head.pruned,
        sequence=head.sequence,
        mac=seal is not None,
        begun_by=tuple(begun_by),
        epochs=tuple(epochs),
    )


def check_rows(path: Path, mode: str, seal: Seal) -> None:
    """Verify the rows of a journal's file other than events, and the files in its folder. Raises as `audit`."""
    with opened_journal(path, mode) as (db, _):
        meta = meta_of(db)
        guards.check_guards(path, db, seal, meta, _head(path, meta))


def _walks(path: Path, db: sqlite3.Connection, head: Head, processes: int) -> tuple[list[Walk], list[_End]]:
    """A walk for each process, from the first event that is kept and from behind segments, and the seams between."""
    walks, seams = [begin_walk(path, db)], []
    segments = segments_of(db)
    for share in range(1, processes):
        wanted = head.pruned + (head.event - head.pruned) * share // processes
        before = min(segments, key=lambda segment: abs(segment.last - wanted), default=None)
        if before is not None and before.last > walks[-1].event:
            walks.append(begin_behind(path, db, before))
            seams.append((before.last, before.hash, before.edge))
    return walks, seams


def _verified(part: AuditPart, report: Report = unreported) -> Walk:
    for _ in _walked(part.path, part.mode, part.walk, part.last, report):
        pass
    part.walk.reader = None
    return part.walk


def rows(
    path: Path, mode: str, report: Report, after: Place | None = None, by: Place | None = None
) -> Iterator[SegmentRow]:
    """The events of a journal, oldest first, as far as they are kept: each verified, up to where it ends now.

    `after` is the event to begin after, if not all are wanted; `by` is an event that must be among them. No event is
    missing between two rows: if some were pruned during the read, this raises JournalUnavailable. Raises as `audit`.
    """
    with opened_journal(path, mode) as (db, _):
        head = _head(path, meta_of(db))
        walk = begin_walk(path, db)
    if after is not None:
        walk.event, walk.hash = after
        walk.seen, walk.tree = walk.base, None  # what says so may be before, and so do the tree's leaves
    expected = walk.event + 1
    for found in _walked(path, mode, walk, head.event, report):
        first, last = found[0][0], found[-1][0]
        if first != expected:
            raise JournalUnavailable(f"{path}: events {expected} to {first - 1} were pruned while they were read")
        if by is not None and first <= by[0] <= last and found[by[0] - first][7] != by[1]:
            raise JournalCorrupt(f"{path}: event {by[0]} is not the one that was written (hash chain)")
        yield from found
        expected = last + 1
    check_end(path, walk, (head.event, head.hash, head.edge))


def _walked(path: Path, mode: str, walk: Walk, last: int, report: Report) -> Iterator[list[SegmentRow]]:
    # In slices: a station is not kept from beginning its log again for as long as this takes.
    while walk.event < last:
        report(walk.event, last)
        until, found = min(walk.event + AT_ONCE, last), []
        with opened_journal(path, mode) as (db, _):
            while walk.event < until and (more := walk_on(path, db, walk, until - walk.event)):
                found += more
        if not found:
            break
        yield found
    report(walk.event, last)


def _head(path: Path, meta: dict[str, bytes]) -> Head:
    try:
        return msgspec.json.decode(meta["head"], type=Head)
    except (KeyError, ValueError):
        raise JournalCorrupt(f"{path}: the head of the chain cannot be read") from None
