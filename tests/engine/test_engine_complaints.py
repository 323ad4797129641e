"""Complaints: received while the cards are there (black-jack 62), decided by a supervisor, and what they hold up."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.engine.decisions.corrections import AdjustRound, Complain, DecideComplaint
from controller.engine.decisions.session import CloseClaims, InsertionReported
from controller.engine.reasons import TableReason
from controller.engine.state.applied import Event
from controller.engine.state.events import ComplaintDecided
from controller.engine.state.persons import CorrectWager, VoidRound
from controller.queries.history import newest_first, played
from controller.rulebook.events import CardsInserted, ClaimsClosed, RoundConfirmed
from tests.engine.hands import LID_OPENS, Hands
from tests.engine.places import Places
from tests.engine.playing import Play
from tests.engine.spaces import Spaces

POLICY = "policy: complaints"


def at_claims(play: Hands) -> Hands:
    return play.to_wagers().place_bet(1, 200).until("claims")


def dispenser() -> Hands:
    """A round is played; its cards are before an open shuffler."""
    play = at_claims(Hands("Tc Th 9c 7h", source="shuffler"))
    play.receive(LID_OPENS)
    return play


def complain(play: Play, seat: int = 1, **fields: str) -> Play:
    play.say(Complain, round=1, seat=seat, what="the count was 19", **fields)
    return play


def decide(play: Play, number: int = 1, outcome: str = "unchanged") -> tuple[object, ...]:
    return play.say(DecideComplaint, "rui", complaint=number, outcome=outcome, reason="counted again: 19")


# ---- black-jack 62


@pytest.mark.parametrize("name", ["x" * 201, "Mr.\x1b[2J Lei", "\ud800"])
def test_blackjack_rule_62_who_complains_has_a_name_that_can_be_printed(name: str) -> None:
    refusal = dispenser().refused(Complain, round=1, seat=1, what="the count", by=name)
    assert (refusal.who, refusal.reason.code) == ("by", TableReason.TOO_LONG)


def test_blackjack_rule_62_cards_put_in_all_the_same_are_reported_and_the_claims_close_with_the_decision() -> None:
    play = dispenser()
    complain(play)
    assert play.receive(InsertionReported(count=4))[0] == CardsInserted(count=4)
    assert play.at("claims") and play.notices() == ["complaint_cards_inserted"] and len(play.public()["notices"]) == 1
    assert decide(play)[1:] == (ClaimsClosed(count=4, pending_rounds=()),) and play.at("begin")
    assert play.public()["notices"] == [], "a supervisor was called"


# ---- every game


def settled(play: Play) -> Play:
    return play.until("claims")


@pytest.mark.parametrize(
    "play",
    [
        Play().to_wagers().bet(1, ante=100),
        Play(source="shoe").to_wagers().bet(1, ante=100),
        Spaces().to_wagers().place_bet(1, low=100),
        Places(),
    ],
    ids=["2025", "2025 shoe", "fortune-8", "pai-kao"],
)
def test_in_every_game_a_complaint_is_accepted_until_the_cards_are_gathered(play: Play) -> None:
    complain(settled(play))
    assert play.refused(CloseClaims).article == POLICY
    decide(play)
    play.proceed()
    assert play.at("begin") and play.refused(Complain, round=1, seat=1, what="x").article == POLICY


def test_adjusted_is_what_a_correction_an_adjustment_or_a_void_has_corrected_since() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    ways: tuple[Callable[[], object], ...] = (
        lambda: play.change(CorrectWager, seat=1, wager="ante", amount=200, reason="x"),
        lambda: play.say(VoidRound, "rui", reason="x"),
        lambda: play.until("claims").say(AdjustRound, "rui", round=1, seat=1, amount=5, reason="x", second="ana"),
    )
    for number, correct in enumerate(ways, start=1):
        complain(play)
        undone = play.refused(DecideComplaint, "rui", complaint=number, outcome="adjusted", reason="x")
        assert (undone.who, undone.article) == ("complaint", POLICY)
        correct()
        assert isinstance(decide(play, number, "adjusted")[0], ComplaintDecided)
    play.say(CloseClaims)
    assert any(isinstance(event, RoundConfirmed) for event, _ in play.entries)


@pytest.mark.parametrize(
    ("fields", "who"),
    [
        ({"seat": 0}, "seat"),
        ({"seat": 7}, "seat"),
        ({"round": 0}, "round"),
        ({"what": " "}, "reason"),
    ],
)
def test_a_complaint_names_round_seat_and_what(fields: dict[str, Any], who: str) -> None:
    play = settled(Play().to_wagers().bet(1, ante=100))
    assert play.refused(Complain, **{"round": 1, "seat": 1, "what": "x", **fields}).who == who


def test_everybody_sees_an_open_complaint_and_the_prompt_says_who_decides_it() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.until("decisions")
    before = play.prompt
    complain(play, by="Mr. Lei")
    for language, text in play.prompt.items():
        assert text.startswith(before[language]) and text != before[language]
    play.until("claims")
    words = play.prompt
    assert words["en"].startswith("Complaint, seat 1: a supervisor decides it")
    assert all("1" in text for text in words.values())
    [shown] = play.public()["complaints"]
    assert shown == {
        "complaint": 1, "round": 1, "seat": 1, "what": "the count was 19", "by": "Mr. Lei", "actor": "ana",
        "adjusted": False,
    }  # fmt: skip
    decide(play)
    assert play.prompt["en"].startswith("Round done") and play.public()["complaints"] == []


# ---- Rounds folded again from their events


def timed(events: list[Event]) -> list[tuple[str, Event]]:
    """One event a second."""
    return [(f"t{at:04}", event) for at, event in enumerate(events)]


def three_rounds() -> Play:
    """Two that are settled, one that is broken off, and one that is not confirmed."""
    play = Play()
    for _ in range(2):
        play.to_wagers().bet(1, ante=100).bet(4, pair_plus=100).chips(1)
        play.lock()
        play.finish()
    play.to_wagers().bet(2, ante=100)
    play.lock()
    play.say(VoidRound, actor="rui", reason="power")
    play.until("begin")
    play.to_wagers().bet(1, ante=100)
    return play


def test_a_round_is_folded_again_as_it_was_confirmed() -> None:
    play = Play()
    play.to_wagers().bet(1, ante=100).bet(4, pair_plus=100).chips(1)
    play.lock()
    play.until("claims")
    confirmed = play.round
    play.until("begin")
    [found] = played(timed(play.events))
    assert found.round == confirmed and found.actor == "ana"
    assert found.round.settlement is not None and found.began < found.confirmed


def test_rounds_come_newest_first_and_none_that_is_not_confirmed() -> None:
    found = played(timed(three_rounds().events))
    assert [past.round.id for past in found] == [1, 2, 3]
    assert [past.round.id for past in newest_first(found, 2, None)] == [3, 2]
    assert [past.round.id for past in newest_first(found, 100, 3)] == [2, 1]
    assert found[2].round.void is not None


def test_events_that_begin_in_the_middle_of_a_round_give_the_rounds_after_it() -> None:
    events = three_rounds().events
    middle = next(at for at, event in enumerate(events) if type(event).__name__ == "BettingClosed")
    assert [past.round.id for past in played(timed(events[middle:]))] == [2, 3]


def test_an_adjustment_is_listed_with_the_round_it_is_of() -> None:
    play = three_rounds()
    play.say(AdjustRound, actor="rui", round=1, seat=4, amount=-50, reason="paid too much", second="ana")
    found = played(timed(play.events))
    assert [len(past.adjustments) for past in found] == [1, 0, 0]
    assert found[0].adjustments[0].amount == -50


def test_a_complaint_and_how_it_ended_are_listed_with_the_round_they_are_of() -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.until("claims")
    opened = play.say(Complain, round=1, seat=1, what="the count", by="Mr. Lei")
    decided = play.say(DecideComplaint, actor="rui", complaint=1, outcome="unchanged", reason="counted again")
    play.until("begin")
    play.to_wagers().bet(1, ante=100)
    play.lock()
    play.finish()
    assert [past.complaints for past in played(timed(play.events))] == [(*opened, *decided), ()]
