"""The Merkle tree over the events as a journal keeps it: its edge in the head, a few subtrees in a table, no leaves.

The data of a leaf is the hash of an event's row, so that anyone who has the rows has the leaves. All calls block.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from controller.journal.past import Past, head_of
from controller.journal.reading import opened_journal
from controller.journal.records import Head, JournalCorrupt
from controller.tlog import merkle
from controller.tlog.notes import Checkpoint

KEPT = 8  # one hash is kept for each 256 leaves, one more for each 256 of those, and so on
BLOCK = 1 << KEPT

Subtree = tuple[int, int, bytes]
"""A row of `tree`: level, place and hash of a stored subtree."""


class NotKept(Exception):
    """A proof needs an event that has been deleted."""


class NotProved(Exception):
    """An event is not in the tree of a checkpoint, or that cannot be proved."""


class Growing:
    """A tree to which events are added."""

    def __init__(self, leaves: int, edge: bytes) -> None:
        self.leaves = leaves
        self.edge = edge

    def add(self, hash: bytes) -> Iterator[Subtree]:
        """Adds the event whose row has this hash; returns the subtrees to store."""
        at, self.leaves = self.leaves, self.leaves + 1
        whole = merkle.completed(at, self.edge, merkle.leaf(hash))
        self.edge = merkle.grown(self.edge, whole)
        for level in range(KEPT, len(whole), KEPT):
            yield level, at >> level, whole[level]


def store_subtrees(db: sqlite3.Connection, rows: Iterable[Subtree]) -> None:
    """Write subtrees into the table."""
    db.executemany("INSERT INTO tree VALUES (?, ?, ?)", rows)


def kept(db: sqlite3.Connection, level: int, place: int) -> bytes | None:
    """A subtree that is in the table."""
    row = db.execute("SELECT hash FROM tree WHERE level = ? AND place = ?", (level, place)).fetchone()
    return None if row is None else row[0]


class Subtrees:
    """The subtrees of a journal as a connection sees it, by level and place. Raises NotKept or JournalCorrupt."""

    def __init__(self, path: Path, db: sqlite3.Connection, head: Head) -> None:
        self._db = db
        self._head = head
        self._past = Past(path, db)
        self._known: dict[tuple[int, int], bytes] = {}
        first, size = 0, head.pruned
        edge = [head.pruned_edge[at : at + merkle.HASH_BYTES] for at in range(0, len(head.pruned_edge), 32)]
        for hash in edge:
            level = (size - first).bit_length() - 1
            self._known[level, first >> level] = hash
            first += 1 << level

    def __call__(self, level: int, place: int) -> bytes:
        found = self._known.get((level, place))
        if found is None and level and level % KEPT == 0:
            found = kept(self._db, level, place)
        if found is None and level == 0:
            self._read(place // BLOCK * BLOCK)
            found = self._known.get((0, place))
            if found is None:
                raise NotKept(f"event {place + 1} is kept no longer")
        if found is None:
            found = merkle.node(self(level - 1, 2 * place), self(level - 1, 2 * place + 1))
        self._known[level, place] = found
        return found

    def _read(self, first: int) -> None:
        for row in self._past.after(max(first, self._head.pruned)):
            if row[0] > first + BLOCK:
                break
            self._known[0, row[0] - 1] = merkle.leaf(row[7])

    def edge(self, leaves: int) -> bytes:
        """The edge of the tree at this number of leaves."""
        return merkle.edge_of(self, leaves)


class Proof(msgspec.Struct, frozen=True):
    """The proof that an event is the leaf with this index in a tree with this size and root."""

    index: int
    size: int
    root: bytes
    path: tuple[bytes, ...]


def prove_event(path: Path, mode: str, event: int, size: int | None = None) -> Proof:
    """The proof that an event is in the tree, at its present size or at an earlier `size`.

    Raises NotKept, LookupError where there is no such event, and as `opened_journal`.
    """
    with opened_journal(path, mode) as (db, _):
        head = head_of(db)
        size = head.event if size is None else size
        index = event - 1
        if not 0 <= index < size <= head.event:
            raise LookupError(f"event {event} is not in a tree of {size} leaves of {path}")
        found = Subtrees(path, db, head)
        return Proof(index, size, merkle.root(found.edge(size)), tuple(merkle.inclusion(found, index, size)))


def proved(path: Path, mode: str, event: int, checkpoint: Checkpoint) -> Proof:
    """The proof that an event is in the tree of this checkpoint. Raises NotProved, and as `opened_journal`."""
    try:
        found = prove_event(path, mode, event, checkpoint.size)
    except (LookupError, NotKept) as missing:
        raise NotProved(str(missing)) from None
    if found.root != checkpoint.root:
        raise NotProved(f"the tree of {path} had another root when it had {checkpoint.size} leaves")
    return found


def check_kept(path: Path, db: sqlite3.Connection, rows: Iterable[Subtree]) -> None:
    """Whether these subtrees are in the table. Raises JournalCorrupt."""
    for level, place, hash in rows:
        if kept(db, level, place) != hash:
            raise JournalCorrupt(f"{path}: subtree {place} of level {level} is not as it was written (tree)")
