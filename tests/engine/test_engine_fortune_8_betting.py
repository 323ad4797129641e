"""Fortune 8, 4.º 1 to 5 at the table: whose bets lie in which box, until when, and what is corrected afterwards."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.betting import LockIn, LockInPressed, PlaceWager
from controller.engine.decisions.played import Decide
from controller.engine.state.persons import CorrectDecision, CorrectSeat, CorrectWager
from controller.rulebook.events import Deal
from controller.rulebook.reasons import LawReason
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.reported import laid, lines, seats
from tests.engine.spaces import BOXES, Spaces

WHY = {"reason": "entered wrongly"}
DEALS: list[Deal] = ["every_space", "spaces_with_bets"]
SEVEN = "8d Kc 2c 2d 2h 2s 3c"


def bets(play: Spaces) -> list[dict[str, Any]]:
    """What the table's state says of every bet."""
    told: list[dict[str, Any]] = msgspec.json.decode(play.projection())["round"]["bets"]
    return told


# ---- 4.º 1 and 3: any number of players, seven spaces of three boxes


def test_fortune_8_art_4_1_many_players_bet_in_one_box_and_one_player_in_many() -> None:
    players = [f"player {number}" for number in range(1, 31)]
    play = Spaces(SEVEN).to_wagers()
    for number, player in enumerate(players):
        play.lay(1, player, eight=100 + number)
    for space in range(1, 8):
        for box in BOXES:
            play.lay(space, "Inês", **{box: 500})
    state = msgspec.json.decode(play.projection())["round"]
    assert len(bets(play)) == 30 + 21
    assert state["wagers"]["1"] == {"low": 500, "eight": sum(range(100, 130)) + 500, "high": 500}
    assert state["wagers"]["7"] == {"low": 500, "eight": 500, "high": 500}
    play.goes_on()
    listed = lines(play.report)
    assert [line.player for line in listed if line.wager == "eight"][:31] == [*players, "Inês"]
    assert [line.wager for line in listed][30 + 3 :] == [*BOXES] * 6
    assert {line.outcome for line in listed[1:32]} == {"win"}


NO_NAMES = [" ", "x" * 41, "Rui\x07", "Rui\nInês", "\u202eiuR", "\ud800"]


@pytest.mark.parametrize("name", NO_NAMES)
def test_fortune_8_art_4_1_a_name_is_short_and_can_be_printed_also_where_a_correction_brings_it(name: str) -> None:
    play = Spaces(SEVEN).to_wagers()
    refusal = play.refused(PlaceWager, seat=1, wager="low", amount=100, player=name)
    assert refusal.reason.code == LawReason.NO_NAME
    play.lay(1, "何鴻燊 Inês O'Neill-2", low=100).goes_on()
    refusal = play.refused(CorrectWager, seat=1, wager="low", amount=100, player=name, **WHY)
    assert refusal.reason.code == LawReason.NO_NAME


def test_fortune_8_art_4_1_a_bet_of_nobody_named_is_a_bettor_of_its_own() -> None:
    play = Spaces(SEVEN).to_wagers().lay(1, eight=100).lay(1, "Rui", eight=200).lay(1, eight=300)
    assert bets(play) == [
        {"seat": 1, "wager": "eight", "player": None, "amount": 300},
        {"seat": 1, "wager": "eight", "player": "Rui", "amount": 200},
    ]
    play.goes_on()
    assert [line.player for line in lines(play.report)] == [None, "Rui"]
    assert laid(play.report) == [(1, "eight", None, 300), (1, "eight", "Rui", 200)]


def test_fortune_8_art_4_1_and_4_2_there_are_seven_spaces_with_three_boxes_each() -> None:
    play = Spaces().to_wagers()
    for space in (0, 8, -1, 1000):
        assert play.refused(PlaceWager, seat=space, wager="low", amount=100).article == "4.º 1"
    for box in ("ante", "L", "", "Low"):
        assert play.refused(PlaceWager, seat=1, wager=box, amount=100).article == "4.º 2"
    for space in range(1, 8):
        play.lay(space, low=100, eight=200, high=300)
    assert play.round.wagers == {space: {"low": 100, "eight": 200, "high": 300} for space in range(1, 8)}


@pytest.mark.parametrize("player", ["", " ", "x" * 41, "\ud800"])
def test_fortune_8_a_player_has_a_name_that_can_be_written(player: str) -> None:
    play = Spaces().to_wagers()
    assert play.refused(PlaceWager, seat=1, wager="low", amount=100, player=player).article is None
    play.lay(1, "x" * 40, low=100)


