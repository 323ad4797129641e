"""A whole journal verified at once, beside the station that writes it or in a copy. Only reads. All calls block."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from controller.journal import guards
from controller.journal.creation import FORMAT_1
from controller.journal.reading import opened
from controller.journal.records import Epoch, Head, JournalCorrupt
from controller.journal.restoring import check_pages
from controller.journal.sealing import Seal
from controller.journal.segments import Row
from controller.journal.store import epochs_of
from controller.journal.verifying import Walk, begin, check_end, check_segments, walk_on

AT_ONCE = 1000  # events, between two reports

Report = Callable[[int, int], None]
"""How many events are done, and of how many."""


class Audited(msgspec.Struct, frozen=True):
    """A journal that is as it was written; `mac` says whether that was verified with its key as well.

    Of so many events those up to `pruned` are kept no longer.
    """

    journal: str
    events: int
    pruned: int
    sequence: int
    mac: bool
    begun_by: tuple[str, ...]
    epochs: tuple[Epoch, ...] = ()


def audit(path: Path, mode: str, seal: Seal | None, report: Report) -> Audited:
    """Verify everything; `report` hears how many events are done, and of how many.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    with opened(path, mode) as (db, uuid):
        meta = {key: bytes(value) for key, value in db.execute("SELECT key, value FROM meta")}
        head = _head(path, meta)
        if meta["format"] != FORMAT_1:
            guards.check(path, db, seal, meta, head)
        check_pages(path, db, ())
        check_segments(path, db)
        walk = begin(path, db)
    for _ in _walked(path, mode, walk, head.event, report):
        pass
    check_end(path, walk, (head.event, head.hash, head.edge))
    begun_by = json.loads(meta["begun_by"])["persons"] if "begun_by" in meta else {}
    verified = seal is not None and meta["format"] != FORMAT_1
    return Audited(
        journal=uuid,
        events=head.event,
        pruned=head.pruned,
        sequence=head.sequence,
        mac=verified,
        begun_by=tuple(begun_by),
        epochs=tuple(epochs_of(meta)),
    )


def rows(path: Path, mode: str, report: Report, after: tuple[int, bytes] | None = None) -> Iterator[Row]:
    """The events of a journal, oldest first, as far as they are kept: each verified, up to where it ends now.

    `after` is an event with its hash, where not all are wanted. Raises as `audit`.
    """
    with opened(path, mode) as (db, _):
        head = _head(path, {"head": bytes(db.execute("SELECT value FROM meta WHERE key = 'head'").fetchone()[0])})
        walk = begin(path, db)
    if after is not None:
        walk.event, walk.hash = after
        walk.told, walk.tree = walk.base, None  # what says so may lie before, and so do the tree's leaves
    yield from _walked(path, mode, walk, head.event, report)
    check_end(path, walk, (head.event, head.hash, head.edge))


def _walked(path: Path, mode: str, walk: Walk, last: int, report: Report) -> Iterator[Row]:
    # In slices: a station is not kept from beginning its log again for as long as this takes.
    while walk.event < last:
        report(walk.event, last)
        with opened(path, mode) as (db, _):
            found = walk_on(path, db, walk, min(AT_ONCE, last - walk.event))
        if not found:
            break
        yield from found
    report(walk.event, last)


def _head(path: Path, meta: dict[str, bytes]) -> Head:
    try:
        return msgspec.json.decode(meta["head"], type=Head)
    except (KeyError, ValueError):
        raise JournalCorrupt(f"{path}: the head of the chain cannot be read") from None
