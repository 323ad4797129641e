"""The number of the journal's format, and what is refused."""

from pathlib import Path

import pytest

from controller.__main__ import main
from controller.journal import guards
from controller.journal.auditing import audit
from controller.journal.formats import FORMAT
from controller.journal.records import JournalCorrupt, NewerJournal
from controller.journal.sealing import Seal
from tests.journal.keeping import KEY, contents, open_journal, played, tamper, write

ROOT = Path(__file__).parents[2]
NEWER = "CREATE TABLE drawings (number INTEGER PRIMARY KEY) STRICT"


def of_format(path: Path, written: bytes, *changes: str) -> dict[str, list[tuple[object, ...]]]:
    """A journal of rounds with another number and another schema, under a MAC that fits; gives what it holds."""
    write(path, played(1), snapshot_at=20)
    meta = dict(contents(path)["meta"]) | {"format": written}
    rows = (("format", written), ("mac", guards.mac_of(Seal(KEY), meta)))
    changed = [("UPDATE meta SET value = ? WHERE key = ?", (value, key)) for key, value in rows]
    tamper(path, *changed, *((change, ()) for change in changes))
    return contents(path)


def test_a_journal_is_begun_with_the_first_format(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played(1))
    assert dict(contents(tmp_path / "j.db")["meta"])["format"] == FORMAT == b"1"


@pytest.mark.parametrize("changes", [(), (NEWER,), ("DROP TABLE tree", NEWER)])
def test_a_newer_format_is_refused_with_a_sentence_whatever_its_schema_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: tuple[str, ...]
) -> None:
    path = tmp_path / "j.db"
    held = of_format(path, b"10", *changes)
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
    told = capsys.readouterr().err
    assert "of a newer version" in told and "Install the newer version again" in told
    tamper(path, ("UPDATE meta SET value = ? WHERE key = 'mode'", (b"simulation",)))
    assert contents(path) == held


@pytest.mark.parametrize("written", [b"0", b"two", b"", b"\xff"])
def test_what_was_never_a_format_is_corrupt_and_left_alone(tmp_path: Path, written: bytes) -> None:
    held = of_format(tmp_path / "j.db", written)
    for read in (open_journal, lambda path: audit(path, "simulation", None, lambda *_: None)):
        with pytest.raises(JournalCorrupt, match=r"has format .*; this version reads 1"):
            read(tmp_path / "j.db")
    assert contents(tmp_path / "j.db") == held


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
