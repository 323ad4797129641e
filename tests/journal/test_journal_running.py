"""A journal while its station runs: files that are removed, a reader who does not go, and its memory."""

import asyncio
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.console.answers import answer_to_inputs
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.outcomes import Accepted
from controller.journal import store, writer
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.journal.store import Journal
from controller.runtime import upkeep
from controller.station import Station
from tests.journal.dealt import SHIFT
from tests.journal.keeping import batch, open_journal
from tests.journal.test_journal_loop import opening, running
from tests.made_up_time import until
from tests.station.test_station_unread import recording


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


async def test_an_idle_station_says_that_its_journal_was_removed_and_that_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "FLUSH_SECONDS", 0.01)
    monkeypatch.setattr(writer, "ASK_AGAIN_SECONDS", 0.02)
    config = recording(tmp_path)
    station = await Station.open(config)

    def reports() -> bool:
        alarms = json.loads(station.view.projection())["alarms"]
        return any(alarm["name"] == "journal" and not alarm["over"] for alarm in alarms)

    task = asyncio.create_task(station.run())
    try:
        await until(lambda: len(station.loop.table.alarms) == 3)  # what it begins with
        config.journal.rename(tmp_path / "away")
        await until(reports)
        (tmp_path / "away").rename(config.journal)
        await until(lambda: not reports())
        [answer] = await station.loop.answer([opening()])  # type: ignore[misc]
        assert isinstance(answer, Accepted)
    finally:
        station.stop()
        await task


LIMIT = 100_000


@pytest.fixture
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


@pytest.mark.usefixtures("short")
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


@pytest.mark.usefixtures("short")
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


ROOT = Path(__file__).parents[2]


def core_image(pid: int) -> Iterator[bytes]:
    """What a core dump would hold: every page that the process can write."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            place, access, *_ = line.split()
            first, last = (int(at, 16) for at in place.split("-"))
            if access.startswith("rw"):
                memory.seek(first)
                yield memory.read(last - first)


@pytest.mark.long
def test_no_text_in_memory_says_what_is_face_down(tmp_path: Path) -> None:
    cards = ["7h", "2c", "Jd"]  # beside one another in no text of the station
    encoded = [".".join(str(ord(sign) + SHIFT) for sign in card) for card in cards]
    # As the journal's seal takes them, as one text, and as the codes beside one another.
    first, second, third = (card.encode() for card in cards)
    texts = re.compile(rb'%b"?[ ,]*"?(?:[0-9]+":")?%b"?[ ,]*"?(?:[0-9]+":")?%b' % (first, second, third))
    command = [sys.executable, "-m", "tests.journal.dealt", str(tmp_path), *encoded]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as station:
        assert station.stdout is not None
        assert any(line == "dealt\n" for line in station.stdout)
        image = list(core_image(station.pid))
        station.communicate("\n")
    assert sum(map(len, image)) > 10_000_000 and any(b"PacketDispensed" in part for part in image)
    assert [found for part in image for found in texts.findall(part)] == []
