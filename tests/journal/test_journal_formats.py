"""Journals of every format there has been: verified as each was then, copied, and from then on guarded as today's."""

import errno
import lzma
import shutil
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.__main__ import main
from controller.engine.events import Event
from controller.engine.table import Table, apply
from controller.journal.creation import FORMAT, FORMATS
from controller.journal.records import DeviceMark, JournalCorrupt, JournalUnavailable, NewerJournal
from tests.journal.keeping import KEY, batch, contents, open_journal, played, tamper, write
from tests.journal.recorded.kept import HERE

BEFORE = (
    *((f"DROP TABLE {table}", ()) for table in ("segments", "tree", "files", "archives")),
    ("DELETE FROM outbox WHERE sequence = 1", ()),
    ("UPDATE meta SET value = ? WHERE key = 'format'", (b"1",)),
    ("DELETE FROM meta WHERE key IN ('key', 'mac')", ()),
    *((f"DROP INDEX events_of_{kind}", ()) for kind in ("alarm", "entry", "hit")),
    ("UPDATE meta SET value = CAST(json_remove(value, '$.acknowledged', '$.outbox_sum', '$.answers_sum', '$.marks_sum',"
     " '$.segments_sum', '$.closed', '$.edge', '$.filed') AS BLOB) WHERE key = 'head'", ()),
)  # fmt: skip


def before(path: Path) -> None:
    """A journal of rounds, messages, answers and marks as stations wrote it before."""
    write(path, played(1), snapshot_at=20)
    with closing(open_journal(path)) as journal:
        mark = DeviceMark(device="shoe", boot=1, sequence=7)
        journal.commit(batch(outbox=[(1, b"1"), (2, b"2"), (3, b"3"), (4, b"4")], answers=["a"], marks=[mark]))
        journal.forget(1)
    path.with_name("j.db.mark").unlink()
    tamper(path, *BEFORE)


def restored(path: Path, key: bytes = KEY) -> None:
    with closing(open_journal(path, key)) as journal:
        found = journal.restore()
        assert found.table == played(1).table and found.sequence == 4
        assert [row.sequence for row in journal.outbox(0, 10)] == [2, 3, 4]
        assert journal.outcome("a") is not None and found.marks["shoe"].sequence == 7


def test_a_journal_of_the_format_before_goes_on_and_is_guarded(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    before(path)
    held = contents(path)
    for _ in range(2):
        restored(path)
    now = contents(path)
    assert dict(now["meta"])["format"] == FORMAT and "mac" in dict(now["meta"])
    assert all(now[table] == held[table] for table in ("events", "outbox", "answers", "marks"))
    with closing(open_journal(path)) as journal:
        journal.commit(batch(outbox=[(5, b"5")]), acknowledged=3)
        journal.restore()
    tamper(path, ("UPDATE outbox SET payload = x'00'", ()))
    with closing(open_journal(path)) as journal, pytest.raises(JournalCorrupt, match="outbox is not as it was written"):
        journal.restore()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET time = 'x' WHERE id = 5",
        "DELETE FROM outbox WHERE sequence = 3",
        "DELETE FROM outbox WHERE sequence = 4",
        "UPDATE events SET sealed = zeroblob(99) WHERE sealed IS NOT NULL",
    ],
)
def test_a_journal_of_the_format_before_that_is_not_as_it_was_written_stays_as_it_is(
    tmp_path: Path, change: str
) -> None:
    before(tmp_path / "j.db")
    tamper(tmp_path / "j.db", (change, ()))
    held = contents(tmp_path / "j.db")
    with closing(open_journal(tmp_path / "j.db")) as journal, pytest.raises(JournalCorrupt):
        journal.restore()
    assert contents(tmp_path / "j.db") == held


def test_a_journal_of_the_format_before_is_not_brought_over_with_another_key(tmp_path: Path) -> None:
    before(tmp_path / "j.db")
    held = contents(tmp_path / "j.db")
    with pytest.raises(JournalCorrupt, match="the seal key does not open"):
        restored(tmp_path / "j.db", bytes(reversed(KEY)))
    assert contents(tmp_path / "j.db") == held
    restored(tmp_path / "j.db")


@pytest.mark.parametrize("format", [format.decode() for format in FORMATS])
def test_a_journal_that_a_station_of_each_format_wrote_is_migrated_and_a_copy_of_it_is_kept(
    tmp_path: Path, format: str
) -> None:
    path = tmp_path / "j.db"
    written = lzma.decompress((HERE / f"format-{format}.db.xz").read_bytes())
    path.write_bytes(written)
    held, table = contents(path), Table()
    for _, _, _, _, _, body, _, _ in held["events"]:
        table = apply(table, msgspec.json.decode(body, type=Event))
    with closing(open_journal(path)) as journal:
        found = journal.restore()
        assert found.table == table and table.version == 35 and found.sequence == 4
        assert [row.sequence for row in journal.outbox(0, 10)] == [2, 3, 4]
        assert journal.outcome("a") is not None and found.marks["shoe"].sequence == 7
    assert dict(contents(path)["meta"])["format"] == FORMAT
    copies = [file for file in tmp_path.iterdir() if ".format-" in file.name]
    if format.encode() == FORMAT:
        assert copies == []
    else:
        [copy] = copies
        assert copy.name == f"j.db.format-{format}-event-{table.version}"
        assert contents(copy) == held and copy.stat().st_mode & 0o777 == 0o600


def test_a_journal_of_the_format_before_stays_as_it_is_where_no_copy_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before(tmp_path / "j.db")
    held = contents(tmp_path / "j.db")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    with closing(open_journal(tmp_path / "j.db")) as journal, pytest.raises(JournalUnavailable, match="No space left"):
        journal.restore()
    assert contents(tmp_path / "j.db") == held
    assert not [file.name for file in tmp_path.iterdir() if ".format-" in file.name]
    monkeypatch.undo()
    restored(tmp_path / "j.db")


def test_a_journal_of_a_newer_station_is_refused_with_a_sentence_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before(tmp_path / "j.db")
    tamper(tmp_path / "j.db", ("UPDATE meta SET value = ? WHERE key = 'format'", (b"10",)))
    held = contents(tmp_path / "j.db")
    with pytest.raises(NewerJournal, match="has format 10, of a newer station; this station reads 5"):
        open_journal(tmp_path / "j.db")
    text = (HERE.parents[2] / "systemd" / "station.toml").read_text(encoding="utf-8")
    for folder in ("/var/lib/dealer-station", "/run/credentials/dealer-station.service"):
        text = text.replace(folder, str(tmp_path))
    tamper(tmp_path / "j.db", ("UPDATE meta SET value = ? WHERE key = 'mode'", (b"live",)))
    (tmp_path / "station.toml").write_text(text.replace("journal.db", "j.db"), encoding="utf-8")
    (tmp_path / "seal.key").write_bytes(KEY)
    assert main(["run", "--config", str(tmp_path / "station.toml")]) == 78
    assert "of a newer station" in (told := capsys.readouterr().err) and "Install the newer station again" in told
    tamper(tmp_path / "j.db", ("UPDATE meta SET value = ? WHERE key = 'mode'", (b"simulation",)))
    assert contents(tmp_path / "j.db") == held
