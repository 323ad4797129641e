"""Every message of a table once, in order, and none left out: whatever order they come in."""

import random
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.pit import inbox as inbox_module
from controller.pit.asking import MessagesAsked, Questions
from controller.pit.inbox import AHEAD, BUFFERED_OF_TABLE, NEW_OF_TABLE, BadMessage, Inbox, TableJournal, read
from tests.pit.broadcasting import JOURNAL, content_of, message

OTHER = TableJournal("macau-1", "t-2", "j-2")


def numbers(inbox: Inbox, most: int = 1000) -> list[int]:
    due = inbox.due(most)
    inbox.stored(due)
    return [sent.sequence for sent in due]


@given(st.lists(st.integers(1, 12), max_size=60), st.integers(1, 5))
def test_in_whatever_order_they_come_each_is_stored_once_and_none_before_the_one_before_it(
    arrivals: list[int], most: int
) -> None:
    inbox, stored, seen = Inbox({}), list[int](), set[int]()
    for sequence in arrivals:
        assert inbox.receive(message(sequence)) == (sequence not in seen)
        seen.add(sequence)
        stored += numbers(inbox, most)
    while due := numbers(inbox, most):
        stored += due
    gapless = next(n for n in range(1, 14) if n not in arrivals) - 1
    assert stored == list(range(1, gapless + 1))
    last = max(arrivals, default=0)
    missing = inbox.missing()
    assert bool(missing) == (gapless < last)
    if missing:
        first, to = missing[JOURNAL]
        assert first == gapless + 1 and all(n not in arrivals for n in range(first, to + 1)) and (to + 1 in arrivals)


def test_journals_do_not_wait_for_each_other() -> None:
    inbox = Inbox({JOURNAL: 4})
    inbox.receive(message(6))
    inbox.receive(message(1, OTHER))
    assert [(sent.journal, sent.sequence) for sent in inbox.due(10)] == [(OTHER, 1)]
    assert inbox.missing() == {JOURNAL: (5, 5)}


def test_what_a_table_says_it_has_is_missing_though_nothing_came() -> None:
    inbox = Inbox({JOURNAL: 4})
    inbox.received_up_to(JOURNAL, 9)
    assert inbox.missing() == {JOURNAL: (5, 9)}
    inbox.received_up_to(JOURNAL, 3)
    assert inbox.missing() == {JOURNAL: (5, 9)}


def test_what_is_far_ahead_is_not_kept_and_is_missing() -> None:
    inbox = Inbox({})
    assert inbox.receive(message(AHEAD + 1))
    inbox.receive(message(1))
    assert numbers(inbox) == [1]
    assert inbox.missing() == {JOURNAL: (2, AHEAD + 1)}


def test_what_a_table_does_not_have_any_more_is_left_out() -> None:
    inbox = Inbox({})
    for sequence in (3, 8, 9):
        inbox.receive(message(sequence))
    inbox.begins(JOURNAL, 8)
    assert numbers(inbox) == [8, 9] and not inbox.missing()
    inbox.begins(JOURNAL, 2)
    assert inbox.through(JOURNAL) == 9


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"{}",
        b"[1]",
        content_of(1)[:-1],
        content_of(0),
        content_of(-1),
        content_of(2**63),
        content_of(1, OTHER),
        content_of(1, TableJournal("macau-1", "t-1", "")),
        content_of(1).replace(b'"sequence":1', b'"sequence":"1"'),
        b'{"x":' + b"[" * 200_000,
        content_of(1, TableJournal("macau-1", "t-1", "j" * 201)),
        content_of(1, TableJournal("macau-1", "t-1", "j-\0")),
        content_of(7, text="x").replace(b'"x"', b'"\\ud800"'),
        content_of(7, text="x").replace(b'"x"', b"[" * 4000 + b"]" * 4000),
    ],
)
def test_what_is_no_message_of_the_table_is_marked_so(content: bytes) -> None:
    with pytest.raises(BadMessage, match="macau-1/t-1: expected"):
        read("macau-1", "t-1", content)


@pytest.mark.parametrize(
    "content",
    [
        content_of(7).replace(b'"type":"dealer.station.event.cards_dealt"', b'"type":""'),
        content_of(7, round=2**63),
        content_of(7).replace(b'"time":"2026-03-08', b'"then":"2026-03-08'),
        content_of(7).replace(b'"time":"2026-03-08T14:33:24.184Z"', b'"time":1970'),
    ],
)
def test_what_is_no_whole_envelope_is_still_that_message_of_the_table(content: bytes) -> None:
    found = read("macau-1", "t-1", content)
    assert (found.journal, found.sequence, found.content) == (JOURNAL, 7, content) and found.unreadable


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000+00:00"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00+00:00"),
        ("2026-03-02T10:00:00+02:00", "2026-03-02T08:00:00+00:00"),
        ("0001-01-01T00:00:00+02:00", None),
        ("2026-02-30T00:00:00Z", None),
        ("2026-03-02T10:00:00", None),
        ("then", None),
        ("", None),
    ],
)
def test_a_message_is_one_whatever_its_time(written: str, kept: str | None) -> None:
    found = read("macau-1", "t-1", content_of(1).replace(b"2026-03-02T14:33:24.184Z", written.encode()))
    assert (found.time, found.unreadable) == (kept, "")


