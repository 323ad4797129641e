"""Fortune 8, 1.º and 2.º at the table: how many decks there are, the shoe that is kept, its cut card, the dispenser."""

import msgspec
import pytest

from controller.engine.decisions.alarms import alarms
from controller.engine.decisions.cards import Cut
from controller.engine.decisions.devices import CutCard
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import UseSource
from controller.engine.shown.device_orders import react
from controller.engine.shown.prompts import alarm_words
from controller.engine.state.events import CutCardOut
from controller.engine.state.persons import CorrectCards, Misdealt
from controller.rulebook.cards import Card
from controller.rulebook.events import CardSource
from controller.rulebook.steps import StepKind
from tests.engine.playing import Play, terms
from tests.engine.reported import open_cards
from tests.engine.spaces import CUT_CARD, Spaces

COMPLETE = "policy: complete deck"
LOW = "2c 3c 4c 5c 6c 7c"
BOTH: list[CardSource] = ["shoe", "shuffler"]
SHUFFLE_AND_CUT = ["shuffle", "cut"]


def configured(play: Play, decks: int) -> None:
    """The configuration has so many decks from now on."""
    changed = msgspec.structs.replace(play.settings.terms, decks=decks)
    play.settings = msgspec.structs.replace(play.settings, terms=changed)


# ---- 1.º 1): one to eight decks


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("decks", [1, 2, 6])
def test_fortune_8_art_1_1_one_card_more_than_the_decks_hold_voids_the_round_as_it_comes(
    source: CardSource, decks: int
) -> None:
    Spaces("As " * decks + "Ks", decks=decks, source=source).to_deal(1, 7).settled_as_in_a_file()
    play = Spaces("As " * decks + "As", decks=decks, source=source).to_deal(1, 7)
    for _ in range(decks):
        play.deal_one()
    assert play.round.void is None
    play.deal_one()
    assert play.why_void() == (COMPLETE, f"more than {decks} of one card came")
    # It is face up for everybody to see: the record has it.
    assert open_cards(play.report) == {f"seat {space}": "As" for space in range(1, decks + 2)}


@pytest.mark.parametrize("decks", [1, 3, 8])
def test_fortune_8_art_1_1_a_shoe_is_counted_since_it_was_loaded_whichever_round_a_card_came_in(decks: int) -> None:
    play = Spaces(f"8d {LOW} " * decks + "8d", decks=decks)
    for _ in range(decks):
        play.whole_round()
    play.to_deal(1).deal_one()
    assert play.why_void() == (COMPLETE, f"more than {decks} of one card came")
    play.first = ()
    assert play.until("begin").preparations() == SHUFFLE_AND_CUT
    play.to_deal(1).settled_as_in_a_file()


def test_fortune_8_art_1_1_a_shoe_that_is_loaded_again_is_counted_from_the_first_card() -> None:
    play = Spaces("8d", decks=1).whole_round()
    play.to_wagers().receive(CUT_CARD)
    play.whole_round()
    play.to_deal(1).settled_as_in_a_file()
    assert play.shown["seat 1"] == "8d"


def test_fortune_8_art_1_1_a_card_goes_back_into_the_dispenser_and_may_come_in_every_round() -> None:
    play = Spaces(f"8d {LOW} " * 3, source="shuffler", decks=1)
    for _ in range(3):
        play.to_deal(1).settled_as_in_a_file().until("begin")


def test_fortune_8_art_1_1_what_a_supervisor_corrects_is_counted_as_what_it_was() -> None:
    for again, voids in (("8d", False), ("8h", True)):
        play = Spaces(f"8d {LOW} {again}", decks=1).to_deal(1)
        play.until("confirm").change(CorrectCards, "rui", to="seat 1", cards="8h", reason="misread")
        play.until("begin")
        play.to_deal(1).deal_one()
        assert (play.round.void is not None) is voids


