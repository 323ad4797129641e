"""A sync that fails, and a power cut: what was published is on the disk, or is written again before it counts."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.engine.state.events import DeviceReported
from controller.journal import store, writer
from controller.journal.records import Batch, JournalEntry, JournalUnavailable
from tests.journal.keeping import batch, open_journal
from tests.journal.test_journal_loop import opening, running
from tests.powercut.cuts import explore
from tests.powercut.disk import WITH_OS, WITH_SQLITE, Disk, RecordedConnection, put, reader, record


def test_nothing_published_is_missing_after_a_cut_and_nothing_is_in_its_place(tmp_path: Path) -> None:
    found = explore(tmp_path, states=120, first_seed=200)
    assert not found.faults
    assert found.after_failed_syncs > 60
    assert found.with_segments > 12 and found.with_messages > 12 and found.while_closing > 6 and found.pruned > 6


def test_a_disk_that_only_says_it_has_synced_loses_what_was_published(tmp_path: Path) -> None:
    assert len(explore(tmp_path, states=40, first_seed=1, lying=True, failing=False).faults) > 20


class Worst(Random):
    """Nothing is kept that was not synced."""

    def random(self) -> float:
        return 0.999

    def choice(self, seq: Any) -> Any:
        return seq[0]


class Table:
    """A journal on a disk whose syncs fail when they are asked to, and a reader beside it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.disk = Disk(Worst())
        self._folder = folder
        self._files = record(patch, self.disk)
        patch.setattr(store, "BUSY_SECONDS", 0.0)
        patch.setattr(store, "CHECKPOINT_EVERY", 1_000_000)
        self.journal = open_journal(folder / "j.db")

    def commit(self, number: int, size: int = 3000) -> None:
        self.journal.commit(numbered(number, size))

    def fail(self, name: str | None = None) -> None:
        self.disk.failing, self.disk.only = 1.0, name

    def repair(self) -> None:
        self.disk.failing = 0.0

    def reader(self) -> RecordedConnection:
        return reader(self._files, self.journal.path)

    def after_a_cut(self, acknowledged: int = 0) -> int:
        """How many events are left, verified, where nothing is kept that was not synced."""
        with pytest.MonkeyPatch.context() as plain:
            for module in WITH_SQLITE:
                plain.setattr(module, "sqlite3", sqlite3)
            for module in WITH_OS:
                plain.setattr(module, "os", os)
            left = open_journal(put(self._folder / "cut", self.disk.at_worst()) / "j.db")
            left.restore()
            assert [row.sequence for row in left.outbox(0, 100)] == [*range(acknowledged + 1, left.events + 1)]
            left.close()
        return left.events


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    table = Table(tmp_path, monkeypatch)
    yield table
    table.journal.close()


def numbered(number: int, size: int) -> Batch:
    event = DeviceReported(device="slots", what="noise", details=f"{number} {'x' * size}")
    return batch([JournalEntry(event=event)], outbox=[(number, b"m")], answers=[f"i{number}"])


def test_a_batch_that_reads_as_if_it_were_there_has_not_landed_before_it_was_written_again(table: Table) -> None:
    table.commit(1)
    table.fail()
    with pytest.raises(JournalUnavailable):
        table.commit(2)
    for _ in range(3):
        with pytest.raises(JournalUnavailable):
            table.journal.landed()
        assert table.after_a_cut() == 1
    table.repair()
    assert table.journal.landed() is True
    assert table.journal.events == table.after_a_cut() == 2
    table.commit(3)
    assert table.after_a_cut() == 3


def test_a_batch_is_not_answered_for_while_someone_reads_the_file(table: Table) -> None:
    table.commit(1)
    reader = table.reader()
    table.fail()
    with pytest.raises(JournalUnavailable):
        table.commit(2)
    table.repair()
    with pytest.raises(JournalUnavailable):
        table.journal.landed()
    reader.close()
    assert table.journal.landed() is True
    assert table.after_a_cut() == 2


def test_a_cut_while_the_log_is_written_again_leaves_the_batch_whole_or_not_at_all(table: Table) -> None:
    table.commit(1)
    table.journal.landed()  # the log is empty
    table.journal.commit(batch(answers=["a"]))
    table.fail()
    with pytest.raises(JournalUnavailable):
        table.commit(2)
    table.repair()
    left: list[int] = []
    table.disk.on_change = lambda: left.append(table.after_a_cut())
    assert table.journal.landed() is True
    assert left[0] == 1 and left[-1] == 2 and left == sorted(left)


