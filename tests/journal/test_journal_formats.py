"""The number of the format: what is refused, and what an upgrade does, with one that is made up."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.journal import formats, guards
from controller.journal.auditing import audit
from controller.journal.formats import FORMAT
from controller.journal.records import Head, JournalCorrupt, JournalUnavailable, NewerJournal, WrongJournal
from controller.journal.sealing import BadSealKey, Seal
from tests.journal.keeping import KEY, contents, open_journal, played, tamper, write

ROOT = Path(__file__).parents[2]
TABLES = "CREATE TABLE archives (archive TEXT PRIMARY KEY, through INTEGER NOT NULL) STRICT"
NEWER = "CREATE TABLE drawings (number INTEGER PRIMARY KEY) STRICT"


def of_format(path: Path, written: bytes, *changes: str) -> dict[str, list[tuple[object, ...]]]:
    """A journal of rounds with another number and another schema, under a MAC that fits; gives what it holds."""
    write(path, played(1), snapshot_at=20)
    meta = dict(contents(path)["meta"]) | {"format": written}
    rows = (("format", written), ("mac", guards.mac_of(Seal(KEY), meta)))
    changed = [("UPDATE meta SET value = ? WHERE key = ?", (value, key)) for key, value in rows]
    tamper(path, *changed, *((change, ()) for change in changes))
    return contents(path)


def with_archives(db: sqlite3.Connection, head: Head) -> Head:
    """The made-up upgrade: the format before had no table of archives."""
    db.execute(TABLES)
    return head


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal of the format before that of today, which a made-up upgrade brings to today's."""
    of_format(tmp_path / "j.db", b"0", "DROP TABLE archives")
    monkeypatch.setitem(formats.UPGRADES, b"0", with_archives)
    return tmp_path / "j.db"


def copies(path: Path) -> list[Path]:
    return [file for file in path.parent.iterdir() if ".format-" in file.name]


def test_a_journal_is_begun_with_the_first_format_and_there_is_no_upgrade_to_it(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played(1))
    assert dict(contents(tmp_path / "j.db")["meta"])["format"] == FORMAT == b"1" and formats.UPGRADES == {}


@pytest.mark.parametrize("changes", [(), (NEWER,), ("DROP TABLE tree", NEWER)])
def test_a_newer_format_is_refused_with_a_sentence_whatever_its_schema_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: tuple[str, ...]
) -> None:
    path = tmp_path / "j.db"
    before = of_format(path, b"10", *changes)
    for read in (open_journal, lambda path: audit(path, "simulation", None, lambda *_: None)):
        with pytest.raises(NewerJournal, match="has format 10, of a newer version; this version reads 1"):
            read(path)
    text = (ROOT / "systemd" / "station.toml").read_text(encoding="utf-8")
    for folder in ("/var/lib/dealer-station", "/run/credentials/dealer-station.service"):
        text = text.replace(folder, str(tmp_path))
    tamper(path, ("UPDATE meta SET value = ? WHERE key = 'mode'", (b"live",)))
    (tmp_path / "station.toml").write_text(text.replace("journal.db", "j.db"), encoding="utf-8")
    (tmp_path / "seal.key").write_bytes(KEY)
    assert main(["run", "--config", str(tmp_path / "station.toml")]) == 78
    complaint = capsys.readouterr().err
    assert "of a newer version" in complaint and "Install the newer version again" in complaint
    tamper(path, ("UPDATE meta SET value = ? WHERE key = 'mode'", (b"simulation",)))
    assert contents(path) == before and copies(path) == []


@pytest.mark.parametrize("written", [b"0", b"two", b"", b"\xff"])
def test_what_was_never_a_format_is_corrupt_and_left_alone(tmp_path: Path, written: bytes) -> None:
    before = of_format(tmp_path / "j.db", written)
    for read in (open_journal, lambda path: audit(path, "simulation", None, lambda *_: None)):
        with pytest.raises(JournalCorrupt, match=r"has format .*; this version reads 1"):
            read(tmp_path / "j.db")
    assert contents(tmp_path / "j.db") == before


def test_a_journal_without_a_format_is_corrupt(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played(1))
    tamper(tmp_path / "j.db", ("DELETE FROM meta WHERE key = 'format'", ()))
    with pytest.raises(JournalCorrupt, match="has no format"):
        open_journal(tmp_path / "j.db")


@pytest.mark.parametrize("change", ["DROP INDEX events_of_alarm", "DROP TABLE files", NEWER])
def test_a_schema_that_says_less_or_more_than_a_station_writes_is_corrupt(tmp_path: Path, change: str) -> None:
    write(tmp_path / "j.db", played(1))
    tamper(tmp_path / "j.db", (change, ()))
    with pytest.raises(JournalCorrupt, match="its schema is not as a station wrote it"):
        open_journal(tmp_path / "j.db")
    with pytest.raises(JournalCorrupt):
        audit(tmp_path / "j.db", "simulation", Seal(KEY), lambda *_: None)


def test_an_older_format_is_upgraded_when_a_station_starts_and_a_copy_is_made_before(older: Path) -> None:
    before = contents(older)
    with closing(open_journal(older)) as journal:
        assert journal.restore().table == played(1).table
    now = contents(older)
    assert now["archives"] == [] and now["events"] == before["events"]
    assert dict(now["meta"])["format"] == FORMAT
    [copy] = copies(older)
    assert copy.name == f"j.db.format-0-event-{len(before['events'])}" and copy.stat().st_mode & 0o777 == 0o600
    kept = copy.read_bytes()
    with closing(open_journal(older)) as journal:
        assert journal.restore().table == played(1).table
    audit(older, "simulation", Seal(KEY), lambda *_: None)
    assert copies(older) == [copy] and copy.read_bytes() == kept, "it is upgraded once"
    assert contents(copy) == before


def test_an_older_format_is_not_read_before_a_station_has_upgraded_it(older: Path) -> None:
    with pytest.raises(WrongJournal, match="has format 0; this version reads 1: start the station, which upgrades it"):
        audit(older, "simulation", None, lambda *_: None)


def test_an_older_format_stays_as_it_is_where_no_copy_can_be_made(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(older)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, closing(open_journal(older)) as journal:
        patch.setattr(os, "replace", full)
        with pytest.raises(JournalUnavailable, match="No space left"):
            journal.restore()
    assert contents(older) == before and copies(older) == []
    with closing(open_journal(older)) as journal:
        journal.restore()


def test_an_upgrade_that_fails_changes_nothing(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(older)

    def fails(db: sqlite3.Connection, head: Head) -> Head:
        with_archives(db, head)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setitem(formats.UPGRADES, b"0", fails)
    with closing(open_journal(older)) as journal, pytest.raises(JournalUnavailable):
        journal.restore()
    assert contents(older) == before


def test_an_older_format_is_not_upgraded_with_another_key_nor_with_a_head_that_was_changed(older: Path) -> None:
    before = contents(older)
    with closing(open_journal(older, bytes(reversed(KEY)))) as journal, pytest.raises(BadSealKey):
        journal.restore()
    assert contents(older) == before and copies(older) == []
    tamper(older, ("UPDATE meta SET value = CAST(json_set(value, '$.answers', 7) AS BLOB) WHERE key = 'head'", ()))
    with closing(open_journal(older)) as journal, pytest.raises(JournalCorrupt, match="MAC"):
        journal.restore()
    assert copies(older) == []
