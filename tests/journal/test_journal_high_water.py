"""A journal that ends before it did, whose log lost what was synced, or whose file was exchanged is refused."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal.records import JournalCorrupt
from tests.journal.keeping import batch, entries_of, open_journal, played

FILES = ("j.db", "j.db-wal", "j.db.mark")


def commits(path: Path, first: int, last: int) -> dict[str, bytes]:
    """Commit, stop, and give the files as they were before the stop."""
    with closing(open_journal(path)) as journal:
        journal.restore()
        for number in range(first, last + 1):
            journal.commit(batch(outbox=[(number, b"%d" % number)], answers=[f"input-{number}"]))
        return {name: (path.parent / name).read_bytes() for name in FILES}


def put(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / "j.db"


def refused(path: Path) -> str:
    before = {name: path.with_name(name).read_bytes() for name in FILES if path.with_name(name).exists()}
    with pytest.raises(JournalCorrupt) as corrupt:
        open_journal(path).close()
    assert {name: path.with_name(name).read_bytes() for name in before} == before, "nothing was changed"
    return str(corrupt.value)


def test_an_older_copy_put_back_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    commits(path, 1, 3)
    shutil.copy(path, tmp_path / "old")
    commits(path, 4, 7)
    shutil.copy(tmp_path / "old", path)
    complaint = refused(path)
    assert "message 3" in complaint and "message 7" in complaint and "it is an older copy" in complaint
    (tmp_path / "j.db.mark").unlink()
    commits(path, 4, 4)


def test_a_log_that_is_gone_after_a_kill_is_refused(tmp_path: Path) -> None:
    files = commits(tmp_path / "j.db", 1, 5)
    assert "message 5" in refused(put(tmp_path / "gone", {**files, "j.db-wal": b""}))
    assert "message 5" in refused(put(tmp_path / "short", {**files, "j.db-wal": files["j.db-wal"][:-1]}))


def test_the_mark_lags_behind_a_journal_after_a_power_cut(tmp_path: Path) -> None:
    earlier = commits(tmp_path / "j.db", 1, 3)
    files = commits(tmp_path / "j.db", 4, 9)
    for number, mark in enumerate((earlier["j.db.mark"], b"", bytes(256), b"torn")):
        path = put(tmp_path / str(number), {**files, "j.db.mark": mark})
        assert len(commits(path, 10, 10)["j.db.mark"]) == 256


def test_a_mark_that_cannot_be_read_is_reported_until_the_next_opening(tmp_path: Path) -> None:
    files = commits(tmp_path / "j.db", 1, 3)
    mark = files["j.db.mark"]
    flipped = bytes([mark[0] ^ 1]) + mark[1:]
    for number, (content, readable) in enumerate(((mark, True), (flipped, False), (b"", False), (bytes(256), False))):
        path = put(tmp_path / str(number), {**files, "j.db.mark": content})
        with closing(open_journal(path)) as journal:
            assert journal.mark_unreadable == (None if readable else path.with_name("j.db.mark"))
        with closing(open_journal(path)) as journal:
            assert journal.mark_unreadable is None, "it was written again"


def test_another_journal_in_its_place_is_refused(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        commits(tmp_path / name / "j.db", 1, 3)
    shutil.copy(tmp_path / "other" / "j.db", tmp_path / "one" / "j.db")
    assert "is of another journal" in refused(tmp_path / "one" / "j.db")


def test_another_course_of_the_same_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    commits(path, 1, 3)
    (tmp_path / "fork").mkdir()
    shutil.copy(path, tmp_path / "fork" / "j.db")
    for folder, entry in zip((tmp_path, tmp_path / "fork"), entries_of(played(1)), strict=False):
        with closing(open_journal(folder / "j.db")) as journal:
            journal.commit(batch([entry]))
    shutil.copy(tmp_path / "fork" / "j.db", path)
    assert "is not the one that" in refused(path)
