"""The Merkle tree over a journal's events, as a third party computes it; a journal that was forged without its key."""

import hashlib
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.state.applied import apply
from controller.engine.state.events import DeviceReported
from controller.engine.state.table import Table
from controller.journal import guards
from controller.journal import tree as tree_module
from controller.journal.auditing import audit
from controller.journal.past import Past, head_of, segments_of
from controller.journal.reading import opened_journal
from controller.journal.records import Head, JournalCorrupt, JournalEntry
from controller.journal.sealing import Seal
from controller.journal.segments import Block, Index, SegmentReader, zstd
from controller.journal.store import Journal
from controller.journal.tree import NotKept, Subtrees, prove_event
from controller.queries.register import register
from controller.tlog import merkle
from tests.journal.keeping import KEY, batch, close_segments, open_journal, prune, tamper
from tests.journal.test_journal_segments import IDENTITY, SEAMS, walks, write_closed
from tests.tlog import naive_tree

EVENTS = 100  # of a segment
MODE = "simulation"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """One hash is kept for each 8 leaves and for each 64, so that a small journal has several of each."""
    monkeypatch.setattr(tree_module, "KEPT", 3)
    monkeypatch.setattr(tree_module, "BLOCK", 8)


def noises(journal: Journal, table: Table, events: int, at_once: int = 7) -> Table:
    """So many events more, some at once, with snapshots."""
    for first in range(0, events, at_once):
        happened = [
            DeviceReported(device="slots", what="noise", details=f"{table.version + number}")
            for number in range(min(at_once, events - first))
        ]
        for event in happened:
            table = apply(table, event)
        journal.commit(batch([JournalEntry(event=event) for event in happened], snapshot=table))
    return table


def head(path: Path) -> Head:
    with opened_journal(path, MODE) as (db, _):
        return head_of(db)


def leaves(path: Path) -> list[bytes]:
    """The leaves' data as anyone who has the rows finds them."""
    with opened_journal(path, MODE) as (db, _):
        return [row[7] for row in Past(path, db).after(0)]


def verify(path: Path, seal: Seal | None = None) -> None:
    audit(path, MODE, seal, lambda *_: None)


def test_the_tree_is_the_one_over_the_rows_through_restarts_segments_and_pruning(tmp_path: Path) -> None:
    path, table, gone = tmp_path / "j.db", Table(), list[bytes]()
    for wave in range(3):
        with closing(open_journal(path)) as journal:
            table = journal.restore().table
            table = noises(journal, table, 230)
            close_segments(journal, EVENTS)
            every = [*gone, *leaves(path)]
            assert merkle.root(head(path).edge) == naive_tree.tree_hash(every)
            with opened_journal(path, MODE) as (db, _):
                for segment in segments_of(db):
                    assert merkle.root(segment.edge) == naive_tree.tree_hash(every[: segment.last])
            _proofs_are_those_of_the_definition(path, every, kept_from=len(gone), chance=Random(wave))
            if wave:
                prune(journal)
                gone = every[: head(path).pruned]
        verify(path, Seal(KEY))
    assert len(gone) > 400


def _proofs_are_those_of_the_definition(path: Path, every: list[bytes], kept_from: int, chance: Random) -> None:
    root = naive_tree.tree_hash(every)
    with opened_journal(path, MODE) as (db, _):
        found = Subtrees(path, db, head_of(db))
        for _ in range(12):
            event = chance.randint(kept_from + 1, len(every))
            size = chance.randint(event, len(every))
            proof = prove_event(path, MODE, event, size)
            assert list(proof.path) == naive_tree.path(event - 1, every[:size])
            leaf = merkle.leaf(every[event - 1])
            assert merkle.includes(leaf, proof.index, proof.size, proof.path, proof.root)
            proof_between = merkle.consistency(found, size, len(every))
            assert proof_between == naive_tree.proof(size, every)
            assert merkle.extends(size, proof.root, len(every), root, proof_between)


