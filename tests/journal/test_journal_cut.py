"""Files of a journal that other programs cut or overwrite while its station runs: noticed before anything is shown."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import store
from controller.journal.high_water import HighWaterFile
from controller.journal.open_files import OpenFiles
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.journal.store import Journal
from tests.journal.keeping import batch, open_journal
from tests.journal.test_journal_running import commit, left

FRAME = 24 + 1024
HEADER = 32


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """One with three messages, all of them in its log."""
    journal = open_journal(tmp_path / "j.db")
    for number in (1, 2, 3):
        commit(journal, number)
    yield journal
    journal.close()


def log_of(journal: Journal) -> Path:
    return journal.path.with_name("j.db-wal")


def frames(journal: Journal) -> int:
    return (log_of(journal).stat().st_size - HEADER) // FRAME


def cut(journal: Journal, size: int) -> None:
    os.truncate(log_of(journal), size)


def grown_again(journal: Journal, size: int) -> None:
    whole = log_of(journal).stat().st_size
    cut(journal, size)
    cut(journal, whole)


CUTS: dict[str, Callable[[Journal], None]] = {
    "to nothing": lambda journal: cut(journal, 0),
    "to its header": lambda journal: cut(journal, HEADER),
    "by one frame": lambda journal: cut(journal, HEADER + FRAME * (frames(journal) - 1)),
    "by one octet": lambda journal: cut(journal, log_of(journal).stat().st_size - 1),
    "within its header": lambda journal: cut(journal, 20),
    "to nothing, and as long as before": lambda journal: grown_again(journal, 0),
    "by half, and as long as before": lambda journal: grown_again(journal, HEADER + FRAME * (frames(journal) // 2)),
}


@pytest.mark.parametrize("what", CUTS.values(), ids=CUTS.keys())
@pytest.mark.parametrize("notice", ["commit", "at rest", "forget", "sessions"])
def test_a_log_that_is_cut_is_noticed_and_nothing_is_changed(
    tmp_path: Path, what: Callable[[Journal], None], notice: str
) -> None:
    journal = open_journal(tmp_path / "j.db")
    for number in (1, 2, 3):
        commit(journal, number)
    before = journal.path.read_bytes()
    mark = HighWaterFile(journal.path).read()
    what(journal)
    asked: dict[str, Callable[[], object]] = {
        "commit": lambda: commit(journal, 4),
        "at rest": journal.check_files,
        "forget": lambda: journal.forget(2),
        "sessions": lambda: journal.reserve_sessions(1),
    }
    with pytest.raises(JournalCorrupt, match=r"j.db-wal was cut or overwritten: it has [0-9]+ octets"):
        asked[notice]()
    journal.close()
    assert journal.path.read_bytes() == before, "what a cut log reads as was carried over"
    assert HighWaterFile(journal.path).read() == mark
    with pytest.raises(JournalCorrupt), closing(open_journal(journal.path)) as again:
        again.restore()


def test_a_log_that_is_cut_while_a_commit_is_written_is_noticed_by_it(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_names = OpenFiles.check_names

    def cut_before(files: OpenFiles) -> None:
        cut(journal, 0)
        check_names(files)

    monkeypatch.setattr(OpenFiles, "check_names", cut_before)
    with pytest.raises(JournalCorrupt, match="was cut or overwritten"):
        commit(journal, 4)


def test_a_log_that_is_cut_is_not_carried_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CHECKPOINT_EVERY", 4)
    journal = open_journal(tmp_path / "j.db")
    for number in (1, 2, 3, 4):
        commit(journal, number)
    before = journal.path.read_bytes()
    grown_again(journal, 0)
    with pytest.raises(JournalCorrupt, match="was cut or overwritten"):
        commit(journal, 5)
    journal.close()
    assert journal.path.read_bytes() == before


def test_an_earlier_state_of_the_log_in_its_place_is_noticed(journal: Journal) -> None:
    earlier = log_of(journal).read_bytes()
    commit(journal, 4)
    with log_of(journal).open("r+b") as file:
        file.write(earlier)
        file.truncate()
    with pytest.raises(JournalCorrupt, match="was cut or overwritten"):
        commit(journal, 5)


def test_a_log_that_sqlite_begins_again_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CHECKPOINT_EVERY", 3)
    monkeypatch.setattr(store, "LOG_BYTES", 5000)
    with closing(open_journal(tmp_path / "j.db")) as journal:
        for number in range(1, 60):
            journal.commit(batch(outbox=[(number, bytes(100 * (number % 40)))], answers=[f"{number}"]))
            journal.forget(number)
            journal.forget(number)
            journal.check_files()
        assert left(journal.path) == 59


@pytest.mark.parametrize("more", [False, True])
def test_another_program_may_carry_the_log_over(journal: Journal, more: bool) -> None:
    with closing(sqlite3.connect(journal.path)) as db:
        assert db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    assert log_of(journal).stat().st_size == 0
    if not more:
        journal.check_files()
    commit(journal, 4)
    journal.check_files()
    assert left(journal.path) == 4


def test_another_program_that_writes_into_the_journal_is_noticed(journal: Journal) -> None:
    with closing(sqlite3.connect(journal.path)) as db, db:
        db.execute("DELETE FROM marks")
        db.execute("INSERT INTO marks VALUES ('shoe', 1, 2)")
    with pytest.raises(JournalCorrupt, match="another program has written to the journal"):
        commit(journal, 4)


def test_a_backup_written_over_the_journals_file_is_noticed(journal: Journal) -> None:
    with closing(sqlite3.connect(journal.path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.check_files()
    shutil.copyfile(journal.path, journal.path.with_name("backup"))
    for number in range(4, 40):
        commit(journal, number)
    with closing(sqlite3.connect(journal.path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.check_files()
    shutil.copyfile(journal.path.with_name("backup"), journal.path)
    with pytest.raises(JournalCorrupt, match=r"j.db was overwritten by another program"):
        journal.check_files()


def test_a_changed_time_of_the_file_alone_is_no_damage(journal: Journal) -> None:
    os.utime(journal.path)
    journal.check_files()
    commit(journal, 4)
    assert left(journal.path) == 4


def test_what_is_written_while_the_log_is_away_is_no_other_programs(journal: Journal, tmp_path: Path) -> None:
    log_of(journal).rename(tmp_path / "away")
    journal.forget(1)
    journal.forget(2)
    with pytest.raises(JournalUnavailable, match="was removed or replaced"):
        journal.check_files()
    (tmp_path / "away").rename(log_of(journal))
    journal.check_files()
    commit(journal, 4)
    assert left(journal.path) == 4


def test_an_index_of_the_log_that_is_removed_costs_nothing(journal: Journal) -> None:
    journal.path.with_name("j.db-shm").unlink()
    commit(journal, 4)
    journal.check_files()
    assert left(journal.path) == 4


@pytest.mark.parametrize("replaced", [False, True])
def test_a_mark_that_is_removed_or_replaced_is_written_again(journal: Journal, replaced: bool) -> None:
    mark = journal.path.with_name("j.db.mark")
    mark.rename(mark.with_name("away"))
    if replaced:
        mark.write_bytes(mark.with_name("away").read_bytes())
    commit(journal, 4)
    found = HighWaterFile(journal.path).read()
    assert found is not None and found.sequence == 4