def test_fortune_8_art_1_1_other_decks_in_the_configuration_are_shuffled_before_the_next_round() -> None:
    play = Spaces(decks=8).to_deal(1)
    configured(play, 6)
    assert play.settled_as_in_a_file().report.decks == 8
    assert play.until("begin").preparations() == SHUFFLE_AND_CUT
    assert len(play.deck) == 6 * 52 and play.round.terms.decks == 6
    assert play.whole_round().preparations() == []
    configured(play, 8)
    play.until("wagers").whole_round()
    assert play.preparations() == SHUFFLE_AND_CUT


# ---- 1.º 2) to 4): which source


def test_fortune_8_art_1_2_and_1_3_the_cards_come_from_the_source_that_is_in_use_alone() -> None:
    for source, other in (BOTH, BOTH[::-1]):
        play = Spaces(source=source).to_deal(1)
        play.receive(CardsReported(source=other, cards=(Card("8d"),)))
        assert play.notices() == ["card_not_due"] and not play.round.dealt
        assert play.settled_as_in_a_file().report.source == source


@pytest.mark.parametrize("kind", ["begin", "shuffle", "cut"])
def test_fortune_8_art_1_2_to_4_the_source_is_changed_between_two_rounds_or_before_the_bets(kind: StepKind) -> None:
    play = Spaces().until(kind)
    assert play.refused(UseSource, source="shoe").article == "1.º"
    play.say(UseSource, source="shuffler")
    play.to_wagers().place_bet(1, low=100)
    assert play.round.terms.source == "shuffler" and play.kinds[-2:] != ["deck_cut", "wager_placed"]
    assert play.refused(UseSource, source="shoe").article == "4.º"
    play.settled_as_in_a_file().until("begin")
    play.say(UseSource, source="shoe")
    assert play.preparations() == SHUFFLE_AND_CUT


# ---- 2.º 1: shuffled, cut by a player or the dealer, and kept in the shoe


@pytest.mark.parametrize("by", ["bank", *(f"seat {seat}" for seat in range(1, 8))])
def test_fortune_8_art_2_1_the_dealer_or_a_player_cuts(by: str) -> None:
    play = Spaces().until("cut")
    play.say(Cut, by=by)
    assert play.step.id == "1/wagers" and play.table.shoe.decks == 8


@pytest.mark.parametrize("kind", ["wagers", "announce", "deal", "reveal", "confirm", "claims", "begin"])
@pytest.mark.parametrize("by_hand", [False, True])
def test_fortune_8_art_2_1_after_the_cut_card_the_round_is_finished_and_the_cards_are_shuffled(
    kind: StepKind, by_hand: bool
) -> None:
    play = Spaces(unread=(6,)).to_wagers().place_bet(1, eight=100)
    play.until(kind)
    before = play.step
    if by_hand:
        play.say(CutCard)
    else:
        play.receive(CUT_CARD)
    assert play.step == before
    assert [event.actor for event in play.events if isinstance(event, CutCardOut)] == ["ana" if by_hand else None]
    if kind != "begin":
        play.until("confirm", "claims")
        assert play.round.void is None and play.round.settlement is not None
    assert play.until("begin").preparations() == SHUFFLE_AND_CUT
    assert not play.table.shoe.cut_card_out
    play.unread.clear()
    assert play.whole_round().preparations() == []


def test_fortune_8_art_2_1_the_cut_card_comes_out_once() -> None:
    play = Spaces().to_deal(1)
    play.say(CutCard)
    play.receive(CUT_CARD)
    assert play.refused(CutCard).article == "policy: one step at a time"
    assert play.kinds.count("cut_card_out") == 1
    play.until("shuffle")
    play.receive(CUT_CARD)  # as the cards are taken out of the shoe
    assert play.kinds.count("cut_card_out") == 1
    assert play.still_to_do() == SHUFFLE_AND_CUT
    play.receive(CUT_CARD)
    assert play.kinds.count("cut_card_out") == 2
    assert play.whole_round().preparations() == SHUFFLE_AND_CUT


def overdue(play: Spaces) -> list[str]:
    """What the alarm says of a cut card that did not come."""
    active = alarms(play.table, play.settings)
    return [alarm_words(alarm.code, alarm.values)["en"] for alarm in active if alarm.name == "shoe-warning-card"]