def test_fortune_8_art_4_3_each_bet_has_the_limits_to_itself() -> None:
    play = Spaces().to_wagers()
    for amount in (99, 10_001, 10**12, -100):
        for player in (None, "Rui"):
            refusal = play.refused(PlaceWager, seat=1, wager="low", amount=amount, player=player)
            assert refusal.article == ("4.º 3" if amount > 0 else None)
    for player in (None, "Rui", "Inês"):
        play.lay(1, player, low=10_000, eight=100)
    assert play.round.wagers[1] == {"low": 30_000, "eight": 300}
    assert play.refused(PlaceWager, seat=1, wager="low", amount=10_001, player="Rui").article == "4.º 3"


def test_fortune_8_art_4_3_a_bet_is_changed_and_taken_back_by_its_player_alone() -> None:
    play = Spaces(SEVEN).to_wagers().lay(2, "Rui", high=100).lay(2, "Inês", high=200).lay(2, high=300)
    play.lay(2, "Rui", high=500).lay(2, high=0).lay(3, "Rui", low=0)
    assert [(bet["player"], bet["amount"]) for bet in bets(play)] == [("Rui", 500), ("Inês", 200)]
    play.lay(2, "Rui", high=0).lay(2, "Rui", high=100)  # laid again, it lies behind the other
    assert [bet["player"] for bet in bets(play)] == ["Inês", "Rui"]
    play.goes_on()
    assert [line.stake for line in lines(play.report)] == [200, 100]


def test_fortune_8_art_4_3_all_bets_taken_back_are_none() -> None:
    play = Spaces().to_wagers().lay(1, "Rui", high=100).lay(1, high=100).lay(1, "Rui", high=0).lay(1, high=0)
    assert play.round.wagers == {} and bets(play) == []
    assert play.refused(LockIn).article == "4.º 6"


# ---- 4.º 5: until the first card


@pytest.mark.parametrize("kind", ["announce", "deal", "reveal", "confirm", "claims", "begin"])
def test_fortune_8_art_4_5_after_lock_in_no_bet_is_laid_or_taken_back(kind: StepKind) -> None:
    play = Spaces(SEVEN, unread=(3,)).to_wagers().lay(1, "Rui", eight=100).until(kind)
    for amount in (0, 100):
        refusal = play.refused(PlaceWager, seat=1, wager="eight", amount=amount, player="Rui")
        assert refusal.article == ("policy: one step at a time" if kind == "begin" else "4.º")
    assert play.refused(LockIn).article == refusal.article


@pytest.mark.parametrize("deal", DEALS)
def test_fortune_8_art_4_5_a_card_that_is_out_closes_the_bets(deal: Deal) -> None:
    play = Spaces(SEVEN, deal=deal).to_wagers().lay(2, low=100)
    play.comes_out()
    assert play.round.locked and play.step.id == ("1/deal/2" if deal == "every_space" else "1/confirm")
    assert play.refused(PlaceWager, seat=1, wager="eight", amount=100).article == "4.º"


def test_fortune_8_art_4_5_lock_in_is_on_the_screen_and_wants_a_bet() -> None:
    play = Spaces().to_wagers()
    assert play.refused(LockIn).article == "4.º 6"
    play.hear(LockInPressed())
    assert play.step.id == "1/wagers" and play.told() == ["lock_in_refused"]
    play.lay(7, high=100).lock()
    assert play.step.id == "1/announce"


def test_fortune_8_nothing_is_decided_by_players() -> None:
    play = Spaces().to_deal(1)
    for _ in range(2):
        assert play.refused(Decide, seat=1, decision="play").article == "4.º"
        assert play.refused(CorrectDecision, seat=1, decision="play", **WHY).article == "policy: corrections"
        play.until("confirm")


# ---- corrections


@pytest.mark.parametrize("kind", ["announce", "deal", "reveal", "confirm"])
def test_fortune_8_art_4_1_a_bet_is_corrected_with_its_player(kind: StepKind) -> None:
    play = Spaces(SEVEN, unread=(3,)).to_wagers().lay(1, "Rui", eight=100).lay(1, "Inês", eight=200).until(kind)
    play.change(CorrectWager, seat=1, wager="eight", amount=700, player="Inês", **WHY)
    assert [(bet["player"], bet["amount"]) for bet in bets(play)] == [("Rui", 100), ("Inês", 700)]
    play.change(CorrectWager, seat=1, wager="low", amount=300, player="Rui", **WHY)
    play.change(CorrectWager, seat=1, wager="eight", amount=0, player="Rui", **WHY)
    refusal = play.refused(CorrectWager, seat=1, wager="eight", amount=700, player="Inês", **WHY)
    assert english(refusal.reason) == "that is what was entered"
    for amount, article in ((99, "4.º 3"), (10_001, "4.º 3"), (-1, None)):
        assert play.refused(CorrectWager, seat=1, wager="low", amount=amount, player="Rui", **WHY).article == article
    play.goes_on()
    keys = ("what", "at", "wager", "player", "amount_before", "amount_after", "actor", "reason")
    assert [tuple(getattr(one, key) for key in keys) for one in play.report.corrections] == [
        ("wager", "seat 1", wager, player, before, after, "ana", WHY["reason"])
        for wager, player, before, after in [
            ("eight", "Inês", 200, 700), ("low", "Rui", 0, 300), ("eight", "Rui", 100, 0)
        ]
    ]  # fmt: skip
    assert [(line.wager, line.player, line.net) for line in lines(play.report)] == [
        ("low", "Rui", -300),
        ("eight", "Inês", 7700),
    ]


