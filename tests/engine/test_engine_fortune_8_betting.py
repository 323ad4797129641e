"""Fortune 8, 4.º and 9.º at the table: any number of players, their names, the announcement, authorised bets."""

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.betting import Announce, PlaceWager
from controller.engine.decisions.played import CardsReported
from controller.engine.shown.device_orders import posted
from controller.engine.state.persons import CorrectWager, VoidRound
from controller.rulebook.cards import Card
from controller.rulebook.events import Deal, DealAnnounced
from controller.rulebook.house import AddedBet, Authorisation, House, Pays
from controller.rulebook.reading import Limits
from controller.rulebook.reasons import LawReason
from controller.rulebook.report import AuthorisedBet, LineResult
from tests.engine.playing import cards
from tests.engine.reported import lines, reported_bets
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


def test_fortune_8_several_cards_at_once_are_not_dealt() -> None:
    for kind in ("wagers", "announce", "deal"):
        play = Spaces(source="shuffler").to_wagers().place_bet(1, low=100)
        while not play.at(kind):
            play.proceed()
        before = play.step
        for there in ("", "8d 8c"):
            play.receive(CardsReported(source="shuffler", cards=cards(there) if there else (), order=257))
        assert play.step == before and play.notices() == ["card_not_due"]


# ---- Fortune 8, 9.º 1 at the table: a bet that was authorised beside the three boxes, from the wager to the message.


RED_EIGHT = AddedBet("red eight", (Pays((Card("8h"), Card("8d")), 20), Pays((Card("8h"), Card("Ah")), 2)))
AUTHORISED = Authorisation(subject="red eight", reference="DICJ 8/2026", date="2026-03-01")
HOUSE = House(authorisations=(AUTHORISED,), bets=(RED_EIGHT,), limits={"red eight": Limits(50, 5_000)})
DEALT = "8h Ah 2c 8c Ad 2s 3c"


def offering() -> Spaces:
    play = Spaces(DEALT)
    play.settings = replace(play.settings, terms=replace(play.settings.terms, house=HOUSE))
    return play.to_wagers()


def shown(play: Spaces, *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(getattr(line, key) for key in keys) for line in lines(play.report)]


def test_fortune_8_art_9_1_an_authorised_bet_is_settled_on_the_card_of_its_space() -> None:
    play = offering()
    for space in (1, 2, 4, 5):
        play.place_bet(space, "Ana", **{"red eight": 100})
    play.until("confirm")
    assert shown(play, "wager", "player", "stake", "outcome", "odds", "net", "article") == [
        ("red eight", "Ana", 100, "win", "20:1", 2000, "9.º 1"),  # the first set that has the card
        ("red eight", "Ana", 100, "win", "2:1", 200, "9.º 1"),
        ("red eight", "Ana", 100, "lose", None, -100, "9.º 1"),
        ("red eight", "Ana", 100, "lose", None, -100, "9.º 1"),
    ]


def test_fortune_8_art_9_1_it_is_behind_the_three_boxes_and_changes_none_of_them() -> None:
    play = (
        offering()
        .place_bet(1, None, **{"red eight": 100})
        .place_bet(1, high=100)
        .place_bet(1, eight=100)
        .place_bet(1, low=100)
    )
    play.until("confirm")
    assert shown(play, "wager", "net", "article") == [
        ("low", -100, "6.º 1"),
        ("eight", 1100, "8.º 2"),
        ("high", -100, "6.º 1"),
        ("red eight", 2000, "9.º 1"),
    ]


def test_fortune_8_art_9_1_the_floor_receives_the_bet_with_its_odds_and_its_authorisation() -> None:
    play = offering().place_bet(1, "Ana", **{"red eight": 100})
    play.until("confirm")
    assert reported_bets(play.report) == [(1, "red eight", "Ana", 100)]
    pays = (Pays((Card("8h"), Card("8d")), 20), Pays((Card("8h"), Card("Ah")), 2))
    assert play.report.added_bets == (AuthorisedBet("red eight", pays, "DICJ 8/2026", "2026-03-01"),)
    plain = Spaces(DEALT).to_wagers().place_bet(1, low=100)
    plain.until("confirm")
    assert plain.report.added_bets == ()


def test_fortune_8_art_9_1_two_bets_are_published_each_with_its_own_authorisation() -> None:
    red = AddedBet("red", (Pays((Card("Ah"),), 1),))
    second = Authorisation(subject="red", reference="DICJ 9/2026", date="2026-03-02")
    play = Spaces(DEALT)
    house = House(authorisations=(AUTHORISED, second), bets=(RED_EIGHT, red))
    play.settings = replace(play.settings, terms=replace(play.settings.terms, house=house))
    play.to_wagers().place_bet(2, red=100)
    play.until("confirm")
    assert [(bet.name, bet.reference) for bet in play.report.added_bets] == [
        ("red eight", "DICJ 8/2026"),
        ("red", "DICJ 9/2026"),
    ]


def test_fortune_8_art_9_1_it_is_posted_with_its_limits() -> None:
    play = offering()
    shown_bets = json.loads(play.projection())["posted"]
    assert shown_bets["bets"][0]["name"] == "red eight"
    assert shown_bets["limits"]["red eight"] == {"min": 50, "max": 5_000}
    assert shown_bets["authorisations"] == [{"subject": "red eight", "reference": "DICJ 8/2026", "date": "2026-03-01"}]
    assert posted(Spaces().table, Spaces().settings).bets == ()


@pytest.mark.parametrize("amount", [49, 5_001])
def test_fortune_8_art_4_3_and_9_1_it_keeps_its_limits(amount: int) -> None:
    assert offering().refused(PlaceWager, seat=1, wager="red eight", amount=amount).article == "4.º 3"


def test_fortune_8_art_9_1_without_an_authorisation_there_is_no_such_box() -> None:
    refusal = Spaces(DEALT).to_wagers().refused(PlaceWager, seat=1, wager="red eight", amount=100)
    assert refusal.article == "4.º 2"
    assert offering().refused(PlaceWager, seat=1, wager="red", amount=100).article == "4.º 2"


def test_fortune_8_art_9_1_it_is_corrected_and_taken_back_like_any_bet() -> None:
    play = offering().place_bet(1, "Ana", **{"red eight": 100})
    play.until("deal").change(
        CorrectWager, seat=1, wager="red eight", amount=200, player="Ana", reason="entered wrongly"
    )
    play.until("confirm")
    assert shown(play, "stake", "net") == [(200, 4000)]
    play = offering().place_bet(1, "Ana", **{"red eight": 100})
    play.until("deal").say(VoidRound, "rui", reason="power")
    assert lines(play.report) == [
        LineResult(
            wager="red eight", player="Ana", stake=100, outcome="void", odds=None, net=0, commission=0,
            article="policy: supervisor's void",
        )
    ]  # fmt: skip
