"""What is committed is what is restored, in every game, and what must not be readable is not."""

import itertools
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine.outcomes import Accepted, Defect, Outcome, Refused, Stale
from controller.engine.state.applied import apply
from controller.engine.state.events import KeyReleased
from controller.engine.state.table import Table
from controller.journal import restoring, rows, store
from controller.journal.records import (
    Batch,
    DeviceMark,
    JournalCorrupt,
    JournalEntry,
    JournalInUse,
    JournalUnavailable,
    WrongJournal,
)
from controller.journal.sealing import BadSealKey, Hidden, Seal, SealBroken, read_key
from controller.journal.segments import round_begun
from controller.journal.sql import journal_errors
from controller.rulebook.cards import DECK
from controller.rulebook.events import CardsDealt
from controller.rulebook.games import GAMES
from tests.engine.playing import Play
from tests.games import FORTUNE_3_2025
from tests.journal.keeping import (
    KEY,
    STAMP,
    accepted,
    batch,
    commit_each,
    contents,
    entries_of,
    open_journal,
    played,
    tamper,
    write,
)
from tests.journal.recorded.kept import read_journal, restored
from tests.plays.tables import table_of


@settings(max_examples=settings().max_examples // 2)
@given(st.integers(0, 2**32), st.integers(0, 60), st.data())
def test_any_course_of_rounds_is_restored_from_any_batches_and_snapshots(
    seed: int, things: int, data: st.DataObject
) -> None:
    play = table_of(FORTUNE_3_2025, seed)
    play.anything(things)
    entries = entries_of(play)
    plan = data.draw(st.lists(st.tuples(st.integers(1, 20), st.booleans(), st.booleans()), min_size=1), label="batches")
    with TemporaryDirectory() as folder:
        path, done, table = Path(folder) / "j.db", 0, Table()
        for size, snapshot, reopen in itertools.cycle(plan):
            with closing(open_journal(path)) as journal:
                while done < len(entries):
                    for entry in entries[done : done + size]:
                        table = apply(table, entry.event)
                    journal.commit(batch(entries[done : done + size], snapshot=table if snapshot else None))
                    done += size
                    if reopen:
                        break
                restored = journal.restore()
                assert restored.table == table
            if done >= len(entries):
                break
    assert restored.table == play.table
    assert restored.vault == play.vault


def test_a_journal_that_released_a_key_is_restored_by_the_same_process(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        journal.commit(batch([*entries_of(played()), JournalEntry(event=KeyReleased(1, "rui", "a dispute", "sol"))]))
        assert journal.restore().table.released == (1,)


def test_a_new_journal_has_a_name_of_its_own_that_stays(tmp_path: Path) -> None:
    first, second = open_journal(tmp_path / "a.db"), open_journal(tmp_path / "b.db")
    name = first.uuid
    assert name != second.uuid and first.restore().table == Table()
    first.close()
    second.close()
    again = open_journal(tmp_path / "a.db")
    assert again.uuid == name
    again.close()


def test_a_first_start_cut_short_leaves_a_journal_that_can_be_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("controller.journal.creation.os.rename", cut)
        open_journal(tmp_path / "j.db")
    journal = open_journal(tmp_path / "j.db")
    assert journal.events == 0
    journal.close()


@pytest.mark.parametrize("at", [1, 10, 40])
def test_a_snapshot_gives_the_same_table_as_all_events(tmp_path: Path, at: int) -> None:
    play = played()
    write(tmp_path / "with.db", play, snapshot_at=at)
    write(tmp_path / "without.db", play)
    for name in ("with.db", "without.db"):
        journal = open_journal(tmp_path / name)
        restored = journal.restore()
        journal.close()
        assert (restored.table, restored.vault) == (play.table, play.vault)


@pytest.mark.parametrize(
    "change",
    [
        ("UPDATE snapshots SET body = ?", (b"",)),
        ("UPDATE snapshots SET body = ?", (b"\xff\xfe{",)),
        ("UPDATE snapshots SET body = ?", (b'{"schema": 1, "rounds": "many"}',)),
        ("UPDATE snapshots SET body = substr(body, 1, length(body) - 5)", ()),
        ("UPDATE snapshots SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)", ("6000000000", "9000000000")),
        ("UPDATE snapshots SET event = event + 1", ()),
        ("UPDATE snapshots SET event = event + 1000", ()),
    ],
)
def test_a_snapshot_that_is_not_as_it_was_written_is_folded_again(
    tmp_path: Path, change: tuple[str, tuple[object, ...]]
) -> None:
    play = played()
    write(tmp_path / "j.db", play, snapshot_at=20)
    tamper(tmp_path / "j.db", change)
    journal = open_journal(tmp_path / "j.db")
    assert journal.restore().table == play.table
    journal.close()


def test_a_snapshot_of_another_schema_is_folded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = played()
    write(tmp_path / "j.db", play, snapshot_at=20)
    monkeypatch.setattr(restoring, "SCHEMA", 2)
    journal = open_journal(tmp_path / "j.db")
    assert journal.restore().table == play.table
    journal.close()


def test_only_the_last_snapshots_are_kept(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        commit_each(journal, entries_of(played()), every=1)
    assert len(contents(tmp_path / "j.db")["snapshots"]) == store.SNAPSHOTS_KEPT


def test_art_18_3_no_byte_of_the_files_shows_a_card_that_no_rule_has_shown(tmp_path: Path) -> None:
    play = Play()
    play.to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1)
    play.lock()
    play.deal().decisions()
    journal = open_journal(tmp_path / "j.db")
    commit_each(journal, entries_of(play), every=1)
    files = [path.read_bytes() for path in tmp_path.iterdir()]
    assert sum(map(len, files)) > 10_000
    for card in play.vault.values():
        assert card is not None
        assert not any(b'"' + card.encode() + b'"' in file for file in files)
    restored = journal.restore()
    journal.close()
    assert restored.vault == play.vault and len(play.vault) == 12


def test_the_vault_is_empty_once_the_claims_are_closed(tmp_path: Path) -> None:
    play = played()
    play.finish()
    write(tmp_path / "j.db", play)
    journal = open_journal(tmp_path / "j.db")
    assert journal.restore().vault == {} == play.vault
    journal.close()


def test_answers_are_kept_and_the_oldest_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ANSWERS_KEPT", 3)
    journal = open_journal(tmp_path / "j.db")
    journal.commit(batch(answers=["a", "b"]))
    journal.commit(batch(answers=["c", "d"]))
    journal.close()
    journal = open_journal(tmp_path / "j.db")
    assert journal.outcome("a") is None
    for name in ("b", "c", "d"):
        assert journal.outcome(name) == accepted(name)
    journal.commit(batch(answers=["e"]))
    assert journal.outcome("b") is None and journal.outcome("e") is not None
    journal.close()


KEPT: list[tuple[Outcome, bytes]] = [
    (Accepted(input_id="i", as_of=7), b'{"input_id":"i","accepted":true,"as_of":7}'),
    (Stale(step_id="1/wagers"), b'{"error":"stale_step","step_id":"1/wagers"}'),
    (
        Refused(who="seat 2", article="1", code="low", values={"least": 5}),
        b'{"error":"refused","who":"seat 2","article":"1","code":"low","values":{"least":5}}',
    ),
    (
        Refused(who="actor", article=None, code="c", values={}),
        b'{"error":"refused","who":"actor","article":null,"code":"c","values":{}}',
    ),
    (Defect(), b'{"error":"defect"}'),
]


@pytest.mark.parametrize(("outcome", "text"), KEPT)
def test_an_outcome_is_kept_as_every_station_has_written_it_and_is_read_back(
    tmp_path: Path, outcome: Outcome, text: bytes
) -> None:
    journal = open_journal(tmp_path / "j.db")
    journal.commit(Batch(stamp=STAMP, outcomes={"i": outcome}))
    assert contents(tmp_path / "j.db")["answers"] == [("i", 1, text)]
    assert journal.outcome("i") == outcome
    journal.close()


def test_a_kept_outcome_that_cannot_be_read_is_reported_as_broken(tmp_path: Path) -> None:
    open_journal(tmp_path / "j.db").close()
    tamper(tmp_path / "j.db", ("INSERT INTO answers VALUES ('i', 1, CAST('{}' AS BLOB))", ()))
    journal = open_journal(tmp_path / "j.db")
    with pytest.raises(JournalCorrupt, match="the answer to 'i' cannot be read"):
        journal.outcome("i")
    journal.close()


def test_the_outbox_is_read_in_order_and_forgotten_up_to_what_was_acknowledged(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "j.db")
    journal.commit(batch(outbox=[(1, b"1"), (2, b"2")]))
    journal.commit(batch(outbox=[(3, b"3"), (4, b"4"), (5, b"5")]))
    assert [row.sequence for row in journal.outbox(0, 10)] == [1, 2, 3, 4, 5]
    assert [(row.sequence, row.payload) for row in journal.outbox(1, 2)] == [(2, b"2"), (3, b"3")]
    journal.forget(2)
    assert [row.sequence for row in journal.outbox(0, 10)] == [3, 4, 5]
    journal.commit(batch(outbox=[(6, b"6")]), acknowledged=4)
    journal.close()
    journal = open_journal(tmp_path / "j.db")
    assert [row.sequence for row in journal.outbox(0, 10)] == [5, 6]
    assert journal.sequence == journal.restore().sequence == 6
    journal.forget(6)
    journal.close()
    journal = open_journal(tmp_path / "j.db")
    assert journal.outbox(0, 10) == [] and journal.sequence == 6  # a number is not given out twice
    journal.close()


def test_marks_of_devices_are_kept_the_last_of_each(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "j.db")
    journal.commit(batch(marks=[DeviceMark(device="shuffler", boot=2**32 - 1, sequence=65535)]))
    journal.commit(batch(marks=[DeviceMark(device="shuffler", boot=7, sequence=0), DeviceMark("shoe", 0, 3)]))
    restored = journal.restore()
    journal.close()
    assert restored.marks == {"shuffler": DeviceMark("shuffler", 7, 0), "shoe": DeviceMark("shoe", 0, 3)}


def test_a_second_station_cannot_open_the_journal_and_the_first_continues(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "j.db")
    with pytest.raises(JournalInUse, match=rf"in use by process {os.getpid()} \("):
        open_journal(tmp_path / "j.db")
    journal.commit(batch(answers=["a"]))
    journal.close()
    open_journal(tmp_path / "j.db").close()


def test_a_file_that_another_program_has_locked_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other, closing(sqlite3.connect(path, timeout=0)) as db:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalInUse, match="locked"), journal_errors(path):
            db.execute("SELECT 1 FROM sqlite_master")


@pytest.mark.parametrize(("written", "read"), [("simulation", "live"), ("live", "simulation")])
def test_a_journal_of_the_other_mode_is_refused_and_stays_as_it_is(tmp_path: Path, written: str, read: str) -> None:
    path = tmp_path / "j.db"
    open_journal(path, mode=written).close()
    before = path.read_bytes()
    with pytest.raises(WrongJournal, match=f"mode '{written}'; this configuration is '{read}'"):
        open_journal(path, mode=read)
    assert path.read_bytes() == before
    open_journal(path, mode=written).close()


def test_a_folder_that_cannot_be_made_is_no_journal_now(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalUnavailable):
        open_journal(tmp_path / "file" / "j.db")


def test_a_seal_opens_only_with_its_key_and_its_place() -> None:
    seal = Seal(bytes(32))
    cards = Hidden({1: DECK[0], 2: None})
    closed = seal.close(cards, "here", 7, 3)
    assert seal.open(closed, "here", 7) == cards
    assert closed != seal.close(cards, "here", 7, 3)
    for named in ((DECK[3], None), "As Kd"):
        beside = Hidden({1: DECK[0]}, named)
        assert seal.open(seal.close(beside, "here", 7, 3), "here", 7) == beside
    for other, journal, event, sealed in (
        (Seal(bytes([1]) * 32), "here", 7, closed),
        (seal, "there", 7, closed),
        (seal, "here", 8, closed),
        (seal, "here", 7, closed[:-1] + bytes([closed[-1] ^ 1])),
        (seal, "here", 7, closed[:11] + bytes([closed[11] ^ 1]) + closed[12:]),  # of another round
    ):
        with pytest.raises(SealBroken):
            other.open(sealed, journal, event)


def test_the_key_of_a_round_opens_its_cards_and_no_other_round_s() -> None:
    seal = Seal(bytes(32))
    keys = [seal.round_key(*of) for of in (("here", 3), ("here", 4), ("there", 3))]
    sealed = seal.close(Hidden({1: DECK[0]}), "here", 7, 3)[8:]
    opened = ChaCha20Poly1305(keys[0]).decrypt(sealed[:12], sealed[12:], b"here:7")
    assert msgspec.json.decode(opened) == {"1": DECK[0]}
    for other in keys[1:]:
        with pytest.raises(InvalidTag):
            ChaCha20Poly1305(other).decrypt(sealed[:12], sealed[12:], b"here:7")
    assert bytes(32) not in keys and len(set(keys)) == 3


def test_each_event_is_sealed_with_the_key_of_the_round_that_it_is_in(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played(2))
    with closing(open_journal(tmp_path / "j.db")) as journal:
        assert journal.restore().vault, "opened after a start"
        uuid = journal.uuid
        journal.commit(batch([JournalEntry(event=CardsDealt(draws=(99,), places=("bank",)), drawn={99: DECK[0]})]))
    found, round = set(), 0
    for number, _, _, _, _, body, sealed, _, _ in contents(tmp_path / "j.db")["events"]:
        round = round_begun(body) or round
        if sealed is not None:
            assert sealed[:8] == round.to_bytes(8, "big")
            assert Seal(KEY).open(sealed, uuid, number).drawn
            found.add(round)
    assert found == {1, 2, 3}


def test_a_seal_key_is_made_in_simulation_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "seal.key"
    key = read_key(path, create=True)
    assert len(key) == 32 and path.stat().st_mode & 0o777 == 0o600
    assert read_key(path, create=True) == key == read_key(path, create=False)


def test_a_seal_key_is_whole_or_not_there_and_an_empty_one_is_reported_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "seal.key"
    for _ in range(2):
        with monkeypatch.context() as patched, pytest.raises(BadSealKey, match="Input/output"):
            patched.setattr(
                "controller.journal.sealing.os.fsync", lambda _: (_ for _ in ()).throw(OSError(5, "Input/output error"))
            )
            read_key(path, create=True)
        assert not path.exists()
    path.write_bytes(b"")
    with pytest.raises(BadSealKey, match="is empty: a full disk or a power cut"):
        read_key(path, create=False)
    assert len(read_key(path, create=True)) == 32, "nothing can have been sealed with it"


def test_a_seal_key_that_is_missing_or_no_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSealKey, match="No such file"):
        read_key(tmp_path / "seal.key", create=False)
    (tmp_path / "seal.key").write_bytes(bytes(31))
    with pytest.raises(BadSealKey, match="holds 31 bytes; a seal key has 32"):
        read_key(tmp_path / "seal.key", create=True)


# ---- Journals of every game: a start finds the table as the events made it.


@pytest.mark.parametrize("game", GAMES)
def test_a_snapshot_with_the_events_after_it_gives_the_table_of_all_events(game: str, tmp_path: Path) -> None:
    kept, table = read_journal(game), Table()
    for entry in kept.entries:
        before, version = table, table.version
        table = apply(table, entry.event)
        assert (before.version, table.version) == (version, version + 1), "the table before stays as it was"
    started = restored(kept, tmp_path)
    assert started.table == table and 0 < started.snapshot < table.version
    assert table.round is not None and table.round.dealt
    assert started.vault.keys() >= set(range(1, table.round.draws + 1)) - set(table.round.unread)