def test_what_is_kept_no_longer_is_not_proved_and_what_is_not_there_is_no_event(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(open_journal(path)) as journal:
        noises(journal, Table(), 400)
        close_segments(journal, EVENTS)
        prune(journal)
    pruned = head(path).pruned
    with pytest.raises(NotKept, match="is kept no longer"):
        prove_event(path, MODE, pruned - 1)
    for event in (0, head(path).event + 1):
        with pytest.raises(LookupError, match="is not in a tree of"):
            prove_event(path, MODE, event)
    prove_event(path, MODE, pruned + 1)


def test_a_commit_that_failed_leaves_no_leaf(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(open_journal(path)) as journal:
        table = noises(journal, Table(), 7)
        with pytest.raises(JournalCorrupt):
            journal.commit(
                batch(
                    [JournalEntry(event=DeviceReported(device="slots", what="noise", details="x"))] * 2,
                    outbox=[(1, b""), (1, b"")],
                )
            )
        noises(journal, table, 7)
    assert merkle.root(head(path).edge) == naive_tree.tree_hash(leaves(path))
    verify(path)


CHANGES = {
    "the edge": "UPDATE meta SET value = CAST(json_set(value, '$.edge', '{other}') AS BLOB) WHERE key = 'head'",
    "no edge": "UPDATE meta SET value = CAST(json_remove(value, '$.edge') AS BLOB) WHERE key = 'head'",
    "another edge": "UPDATE meta SET value = CAST(json_set(value, '$.pruned_edge', 'AA==') AS BLOB) WHERE key = 'head'",
    "a subtree": "UPDATE tree SET hash = zeroblob(32) WHERE level = 3 AND place = 4",
    "a higher subtree": "UPDATE tree SET hash = zeroblob(32) WHERE level = 6 AND place = 1",
    "no subtree": "DELETE FROM tree WHERE level = 3 AND place = 20",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_to_the_tree_is_noticed_without_the_key(tmp_path: Path, change: str) -> None:
    path = tmp_path / "j.db"
    with closing(open_journal(path)) as journal:
        noises(journal, Table(), 250)
        close_segments(journal, EVENTS)
    tamper(path, (CHANGES[change].replace("{other}", "A" * 43 + "="), ()))
    with pytest.raises(JournalCorrupt, match="tree"):
        verify(path)


__all__ = ["walks"]
pytestmark = pytest.mark.usefixtures("walks")

DEEP = 10**5
EVENT = b'[%d,"2026-01-01T00:00:00.000Z","boot",1,true,%s,null]\n'
TEXTS = {
    "no JSON": b"x\n",
    "no text": b'[1,"\xff","boot",1,true,{},null]\n',
    "another shape": b"[]\n",
    "nested too deep": EVENT % (1, b"[" * DEEP + b"]" * DEEP),
    "a number too large": EVENT % (1 << 70, b"{}"),
}
FAR = 1 << 60


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    write_closed(path)
    return path


def index_of(path: Path) -> Index:
    with opened_journal(path, "simulation") as (db, _):
        return SegmentReader(path, segments_of(db)[0]).index


def forge(path: Path, text: bytes | None = None, index: bytes | None = None, **about: Any) -> None:
    """Put another first segment in the place of the one that was written."""
    known = index_of(path)
    with opened_journal(path, "simulation") as (db, _):
        head, first = head_of(db), segments_of(db)[0]
        before = [*guards.guarded_rows(db, "segments", "WHERE last = ?", first.last)]
    content = first.file(path).read_bytes()[: first.index_at]
    if text is not None:
        content = zstd.compress(text)
        last = known.blocks[-1]
        digest = hashlib.sha256(content).digest()
        known = replace(known, blocks=(Block(0, len(content), digest, last.last, last.hash, last.round, len(text)),))
    plain = msgspec.json.encode(known) if index is None else index
    packed = zstd.compress(plain)
    packed = b"\x5e\x2a\x4d\x18" + len(packed).to_bytes(4, "little") + packed
    first.file(path).write_bytes(content + packed)
    fields = {
        "size": len(content) + len(packed),
        "index_at": len(content),
        "index_hash": hashlib.sha256(packed).digest(),
        "index_length": len(plain),
        **about,
    }
    row = (first.last, msgspec.json.encode(replace(first, **fields)))
    correct(path, replace(head, segments_sum=guards.plus(guards.minus(head.segments_sum, before), [row])))
    tamper(path, ("UPDATE segments SET about = ? WHERE last = ?", row[::-1]))


def correct(path: Path, head: msgspec.Struct) -> None:
    tamper(path, ("UPDATE meta SET value = ? WHERE key = 'head'", (msgspec.json.encode(head),)))


def is_corrupt(path: Path) -> None:
    for processes in (1, SEAMS):
        with pytest.raises(JournalCorrupt):
            audit(path, "simulation", None, lambda *_: None, processes)


def test_what_is_corrected_without_the_key_and_not_changed_is_verified(path: Path) -> None:
    forge(path)
    assert audit(path, "simulation", None, lambda *_: None).events


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_block_of_what_no_station_writes_is_corrupt(path: Path, text: bytes) -> None:
    forge(path, text)
    is_corrupt(path)
    with pytest.raises(JournalCorrupt):
        register(path, IDENTITY)


@pytest.mark.parametrize("text", [b"x", b"\xff", b"[]", b"[" * DEEP + b"]" * DEEP, b'{"blocks":[],"kinds":{}}'])
def test_an_index_of_what_no_station_writes_is_corrupt(path: Path, text: bytes) -> None:
    forge(path, index=text)
    is_corrupt(path)


@pytest.mark.parametrize("change", [{"at": -1}, {"at": FAR}, {"size": -1}, {"size": FAR}, {"last": 0}])
def test_a_block_that_is_nowhere_is_corrupt(path: Path, change: dict[str, int]) -> None:
    known = index_of(path)
    blocks = tuple(replace(block, **change) for block in known.blocks)
    forge(path, index=msgspec.json.encode(replace(known, blocks=blocks)))
    is_corrupt(path)


def test_an_index_without_the_kinds_that_it_is_to_have_is_corrupt(path: Path) -> None:
    assert index_of(path).kinds
    forge(path, index=msgspec.json.encode(replace(index_of(path), kinds={})))
    is_corrupt(path)


@pytest.mark.parametrize("change", [{"kinds": {}}, {"size": FAR}, {"index_at": -1}, {"index_at": FAR}])
def test_a_row_that_no_station_writes_of_a_segment_is_corrupt(path: Path, change: dict[str, Any]) -> None:
    forge(path, **change)
    is_corrupt(path)


@pytest.mark.parametrize("table", ["segments", "files"])
def test_a_row_that_is_no_json_is_corrupt(path: Path, table: str) -> None:
    with opened_journal(path, "simulation") as (db, _):
        head = head_of(db)
    tamper(path, (f"DELETE FROM {table}", ()), (f"INSERT INTO {table} VALUES (1, x'78')", ()))
    correct(path, replace(head, **{f"{table}_sum": guards.plus(bytes(32), [(1, b"x")])}))
    is_corrupt(path)


@pytest.mark.parametrize("key", ["epochs", "begun_by", "head"])
@pytest.mark.parametrize("value", [b"x", b"\xff", b"[0]"])
def test_a_row_of_meta_that_no_station_writes_is_corrupt(path: Path, key: str, value: bytes) -> None:
    tamper(path, ("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value)))
    is_corrupt(path)


def test_less_than_nothing_was_pruned_of_no_journal(path: Path) -> None:
    with opened_journal(path, "simulation") as (db, _):
        head = head_of(db)
    correct(path, replace(head, pruned=-1, pruned_edge=bytes(32)))
    is_corrupt(path)
