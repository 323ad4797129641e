"""Messages that the broker has taken: kept for whoever asks again, in the journal's file and beside it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.engine.events import MessageSetAside, MessageUntaken
from controller.journal import verifying
from controller.journal.closing import close_messages, lapsed, remove_left_over
from controller.journal.records import Entry, JournalCorrupt, OutboxRow
from controller.journal.store import Journal
from controller.journal.verifying import Verifier
from tests.journal.keeping import batch, open_journal, tamper

FILE = 4  # messages
PAYLOAD = '{"said":"é\\n 𝄞"}'.encode()


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


def told(journal: Journal, first: int = 1) -> list[int]:
    """Every message from one on, which each is as it was said."""
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
    assert told(journal) == [1, 2, 3] and told(journal, 2) == [2, 3] and told(journal, 4) == []
    assert journal.oldest_message == 1
    journal.restore()


def test_what_the_broker_has_taken_goes_into_files_and_what_waits_stays(journal: Journal) -> None:
    say(journal, 1, 20)
    close(journal)
    assert files(journal) == [], "nothing was taken"
    journal.forget(13)
    close(journal)
    assert [file.name for file in files(journal)] == [
        "j.db.messages.000000000001-000000000004.zst",
        "j.db.messages.000000000005-000000000008.zst",
    ]
    assert files(journal)[0].stat().st_mode & 0o777 == 0o600
    assert journal._db.execute("SELECT min(sequence) FROM outbox").fetchall() == [(9,)]
    assert told(journal) == [*range(1, 21)] and told(journal, 4) == [*range(4, 21)]
    assert [row.sequence for row in journal.outbox(0, 10)] == [*range(14, 21)]
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

    monkeypatch.setattr(verifying, "check", reads)
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
    assert told(journal, 5) == [5, 6, 7, 8]
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
    assert lapsed(path, "2026-01-02", ()) == 0, "they are not old"
    assert lapsed(path, "2026-01-03", ()) == 12
    assert lapsed(path, "2026-01-03", ("hall", "vault")) == 4
    assert lapsed(path, "2026-01-03", ("never heard of",)) == 0
    journal.drop(4)
    assert journal.untidy
    journal.forget(0)
    assert len(files(journal)) == 3, "somebody may read it"
    remove_left_over(path)
    assert len(files(journal)) == 2
    assert journal.oldest_message == 5 and told(journal) == [*range(5, 17)]
    journal.restore()


def test_what_an_archive_has_is_there_after_a_restart(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        say(journal, 1, 3)
        journal.forget(0, {"hall": 2})
        journal.forget(0, {"hall": 3, "vault": 1})
    with closing(open_journal(tmp_path / "j.db")) as journal:
        journal.restore()
        assert journal.archives == {"hall": 3, "vault": 1}


def test_a_message_that_was_put_aside_is_not_said_again(journal: Journal) -> None:
    say(journal, 1, 12)
    journal.commit(batch([Entry(event=MessageUntaken(4, "t", "x", "too long"))]))
    journal.commit(batch([Entry(event=MessageSetAside(4, "t", "rui", "too long"))]))
    assert told(journal) == [1, 2, 3, *range(5, 13)]
    journal.forget(12)
    close(journal)
    assert len(files(journal)) == 2 and told(journal) == [1, 2, 3, *range(5, 13)] and told(journal, 4)[0] == 5
    journal.restore()