def test_fortune_8_a_confirmed_settlement_is_that_of_the_last_correction() -> None:
    play = Spaces(SEVEN).to_deal(1).goes_on()
    first = play.step.id
    play.change(CorrectWager, seat=1, wager="eight", amount=200, **WHY)
    assert (first, play.step.id) == ("1/confirm", "1/confirm/2")
    play.goes_on()
    assert lines(play.report)[0].net == 2200


@pytest.mark.parametrize("deal", DEALS)
def test_fortune_8_art_4_6_with_cards_out_a_correction_changes_no_turn_of_the_deal(deal: Deal) -> None:
    play = Spaces(SEVEN, announced=deal).to_deal(2, 5)
    play.deal_one()
    for space, amount in ((4, 100), (5, 0)):
        if deal == "every_space":
            play.change(CorrectWager, seat=space, wager="eight", amount=amount, **WHY)
        else:
            assert play.refused(CorrectWager, seat=space, wager="eight", amount=amount, **WHY).article == "5.º"
    play.goes_on()
    assert seats(play.report) == ([2, 4] if deal == "every_space" else [2, 5])


@pytest.mark.parametrize("deal", DEALS)
def test_fortune_8_art_4_6_before_the_first_card_any_bet_is_corrected(deal: Deal) -> None:
    play = Spaces(SEVEN, announced=deal).to_announce(2, 5)
    play.change(CorrectWager, seat=4, wager="low", amount=100, **WHY)
    play.go_on()
    play.change(CorrectWager, seat=2, wager="eight", amount=0, **WHY)
    play.goes_on()
    assert seats(play.report) == [4, 5]


def test_fortune_8_art_4_6_no_correction_leaves_a_round_without_bets() -> None:
    kinds: list[StepKind] = ["announce", "deal", "confirm"]
    for kind in kinds:
        play = Spaces(SEVEN).to_announce(2).until(kind)
        assert play.refused(CorrectWager, seat=2, wager="eight", amount=0, **WHY).article == "4.º 6"


def test_fortune_8_art_4_1_bets_are_moved_to_the_space_where_they_lie_with_their_players() -> None:
    play = Spaces(SEVEN).to_wagers().lay(1, "Rui", eight=100).lay(1, "Inês", eight=200, low=300).lay(3, low=100)
    play.until("confirm")
    before = play.shown
    play.change(CorrectSeat, seat=1, to_seat=5, **WHY)
    assert play.shown == before  # every space has its own card, whoever has bet there
    play.goes_on()
    assert [(line.player, line.net) for line in lines(play.report)] == [
        (None, 100),
        ("Inês", 300),
        ("Rui", -100),
        ("Inês", -200),
    ]


def test_fortune_8_art_4_1_bets_move_from_a_space_that_has_some_to_one_that_has_none() -> None:
    play = Spaces(SEVEN).to_announce(1, 3)
    assert play.refused(CorrectSeat, seat=1, to_seat=3, **WHY).article == "policy: corrections"
    assert play.refused(CorrectSeat, seat=2, to_seat=4, **WHY).article == "policy: corrections"
    assert play.refused(CorrectSeat, seat=1, to_seat=8, **WHY).article == "4.º 1"


@pytest.mark.parametrize(("space", "to", "kept"), [(3, 4, True), (3, 2, True), (3, 7, False), (1, 5, False)])
def test_fortune_8_art_4_6_where_only_spaces_with_bets_have_cards_a_bet_moves_with_its_card_or_not_at_all(
    space: int, to: int, kept: bool
) -> None:
    play = Spaces(SEVEN, announced="spaces_with_bets").to_deal(1, 3, 6).until("confirm")
    if kept:
        play.change(CorrectSeat, seat=space, to_seat=to, **WHY)
        assert play.shown == {"seat 1": "8d", f"seat {to}": "Kc", "seat 6": "2c"}
    else:
        assert play.refused(CorrectSeat, seat=space, to_seat=to, **WHY).article == "5.º"
    play.goes_on()


def test_fortune_8_art_4_1_bets_move_to_a_space_from_which_others_were_taken_back() -> None:
    play = Spaces(SEVEN).to_wagers().lay(1, "Rui", eight=100).lay(3, "Inês", low=100).lay(3, "Inês", low=0)
    play.until("announce").change(CorrectSeat, seat=1, to_seat=3, **WHY)
    play.goes_on()
    assert [(line.player, line.stake) for line in lines(play.report)] == [("Rui", 100)]
