"""What SQLite would drop of a damaged log without a word: a torn last transaction may go, an earlier one may not."""

import struct
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal.records import JournalCorrupt
from controller.journal.write_ahead_log import is_damaged
from tests.journal.keeping import batch, open_journal

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
