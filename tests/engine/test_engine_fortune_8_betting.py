"""Fortune 8, 4.º at the table: any number of players, their names, the announcement; its rounds: tests/rounds."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.betting import Announce, PlaceWager
from controller.engine.decisions.played import CardsReported
from controller.engine.state.persons import CorrectWager
from controller.rulebook.events import Deal, DealAnnounced
from controller.rulebook.reasons import LawReason
from tests.engine.playing import cards
from tests.engine.reported import lines
from tests.engine.spaces import BOXES, Spaces

WHY = {"reason": "entered wrongly"}
DEALS: list[Deal] = ["every_space", "spaces_with_bets"]
SEVEN = "8d Kc 2c 2d 2h 2s 3c"


def bets(play: Spaces) -> list[dict[str, Any]]:
    """What the table's state says of every bet."""
    shown_bets: list[dict[str, Any]] = msgspec.json.decode(play.projection())["round"]["bets"]
    return shown_bets


def test_fortune_8_art_4_1_many_players_bet_in_one_box_and_one_player_in_many() -> None:
    players = [f"player {number}" for number in range(1, 31)]
    play = Spaces(SEVEN).to_wagers()
    for number, player in enumerate(players):
        play.place_bet(1, player, eight=100 + number)
    for space in range(1, 8):
        for box in BOXES:
            play.place_bet(space, "Inês", **{box: 500})
    state = msgspec.json.decode(play.projection())["round"]
    assert len(bets(play)) == 30 + 21
    assert state["wagers"]["1"] == {"low": 500, "eight": sum(range(100, 130)) + 500, "high": 500}
    assert state["wagers"]["7"] == {"low": 500, "eight": 500, "high": 500}
    play.settled_as_in_a_file()
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
    play.place_bet(1, "何鴻燊 Inês O'Neill-2", low=100).settled_as_in_a_file()
    refusal = play.refused(CorrectWager, seat=1, wager="low", amount=100, player=name, **WHY)
    assert refusal.reason.code == LawReason.NO_NAME


@pytest.mark.parametrize("player", ["", " ", "x" * 41, "\ud800"])
def test_fortune_8_a_player_has_a_name_that_can_be_written(player: str) -> None:
    play = Spaces().to_wagers()
    assert play.refused(PlaceWager, seat=1, wager="low", amount=100, player=player).article is None
    play.place_bet(1, "x" * 40, low=100)


def test_fortune_8_art_4_6_the_dealer_announces_when_the_bets_are_done_and_before_the_first_card() -> None:
    play = Spaces(SEVEN).to_wagers().place_bet(1, low=100)
    for kind in ("announce", "deal", "confirm", "claims", "begin", "shuffle", "cut", "wagers"):
        for deal in DEALS:
            if kind == "announce":
                break
            assert play.refused(Announce, deal=deal).article in ("4.º", "policy: one step at a time")
        else:
            play.proceed()
            continue
        play.until("announce").say(Announce, deal="every_space")
    announced = [event for event in play.events if isinstance(event, DealAnnounced)]
    assert announced == [DealAnnounced(deal="every_space", actor="ana")]


def test_fortune_8_art_4_6_each_round_has_its_own_announcement() -> None:
    play = Spaces()
    for deal in (*DEALS, *DEALS):
        play.announced = deal
        play.to_deal(2, 4).settled_as_in_a_file()
        assert len(play.report.shown_cards) == (7 if deal == "every_space" else 2)
        play.until("begin")


def test_fortune_8_several_cards_at_once_are_not_dealt() -> None:
    for kind in ("wagers", "announce", "deal"):
        play = Spaces(source="shuffler").to_wagers().place_bet(1, low=100)
        while not play.at(kind):
            play.proceed()
        before = play.step
        for there in ("", "8d 8c"):
            play.receive(CardsReported(source="shuffler", cards=cards(there) if there else (), order=257))
        assert play.step == before and play.notices() == ["card_not_due"]
