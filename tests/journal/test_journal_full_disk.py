"""A disk without room: nothing is half written, and the same batch commits once when there is room again."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from controller.engine.state.events import DeviceReported
from controller.journal.records import Batch, JournalEntry, JournalUnavailable
from controller.journal.store import Journal
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
    with pytest.raises(JournalUnavailable, match="full"):
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


@pytest.mark.parametrize("limit", [150_000, 400_000])
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


def test_a_limit_of_this_process_is_not_left_behind() -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY


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