def carry_over_in_part(table: Table, reader_stays: bool) -> RecordedConnection:
    """A reader kept a checkpoint back: the pages carried over were not synced, and SQLite counts them as done.

    The next checkpoint's sync fails, and the kernel forgets them.
    """
    for number in range(1, 11):
        table.commit(number)
    reader = table.reader()
    for number in range(11, 21):
        table.commit(number)
    table.journal._checkpoint()
    reader.execute("COMMIT")
    if not reader_stays:
        reader.close()
    table.fail("j.db")
    store.CHECKPOINT_EVERY = 1
    with pytest.raises(JournalUnavailable):
        table.commit(21)
    table.repair()
    with pytest.raises(JournalUnavailable):
        table.commit(21)
    return reader


def continues_to_commit(table: Table) -> None:
    assert table.journal.landed() is False
    table.commit(21)
    table.commit(22)
    assert table.journal.events == table.after_a_cut() == 22


def test_pages_that_a_failed_checkpoint_lost_are_carried_over_again(table: Table) -> None:
    carry_over_in_part(table, reader_stays=False)
    continues_to_commit(table)


def test_pages_that_a_failed_checkpoint_lost_wait_for_anyone_who_keeps_the_index(table: Table) -> None:
    reader = carry_over_in_part(table, reader_stays=True)
    with pytest.raises(JournalUnavailable):
        table.journal.landed()
    reader.close()
    continues_to_commit(table)


def test_no_checkpoint_fails_unnoticed(table: Table) -> None:
    """SQLite's own, after a thousand pages, would."""
    for number in range(1, 11):
        table.commit(number, 60_000)
    reader = table.reader()
    for number in range(11, 21):
        table.commit(number, 60_000)
    reader.close()
    table.fail("j.db")
    table.commit(21)
    table.repair()
    for number in range(22, 25):
        table.commit(number)
    assert table.after_a_cut() == 24


def test_a_station_that_starts_writes_again_what_another_left(table: Table) -> None:
    """The other was killed after its sync had failed, and its batch reads as if it were there."""
    table.commit(1)
    table.fail()
    with pytest.raises(JournalUnavailable):
        table.commit(2)
    table.journal._drop()
    table.journal._lock.close()
    with pytest.raises(JournalUnavailable):
        open_journal(table.journal.path)
    table.repair()
    table.journal = open_journal(table.journal.path)
    assert table.journal.events == table.after_a_cut() == 2


def test_an_outbox_that_could_not_be_shortened_is_no_obstacle(table: Table) -> None:
    table.commit(1)
    table.fail()
    with pytest.raises(JournalUnavailable):
        table.journal.forget(1)
    table.repair()
    table.commit(2)
    assert table.after_a_cut(acknowledged=1) == 2, "the broker has it, and the log was written again"


@pytest.mark.parametrize("name", ["j.db.new", "j.db.new-wal", "j.db.mark", ""])
def test_a_journal_that_cannot_be_synced_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    disk = Disk(Worst())
    record(monkeypatch, disk)
    disk.failing, disk.only = 1.0, name
    with pytest.raises(JournalUnavailable):
        open_journal(tmp_path / "j.db")
    disk.failing = 0.0
    journal = open_journal(tmp_path / "j.db")
    journal.commit(numbered(1, 10))
    assert set(disk.at_worst()) == {"j.db", "j.db-wal", "j.db.mark"}
    journal.close()


async def test_the_table_waits_with_its_alarm_until_what_it_decided_was_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(Worst())
    record(monkeypatch, disk)
    monkeypatch.setattr(writer, "ASK_AGAIN_SECONDS", 0.02)
    async with running(tmp_path, monkeypatch) as station:
        await station.until(lambda: station.loop.table.meter is not None)
        sequence, commits = station.loop.sequence, len(station.committed)
        disk.failing = 1.0
        for name in ("i1", "i2"):
            status, body = await station.say(opening(name))
            assert (status, body["error"]) == (503, "not_durable")
        failed = disk.failed
        await station.until(lambda: disk.failed > failed + 3)
        assert station.active_alarms == ["journal"] and station.step == "open/1"
        assert station.loop.sequence == sequence and len(station.committed) == commits
        disk.failing = 0.0
        await station.until(lambda: station.active_alarms == [])
        assert station.step == "1/begin" and (await station.say(opening()))[0] == 200
