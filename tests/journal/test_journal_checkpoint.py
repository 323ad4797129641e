"""A start reads what came after the last checkpoint; what is older is verified beside the table, and by the audit."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.command_line.output import EXIT_CORRUPT
from controller.journal import chain, reading, restoring, verifying
from controller.journal.chain import chained
from controller.journal.creation import KINDS
from controller.journal.past import Past
from controller.journal.records import GENESIS, JournalCorrupt, Stamp
from controller.journal.verifying import Verifier, Walk, check_end, walk_on
from tests.configured import configured
from tests.journal.keeping import KEY, batch, entries_of, open_journal, played, tamper, write

pytestmark = pytest.mark.long

CHECKPOINT = 40
OLD = "UPDATE events SET time = 'x' WHERE id = 5"
YOUNG = f"UPDATE events SET time = 'x' WHERE id = {CHECKPOINT + 5}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of rounds, in the middle of one, with a checkpoint."""
    (tmp_path / "state").mkdir()
    path = tmp_path / "state" / "journal.db"
    write(path, played(), snapshot_at=CHECKPOINT)
    with closing(open_journal(path)) as journal:
        journal.restore()
        journal.commit(batch(outbox=[(1, b"1"), (2, b"2")], answers=["a"]))
    return path


def verify(path: Path) -> None:
    with closing(open_journal(path)) as journal:
        assert journal.restore().table == played().table
        Verifier(path, lambda: journal.end, lambda _: None).verify()


def test_a_start_verifies_the_events_after_the_last_checkpoint_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[int] = []

    def watched(head: bytes, event: int, *rest: object) -> bytes:
        looked_at.append(event)
        return chained(head, event, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(chain, "chained", watched)
    play = played()
    with closing(open_journal(path)) as journal:
        restored = journal.restore()
    assert looked_at == [*range(CHECKPOINT + 1, len(play.entries) + 1)]
    assert (restored.table, restored.vault, restored.snapshot) == (play.table, play.vault, CHECKPOINT)


def test_of_a_long_file_a_start_reads_the_pages_of_its_small_tables_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "SMALL_BYTES", 0)
    with closing(open_journal(path)) as journal:
        asked: list[str] = []
        journal._db.set_trace_callback(asked.append)
        assert journal.restore().table == played().table
        journal._db.set_trace_callback(None)
    checks = [statement for statement in asked if "integrity_check" in statement]
    assert checks == [f"PRAGMA integrity_check({table})" for table in restoring.SMALL_TABLES]


@pytest.mark.parametrize("back", range(4))
def test_cards_that_were_sealed_before_a_checkpoint_are_opened_after_it(tmp_path: Path, back: int) -> None:
    play = played()
    write(tmp_path / "j.db", play, snapshot_at=len(play.entries) - back)
    with closing(open_journal(tmp_path / "j.db")) as journal:
        assert journal.restore().vault == play.vault != {}


def test_a_change_after_the_checkpoint_is_found_by_the_start_and_an_older_one_beside_the_table(path: Path) -> None:
    verify(path)
    tamper(path, (OLD, ()))
    with pytest.raises(JournalCorrupt, match="event 5 is not as it was written"):
        verify(path)
    tamper(path, (YOUNG, ()))
    with closing(open_journal(path)) as journal, pytest.raises(JournalCorrupt, match=f"event {CHECKPOINT + 5} is not"):
        journal.restore()


def test_a_past_that_is_written_again_hash_by_hash_under_a_station_is_found(path: Path) -> None:
    with closing(open_journal(path)) as journal:
        journal.restore()
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            rows, hash = db.execute(f"SELECT {chain.COLUMNS} FROM events ORDER BY id").fetchall(), GENESIS
            for number, time, boot, monotonic_ns, synchronised, body, sealed, _, input in rows:
                stamp = Stamp(time.replace("2026", "2027"), boot, monotonic_ns, bool(synchronised))
                hash = chained(hash, number, stamp, body, sealed, input)
                db.execute("UPDATE events SET time = ?, hash = ? WHERE id = ?", (stamp.time, hash, number))
        with pytest.raises(JournalCorrupt, match="is not the one that was written"):
            Verifier(path, lambda: journal.end, lambda _: None).verify()


