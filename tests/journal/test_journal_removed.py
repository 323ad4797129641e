"""Files of a journal that are removed or replaced while its station runs: nothing is notified that they do not hold."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import writer
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.journal.store import Journal
from tests.journal.keeping import batch, open_journal
from tests.journal.test_journal_loop import opening, running


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = open_journal(tmp_path / "j.db")
    commit(journal, 1)
    yield journal
    journal.close()


def commit(journal: Journal, number: int) -> None:
    journal.commit(batch(outbox=[(number, b"%d" % number)], answers=[f"input-{number}"]))


def left(path: Path) -> int:
    """The last message of the journal as another start would find it, were the computer switched off now."""
    folder = path.parent / "left"
    folder.mkdir()
    for name in ("j.db", "j.db-wal", "j.db.mark"):
        if path.with_name(name).exists():
            shutil.copy(path.with_name(name), folder / name)
    with closing(open_journal(folder / "j.db")) as journal:
        return journal.restore().sequence


def test_a_journal_that_was_removed_takes_nothing_until_it_is_back(journal: Journal, tmp_path: Path) -> None:
    journal.path.rename(tmp_path / "away")
    with pytest.raises(JournalUnavailable, match="was removed or replaced"):
        commit(journal, 2)
    for _ in range(2):
        with pytest.raises(JournalUnavailable, match="was removed or replaced"):
            journal.landed()
    (tmp_path / "away").rename(journal.path)
    assert journal.landed() is True
    commit(journal, 3)
    assert left(journal.path) == 3


def test_a_copy_in_its_place_takes_nothing(journal: Journal, tmp_path: Path) -> None:
    journal.path.rename(tmp_path / "away")
    shutil.copy(tmp_path / "away", journal.path)
    with pytest.raises(JournalUnavailable, match="was removed or replaced"):
        commit(journal, 2)
    with pytest.raises(JournalUnavailable, match="was removed or replaced"):
        journal.landed()
    (tmp_path / "away").rename(journal.path)
    assert journal.landed() is True and left(journal.path) == 2


def test_a_log_that_was_removed_is_noticed_and_nothing_of_it_is_lost(journal: Journal, tmp_path: Path) -> None:
    for number in (2, 3):
        commit(journal, number)
    (tmp_path / "j.db-wal").unlink()
    with pytest.raises(JournalUnavailable, match=r"j.db-wal was removed or replaced"):
        commit(journal, 4)
    assert journal.landed() is True
    commit(journal, 5)
    assert left(journal.path) == 5


def test_another_log_in_its_place_is_not_applied(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "j.db-wal").rename(tmp_path / "away")
    (tmp_path / "j.db-wal").write_bytes(b"of another")
    with pytest.raises(JournalUnavailable, match="was removed or replaced"):
        commit(journal, 2)
    with pytest.raises(JournalUnavailable, match="was removed or replaced"):
        journal.landed()
    (tmp_path / "j.db-wal").unlink()
    assert journal.landed() is True and left(journal.path) == 2


def test_an_older_state_under_the_same_file_is_not_continued_from(journal: Journal, tmp_path: Path) -> None:
    commit(journal, 2)
    journal._drop()
    for name in ("j.db-wal", "j.db.mark"):
        (tmp_path / name).unlink()
    with pytest.raises(JournalCorrupt, match="this station wrote"):
        journal.landed()


async def test_an_idle_table_says_that_its_journal_was_removed_and_that_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "ASK_AGAIN_SECONDS", 0.02)
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        (tmp_path / "j.db").rename(tmp_path / "away")
        with pytest.raises(JournalUnavailable) as noticed:
            station.writer.check_files()
        for _ in range(3):  # as often as it is looked at
            station.loop.journal_failed(noticed.value)
        assert station.active_alarms == ["journal"]
        (tmp_path / "away").rename(tmp_path / "j.db")
        await station.until(lambda: station.active_alarms == [])
        assert (await station.say(opening()))[0] == 200
