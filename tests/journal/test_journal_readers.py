"""Someone who reads the journal and does not go: its log grows, that is noticed, and it is short again afterwards."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.console.answers import answer_to_inputs
from controller.engine.decisions.alarms import Acknowledge
from controller.journal import store
from controller.journal.store import Journal
from tests.journal.keeping import batch, open_journal
from tests.journal.test_journal_loop import opening, running

LIMIT = 100_000


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOG_BYTES", LIMIT)
    monkeypatch.setattr(store, "CHECKPOINT_EVERY", 5)


def reading(path: Path) -> sqlite3.Connection:
    reader = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM events").fetchall()
    return reader


def work(journal: Journal, first: int, last: int) -> None:
    for number in range(first, last + 1):
        journal.commit(batch(outbox=[(number, bytes(5000))], answers=[f"input-{number}"]))


def test_a_log_that_a_reader_lets_grow_is_noticed_and_short_again_when_he_goes(tmp_path: Path) -> None:
    log = tmp_path / "j.db-wal"
    with closing(open_journal(tmp_path / "j.db")) as journal:
        work(journal, 1, 40)
        assert not journal.log_kept_by_readers and log.stat().st_size < LIMIT
        reader = reading(tmp_path / "j.db")
        work(journal, 41, 80)
        assert LIMIT < journal.log_kept_by_readers <= log.stat().st_size
        reader.close()
        work(journal, 81, 90)
        assert not journal.log_kept_by_readers and log.stat().st_size <= LIMIT
        assert journal.restore().sequence == 90


async def test_the_table_says_so_once_until_someone_acknowledges_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        assert (await station.say(opening()))[0] == 200
        sizes = iter((0, 20_000_000, 21_000_000, 22_000_000, 0, 0, 0, 0, 0, 0, 0))
        with monkeypatch.context() as patched:
            patched.setattr(Journal, "log_kept_by_readers", property(lambda _: next(sizes)))
            for number in range(3):
                answer = await station.loop.answer([opening(f"again-{number}")])
                assert answer_to_inputs(answer).status_code == 409
            await station.until(lambda: station.active_alarms == ["journal"])
        [alarm] = station.alarms
        assert "20 MB" in alarm["texts"]["en"] and all("20 MB" in text for text in alarm["texts"].values())
        raised = [event for row in station.committed for event in row.events if type(event).__name__ == "AlarmRaised"]
        assert len(raised) == 1
        acknowledged = Acknowledge(input_id="seen", step_id="table", actor="rui", alarm="journal", since=alarm["since"])
        assert (await station.say(acknowledged))[0] == 200
        assert station.active_alarms == []
