"""The Merkle tree over a journal's events: as a third party computes it from the rows, whatever became of them."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from controller.engine.state.applied import apply
from controller.engine.state.events import DeviceReported
from controller.engine.state.table import Table
from controller.journal import tree as tree_module
from controller.journal.auditing import audit
from controller.journal.past import Past, head_of, segments_of
from controller.journal.reading import opened_journal
from controller.journal.records import Head, JournalCorrupt, JournalEntry
from controller.journal.sealing import Seal
from controller.journal.store import Journal
from controller.journal.tree import NotKept, Subtrees, prove_event
from controller.tlog import merkle
from tests.journal.keeping import KEY, batch, close_segments, open_journal, prune, tamper
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
    with pytest.raises(JournalCorrupt, match=r"\(tree\)"):
        verify(path)
