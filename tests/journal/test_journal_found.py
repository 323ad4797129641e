"""Rounds are searched for in the whole of a journal, some events at a time, by an exact query."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.commands import audit
from controller.console.answers import STATUSES, in_english
from controller.engine.decisions.corrections import AdjustRound, ReleaseKey
from controller.engine.outcomes import NotUnderstood, TooFarBack
from controller.engine.state.jackpot import ChipContributed
from controller.journal.past import Past
from controller.queries import days, rounds
from controller.queries.audited import WantedRounds
from controller.queries.audited import rounds as audited
from controller.queries.days import figures
from controller.queries.rounds import PastRound, found_rounds, last_rounds
from controller.queries.search import KEYS, WORDS, read_query
from controller.rulebook.events import RoundConfirmed
from controller.rulebook.refusal import Refusal
from controller.runtime.view import View
from controller.statistics.day import Condition, Day
from tests.engine.playing import IDENTITY, Play
from tests.journal.keeping import STAMP, open_journal
from tests.journal.test_journal_segments import EVENTS as CLOSED_EVENTS
from tests.journal.test_journal_segments import write_closed
from tests.slips.keeping_slips import keep, paid, time_of

pytestmark = pytest.mark.long

EVERYTHING = 10**9
CONSOLE = Path(audit.__file__).parents[1] / "console" / "README.md"


@pytest.fixture(scope="module")
def play() -> Play:
    """Round 1 with two prizes, paid; 2 at seat 3; 3 void; while 4, at seat 4, is in play, two persons adjust 2 and
    release its key.
    """
    play = paid(1, 2)
    for seat in (3, 4):
        play.to_wagers().bet(seat, ante=100)
        play.lock()
        if seat == 4:
            play.misdealt("order")
        play.finish()
    play.to_wagers().bet(4, ante=200)
    play.say(AdjustRound, "rui", round=2, seat=3, amount=-5, reason="paid twice", second="sol")
    play.say(ReleaseKey, "rui", round=2, reason="the inspection asks", second="sol")
    play.lock()
    play.finish()
    play.to_wagers()
    return play


@pytest.fixture(scope="module")
def journal(play: Play, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("found") / "journal.db"
    keep(path, play)
    return path


def searched(journal: Path, text: str) -> tuple[list[PastRound], int]:
    """What a search finds that continues until it is over, and in how many answers."""
    found, on, answers = list[PastRound](), list[int](), 0
    while answers == 0 or on:
        found_now = found_rounds(journal, EVERYTHING, IDENTITY, read_query(text, 2), on)
        found, on, answers = [*found, *found_now["rounds"]], found_now["on"], answers + 1
    return found, answers


FOUND = [
    ("", [4, 3, 2, 1]), ("void", [3]), ("not void", [4, 2, 1]), ("prize", [1]), ("seat:3", [2]),
    ("not seat:4", [2, 1]), ("prize:royal_flush", [1]), ("prize:flush", []), ("prize>=5406.30", [1]),
    ("prize>5406.30", []), ("prize=600.70", [1]), ("person:sol", [2]), ("person:SOL adjusted", [2]),
    ("person:sol not adjusted", []), ("person:rui", [2, 1]), ("amount:0.05", [2]), ("stake:2", [4]),
    ("stake>=2 round>1", [4]), ("net>5000", [1]), ("hold<-5000", [1]), ("article:17", [3]), ("article:17.1.1", [3]),
    ('article:"17.º 1 1)"', [3]), ("article:17.1.11", []), ("article:7", []), ("wager:jackpot", [1]),
    ("wager:JACKPOT prize:Royal_Flush", [1]),
    ("round>=2 round<4", [3, 2]), ("round:3", [3]), ("day:2026-01-02", [4, 3, 2, 1]), ("day<2026-01-02", []),
    ("day>=2026-01-03", []), ("corrected", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_a_query_finds_the_same_rounds_whatever_is_read_at_a_time(
    journal: Path, monkeypatch: pytest.MonkeyPatch, text: str, numbers: list[int]
) -> None:
    whole = {round.round: round for round in last_rounds(journal, EVERYTHING, IDENTITY, 100, None)["rounds"]}
    for at_a_time in (1, 40, EVERYTHING):
        monkeypatch.setattr(rounds, "SEARCHED", at_a_time)
        found, _ = searched(journal, text)
        assert found == [whole[number] for number in numbers], at_a_time
    report = audited(journal, "simulation", WantedRounds(query=read_query(text, 2)), lambda done, total: None)
    assert [round.round for round in report if round.confirmed] == numbers[::-1]


def test_a_search_ends_where_no_earlier_round_can_be_found(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "SEARCHED", 1)
    monkeypatch.setattr(rounds, "PARTS", 1)
    assert searched(journal, "")[1] == 6 and searched(journal, "round:3")[1] == 3
    assert searched(journal, "not round:3")[1] == 6 and searched(journal, "day>2026-02-01")[1] == 1


def test_one_answer_is_of_many_parts_until_enough_is_found(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "SEARCHED", 1)
    assert searched(journal, "seat:3")[1] == 1
    monkeypatch.setattr(rounds, "PARTS", 3)
    assert searched(journal, "")[1] == 2
    monkeypatch.setattr(rounds, "ENOUGH", 1)
    assert searched(journal, "")[1] == 5


WRONG = [
    ("seat=3,4", "query_number"), ("seat:", "query_value_missing"), ("seat", "query_value_missing"),
    ("seat>3", "query_equal_only"), ("colour:red", "query_key"), ("colour", "query_key"),
    ("void:yes", "query_word_alone"), ("article:)", "query_article"), ("article:.", "query_article"),
    ("article:º", "query_article"), ("amount:-5", "query_negative"), ("stake>-0.01", "query_negative"),
    ("prize:-5", "query_negative"),
    ("round:x", "query_number"), ("round:-1", "query_number"), ("day:2026-02-30", "query_day"),
    ("day:20260102", "query_day"), ("net:1.234", "query_amount"), ("net:1,000", "query_amount"),
    ("net:", "query_value_missing"), ("prize>flush", "query_equal_only"), ("not", "query_not"),
    ("void not", "query_not"), ("seat: 3", "query_value_missing"), ('person:"ana', "query_term"),
    ("(void)", "query_term"), ("not not void", "query_key"), ("VOID", "query_term"), ("x" * 501, "query_too_long"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), WRONG)
def test_what_is_no_query_is_refused_with_what_was_expected(text: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_query(text, 2)
    assert refused.value.reason.code == code


async def test_the_console_says_why_a_query_is_not_understood() -> None:
    view = View.__new__(View)
    view._journal, view._identity = SimpleNamespace(path=Path("x"), events=7), IDENTITY  # type: ignore[assignment]
    found_now = await view.found("seat:x", ())
    assert isinstance(found_now, NotUnderstood) and found_now == NotUnderstood(
        "query_number", {"key": "seat", "value": "x"}
    )
    assert in_english(found_now)["reason"] == "seat wants a whole number, not x"


def test_the_page_of_the_console_has_every_key_and_word_of_a_query() -> None:
    page = CONSOLE.read_text(encoding="utf-8")
    assert [name for name in (*KEYS, *WORDS) if f"- `{name}`: " not in page] == []


def test_figures_are_of_a_stretch_of_a_journal_as_of_the_day(play: Play, journal: Path) -> None:
    day = Day(IDENTITY, time_of(1), Condition(), 6)
    for number, (event, _) in enumerate(play.entries, 1):
        day.receive(time_of(number), event)
    end = time_of(len(play.entries))
    whole = days.figures(journal, IDENTITY, play.table, 6, time_of(1), end, None)
    assert not isinstance(whole, TooFarBack)
    found_now = msgspec.to_builtins(day.statistics(end, 0))
    for key in (
        "open_ms",
        "round_count",
        "void_rounds",
        "handle",
        "win",
        "wager_totals",
        "lost_time",
        "adjusted_amount",
    ):
        assert whole[key] == found_now[key], key
    assert whole["pot"][-1][1] == play.meter.pot and whole["dealers"] == ["ana"]
    assert whole["pot_moves"][-1].pot == play.meter.pot


def test_what_is_not_durable_moves_no_pot_that_is_shown(play: Play, journal: Path) -> None:
    first = next(number for number, (event, _) in enumerate(play.entries, 1) if isinstance(event, ChipContributed))
    table = msgspec.structs.replace(play.table, version=first)  # the journal has more, which no sync has confirmed
    found_now = days.figures(journal, IDENTITY, table, 6, time_of(1), time_of(len(play.entries)), None)
    assert not isinstance(found_now, TooFarBack)
    assert [move.kind for move in found_now["pot_moves"]] == ["opened", "contributions"]
    assert found_now["pot_moves"][-1].chips == 1 and len(found_now["pot"]) == 3


def test_figures_of_a_stretch_that_is_over_leave_out_what_came_later(play: Play, journal: Path) -> None:
    confirmed = [at for at, (event, _) in enumerate(play.entries, 1) if isinstance(event, RoundConfirmed)]
    since, until = (time_of(confirmed[at] + 1) for at in (0, 2))
    found_now = figures(journal, IDENTITY, play.table, 6, since, until, None)
    assert not isinstance(found_now, TooFarBack)
    assert (found_now["round_count"], found_now["void_rounds"], found_now["since"], found_now["until"]) == (
        2,
        1,
        since,
        until,
    )
    assert found_now["open_ms"] == 1000 * (confirmed[2] - confirmed[0])


def test_figures_of_what_is_far_too_far_back_are_refused_without_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    write_closed(path)
    with closing(open_journal(path)) as opened:
        table = opened.restore().table
    monkeypatch.setattr(days, "MOST_ROWS_BACK", 100)
    monkeypatch.setattr(days, "EVENTS", CLOSED_EVENTS)
    monkeypatch.setattr(Past, "before", lambda *_: pytest.fail("it reads rows"))
    monkeypatch.setattr(Past, "after", lambda *_: pytest.fail("it reads rows"))
    found_now = figures(path, IDENTITY, table, 6, "2026-01-01T00:00:00.000Z", "2026-01-01T01:00:00.000Z", None)
    assert isinstance(found_now, TooFarBack) and found_now.read_to == STAMP.time
    assert "500,000 events" in in_english(found_now)["reason"]
    assert STATUSES[TooFarBack] == 422


def test_figures_keep_no_row_in_memory(journal: Path, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    alive = [0, 0]

    class Seen(bytes):
        def __new__(cls, body: bytes) -> "Seen":
            alive[0] += 1
            alive[1] = max(alive)
            return super().__new__(cls, body)

        def __del__(self) -> None:
            alive[0] -= 1

    for name in ("before", "after"):
        rows_of = getattr(Past, name)

        def seen(past: Past, number: int, rows_of: Any = rows_of) -> Iterator[Any]:
            for row in rows_of(past, number):
                yield (*row[:5], Seen(row[5]), *row[6:])

        monkeypatch.setattr(Past, name, seen)
    found_now = figures(journal, IDENTITY, play.table, 6, time_of(1), time_of(len(play.entries)), None)
    assert not isinstance(found_now, TooFarBack) and 0 < alive[1] < 10


def test_figures_of_what_is_too_far_back_say_how_far_was_read(
    play: Play, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = len(play.entries)
    # Nothing moves the table or its pot from the first two on, nor at 26 itself.
    for first in (events, events - 19, 26):
        monkeypatch.setattr(days, "MOST_ROWS_BACK", events - first + 1)
        back = figures(journal, IDENTITY, play.table, 6, time_of(3), time_of(9), None)
        assert back == TooFarBack(time_of(first)), first
