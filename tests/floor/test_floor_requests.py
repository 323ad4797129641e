"""What is asked of the station: answered in full, and what is malformed, absurd or too much with a problem."""

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from controller.floor import requests
from controller.floor.archives import Archives
from controller.floor.reasons import STATUS, RequestReason
from controller.floor.requests import LONGEST, MOST_WAITING, AnswerDue, Requests
from controller.journal.records import OutboxRow
from tests.engine.playing import IDENTITY

BASE = IDENTITY.base
ANSWERS = f"{BASE}/answers/hall"
OLDEST, LAST = 5, 1200
ASIDE = 10  # was put aside
REPLAY = b'{"first": 5, "last": 7}'


class Table:
    """Requests of a table that keeps some messages."""

    def __init__(self, archives: Sequence[str] = ("hall",)) -> None:
        self.fails = False
        self.acknowledged: list[tuple[str, int]] = []
        self.outcomes: list[str] = []
        self.unanswerable: list[tuple[str, str]] = []
        self.requests = Requests(
            IDENTITY,
            archives,
            kept=lambda: (OLDEST, LAST),
            read=self._read,
            acknowledged=lambda archive, through: self.acknowledged.append((archive, through)),
            now=lambda: "2026-03-14T14:33:24.184Z",
            counted=self.outcomes.append,
            unanswerable=lambda topic, why: self.unanswerable.append((topic, why)),
        )

    def _read(self, first: int, limit: int) -> Sequence[OutboxRow] | None:
        numbers = [number for number in range(max(first, OLDEST), LAST + 1) if number != ASIDE][:limit]
        return None if self.fails else [OutboxRow(number, "t", b"%d" % number) for number in numbers]

    def ask(self, name: str, payload: bytes = b"", answers: str | None = ANSWERS, **more: Any) -> None:
        assert self.requests.receive(f"{BASE}/requests/{name}", payload, SimpleNamespace(ResponseTopic=answers, **more))

    def answered(self, most: int = 20) -> list[AnswerDue]:
        answers = []
        while self.requests.waiting:
            answers += self.requests.take(most)
        return answers

    def problem(self) -> str:
        [answer] = self.answered()
        assert (answer.topic, answer.content_type) == (ANSWERS, "application/problem+json")
        problem = json.loads(answer.payload)
        code = problem["code"]
        assert problem["type"] == f"urn:dealer-station:problem:{code.replace('_', '-')}"
        assert problem["status"] == STATUS[RequestReason(code)] and problem["title"]
        assert self.outcomes == [code]
        return str(code)


def end(answer: AnswerDue) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(answer.payload)
    assert message["type"] == "dealer.station.answer" and "sequence" not in message
    return {key: message["data"][key] for key in ("request", "first", "last", "count")}


@pytest.mark.parametrize("most", [1, 3, 20])
def test_a_replay_says_the_same_bytes_in_order_and_then_how_many(most: int) -> None:
    table = Table()
    table.ask(
        "replay", b'{"first": 8, "last": 12, "journal": "%s"}' % IDENTITY.journal.encode(), CorrelationData=b"one"
    )
    *rows, last = table.answered(most)
    assert [row.payload for row in rows] == [b"8", b"9", b"11", b"12"]
    assert end(last) == {"request": "replay", "first": 8, "last": 12, "count": 4}
    assert {(row.topic, row.correlation) for row in (*rows, last)} == {(ANSWERS, b"one")}


def test_a_replay_of_many_pages_is_whole_and_is_taken_some_at_a_time() -> None:
    table = Table()
    table.ask("replay", b'{"first": 5, "last": 1200}')
    assert len(table.requests.take(20)) == 20
    answers = table.answered()
    assert [int(answer.payload) for answer in answers[:-1]] == [*range(26, 1201)]
    assert end(answers[-1])["count"] == 1195


def test_requests_are_answered_one_after_the_other() -> None:
    table = Table()
    table.ask("replay", REPLAY, CorrelationData=b"one")
    table.ask("replay", REPLAY, CorrelationData=b"two")
    assert [answer.correlation for answer in table.answered()] == [b"one"] * 4 + [b"two"] * 4


def test_a_rebirth_is_reported_and_answered_once_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    table.ask("rebirth")
    asked = table.requests.rebirth
    assert asked is not None
    asked.count = 9
    [last] = table.answered()
    assert end(last) == {"request": "rebirth", "first": None, "last": None, "count": 9}
    assert not table.requests.waiting
    table.outcomes.clear()
    table.ask("rebirth")
    assert table.problem() == "too_many_requests", "so soon"
    monkeypatch.setattr(requests, "REBIRTH_SECONDS", 0.0)
    table.ask("rebirth", answers=None)
    assert table.requests.rebirth is not None, "it needs no answer"
    assert table.answered() == [] and table.outcomes[-1] == "taken"


