"""The numbers of sessions with the broker, which the journal reserves."""

from collections.abc import Iterator
from pathlib import Path

from controller.journal.records import JournalUnavailable
from controller.runtime.sessions import RESERVED, SessionNumbers
from tests.journal.keeping import open_journal


def begun(sessions: SessionNumbers, count: int) -> Iterator[int]:
    for _ in range(count):
        sessions.begin()
        yield sessions.current


def test_each_session_has_a_number_above_those_before_it_however_often_the_station_starts(tmp_path: Path) -> None:
    numbers: list[int] = []
    for count in (1, 3, 0, 2 * RESERVED + 1, 2):
        journal = open_journal(tmp_path / "j.db")
        journal.restore()
        numbers += begun(SessionNumbers(journal.reserve_sessions), count)
        journal.close()
    assert numbers[0] >= 1 and numbers == sorted({*numbers})
    journal = open_journal(tmp_path / "j.db")
    assert journal.events == journal.sequence == 0, "no event and no message"
    journal.close()


def test_a_journal_that_cannot_be_written_keeps_no_table_away_from_its_floor() -> None:
    writable = True

    def reserve(count: int) -> range:
        if not writable:
            raise JournalUnavailable("full")
        return range(5001, 5001 + count) if numbers else range(1, 1 + count)

    numbers: list[int] = []
    sessions = SessionNumbers(reserve)
    numbers += begun(sessions, RESERVED)
    writable = False
    numbers += begun(sessions, 2)
    assert numbers == [*range(1, RESERVED + 3)]
    writable = True
    assert [*begun(sessions, 2)] == [5001, 5002]
