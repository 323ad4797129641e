"""2008 at the live table once the cards are there: decisions, what is turned, what the floor is notified of."""

from typing import Any

import pytest

from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.decisions.session import BeginRound
from controller.engine.reasons import TableReason
from controller.engine.state.persons import CorrectDecision, CorrectWager
from controller.rulebook.steps import StepKind
from tests.engine.playing import Play, cards
from tests.engine.table_2008 import GAME, HANDS, Play2008, locked, played_to_its_end, published_round

SOURCES = ["shuffler", "shoe"]
WHY = {"reason": "entered wrongly"}


def test_2008_art_9_1_live_every_ante_is_asked_and_nothing_else() -> None:
    play = locked().deal()
    assert list(play.step.waiting) == [1, 3]
    assert play.refused(Decide, seat=2, decision="play").article == "9.º 1)"
    assert play.refused(Decide, seat=5, decision="fold").article == "9.º 1)"
    assert play.refused(Decide, seat=1, decision="double").article == "9.º 1)"
    play.say(Decide, seat=1, decision="fold")
    assert play.refused(Decide, seat=1, decision="play").article == "9.º 1)"
    assert list(play.step.waiting) == [3]
    play.say(Decide, seat=3, decision="play")
    assert play.step.kind == "reveal"


def test_2008_art_9_2_live_a_hand_that_was_given_up_is_not_turned_and_the_ante_is_lost() -> None:
    play = locked().until("decisions").decisions(seat_1="fold")
    assert "Seat 1 gives up: collect its cards at once (9.º 2))." in str(play.projection(), "utf-8")
    play.to_settled()
    assert set(play.round.play.shown) == {"bank", "seat 2", "seat 3"}
    assert play.round.settlement is not None
    [line] = play.round.settlement.seats["1"].lines
    assert (line.wager, line.outcome, line.net, line.article) == ("ante", "lose", -100, "9.º 2)")
    play.until("begin")
    for card in cards(HANDS[0]):
        assert not any(card.encode() in channel for channel in play.channels)


@pytest.mark.parametrize("source", SOURCES)
def test_2008_art_9_3_live_an_ante_beside_pair_plus_is_obliged_to_play(source: str) -> None:
    play = locked(source).until("decisions")
    refusal = play.refused(Decide, seat=3, decision="fold")
    assert (refusal.who, refusal.article) == ("seat 3", "9.º 3)")
    assert 3 in play.step.waiting  # it must be reported all the same
    play.decisions()
    played_to_its_end(play)


def test_2008_art_9_2_and_9_3_a_supervisor_records_a_refused_duty_and_the_ante_alone_is_lost() -> None:
    play = locked().until("decisions")
    assert play.prompt["en"].endswith(
        "Seats 3 must double, for Pair Plus is beside the ante (9.º 3)); a supervisor records it if a player refuses."
    )
    assert play.prompt["en"].startswith("Play or fold? Still to decide: 1.")
    assert play.refused(Decide, seat=3, decision="refused").reason.code == TableReason.ONLY_SUPERVISOR
    assert play.refused(Decide, "rui", seat=1, decision="refused").article == "9.º 1)"  # no duty there
    play.say(Decide, "rui", seat=3, decision="refused")
    play.say(Decide, seat=1, decision="play")
    played_to_its_end(play)
    assert play.round.settlement is not None
    lines = [(line.wager, line.outcome, line.net, line.article) for line in play.round.settlement.seats["3"].lines]
    assert lines == [("ante", "lose", -300, "9.º 2)"), ("pair_plus", "lose", -400, "9.º 9)")]
    assert (3, "refused") in [(given["seat"], given["decision"]) for given in published_round(play)["decisions"]]


def test_2008_art_9_3_a_refused_duty_is_corrected_and_entered_afterwards_by_a_supervisor_alone() -> None:
    play = locked().until("reveal")
    refused = play.refused(CorrectDecision, seat=3, decision="refused", **WHY)
    assert refused.reason.code == TableReason.ONLY_SUPERVISOR
    play.say(CorrectDecision, "rui", seat=3, decision="refused", **WHY)
    play.say(CorrectDecision, "rui", seat=3, decision="play", **WHY)
    played_to_its_end(play)


@pytest.mark.parametrize("step", ["decisions", "reveal", "confirm"])
def test_2008_art_9_3_no_correction_gives_up_an_ante_beside_pair_plus(step: StepKind) -> None:
    play = locked().until("decisions")
    play.say(Decide, seat=3, decision="play")
    play.until(step)
    assert play.refused(CorrectDecision, seat=3, decision="fold", **WHY).article == "9.º 3)"


