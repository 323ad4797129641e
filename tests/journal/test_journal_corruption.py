"""Whatever is done to the file behind the station's back, to a single bit, is found at the next start and left so."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from controller.journal import restoring, store
from controller.journal.records import DeviceMark, JournalCorrupt
from controller.journal.sealing import BadSealKey
from tests.journal.flips import audited, flipped, written
from tests.journal.keeping import KEY, batch, contents, entries_of, open_journal, played, restored, tamper, write

pytestmark = pytest.mark.long


CHANGES: dict[str, list[tuple[str, tuple[Any, ...]]]] = {
    "a changed event": [
        ("UPDATE events SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB) WHERE id = 2", ('"ana"', '"eve"'))
    ],
    "a changed amount": [
        ("UPDATE events SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)", ('"amount":100', '"amount":900'))
    ],
    "a changed time": [("UPDATE events SET time = ? WHERE id = 5", ("2030-01-01T00:00:00.000Z",))],
    "a time that is no text": [("UPDATE events SET time = CAST(x'ff3232' AS TEXT) WHERE id = 5", ())],
    "a topic that is no text": [("UPDATE outbox SET topic = CAST(x'ff' AS TEXT) WHERE sequence = 3", ())],
    "a changed boot": [("UPDATE events SET boot = ? WHERE id = 5", ("other",))],
    "a changed clock": [("UPDATE events SET synchronised = 0 WHERE id = 5", ())],
    "a dropped row": [("DELETE FROM events WHERE id = 7", ())],
    "a dropped row closed up": [
        ("DELETE FROM events WHERE id = 7", ()),
        ("UPDATE events SET id = -(id - 1) WHERE id > 7", ()),
        ("UPDATE events SET id = -id WHERE id < 0", ()),
    ],
    "an inserted row": [
        ("INSERT INTO events SELECT 1000000, time, boot, monotonic_ns, synchronised, body, sealed, hash, input "
         "FROM events WHERE id = (SELECT max(id) FROM events)", ()),
    ],
    "an inserted row in the middle": [
        ("UPDATE events SET id = -(id + 1) WHERE id > 7", ()),
        ("UPDATE events SET id = -id WHERE id < 0", ()),
        ("INSERT INTO events SELECT 8, time, boot, monotonic_ns, synchronised, body, sealed, hash, input FROM events "
         "WHERE id = 7", ()),
    ],
    "two swapped rows": [
        ("UPDATE events SET id = -7 WHERE id = 7", ()),
        ("UPDATE events SET id = 7 WHERE id = 8", ()),
        ("UPDATE events SET id = 8 WHERE id = -7", ()),
    ],
    "a tail cut off": [("DELETE FROM events WHERE id > 30", ())],
    "everything cut off": [("DELETE FROM events", ())],
    "a changed sealed card": [
        ("UPDATE events SET sealed = randomblob(length(sealed)) WHERE sealed IS NOT NULL", ())
    ],
    "a dropped sealed card": [("UPDATE events SET sealed = NULL", ())],
    "sealed cards exchanged": [
        ("UPDATE events SET sealed = (SELECT sealed FROM events WHERE sealed IS NOT NULL ORDER BY id DESC LIMIT 1) "
         "WHERE sealed IS NOT NULL", ())
    ],
    "a changed input": [
        ("UPDATE events SET input = CAST(replace(input, 'ana', 'bia') AS BLOB) WHERE input IS NOT NULL", ())
    ],
    "a dropped input": [("UPDATE events SET input = NULL WHERE id = 1", ())],
    "an input of another": [
        ("UPDATE events SET input = (SELECT input FROM events WHERE id = 1) WHERE input IS NULL AND id > 1", ())
    ],
    "a changed hash": [("UPDATE events SET hash = zeroblob(32) WHERE id = 9", ())],
    "no head": [("DELETE FROM meta WHERE key = 'head'", ())],
    "a head that is none": [("UPDATE meta SET value = x'ff7b' WHERE key = 'head'", ())],
    "no name": [("DELETE FROM meta WHERE key = 'uuid'", ())],
    "another name": [("UPDATE meta SET value = ? WHERE key = 'uuid'", (b"another",))],
    "no guard": [("DELETE FROM meta WHERE key = 'mac'", ())],
    "a number given out twice": [
        ("DELETE FROM outbox WHERE sequence > 4", ()),
        ("UPDATE meta SET value = CAST(json_set(value, '$.sequence', 4) AS BLOB) WHERE key = 'head'", ()),
    ],
    "a changed message": [("UPDATE outbox SET payload = x'00' WHERE sequence = 3", ())],
    "a message to another topic": [("UPDATE outbox SET topic = 'u' WHERE sequence = 3", ())],
    "a dropped message": [("DELETE FROM outbox WHERE sequence = 3", ())],
    "the last message dropped": [("DELETE FROM outbox WHERE sequence = (SELECT max(sequence) FROM outbox)", ())],
    "an added message": [("INSERT INTO outbox SELECT max(sequence) + 1, 't', x'00' FROM outbox", ())],
    "a changed answer": [("UPDATE answers SET body = x'7b7d'", ())],
    "a dropped answer": [("DELETE FROM answers WHERE number = 1", ())],
    "an answer to another input": [("UPDATE answers SET input_id = 'other' WHERE number = 1", ())],
    "a changed mark": [("UPDATE marks SET sequence = 9", ())],
    "a dropped mark": [("DELETE FROM marks", ())],
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_journal_that_is_not_as_it_was_written_is_refused_and_left_alone(tmp_path: Path, change: str) -> None:
    path = tmp_path / "j.db"
    write(path, played())
    with closing(open_journal(path)) as journal:
        mark = DeviceMark(device="shoe", boot=1, sequence=7)
        outbox = [(number, b"%d" % number) for number in range(1, 6)]
        journal.commit(batch(outbox=outbox, answers=["a", "b"], marks=[mark]))
        journal.forget(2)
    untouched = contents(path)
    tamper(path, *CHANGES[change])
    changed = contents(path)
    assert changed != untouched
    for _ in range(2):
        with pytest.raises(JournalCorrupt) as corrupt:
            restored(path)
        assert str(path) in str(corrupt.value)
        assert contents(path) == changed


def test_the_first_event_that_is_wrong_is_named(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played())
    tamper(tmp_path / "j.db", ("UPDATE events SET time = 'x' WHERE id IN (12, 20)", ()))
    with pytest.raises(JournalCorrupt, match=r"event 12 is not as it was written \(hash chain\)"):
        restored(tmp_path / "j.db")


def test_a_tail_cut_off_is_reported_with_both_ends(tmp_path: Path) -> None:
    play = played()
    write(tmp_path / "j.db", play)
    tamper(tmp_path / "j.db", ("DELETE FROM events WHERE id > 30", ()))
    with pytest.raises(JournalCorrupt, match=f"ends at event 30, not at {len(play.entries)}"):
        restored(tmp_path / "j.db")


def test_another_key_is_reported_as_such_and_names_no_card(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played())
    before = contents(tmp_path / "j.db")
    with pytest.raises(
        BadSealKey, match=r"expected one with the check value [0-9a-f]{12}, and this one has [0-9a-f]{12}"
    ):
        restored(tmp_path / "j.db", key=bytes(reversed(KEY)))
    assert contents(tmp_path / "j.db") == before
    restored(tmp_path / "j.db")


def test_a_changed_check_value_is_no_other_key(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played())
    tamper(tmp_path / "j.db", ("UPDATE meta SET value = x'00' WHERE key = 'key'", ()))
    with pytest.raises(JournalCorrupt, match="MAC"):
        restored(tmp_path / "j.db")


@pytest.mark.parametrize("written", [b"no database at all, " * 100, b"SQLite format 3\x00" + bytes(2000)])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "j.db").write_bytes(written)
    with pytest.raises(JournalCorrupt):
        open_journal(tmp_path / "j.db")
    assert (tmp_path / "j.db").read_bytes() == written


def test_pages_overwritten_in_the_middle_of_the_file_are_found(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    write(path, played())
    octets = bytearray(path.read_bytes())
    middle = len(octets) // 2
    octets[middle : middle + 4096] = b"\xaa" * 4096
    path.write_bytes(octets)
    with pytest.raises(JournalCorrupt):
        restored(path)


@pytest.mark.parametrize("small", [restoring.SMALL_BYTES, 0])
def test_an_answer_that_its_index_would_not_find_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(restoring, "SMALL_BYTES", small)
    path = tmp_path / "j.db"
    with closing(open_journal(path)) as journal:
        journal.commit(batch(entries_of(played(1)), answers=["first", "sought"], snapshot=played(1).table))
    octets = path.read_bytes()
    found = [at for at in range(len(octets)) if octets.startswith(b"sought", at)]
    assert len(found) >= 2, "in the table and in its index"
    for at in found:
        path.write_bytes(octets[:at] + b"S" + octets[at + 1 :])
        with pytest.raises(JournalCorrupt):
            restored(path)


@pytest.mark.parametrize("before", [4, 5], ids=["whose table it is", "its name"])
def test_a_table_whose_name_is_stored_as_no_text_is_noticed(tmp_path: Path, before: int) -> None:
    """SQLite goes by the table's statement, and finds nothing wrong."""
    path = tmp_path / "j.db"
    write(path, played())
    octets = bytearray(path.read_bytes())
    octets[octets.index(b"tabletreetree") - before] ^= 1  # the kind of the column, in the head of its row
    path.write_bytes(octets)
    with pytest.raises(JournalCorrupt, match="its schema is not as a station wrote it"):
        open_journal(path)