def test_any_bytes_are_a_message_or_a_bad_message() -> None:
    chance = random.Random(7)
    whole = content_of(12, round=3)
    for _ in range(2000):
        spoilt = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        try:
            found = read("macau-1", "t-1", bytes(spoilt))
        except BadMessage:
            continue
        assert found.content == bytes(spoilt) and found.sequence >= 1


def test_of_long_messages_few_are_kept_and_all_are_stored_in_the_end() -> None:
    inbox, last, stored = Inbox({}), 200, list[int]()
    long = [msgspec.structs.replace(message(number), content=b" " * 60_000) for number in range(1, last + 1)]
    for found_message in reversed(long):
        inbox.receive(found_message)
    assert 0 < sum(len(sent.content) for sent in inbox._waiting[JOURNAL].values()) <= BUFFERED_OF_TABLE + 2 * 60_000
    while missing := inbox.missing():
        first, to = missing[JOURNAL]
        for sent in long[first - 1 : to]:
            inbox.receive(sent)
        stored += numbers(inbox)
    stored += numbers(inbox)
    assert stored == list(range(1, last + 1)) and inbox._buffered_of_all == 0


def test_what_one_table_sends_keeps_no_room_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "BUFFERED_OF_TABLE", 10_000)
    inbox = Inbox({})
    for number in range(2, 1000):
        inbox.receive(message(number))
    inbox.receive(message(2, OTHER))
    inbox.receive(message(1, OTHER))
    assert numbers(inbox) == [1, 2] and len(inbox._waiting[JOURNAL]) < 100


def test_a_table_that_invents_journals_is_refused_and_another_is_not() -> None:
    inbox = Inbox({JOURNAL: 4})
    for number in range(NEW_OF_TABLE):
        inbox.received_up_to(TableJournal("macau-1", "t-1", f"invented-{number}"), 1)
    with pytest.raises(BadMessage, match="macau-1/t-1: expected fewer journals"):
        inbox.received_up_to(TableJournal("macau-1", "t-1", "one-too-many"), 1)
    inbox.received_up_to(OTHER, 1)
    inbox.received_up_to(JOURNAL, 5)
    assert inbox.missing()[JOURNAL] == (5, 5) and inbox.missing()[OTHER] == (1, 1)


END = b'{"specversion": "1.0", "type": "dealer.station.answer", "data": {"count": %d}}'


def asked_of(inbox: Inbox) -> tuple[Questions, MessagesAsked]:
    """The questions of an archive that misses messages, and the first of them, which is sent at 1 s."""
    questions = Questions("pit-1", inbox, ask_after=1, again=10, refused=600)
    assert [*questions.due(0)] == []
    [(_, question)] = questions.due(1)
    return questions, question


def answer(questions: Questions, name: str, now: float, *contents: bytes) -> None:
    for content in contents:
        with suppress(BadMessage):
            questions.receive(JOURNAL.site, JOURNAL.table, name, content, now)


def test_an_answer_that_takes_longer_than_the_wait_for_it_ends_its_question() -> None:
    inbox, bad = Inbox({JOURNAL: 2}), content_of(3).replace(b'"type"', b"type")
    inbox.receive(message(4))
    questions, question = asked_of(inbox)
    assert (question.first, question.last) == (3, 3)
    name = question.name
    answer(questions, name, 2, bad)
    [(_, again)] = questions.due(12)
    assert again.name == name
    answer(questions, name, 13, END % 1)
    assert [*questions.due(30)] == [] and inbox.passed()[JOURNAL][0] == 4


def test_a_question_is_not_put_again_while_its_answer_comes() -> None:
    inbox = Inbox({})
    inbox.received_up_to(JOURNAL, 100)
    questions, question = asked_of(inbox)
    for number in range(1, 50):
        answer(questions, question.name, number, content_of(number))
        assert [*questions.due(number + 9)] == []
    [(_, rest)] = questions.due(60)
    assert (rest.first, rest.last) == (50, 100) and rest.name != question.name


def test_of_an_answer_that_comes_twice_and_not_whole_nothing_is_put_aside() -> None:
    inbox = Inbox({})
    inbox.received_up_to(JOURNAL, 2)
    questions, question = asked_of(inbox)
    for now, spoilt in enumerate((b"one", b"two"), 2):  # the first is no message, another one each time
        answer(questions, question.name, now, content_of(1).replace(b'"type"', spoilt), END % 2)
    assert inbox.passed() == {} and [found.name for _, found in questions.due(13)] == [question.name]
