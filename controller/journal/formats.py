"""A journal that an earlier station wrote, made one of today's, once it has shown to be as it was written."""

import sqlite3
from pathlib import Path

import msgspec

from controller.files import copy_whole
from controller.journal import guards
from controller.journal.chain import verified
from controller.journal.creation import ASK_AGAIN, FORMAT, INDEXES, SEGMENTS, TREE, WITH_SEGMENTS
from controller.journal.past import Past, segments_of
from controller.journal.records import GENESIS, NOTHING, Head, JournalCorrupt
from controller.journal.restoring import check_pages, opened, rows_after
from controller.journal.sealing import Seal
from controller.journal.sql import transaction
from controller.journal.tree import Growing, Subtree, keep


def bring_over(
    path: Path, db: sqlite3.Connection, seal: Seal, meta: dict[str, bytes], head: Head
) -> tuple[dict[str, bytes], Head]:
    """The rows of `meta` and the head of one of the first format from now on; a copy of it as it was is kept.

    Raises JournalCorrupt or OSError. Nothing of it lies in the log: whoever opened it has carried the log over.
    """
    was = meta["format"].decode()
    check_pages(path, db, ())
    sealed = None
    tree = Growing(0, b"")
    subtrees: list[Subtree] = []
    for link in rows_after(path, db, 0, GENESIS, head):
        sealed = sealed if link.sealed is None else (link.number, link.sealed)
        subtrees += tree.add(link.hash)
    if sealed is not None:
        opened(path, seal, meta["uuid"].decode(), *sealed)  # is this the key?
    [[oldest]] = db.execute("SELECT min(sequence) FROM outbox").fetchall()
    acknowledged = head.sequence if oldest is None else oldest - 1
    head = msgspec.structs.replace(
        head,
        acknowledged=acknowledged,
        filed=acknowledged,
        outbox_sum=guards.sum_of(db, "outbox"),
        answers_sum=guards.sum_of(db, "answers"),
        marks_sum=guards.sum_of(db, "marks"),
        edge=tree.edge,
    )
    guards.check_outbox(path, db, head)
    meta = {**meta, "format": FORMAT, "key": guards.key_of(seal, meta["uuid"]), "head": msgspec.json.encode(head)}
    meta["mac"] = guards.mac_of(seal, meta)
    copy_whole(path, path.with_name(f"{path.name}.format-{was}-event-{head.event}"))
    with transaction(db):
        db.execute("DELETE FROM snapshots")  # their checksums are of the earlier format: folded once more
        for statement in (SEGMENTS, TREE, *ASK_AGAIN, *INDEXES):
            db.execute(statement)
        keep(db, subtrees)
        db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(meta.items()))
    return meta, head


def with_tree(
    path: Path, db: sqlite3.Connection, seal: Seal, meta: dict[str, bytes], head: Head
) -> tuple[dict[str, bytes], Head]:
    """The rows of `meta` and the head of one of the second or third format from now on; a copy as it was is kept.

    Every event that is kept is verified for its tree. Raises JournalCorrupt or OSError.
    """
    tree = Growing(0, b"")
    subtrees: list[Subtree] = []
    segments = {one.last: one for one in segments_of(db)}
    for link in verified(path, Past(path, db).after(head.pruned), head.pruned, head.pruned_hash):
        subtrees += tree.add(link.hash)
        if link.number in segments:
            segments[link.number] = msgspec.structs.replace(segments[link.number], edge=tree.edge)
    if tree.leaves != head.event - head.pruned:
        raise JournalCorrupt(f"{path}: the journal ends at event {head.pruned + tree.leaves}, not at {head.event}")
    copy_whole(path, path.with_name(f"{path.name}.format-{meta['format'].decode()}-event-{head.event}"))
    taken_up = [(last, msgspec.json.encode(segment)) for last, segment in segments.items()]
    sum = guards.plus(NOTHING, taken_up)
    head = msgspec.structs.replace(
        head, tree_base=head.pruned, edge=tree.edge, segments_sum=sum, filed=head.acknowledged
    )
    statements = (TREE, *ASK_AGAIN) if meta["format"] in WITH_SEGMENTS else (SEGMENTS, TREE, *ASK_AGAIN)
    meta = {**meta, "format": FORMAT, "head": msgspec.json.encode(head)}
    meta["mac"] = guards.mac_of(seal, meta)
    with transaction(db):
        for statement in statements:
            db.execute(statement)
        keep(db, subtrees)
        db.executemany("INSERT OR REPLACE INTO segments VALUES (?, ?)", taken_up)
        rows = [(meta[key], key) for key in ("format", "head", "mac")]
        db.executemany("UPDATE meta SET value = ? WHERE key = ?", rows)
    return meta, head


def with_messages(
    path: Path, db: sqlite3.Connection, seal: Seal, meta: dict[str, bytes], head: Head
) -> tuple[dict[str, bytes], Head]:
    """The rows of `meta` and the head of one of the fourth format from now on; a copy as it was is kept.

    Raises OSError.
    """
    copy_whole(path, path.with_name(f"{path.name}.format-{meta['format'].decode()}-event-{head.event}"))
    head = msgspec.structs.replace(head, filed=head.acknowledged)
    meta = {**meta, "format": FORMAT, "head": msgspec.json.encode(head)}
    meta["mac"] = guards.mac_of(seal, meta)
    with transaction(db):
        for statement in ASK_AGAIN:
            db.execute(statement)
        rows = [(meta[key], key) for key in ("format", "head", "mac")]
        db.executemany("UPDATE meta SET value = ? WHERE key = ?", rows)
    return meta, head
