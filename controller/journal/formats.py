"""A journal that an earlier station wrote, made one of today's, once it has shown to be as it was written."""

import sqlite3
from pathlib import Path

import msgspec

from controller.files import copy_whole
from controller.journal import guards
from controller.journal.creation import FORMAT, INDEXES, SEGMENTS
from controller.journal.records import GENESIS, Head
from controller.journal.restoring import check_pages, opened, rows_after
from controller.journal.sealing import Seal
from controller.journal.sql import transaction


def bring_over(
    path: Path, db: sqlite3.Connection, seal: Seal, meta: dict[str, bytes], head: Head
) -> tuple[dict[str, bytes], Head]:
    """The rows of `meta` and the head of one of the first format from now on; a copy of it as it was is kept.

    Raises JournalCorrupt or OSError. Nothing of it lies in the log: whoever opened it has carried the log over.
    """
    was = meta["format"].decode()
    check_pages(path, db, ())
    sealed = None
    for link in rows_after(path, db, 0, GENESIS, head):
        sealed = sealed if link.sealed is None else (link.number, link.sealed)
    if sealed is not None:
        opened(path, seal, meta["uuid"].decode(), *sealed)  # is this the key?
    [[oldest]] = db.execute("SELECT min(sequence) FROM outbox").fetchall()
    head = msgspec.structs.replace(
        head,
        acknowledged=head.sequence if oldest is None else oldest - 1,
        outbox_sum=guards.sum_of(db, "outbox"),
        answers_sum=guards.sum_of(db, "answers"),
        marks_sum=guards.sum_of(db, "marks"),
    )
    guards.check_outbox(path, db, head)
    meta = {**meta, "format": FORMAT, "key": guards.key_of(seal, meta["uuid"]), "head": msgspec.json.encode(head)}
    meta["mac"] = guards.mac_of(seal, meta)
    copy_whole(path, path.with_name(f"{path.name}.format-{was}-event-{head.event}"))
    with transaction(db):
        db.execute("DELETE FROM snapshots")  # their checksums are of the earlier format: folded once more
        for statement in (SEGMENTS, *INDEXES):
            db.execute(statement)
        db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(meta.items()))
    return meta, head


def with_segments(
    path: Path, db: sqlite3.Connection, seal: Seal, meta: dict[str, bytes], head: Head
) -> dict[str, bytes]:
    """The rows of `meta` of one of the second format from now on; a copy of it as it was is kept. Raises OSError."""
    copy_whole(path, path.with_name(f"{path.name}.format-{meta['format'].decode()}-event-{head.event}"))
    meta = {**meta, "format": FORMAT}
    meta["mac"] = guards.mac_of(seal, meta)
    with transaction(db):
        db.execute(SEGMENTS)
        db.executemany("UPDATE meta SET value = ? WHERE key = ?", [(meta[key], key) for key in ("format", "mac")])
    return meta
