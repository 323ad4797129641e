"""Black-jack/21 at the table, 2, 3 and 7 to 12: the seats, the decks, the shoe made ready, the warning card."""

import msgspec
import pytest

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.cards import Shuffled, UnreportedCard
from controller.engine.decisions.devices import CutCard
from controller.engine.decisions.session import CloseTable, OpenTable, UseSource
from controller.engine.state.events import CutCardOut
from controller.engine.state.persons import CorrectSeat
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.steps import StepKind
from tests.engine.hands import BURNT, WARNING_CARD, Hands
from tests.engine.reported import open_cards

MADE_READY = ["shuffle", "cut", "warning", "burn"]


def loaded() -> Hands:
    """A shoe from which one round was dealt."""
    return Hands().to_deal(1).until("begin")


# ---- the table


@pytest.mark.parametrize("seats", [6, 7])
def test_blackjack_rule_2_there_are_six_or_seven_seats(seats: int) -> None:
    play = Hands(seats=seats).to_wagers().place_bet(seats, 100)
    for seat in (0, -1, seats + 1, 99):
        for wager in ("bet", "backing", "vacant"):
            assert play.refused(PlaceWager, seat=seat, wager=wager, amount=100, player="Rui").article == "2"
    play.settled()
    assert play.refused(CorrectSeat, seat=seats, to_seat=seats + 1, reason="x").article == "2"


def test_blackjack_rule_2_the_player_of_the_lowest_seat_is_dealt_to_first() -> None:
    play = Hands("2c 3c 4c Th 5c 6c 7c 9h").to_deal(6, 2, 4)
    assert (play.step.to, play.step.hand) == (("seat 2",), 1)
    play.until("ask")
    assert [play.hands(seat) for seat in (2, 4, 6)] == [["2c 5c waiting"], ["3c 6c waiting"], ["4c 7c waiting"]]


@pytest.mark.parametrize("decks", [4, 6])
def test_blackjack_rule_3_the_dealer_shuffles_four_or_six_whole_decks(decks: int) -> None:
    play = Hands(decks=decks).until("shuffle")
    for count in (52, decks * 52 - 1, decks * 52 + 1, 0):
        assert play.refused(Shuffled, count=count).article == "3"
    play.say(Shuffled, count=decks * 52)
    assert play.at("cut") and f"Shuffle all {decks * 52} cards" in str(play.channels)
    assert play.to_deal(1).until("confirm").report.decks == decks


# ---- 8 to 10: shuffle, cut, burn


def test_blackjack_rule_8_9_and_10_a_session_begins_with_shuffle_cut_and_a_burnt_card() -> None:
    assert Hands().preparations() == MADE_READY
    play = Hands().until("warning")
    assert "warning card near the 50th" in play.public()["step"]["prompt"]["en"]


def test_blackjack_rule_10_the_first_card_is_burnt_and_shown_to_no_one() -> None:
    plays = [Hands(), Hands()]
    plays[1].first = (plays[1].deck[5], *plays[1].first[1:])  # another card on top
    for play in plays:
        play.to_deal(1)
        assert play.kinds.count("card_burned") == 1 and hands_of(play.round).burned and play.round.draws == 1
        assert play.step.to == ("seat 1",)
    assert plays[0].left_the_source[1] == BURNT != plays[1].left_the_source[1]
    assert plays[0].channels == plays[1].channels
    assert BURNT not in " ".join(open_cards(plays[0].settled().report).values()).split()


def test_blackjack_rule_10_a_burnt_card_that_was_not_reported_is_reported_by_the_dealer() -> None:
    play = Hands("Tc 9s Td 7h").until("burn")
    play.unreported_card()
    assert play.at("wagers") and hands_of(play.round).burned and play.kinds[-1] == "card_burned"
    assert play.place_bet(1, 100).lines() == [("hand 1", "", 100, 100, "23")]
    assert play.until("begin").to_wagers().refused(UnreportedCard).article == "18"


# ---- 11: the warning card


AT: list[StepKind] = ["burn", "wagers", "deal", "ask", "reveal", "confirm", "claims"]


@pytest.mark.parametrize("kind", AT)
@pytest.mark.parametrize("dealer", [False, True])
def test_blackjack_rule_11_the_round_in_play_is_the_shoes_last_one(kind: StepKind, dealer: bool) -> None:
    play = Hands().until("burn") if kind == "burn" else loaded().to_wagers()
    if kind not in ("burn", "wagers"):
        play.to_deal(1).until(kind)
    before = play.step
    play.say(CutCard) if dealer else play.receive(WARNING_CARD)
    assert play.step == before and play.public()["shoe"] == {"loaded": True, "cut_card_out": True}
    assert dealer or "the last round of this shoe (11)" in play.public()["notices"][-1]["en"]
    if not play.at("claims"):
        (play if play.round.locked else play.to_deal(1)).settled()
    assert play.preparations() == MADE_READY
    assert play.to_deal(1).settled().preparations() == []


def test_blackjack_rule_11_the_warning_card_comes_out_once_and_only_of_a_loaded_shoe() -> None:
    play = loaded()
    play.say(CutCard)
    assert play.refused(CutCard).article == "policy: one step at a time"
    play.receive(WARNING_CARD)
    assert sum(isinstance(event, CutCardOut) for event in play.events) == 1
    fresh = Hands().until("shuffle")
    assert fresh.refused(CutCard).who == "table"
    dispenser = Hands(source="shuffler").to_wagers()
    assert dispenser.refused(CutCard).who == "table"


def test_blackjack_rule_8_and_12_other_decks_or_another_table_are_shuffled_again() -> None:
    play = loaded()
    play.settings = msgspec.structs.replace(play.settings, terms=msgspec.structs.replace(play.settings.terms, decks=6))
    assert play.preparations() == MADE_READY


# ---- where the cards come from


def test_blackjack_rule_54_a_closed_table_chooses_its_source_and_loads_it() -> None:
    play = loaded()
    play.say(CloseTable)
    play.say(UseSource, source="shuffler")
    assert play.refused(UseSource, source="shuffler").article == "52"
    play.say(OpenTable)
    assert play.at("load")
    play.to_deal(1).until("begin")
    assert play.round_sources() == ["shoe", "shuffler"]
    assert play.refused(UseSource, source="shoe").article == "57"
    play.say(CloseTable)
    assert play.at("extract") and play.refused(UseSource, source="shoe").who == "table"
    play.proceed()
    play.say(UseSource, source="shoe")
    assert play.preparations() == MADE_READY
