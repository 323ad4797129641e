"""Messages that wait for the broker, those that it has taken, and the numbers of sessions with it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.engine.state.events import EpochBegun, JournalOvertaken, MessageSetAside, MessageUntaken
from controller.journal import rows, store, verifying
from controller.journal.auditing import audit
from controller.journal.closing import close_messages, remove_left_over
from controller.journal.pruning import lapsed_today
from controller.journal.records import JournalCorrupt, JournalUnavailable, OutboxRow
from controller.journal.sealing import Seal
from controller.journal.store import Journal
from controller.journal.verifying import Verifier
from controller.rulebook.roles import SUPERVISOR
from controller.runtime.sessions import RESERVED, SessionNumbers
from tests.journal.keeping import KEY, STAMP, batch, open_journal, record, tamper

pytestmark = pytest.mark.long


FILE = 4  # messages
PAYLOAD = '{"text":"é\\n 𝄞"}'.encode()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        journal.restore()
        yield journal


def say(journal: Journal, first: int, last: int) -> None:
    for number in range(first, last + 1):
        journal.commit(batch(outbox=[(number, PAYLOAD + b"%d" % number)]))


def close(journal: Journal, time: str = "2026-01-02") -> None:
    """As the station does, until nothing is left to do."""
    while (file := close_messages(journal.path, time, messages=FILE)) is not None:
        journal.take_up(file)
        while journal.untidy:
            journal.forget(0)


def sequences(journal: Journal, first: int = 1) -> list[int]:
    """Every message from one on, which each is as it was reported."""
    numbers: list[int] = []
    while rows := journal.messages(first, 3):
        assert rows == [OutboxRow(row.sequence, "t", PAYLOAD + b"%d" % row.sequence) for row in rows]
        numbers += [row.sequence for row in rows]
        first = numbers[-1] + 1
    return numbers


def files(journal: Journal) -> list[Path]:
    return sorted(journal.path.parent.glob("*.messages.*.zst"))


def test_what_the_broker_has_taken_is_kept_and_does_not_wait_any_more(journal: Journal) -> None:
    say(journal, 1, 3)
    journal.forget(2)
    assert [row.sequence for row in journal.outbox(0, 10)] == [3]
    assert sequences(journal) == [1, 2, 3] and sequences(journal, 2) == [2, 3] and sequences(journal, 4) == []
    assert journal.oldest_message == 1
    journal.restore()


def waiting(journal: Journal, after: int = 0) -> list[int]:
    numbers: list[int] = []
    while rows := journal.outbox(numbers[-1] if numbers else after, 3):
        numbers += [row.sequence for row in rows]
    return numbers


def test_the_older_messages_go_into_files_whether_the_broker_has_taken_them_or_not(journal: Journal) -> None:
    say(journal, 1, 20)
    journal.forget(6)
    close(journal)
    assert [file.name for file in files(journal)] == [
        "j.db.messages.000000000001-000000000004.zst",
        "j.db.messages.000000000005-000000000008.zst",
        "j.db.messages.000000000009-000000000012.zst",
        "j.db.messages.000000000013-000000000016.zst",
    ]
    assert files(journal)[0].stat().st_mode & 0o777 == 0o600
    assert journal._db.execute("SELECT min(sequence) FROM outbox").fetchall() == [(17,)]
    assert sequences(journal) == [*range(1, 21)] and sequences(journal, 4) == [*range(4, 21)]
    assert waiting(journal) == [*range(7, 21)] and waiting(journal, 10) == [*range(11, 21)]
    journal.restore()
    assert lapsed_today(journal.path, "2026-01-03", STAMP, ()) == 4, "the broker has not taken the others"
    journal.drop((16, STAMP))
    journal.forget(0)
    assert sequences(journal) == [*range(5, 21)]


def test_a_message_that_waits_in_a_file_may_be_put_aside(journal: Journal) -> None:
    say(journal, 1, 16)
    close(journal)
    for sequence in (1, 2, 6):
        record(journal, MessageSetAside(sequence, "t", "rui", "too long"))
    assert sequences(journal) == [3, 4, 5, *range(7, 17)] and waiting(journal) == [*range(7, 17)]
    journal.restore()


def test_a_message_that_is_put_aside_while_its_file_is_written_is_not_in_it(journal: Journal) -> None:
    say(journal, 1, 8)
    file = close_messages(journal.path, "2026-01-02", messages=FILE)
    assert file is not None
    record(journal, MessageSetAside(2, "t", "rui", "too long"))
    journal.take_up(file)
    journal.forget(0)
    assert sequences(journal) == [1, *range(3, 9)] and waiting(journal) == [*range(3, 9)]
    journal.restore()


@pytest.mark.parametrize("taken_up_before", [True, False])
def test_what_waits_in_a_file_as_an_epoch_begins_has_ids_of_that_epoch(journal: Journal, taken_up_before: bool) -> None:
    def published(number: int) -> bytes:
        return b'{"id":"%s/%d","source":"x/%s"}' % (journal.name.encode(), number, journal.name.encode())

    before = journal.uuid.encode()
    for number in range(1, 17):
        journal.commit(batch(outbox=[(number, published(number))]))
    journal.forget(2)
    written = close_messages(journal.path, "2026-01-02", messages=FILE)
    assert written is not None
    if taken_up_before:
        journal.take_up(written)
        journal.forget(0)
    epoch = EpochBegun(actor="rui", reason="a copy", second="ana", second_role=SUPERVISOR)
    record(journal, JournalOvertaken(journal.uuid, 99, 16), epoch)
    journal.take_up(written)
    journal.forget(0)
    close(journal)
    assert journal.name != journal.uuid and len(files(journal)) == 3
    rows = [row for number in range(1, 17) for row in journal.messages(number, 1)]
    old = [b'{"id":"%s/%d","source":"x/%s"}' % (before, number, before) for number in (1, 2)]
    assert [row.payload for row in rows] == [*old, *map(published, range(3, 17))]
    assert waiting(journal) == [*range(3, 17)]
    audit(journal.path, "simulation", Seal(KEY), lambda *_: None)


@pytest.mark.parametrize("harm", ["missing", "shorter"])
def test_a_start_notices_that_a_file_with_messages_that_wait_is_not_whole(tmp_path: Path, harm: str) -> None:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        say(journal, 1, 16)
        journal.forget(4)
        close(journal)
        first, second = files(journal)[:2]
    first.unlink()
    with closing(open_journal(tmp_path / "j.db")) as journal:
        assert journal.restore().sequence == 16, "the broker has those, and the verifier names the file"
    second.unlink() if harm == "missing" else second.write_bytes(second.read_bytes()[:-1])
    with closing(open_journal(tmp_path / "j.db")) as journal, pytest.raises(JournalCorrupt, match="messages 5 to 8"):
        journal.restore()


def test_what_is_cleared_away_goes_back_to_the_disk(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "PAGES_KEPT", 20)
    monkeypatch.setattr(store, "LOG_CARRIED_OVER", 20_000)
    for number in range(1, 301):
        journal.commit(batch(outbox=[(number, PAYLOAD * 100)]))
    close(journal)
    journal.forget(1)
    free, most = (journal._db.execute(f"PRAGMA {of}").fetchone()[0] for of in ("freelist_count", "page_count"))
    assert free <= 20 and most < 150
    assert journal.path.stat().st_size <= 200 * 1024, "300 messages were 1 MB in it"
    journal.restore()


def test_a_verifier_that_is_stopped_reads_no_further_file(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    say(journal, 1, 16)
    journal.forget(16)
    close(journal)
    assert len(files(journal)) > 1
    verifier = Verifier(journal.path, lambda: journal.end, lambda broken: None)
    read: list[object] = []

    def reads(path: Path, file: object) -> None:
        read.append(file)
        verifier.stop()

    monkeypatch.setattr(verifying, "checked_octets", reads)
    verifier.verify()
    assert len(read) == 1


def test_a_file_that_was_changed_is_noticed_when_it_is_read_and_by_the_verifier(journal: Journal) -> None:
    say(journal, 1, 8)
    journal.forget(8)
    close(journal)
    [file] = files(journal)
    verifier = Verifier(journal.path, lambda: journal.end, lambda broken: None)
    verifier.verify()
    written = file.read_bytes()
    file.write_bytes(written[:-9] + bytes([written[-9] ^ 1]) + written[-8:])
    for look in (lambda: journal.messages(1, 1), verifier.verify):
        with pytest.raises(JournalCorrupt, match="messages 1 to 4 are not as they were written"):
            look()
    assert sequences(journal, 5) == [5, 6, 7, 8]
    file.unlink()
    for look in (lambda: journal.messages(1, 1), verifier.verify):
        with pytest.raises(JournalCorrupt, match="is missing: it holds messages 1 to 4"):
            look()


@pytest.mark.parametrize("change", ["DELETE FROM files", "UPDATE archives SET through = 8", "DELETE FROM outbox"])
def test_what_the_journal_knows_of_its_messages_is_guarded(tmp_path: Path, change: str) -> None:
    path = tmp_path / "j.db"
    with closing(open_journal(path)) as journal:
        say(journal, 1, 8)
        journal.forget(8, {"hall": 5})
        close(journal)
    tamper(path, (change, ()))
    with closing(open_journal(path)) as journal, pytest.raises(JournalCorrupt, match="is not as it was written"):
        journal.restore()


def test_a_file_goes_once_it_is_old_and_every_archive_has_it(journal: Journal) -> None:
    say(journal, 1, 16)
    journal.forget(16, {"hall": 7, "vault": 16, "another": 1})
    close(journal)
    path = journal.path
    assert len(files(journal)) == 3
    assert lapsed_today(path, "2026-01-02", STAMP, ()) == 0, "they are not old"
    assert lapsed_today(path, "2026-01-03", STAMP, ()) == 12
    assert lapsed_today(path, "2026-01-03", STAMP, ("hall", "vault")) == 4
    assert lapsed_today(path, "2026-01-03", STAMP, ("unknown",)) == 0
    journal.drop((4, STAMP))
    assert journal.untidy
    journal.forget(0)
    assert len(files(journal)) == 3, "someone may read it"
    remove_left_over(path)
    assert len(files(journal)) == 2
    assert journal.oldest_message == 5 and sequences(journal) == [*range(5, 17)]
    journal.restore()


def test_what_an_archive_has_is_there_after_a_restart(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        say(journal, 1, 3)
        journal.forget(0, {"hall": 2})
        journal.forget(0, {"hall": 3, "vault": 1})
    with closing(open_journal(tmp_path / "j.db")) as journal:
        journal.restore()
        assert journal.archives == {"hall": 3, "vault": 1}


def test_a_message_that_was_put_aside_is_not_published_again(journal: Journal) -> None:
    say(journal, 1, 12)
    record(journal, MessageUntaken(4, "t", "x", "too long"))
    record(journal, MessageSetAside(4, "t", "rui", "too long"))
    assert sequences(journal) == [1, 2, 3, *range(5, 13)]
    journal.forget(12)
    close(journal)
    assert len(files(journal)) == 2 and sequences(journal) == [1, 2, 3, *range(5, 13)] and sequences(journal, 4)[0] == 5
    journal.restore()


# ---- The numbers of sessions with the broker, which the journal reserves.


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