def test_an_archive_says_what_it_has() -> None:
    table = Table()
    table.ask("acknowledge/hall", b'{"journal": "%s", "through": 7}' % IDENTITY.journal.encode(), answers=None)
    assert table.acknowledged == [("hall", 7)] and not table.requests.waiting


@pytest.mark.parametrize(
    ("name", "payload", "code"),
    [
        ("replay", b"", "request_malformed"),
        ("replay", b"\xff\xfe", "request_malformed"),
        ("replay", b"[" * LONGEST, "request_malformed"),
        ("replay", b"[" * (LONGEST + 1), "request_too_long"),
        ("replay", b'{"first": 5}', "request_malformed"),
        ("replay", b'{"first": "5", "last": 6}', "request_malformed"),
        ("replay", b'{"first": 5, "last": 6, "topic": "x"}', "request_malformed"),
        ("replay", b'{"first": -1, "last": 6}', "request_malformed"),
        ("replay", b'{"first": 5, "last": 1e30}', "request_malformed"),
        ("replay", b'{"first": 5, "last": 99999999999999999999999}', "request_malformed"),
        ("replay", b'{"first": 0, "last": 6}', "no_such_messages"),
        ("replay", b'{"first": 7, "last": 6}', "no_such_messages"),
        ("replay", b'{"first": 7, "last": 1201}', "no_such_messages"),
        ("replay", b'{"first": 4, "last": 6}', "kept_no_longer"),
        ("replay", b'{"first": 5, "last": 6, "journal": "another"}', "another_journal"),
        ("acknowledge/vault", b'{"journal": "x", "through": 1}', "no_such_archive"),
        ("acknowledge/", b'{"journal": "x", "through": 1}', "no_such_archive"),
        ("acknowledge/hall", b'{"journal": "x", "through": 1}', "another_journal"),
        ("acknowledge/hall", b'{"journal": "%s", "through": 1201}' % IDENTITY.journal.encode(), "no_such_messages"),
        ("acknowledge/hall", b'{"through": 1}', "request_malformed"),
        ("open-the-table", b"", "request_unknown"),
    ],
)
def test_what_is_malformed_or_absurd_is_answered_with_a_problem(name: str, payload: bytes, code: str) -> None:
    table = Table()
    table.ask(name, payload)
    assert table.problem() == code and table.acknowledged == []


@pytest.mark.parametrize(
    "answers",
    [None, "", f"{BASE}/state", f"{BASE}/events/round_begun", "dealer/site/t2/answers/x", f"{BASE}/answers/#",
     f"{BASE}/answers/" + "x" * 256, 7],
)  # fmt: skip
def test_nothing_is_published_elsewhere_than_among_the_answers_and_each_such_request_is_counted_and_reported(
    answers: Any,
) -> None:
    table = Table()
    for payload in (REPLAY, b"", b'{"first": 1, "last": 2}'):
        table.ask("replay", payload, answers=answers)
    table.ask("open-the-table", answers=answers)
    assert not table.requests.waiting and table.answered() == []
    assert table.outcomes == ["unanswerable"] * 4
    assert {topic for topic, _ in table.unanswerable} == {f"{BASE}/requests/replay", f"{BASE}/requests/open-the-table"}
    whys = [why for _, why in table.unanswerable]
    assert all(f"the answer goes below {BASE}/answers/" in why and len(why) < 1000 for why in whys)
    assert all(str(answers)[:200] in why for why in whys) or answers is None
    assert [("; " in why) for why in whys] == [False, True, True, True], "and why it would have been refused"


@pytest.mark.parametrize("answers", [None, f"{BASE}/state"])
def test_who_has_no_response_topic_names_himself_and_is_answered_below_that_name(answers: str | None) -> None:
    """A consumer of MQTT 3.1.1."""
    table = Table()
    table.ask("replay", b'{"first": 5, "last": 7, "asker": "desk"}', answers=answers)
    table.ask("rebirth", b'{"asker": "desk"}', answers=answers)
    *rows, last, reborn = table.answered()
    assert [row.payload for row in rows] == [b"5", b"6", b"7"] and end(last)["count"] == 3
    assert end(reborn)["request"] == "rebirth"
    assert {row.topic for row in (*rows, last, reborn)} == {f"{BASE}/answers/desk"}
    table.ask("replay", b'{"first": 5, "last": 9999, "asker": "desk"}', answers=answers)
    [problem] = table.answered()
    assert (problem.topic, json.loads(problem.payload)["code"]) == (f"{BASE}/answers/desk", "no_such_messages")
    assert table.outcomes == ["taken", "taken", "no_such_messages"] and table.unanswerable == []