def test_fortune_8_art_2_1_a_cut_card_that_was_not_reported_is_missed_by_the_count_of_the_cards() -> None:
    play = Spaces(decks=1)
    for left in (45, 38, 31, 24, 17):
        play.whole_round()
        assert play.table.shoe.left == left and overdue(play) == []
    play.to_deal(1)
    for left in (16, 15, 14, 13, 12):
        play.deal_one()
        assert play.table.shoe.left == left and overdue(play) == []
    play.deal_one()
    assert len(overdue(play)) == 1
    assert "11 cards are left" in overdue(play)[0] and "(2.º 1)" in overdue(play)[0]
    play.settled_as_in_a_file().until("begin")
    assert len(overdue(play)) == 1
    assert play.preparations() == SHUFFLE_AND_CUT and overdue(play) == []


def test_fortune_8_art_2_1_no_round_begins_behind_the_cut_card_though_no_one_reported_it() -> None:
    play = Spaces(decks=1, announced="spaces_with_bets")
    for _ in range(40):
        assert play.whole_round().table.shoe.cut_card_out is False
    assert play.table.shoe.left == 12 and play.kinds.count("cards_shuffled") == 1
    play.whole_round()
    assert play.table.shoe.left == 11 and play.preparations() == SHUFFLE_AND_CUT


def test_fortune_8_art_2_1_the_alarm_of_an_overdue_cut_card_is_over_once_it_is_reported_as_out() -> None:
    play = Spaces(decks=1)
    while play.table.shoe.left >= 12 or not play.table.shoe.decks:
        play.whole_round()
    assert len(overdue(play)) == 1
    play.say(CutCard)
    assert overdue(play) == [] and play.preparations() == SHUFFLE_AND_CUT


def test_fortune_8_art_2_1_no_cut_card_is_waited_for_where_no_shoe_is_loaded() -> None:
    for play in (Spaces(), Spaces().until("shuffle"), Spaces().until("cut"), Spaces(source="shuffler").to_deal(1)):
        assert play.refused(CutCard).article == "policy: one step at a time"
        play.receive(CUT_CARD)
        assert "cut_card_out" not in play.kinds


def test_fortune_8_art_2_1_the_shoe_is_open_while_cards_are_dealt_and_no_longer() -> None:
    play = Spaces().to_announce(1)
    assert react(play.table, 2).shoe_locked
    play.proceed()
    while play.at("deal"):
        assert not react(play.table, 2).shoe_locked
        play.deal_one()
    assert react(play.table, 2).shoe_locked


# ---- 2.º 2: from the dispenser there is neither shuffle nor cut, and no order is ever given


def test_fortune_8_art_2_2_from_the_dispenser_nothing_is_shuffled_or_cut() -> None:
    play = Spaces(source="shuffler")
    for number in range(1, 4):
        assert play.preparations() == []
        assert play.step.id == f"{number}/wagers"
        play.place_bet(3, low=100)
        while not play.at("begin"):
            effects = react(play.table, 2)
            assert effects.shuffler is None and play.step.order is None and effects.shoe_locked
            play.proceed()
    assert not {"cards_shuffled", "deck_cut"} & set(play.kinds)


# ---- another game on the same table


def playing_2025(play: Spaces) -> Spaces:
    """The configuration has another game from now on, dealt from one deck out of the same shoe."""
    play.settings = msgspec.structs.replace(play.settings, terms=terms(source="shoe", additional=(), chip=0))
    return play


def test_fortune_8_a_shoe_that_was_kept_is_not_dealt_from_in_another_game() -> None:
    assert playing_2025(Spaces(decks=1).whole_round()).preparations() == SHUFFLE_AND_CUT


def test_fortune_8_after_another_game_the_shoe_is_shuffled_again() -> None:
    play = Spaces(decks=8).whole_round()
    before = play.settings
    playing_2025(play).to_wagers().bet(1, ante=100)
    play.until("begin").settings = before
    assert play.preparations() == SHUFFLE_AND_CUT


def test_fortune_8_art_5_a_misdeal_is_no_failure_of_the_dispenser() -> None:
    for source in BOTH:
        play = Spaces(source=source).to_deal(1)
        play.change(Misdealt, what="order")
        assert play.table.shuffler_failures == 0
