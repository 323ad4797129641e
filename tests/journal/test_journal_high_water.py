"""A journal that ends before it did, whose log is torn or dropped, or whose file was exchanged is refused."""

import shutil
import struct
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal.records import JournalCorrupt
from controller.journal.write_ahead_log import is_damaged
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


# ---- What SQLite would drop of a damaged log without a word: a torn last transaction may go, an earlier one may not.


HEADER, FRAME = 32, 24 + 1024
END = 4  # where a frame says whether a transaction ends with it


def logged(path: Path, commits: int = 4) -> bytes:
    with closing(open_journal(path)) as journal:
        for number in range(1, commits + 1):
            journal.commit(batch(outbox=[(number, b"m")], answers=[f"input-{number}"]))
        return path.with_name("j.db-wal").read_bytes()


def ends(log: bytes) -> list[int]:
    """The frames with which a transaction ends."""
    return [
        number for number, at in enumerate(range(HEADER, len(log), FRAME)) if struct.unpack_from(">I", log, at + 4)[0]
    ]


def flipped(log: bytes, at: int) -> bytes:
    return log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :]


def damaged(folder: Path, log: bytes) -> bool:
    (folder / "log").write_bytes(log)
    return is_damaged(folder / "log")


@pytest.mark.parametrize(
    "part", [END, 8, 16, 20, 24, 24 + 1023], ids=["end", "salt", "sum", "sum 2", "page", "its end"]
)
def test_a_bit_of_the_last_transaction_may_be_torn_and_of_an_earlier_one_not(tmp_path: Path, part: int) -> None:
    log = logged(tmp_path / "j.db")
    last = ends(log)[-2] + 1
    for frame in range(len(log) // FRAME):
        found = damaged(tmp_path, flipped(log, HEADER + frame * FRAME + part))
        # One that says it is the last and is not was certainly not torn, if what it says is in one sector.
        assert found is (frame < last or (part == END and frame != ends(log)[-1])), f"frame {frame} of {ends(log)}"


def test_what_a_cut_leaves_of_the_last_transaction_is_no_damage(tmp_path: Path) -> None:
    log = logged(tmp_path / "j.db")
    before = HEADER + (ends(log)[-2] + 1) * FRAME
    for at in range(before, len(log), 512):
        assert not damaged(tmp_path, log[:at])
        assert not damaged(tmp_path, log[:at] + bytes(512) + log[at + 512 :])
    assert not damaged(tmp_path, log) and not damaged(tmp_path, b"") and not damaged(tmp_path, bytes(5000))
    assert not is_damaged(tmp_path / "no log")


def test_what_an_earlier_log_left_behind_the_end_is_no_damage(tmp_path: Path) -> None:
    earlier, log = logged(tmp_path / "j.db", 9), logged(tmp_path / "j.db", 0)
    assert log == b""
    with closing(open_journal(tmp_path / "j.db")) as journal:
        journal.commit(batch(answers=["once more"]))
        log = (tmp_path / "j.db-wal").read_bytes()
    assert not damaged(tmp_path, log + earlier[len(log) :])


@pytest.mark.parametrize("at", range(HEADER))
def test_a_log_whose_header_is_damaged_is_not_taken_for_an_empty_one(tmp_path: Path, at: int) -> None:
    assert damaged(tmp_path, flipped(logged(tmp_path / "j.db"), at))


def test_a_station_does_not_start_on_a_damaged_log_and_leaves_it(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        for number in (1, 2, 3):
            journal.commit(batch(answers=[f"input-{number}"]))
        log = (tmp_path / "j.db-wal").read_bytes()
    (tmp_path / "j.db-wal").write_bytes(flipped(log, HEADER + 100))
    for _ in range(2):
        with pytest.raises(JournalCorrupt, match="is damaged before its last transaction"):
            open_journal(tmp_path / "j.db")
    assert (tmp_path / "j.db-wal").read_bytes() == flipped(log, HEADER + 100)