@pytest.mark.parametrize("asker", ["", "a/b", "+", "#", "a\u0001", "a\n", "a\0", "x" * 65, "\ud800"])
def test_a_name_that_is_no_part_of_a_topic_is_not_published_on(asker: str) -> None:
    table = Table()
    table.ask("replay", json.dumps({"first": 5, "last": 7, "asker": asker}).encode(), answers=None)
    assert table.answered() == [] and table.outcomes == ["unanswerable"]


def test_a_response_topic_with_a_control_character_is_not_published_on() -> None:
    table = Table()
    table.ask("replay", REPLAY, answers=f"{ANSWERS}\x01")
    assert table.answered() == [] and table.outcomes == ["unanswerable"]


def test_what_an_archive_may_not_acknowledge_is_answered_on_its_own_topic_of_answers() -> None:
    table = Table()
    table.ask("acknowledge/hall", b'{"journal": "x", "through": 1}', answers=None)
    assert table.problem() == "another_journal"


def test_a_flood_is_bounded_and_the_first_are_answered() -> None:
    table = Table()
    for _ in range(1000):
        table.ask("replay", REPLAY, CorrelationData=b"x" * 128)
        table.ask("replay", b"nonsense", CorrelationData=b"x" * 129)
    answers = table.answered()
    problems = [json.loads(reply.payload)["code"] for reply in answers if reply.content_type.endswith("problem+json")]
    assert len(problems) == MOST_WAITING and len(answers) == MOST_WAITING + 4 * MOST_WAITING
    assert {answer.correlation for answer in answers} == {b"x" * 128, None}
    assert len(table.outcomes) == 2000


def test_a_request_that_no_one_receives_the_answer_to_is_given_up() -> None:
    table = Table()
    table.ask("replay", b'{"first": 5, "last": 1200}', CorrelationData=b"one")
    table.ask("replay", REPLAY, CorrelationData=b"two")
    for answer in table.requests.take(20):
        assert answer.asked is not None
        table.requests.no_listener(answer.asked)
    assert [message.payload for message in table.answered()[:-1]] == [b"5", b"6", b"7"]


def test_messages_that_cannot_be_read_now_are_a_problem_and_the_next_request_is_answered() -> None:
    table = Table()
    table.ask("replay", REPLAY)
    table.ask("replay", REPLAY)
    table.fails = True
    assert table.requests.take(20) == []
    table.fails = False
    problem, *answers = table.answered()
    assert json.loads(problem.payload)["code"] == "messages_unreadable" and len(answers) == 4


def test_another_connection_knows_nothing_of_what_was_asked() -> None:
    table = Table()
    table.ask("replay", REPLAY)
    table.ask("replay", b"")
    table.requests.clear()
    assert table.answered() == []


def test_what_is_on_another_topic_is_no_request() -> None:
    assert not Table().requests.receive(f"{BASE}/state", b"", None)


def test_an_archive_lags_by_number_or_by_time_and_that_is_reported_once_until_it_has_caught_up() -> None:
    has = {"hall": 0}
    archives = Archives(IDENTITY, ["hall", "vault"], lambda: has, lambda: "now", most=100, seconds=60.0)

    def lagging(last: int, at: float, oldest: int = 1) -> list[tuple[str, int]]:
        return [*archives.lagging(oldest, last, at)]

    assert lagging(0, 0.0) == [] and lagging(100, 1.0) == []
    assert lagging(500, 2.0, oldest=401) == [], "what is not kept cannot be had"
    assert lagging(101, 3.0) == [("hall", 101), ("vault", 101)] and lagging(102, 4.0) == []
    has |= {"hall": 102, "vault": 102}
    assert lagging(102, 5.0) == [] and lagging(103, 6.0) == []
    assert lagging(103, 66.0) == [] and lagging(104, 66.1) == [("hall", 2), ("vault", 2)]
    has["hall"] = 103
    assert lagging(104, 200.0) == [], "it continues, and was reported"


def test_what_an_archive_has_is_on_its_topic() -> None:
    has: dict[str, int] = {}
    archives = Archives(IDENTITY, ["hall"], lambda: has, lambda: "now", most=1, seconds=1.0)
    assert archives.retained(1) == {}
    has |= {"hall": 7, "unknown": 9}
    [(topic, message)] = archives.retained(1).items()
    assert topic == f"{BASE}/archives/hall"
    data = json.loads(message)["data"]
    assert data == {"schema": 1, "archive": "hall", "journal": IDENTITY.journal, "through": 7}
    assert archives.retained(1) == {topic: message}
    has["hall"] = 8
    assert json.loads(archives.retained(1)[topic])["data"]["through"] == 8