def test_an_index_by_a_function_that_does_not_exist_is_damage_and_not_tried_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    write(path, played())
    octets = path.read_bytes()
    path.write_bytes(octets.replace(b"WHERE substr(", b"WHERE subsdr(", 1))
    with pytest.raises(JournalCorrupt, match="its schema is not as a station wrote it"):
        open_journal(path)


def test_a_checkpoint_that_is_gone_from_its_row_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(open_journal(path)) as journal:
        journal.commit(batch(entries_of(played(1)), snapshot=played(1).table))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, 'body BLOB NOT NULL', 'body BLOB         ')")
        db.execute("PRAGMA writable_schema = RESET")
        db.execute("UPDATE snapshots SET body = NULL")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, 'body BLOB         ', 'body BLOB NOT NULL')")
        db.commit()
    with pytest.raises(JournalCorrupt, match="NULL value"):
        restored(path)


def test_an_event_of_a_later_version_of_the_station_is_not_guessed_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode = msgspec.json.encode
    with monkeypatch.context() as patched:
        patched.setattr(store, "_encode", lambda value: encode(value).replace(b"table_opened", b"table_heated"))
        write(tmp_path / "j.db", played())
    with pytest.raises(JournalCorrupt, match="event 2 cannot be read"):
        restored(tmp_path / "j.db")


