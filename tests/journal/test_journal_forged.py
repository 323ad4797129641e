"""A journal that was forged without its key, all digests and sums corrected, is reported as corrupt."""

import hashlib
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.journal import guards
from controller.journal.auditing import audit
from controller.journal.past import head_of, segments_of
from controller.journal.reading import opened_journal
from controller.journal.records import JournalCorrupt
from controller.journal.segments import Block, Index, SegmentReader, zstd
from controller.queries.register import register
from tests.journal.keeping import batch, open_journal, tamper
from tests.journal.test_journal_segments import IDENTITY, SEAMS, write_closed

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


@pytest.mark.parametrize("gone", [2, 3])
def test_a_message_that_is_missing_is_named(tmp_path: Path, gone: int) -> None:
    path = tmp_path / "another.db"
    with closing(open_journal(path)) as journal:
        journal.commit(batch(outbox=[(number, b"") for number in (1, 2, 3)]))
    with opened_journal(path, "simulation") as (db, _):
        head, rows = head_of(db), [*guards.guarded_rows(db, "outbox", "WHERE sequence = ?", gone)]
    tamper(path, ("DELETE FROM outbox WHERE sequence = ?", (gone,)))
    correct(path, replace(head, outbox_sum=guards.minus(head.outbox_sum, rows)))
    with pytest.raises(JournalCorrupt, match=f"message {gone} for the floor is missing"):
        audit(path, "simulation", None, lambda *_: None)