def test_a_checkpoint_made_without_the_key_is_none(tmp_path: Path) -> None:
    play = played()
    for name, key in (("ours", KEY), ("forged", bytes(32))):
        with closing(open_journal(tmp_path / name, key)) as journal:
            journal.commit(batch(entries_of(play), snapshot=played(1).table))
    tamper(
        tmp_path / "ours",
        ("ATTACH ? AS other", (str(tmp_path / "forged"),)),
        ("UPDATE snapshots SET body = (SELECT body FROM other.snapshots)", ()),
        ("DETACH other", ()),
    )
    with closing(open_journal(tmp_path / "ours")) as journal:
        restored = journal.restore()
        assert restored.table == play.table and restored.snapshot == 0, "every event was folded"


def test_the_verifier_says_once_what_it_found_and_ends(path: Path) -> None:
    tamper(path, (OLD, ()))
    found: list[JournalCorrupt] = []
    with closing(open_journal(path)) as journal:
        journal.restore()
        verifier = Verifier(path, lambda: journal.end, found.append)
        verifier.start()
        verifier._thread.join(60)
        assert not verifier._thread.is_alive() and len(found) == 1


def test_the_verifier_of_a_good_journal_ends_when_its_station_does(path: Path) -> None:
    with closing(open_journal(path)) as journal:
        journal.restore()
        verifier = Verifier(path, lambda: journal.end, lambda _: pytest.fail("it is good"))
        verifier.start()
        verifier.stop()
        journal.commit(batch(answers=["b"]))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_asked_for_by_kind_is_found_by_an_index(path: Path, kind: str) -> None:
    asked: list[str] = []
    with reading.opened_journal(path, "simulation") as (db, _):
        past = Past(path, db)
        db.set_trace_callback(asked.append)
        list(past.of_kind(kind, newest_first=True))
        db.set_trace_callback(None)
        plan = " ".join(str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {asked[-1]}"))
    assert f"events_of_{kind}" in plan


def test_an_index_that_hides_an_event_is_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_journal(path)) as journal:
        walk = Walk()
        while walk_on(path, journal._db, walk, 7):
            pass
        check_end(path, walk, journal.end)
        found = verifying._indexed(journal._db, None, "hit", 0, walk.event)
        assert found
        monkeypatch.setattr(verifying, "_indexed", lambda *_: found[1:])
        with pytest.raises(JournalCorrupt, match="an index of the events"):
            walk_on(path, journal._db, Walk(), walk.event)


@pytest.fixture
def config(path: Path) -> Path:
    """The configuration of that journal's table."""
    config = configured(path.parent.parent)
    (path.parent / "seal.key").write_bytes(KEY)
    return config


def audited(config: Path, *more: str) -> int:
    return main(["audit", "verify", "--config", str(config), *more])


def test_the_audit_says_that_the_whole_is_good(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = len(played().entries)
    assert audited(config) == 0
    printed = capsys.readouterr()
    assert "good" in printed.out and f"{events} events" in printed.out and "MAC" not in printed.out and not printed.err
    assert audited(config, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["good"], found["events"], found["sequence"], found["mac"]) == (True, events, 2, True)


@pytest.mark.parametrize(
    "change",
    [
        OLD,
        YOUNG,
        "UPDATE outbox SET payload = x'00'",
        "DELETE FROM answers",
        "UPDATE meta SET value = x'00' WHERE key = 'mac'",
    ],
)
def test_the_audit_fails_with_65_wherever_the_change_is(
    config: Path, path: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    tamper(path, (change, ()))
    before = path.read_bytes()
    assert audited(config) == EXIT_CORRUPT
    assert "is not as it was written" in capsys.readouterr().err
    assert audited(config, "--json") == EXIT_CORRUPT
    found = json.loads(capsys.readouterr().out)
    assert found["good"] is False and "is not as it was written" in found["reason"]
    assert path.read_bytes() == before


def test_the_audit_without_the_key_says_what_it_could_not_see(
    config: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path.parent / "seal.key").rename(path.parent / "away")
    assert audited(config) == 0
    assert "MAC was not verified" in capsys.readouterr().out
    assert audited(config, "--seal-key", str(path.parent / "away"), "--json") == 0
    assert json.loads(capsys.readouterr().out)["mac"] is True
    tamper(path, (OLD, ()))
    assert audited(config) == EXIT_CORRUPT
