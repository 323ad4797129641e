"""A disk without room, and small files that are on it whole or not at all."""

import asyncio
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from controller.console.pins import changing_pins
from controller.console.screens import Screens
from controller.engine.state.events import DeviceReported
from controller.journal.records import Batch, JournalEntry, JournalUnavailable
from controller.journal.sealing import BadSealKey, read_key
from controller.journal.store import Journal
from controller.system.files import write_whole
from tests.journal.keeping import batch, contents, open_journal, played, write

pytestmark = pytest.mark.long


def large(number: int) -> Batch:
    event = DeviceReported(device="slots", what="noise", details=f"{number} " + "x" * 20_000)
    return batch([JournalEntry(event=event)], outbox=[(number, b"m" * 100)], answers=[f"i{number}"])


def fill(journal: Journal) -> int:
    """Commit until there is no room; the number of the first batch that did not go in."""
    for number in range(1, 1000):
        try:
            journal.commit(large(number))
        except JournalUnavailable:
            return number
    raise AssertionError("there is room for everything")


def test_a_full_database_writes_nothing_of_a_batch_and_all_of_it_later(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "j.db")
    journal._db.execute("PRAGMA max_page_count = 200")
    refused = fill(journal)
    assert refused > 2 and journal.events == refused - 1
    assert journal.outcome(f"i{refused}") is None
    assert [row.sequence for row in journal.outbox(0, 1000)] == [*range(1, refused)]
    with pytest.raises(JournalUnavailable, match="database or disk is full"):
        journal.commit(large(refused))
    assert journal.landed() is False
    journal.commit(large(refused))  # a new connection knows no limit
    assert journal.events == refused
    journal.restore()
    journal.close()
    kept = contents(tmp_path / "j.db")
    assert len(kept["events"]) == len(kept["outbox"]) == len(kept["answers"]) == refused


def cannot_be_asked(journal: Journal) -> bool:
    """Whether the log cannot even be written again; what can be asked says that the batch is not there."""
    try:
        assert journal.landed() is False
    except JournalUnavailable:
        return True
    return False


PROGRAM = """
import resource, sys
from pathlib import Path
from tests.journal.test_journal_full_disk import cannot_be_asked, fill, large
from tests.journal.keeping import open_journal
from controller.journal.records import JournalUnavailable

path, limit = Path(sys.argv[1]), int(sys.argv[2])
journal = open_journal(path)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
refused, failures = fill(journal), 1
while failures < 3 and not (failures and cannot_be_asked(journal)):  # an emptied log may have made room
    try:
        journal.commit(large(refused))
        refused, failures = refused + 1, 0
    except JournalUnavailable:
        failures += 1
assert refused > 5
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert not cannot_be_asked(journal)
assert journal.outcome(f"i{refused}") is None
journal.commit(large(refused))
assert journal.landed() is True
journal.close()
print(refused)
"""


@pytest.mark.parametrize("limit", [150_000, pytest.param(400_000, marks=pytest.mark.soak)])
def test_a_file_that_may_not_grow_is_the_same_to_a_running_station(tmp_path: Path, limit: int) -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "j.db"), str(limit)],
        cwd=root, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    journal = open_journal(tmp_path / "j.db")
    journal.restore()
    assert journal.events == journal.sequence == int(done.stdout)
    journal.close()
    assert len(contents(tmp_path / "j.db")["answers"]) == int(done.stdout)


def test_a_batch_that_did_land_though_the_commit_failed_is_known_to_be_there(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "j.db")
    journal.commit(large(1))
    before = journal._head
    journal.commit(large(2))
    journal._head = before  # as if the answer of the disk had been lost
    assert journal.landed() is True
    assert journal.events == 2
    journal.commit(large(3))
    journal.restore()
    journal.close()


def test_a_journal_that_may_not_be_written_is_not_available(tmp_path: Path) -> None:
    write(tmp_path / "j.db", played())
    journal = open_journal(tmp_path / "j.db")
    journal._db.execute("PRAGMA query_only = ON")
    before = contents(tmp_path / "j.db")
    with pytest.raises(JournalUnavailable):
        journal.commit(large(1))
    assert contents(tmp_path / "j.db") == before
    assert journal.landed() is False
    journal.commit(large(1))
    journal.close()


# ---- A small file is on the disk whole or not at all, its name with it, and of anyone who owns the folder.


def _pin(path: Path) -> None:
    with changing_pins(path) as pins:
        pins["ana"] = "a hash"


def _seal(path: Path) -> None:
    read_key(path, create=True)


def _screens(path: Path) -> None:
    asyncio.run(Screens(path, {"ana": "dealer"}).mark("ana", None))


@pytest.mark.parametrize("write", [_pin, _screens, _seal])
def test_it_is_synced_with_its_name_and_given_by_root_to_the_owner_of_the_folder(
    write: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    given: list[tuple[int, int]] = []
    fsync = os.fsync

    def watched(file: int) -> None:
        synced.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file")
        fsync(file)

    monkeypatch.setattr(os, "fsync", watched)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda file, user, group: given.append((user, group)))
    write(tmp_path / "kept")
    assert synced == ["file", "folder"]
    assert given == [(tmp_path.stat().st_uid, tmp_path.stat().st_gid)]
    assert [file.name for file in tmp_path.iterdir()] == ["kept"] and (
        tmp_path / "kept"
    ).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("write", [_pin, _screens, _seal])
def test_one_that_cannot_be_written_leaves_nothing_and_one_that_was_cut_off_is_in_nobodys_way(
    write: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "getpid", lambda: 7)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        reported = pytest.raises((OSError, BadSealKey), match="No space left on device")
        with nullcontext() if write is _screens else reported:
            write(tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / ".kept.7").write_bytes(b"cut off by a power cut under the same process number")
    write(tmp_path / "kept")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_link_in_the_place_of_the_file_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"kept")
    for name in ("file", f".file.{os.getpid()}"):
        (tmp_path / name).symlink_to(tmp_path / "precious")
    write_whole(tmp_path / "file", b"new")
    assert (tmp_path / "precious").read_bytes() == b"kept" and (tmp_path / "file").read_bytes() == b"new"
    assert not (tmp_path / "file").is_symlink()


def test_a_seal_key_is_read_through_a_link(tmp_path: Path) -> None:
    made = read_key(tmp_path / "made", create=True)
    (tmp_path / "seal.key").symlink_to(tmp_path / "made")
    assert read_key(tmp_path / "seal.key", create=False) == made