@pytest.mark.parametrize("step", ["decisions", "reveal", "confirm"])
def test_2008_art_9_3_pair_plus_that_was_not_entered_is_beside_no_ante_that_was_given_up(step: StepKind) -> None:
    play = locked().until("decisions")
    play.say(Decide, seat=1, decision="fold")
    play.until(step)
    entered: dict[str, Any] = {"seat": 1, "wager": "pair_plus", "amount": 500, "reason": "entered wrongly"}
    assert play.refused(CorrectWager, **entered).article == "9.º 3)"
    play.change(CorrectDecision, seat=1, decision="play", **WHY)
    play.change(CorrectWager, **entered)
    played_to_its_end(play)
    assert play.round.settlement is not None
    lines = play.round.settlement.seats["1"].lines
    assert [(line.wager, line.stake) for line in lines][::3] == [("ante", 100), ("pair_plus", 500)]


def test_2008_art_9_3_pair_plus_that_was_not_entered_may_be_beside_an_ante_that_is_played() -> None:
    play = locked().until("reveal")
    play.change(CorrectWager, seat=1, wager="pair_plus", amount=500, **WHY)
    play.change(CorrectWager, seat=3, wager="pair_plus", amount=0, **WHY)
    play.change(CorrectDecision, seat=3, decision="fold", **WHY)  # nothing obliges this one any more
    played_to_its_end(play)
    assert "seat 3" not in play.round.play.shown


def test_2008_art_9_the_bank_is_shown_first_then_the_hands_from_its_left() -> None:
    play, shown = locked().until("reveal"), []
    while play.step.kind == "reveal":
        due = play.step.to[0]
        for other in {"bank", "seat 1", "seat 2", "seat 3", "seat 7", "community", "discard"} - {due}:
            assert play.refused(Reveal, to=other).article == "9.º"
        shown.append(due)
        play.reveal_one()
    assert shown == ["bank", "seat 1", "seat 2", "seat 3"]
    assert list(play.shown.values()) == [HANDS[3], *HANDS[:3]]


@pytest.mark.parametrize("source", SOURCES)
def test_2008_art_9_and_art_10_the_floor_is_notified_of_the_round_and_of_no_jackpot(source: str) -> None:
    play = locked(source)
    data = published_round(play)
    assert {"schema", "mode", "round", "game", "outcome", "source", "wagers", "bank", "seats", "void"} <= set(data)
    assert "community" not in [card["to"] for card in data["shown_cards"]]
    assert not {"community", "jackpot"} & {*data}
    assert (data["game"], data["outcome"], data["source"], data["void"]) == (GAME.id, "settled", source, None)
    assert data["bank"] == {"hand_name": "high_card", "qualifies": True}
    assert {"to": "bank", "cards": ["Qd", "9c", "4h"]} in data["shown_cards"]
    lines = {
        answer["seat"]: [(line["wager"], line["stake"], line["net"], line["article"]) for line in answer["lines"]]
        for answer in data["seats"]
    }
    assert lines == {
        1: [("ante", 100, 100, "9.º 6)"), ("play", 100, 100, "9.º 6)"), ("ante_bonus", 100, 500, "9.º 8) (1)")],
        2: [("pair_plus", 200, 200, "10.º 5)")],
        3: [("ante", 300, -300, "9.º 7)"), ("play", 300, -300, "9.º 7)"), ("pair_plus", 400, -400, "9.º 9)")],
    }
    assert [(decision["seat"], decision["decision"]) for decision in data["decisions"]] == [(1, "play"), (3, "play")]
    assert (play.table.meter, play.step.kind) == (None, "claims")


def test_2008_the_projection_has_no_jackpot_and_no_sign() -> None:
    play = locked()
    assert b'"jackpot":null' in play.projection() and b'"sign":null' in play.projection()
    assert play.refused(Confirm).article == "9.º"


def test_2025_and_2008_tables_may_follow_one_another_each_by_its_own_law() -> None:
    """A round is played by the game it began with, whatever the configuration says since."""
    play = Play(source="shoe").until("wagers").bet(1, ante=100)
    play.settings = Play2008(source="shoe").settings
    play.lock()
    play.to_settled()
    assert play.places_dealt() == [("seat 1",)] * 3 + [("bank",)] * 3
    play.until("begin")
    play.say(BeginRound)
    assert play.step.id == "2/cut" and play.round.terms.game == GAME.id
    play.to_wagers().bet(7, ante=100).lock()
    play.to_settled()
    assert play.places_dealt()[6:] == [("seat 7",), ("bank",)] * 3