def test_a_good_journal_continues_after_a_look_at_it(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played())
    with closing(open_journal(tmp_path / "j.db")) as journal:
        events = journal.events
        journal.restore()
        journal.commit(batch(answers=["a"]))
    with closing(open_journal(tmp_path / "j.db")) as journal:
        assert journal.events == events and journal.outcome("a") is not None


# ---- One flipped bit anywhere in a journal's files is noticed at the next start, or changes nothing of what it holds.


FLIPS = 40  # `make soak` flips 500 in each


@pytest.mark.parametrize(("after", "seed"), [("stopped", 4), ("killed", 2)])
def test_no_bit_flipped_after_a_stop_or_a_kill_goes_unnoticed(tmp_path: Path, after: str, seed: int) -> None:
    journal = written(tmp_path / "work")
    found = flipped(tmp_path / "flipped", getattr(journal, after), journal.states[-1:], FLIPS, Random(seed))
    assert not found.silent
    assert found.noticed > 2


def test_no_bit_flipped_after_a_power_cut_loses_more_than_a_cut_can(tmp_path: Path) -> None:
    """The mark was not written yet: what a cut can tear is the last transaction."""
    journal = written(tmp_path / "work")
    files = {name: content for name, content in journal.killed.items() if name != "j.db.mark"}
    found = flipped(tmp_path / "flipped", files, journal.states[-2:], FLIPS, Random(3))
    assert not found.silent
    assert found.noticed > 2


def test_no_byte_changed_anywhere_goes_unnoticed_by_anyone_who_verifies_the_whole(tmp_path: Path) -> None:
    journal = written(tmp_path / "work")
    found = audited(tmp_path / "changed", journal.stopped, FLIPS, Random(4))
    assert not found.silent
    assert found.noticed > 2
