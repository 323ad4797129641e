"""Taiwan-Pai Kao, dice and deal: who shakes them, who moves the tiles, what is seen, and tiles no one has read."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.cards import ReportsMissed, UnreportedCard
from controller.engine.decisions.devices import DeviceMissed
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import ActsDone
from controller.engine.decisions.tiles import DiceNull, ReportTilesMoved, TilesDealt
from controller.engine.state.current import cell
from controller.engine.state.events import ActsRecorded
from controller.engine.state.persons import CorrectDice, Misdealt
from controller.rulebook.cards import Card
from controller.rulebook.events import CardsDealt, RoundVoided
from controller.rulebook.games import GAMES
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.places import Places
from tests.engine.reported import open_cards, tiles_of
from tests.engine.spaces import Spaces

GAME = GAMES["taiwan-pai-kao"]
WHY = {"reason": "keyed in wrongly"}


def at_the_dice(**changed: Any) -> Places:
    return Places(**changed).until("dice")


def voids(table: Places) -> list[str]:
    return [event.article for event, _ in table.entries if isinstance(event, RoundVoided)]


# ---- the order of the tiles


def test_pai_kao_art_2_f_two_players_change_the_order_of_the_tiles_and_then_the_banker() -> None:
    table = Places().until("wagers")
    table.say(ReportTilesMoved, by="seat 5")
    assert table.refused(ReportTilesMoved, by="seat 5").article == "2.º f)"
    table.say(ReportTilesMoved, by="seat 2")
    refusal = table.refused(ReportTilesMoved, by="seat 7")
    assert refusal.article == "2.º f)" and "2 players" in english(refusal.reason)
    table.until("dice").say(ReportTilesMoved, by="bank")
    assert table.refused(ReportTilesMoved, by="bank").article == "2.º f)"
    assert table.shown_round["moved"] == ["seat 5", "seat 2", "bank"]
    assert tiles_of(table.confirmed()).moved == ("seat 5", "seat 2", "bank")


def test_pai_kao_art_2_a_the_set_may_be_replaced_and_each_time_is_on_record() -> None:
    table = Places().until("begin")
    for _ in range(2):
        table.say(ActsDone, acts=("set_replaced",))
    assert msgspec.json.decode(table.projection())["acts"] == {"set_replaced": ["ana", "ana"]}
    assert table.happened(ActsRecorded) == [ActsRecorded(acts=("set_replaced",), actor="ana", role="dealer")] * 2


# ---- the dice


THE_BANKER_S = (1, 2, 3, 3)  # at eight places the sum of nine is the banker's own


def dealt_to(table: Places) -> list[str]:
    """The places that have tiles, in the order they got the first."""
    return list(
        dict.fromkeys(place for event, _ in table.entries if isinstance(event, CardsDealt) for place in event.places)
    )


def test_pai_kao_art_2_b_tiles_are_dealt_from_the_banker_on_where_the_dice_name_him() -> None:
    table = at_the_dice()
    table.throw(*THE_BANKER_S)
    assert table.shown_round["first_place"] == 1 and table.shown_round["order"] == [2, 3, 4, 5, 6, 7, 8]
    report = table.confirmed()
    assert dealt_to(table) == [f"seat {place}" for place in (1, 2, 3, 4, 5, 6, 7, 8)]
    assert (report.first_place, report.settling_order, report.rules) == (1, (2, 3, 4, 5, 6, 7, 8), ())


def test_pai_kao_art_2_b_by_the_other_reading_the_deal_begins_at_the_banker_s_right_and_he_gets_the_last_tiles() -> (
    None
):
    table = at_the_dice(rules=("deal_begins_beside_banker",))
    table.throw(*THE_BANKER_S)
    assert table.shown_round["first_place"] == 2 and table.shown_round["order"] == [2, 3, 4, 5, 6, 7, 8]
    report = table.confirmed()
    assert dealt_to(table) == [f"seat {place}" for place in (2, 3, 4, 5, 6, 7, 8, 1)]
    assert (report.first_place, report.settling_order) == (2, (2, 3, 4, 5, 6, 7, 8))
    assert report.rules == ("deal_begins_beside_banker",)
    elsewhere = at_the_dice(rules=("deal_begins_beside_banker",))
    elsewhere.throw(1, 2, 3, 4)
    assert elsewhere.shown_round["first_place"] == 2


def test_pai_kao_art_2_e_dice_that_fell_badly_are_shaken_again() -> None:
    table = at_the_dice()
    table.say(DiceNull, by=1)
    assert table.step.id == "1/dice/2" and table.shown_round["null_dice"] == 1
    table.say(DiceNull, by=1)
    table.throw(1, 1, 1, 1)
    assert table.shown_round["dice"] == [1, 1, 1, 1] and table.shown_round["first_place"] == 4
    report = table.confirmed()
    assert (tiles_of(report).null_dice, tiles_of(report).dice, report.first_place) == (2, (1, 1, 1, 1), 4)


@pytest.mark.parametrize("moment", ["dice", "deal", "arrange", "confirm"])
def test_pai_kao_art_2_g_once_the_bets_are_closed_none_is_placed_moved_or_taken_back(moment: StepKind) -> None:
    table = Places(reader=False).until("wagers").place_bet(3, "Ana", 1000)
    table.until(moment)
    for amount in (0, 500):
        refusal = table.refused(PlaceWager, seat=3, wager="place", amount=amount, player="Ana")
        assert refusal.article == "2.º g)"
    assert table.round.wagers == {3: {"place": 1000}}


# ---- the deal


def test_pai_kao_art_2_c_the_deal_begins_where_the_dice_say_and_goes_counter_clockwise() -> None:
    table = at_the_dice()
    table.throw(6, 6, 6, 4)  # 22, counted from place 1, is place 6
    assert table.shown_round["first_place"] == 6
    assert table.shown_round["order"] == [6, 7, 8, 2, 3, 4, 5]
    dealt: list[str] = []
    while table.step.kind == "deal":
        dealt += table.step.to
        table.proceed()
    assert dealt == [f"seat {place}" for place in (6, 7, 8, 1, 2, 3, 4, 5) for _ in range(4)]
    assert table.step.kind == "count" and table.step.cards == 32


def test_pai_kao_art_2_d_the_second_round_of_four_places_has_the_other_sixteen_tiles() -> None:
    table = Places(announced="four_places").until("wagers")
    first = table.confirmed()
    used = " ".join(open_cards(first).values()).split()
    assert (tiles_of(first).place_count, first.deal, len(used)) == (4, "four_places", 16)
    table.until("begin").proceed()
    assert table.at("bank")  # neither washed nor announced
    assert sorted(table.shown_round["used"].split()) == sorted(used) and table.shown_round["places"] == 4
    second = table.confirmed()
    assert (tiles_of(second).place_count, second.deal) == (4, None)
    both = used + " ".join(open_cards(second).values()).split()
    assert sorted(both) == sorted(table.deck)
    table.until("begin").proceed()
    assert table.at("shuffle") and table.shown_round["used"] == ""


def test_pai_kao_art_2_d_the_tiles_of_a_first_round_of_four_places_stay_open_on_the_table() -> None:
    table = Places(announced="four_places").until("claims")
    assert table.prompt["en"].startswith("Round done. Leave its sixteen tiles open on the table")
    table.next_round().until("claims")
    assert table.prompt["en"].startswith("Round done. Gather the tiles")
    assert Places().until("claims").prompt["en"].startswith("Round done. Gather the tiles")


def test_pai_kao_art_2_d_after_a_void_round_all_tiles_are_washed() -> None:
    table = Places(announced="four_places").until("wagers")
    table.next_round()
    table.until("deal").proceed()
    table.change(Misdealt, what="number")
    table.until("begin").proceed()
    assert table.step.kind == "shuffle" and table.state.used == ()


def test_pai_kao_art_2_d_a_tile_that_is_used_does_not_come_again() -> None:
    table = Places(seats=4)
    table.confirmed()
    table.until("begin")
    table.deck = [*table.deck[:16], table.deck[0], *table.deck[17:]]
    table.until("confirm")
    assert voids(table) == ["policy: complete deck"]


def test_a_misdeal_voids_a_round_until_a_tile_is_shown() -> None:
    table = at_the_dice()
    assert table.refused(Misdealt, what="order").article == "policy: misdeal"
    table.until("reveal").turn()
    assert "are shown" in english(table.refused(Misdealt, what="order").reason)
    moments: tuple[StepKind, ...] = ("deal", "arrange")
    for moment in moments:  # without a reader no one has received a tile that is wrongly
        other = Places(reader=False).until(moment)
        other.change(Misdealt, what="order")
        assert voids(other) == ["policy: misdeal"]


# ---- without a reader, or with one that does not read


def test_without_a_reader_the_dealer_says_that_all_tiles_are_there_and_keys_them_in() -> None:
    table = Places(reader=False).until("deal")
    assert "place 2" in msgspec.json.decode(table.projection())["step"]["prompt"]["en"]
    table.proceed()
    assert table.step.kind == "arrange" and len(table.round.unread) == 32
    report = table.confirmed()
    assert report.outcome == "settled"
    assert [irregularity.kind for irregularity in report.irregularities] == ["keyed_in"] * 8
    assert [(of.front, of.rear) for of in report.seats] == [(of.front, of.rear) for of in Places().confirmed().seats]


def test_a_reader_that_reads_is_counted_after_and_one_that_is_overruled_is_not() -> None:
    table = Places().until("deal")
    for _ in range(3):
        table.proceed()
    events = table.say(TilesDealt)
    dealt = [event for event in events if isinstance(event, CardsDealt)]
    assert len(dealt) == 29 and all(event.unreported and event.unread for event in dealt)
    assert table.step.kind == "arrange"
    table.take(29)
    assert table.until("confirm").round.void is None


def test_one_tile_the_reader_did_not_receive_is_reported_by_the_dealer() -> None:
    table = Places().until("deal")
    table.unreported_card()
    table.until("count")
    assert table.step.cards == 32
    notice = table.until("confirm").round
    assert notice.void is None and notice.unread == (1,)
    assert table.refused(UnreportedCard).article == "policy: one step at a time"


def test_what_is_no_tile_was_not_read() -> None:
    table = Places().until("deal")
    table.take(1)
    events = table.receive(CardsReported(source="shoe", cards=(Card("As"),)))
    assert table.round.unread == (1,) and len(events) == 2 and table.vault == {1: None}
    cards = Spaces().until("wagers").place_bet(1, low=100).until("deal")
    cards.receive(CardsReported(source="shoe", cards=(Card("6-5"),)))
    assert cards.round.unread == (1,) and cards.round.play.shown == {}


def test_reports_that_were_lost_are_counted() -> None:
    table = Places().until("deal")
    table.proceed()
    table.draw_unreported()
    table.receive(ReportsMissed(count=1, gap_cause="reports_lost"))
    assert table.at("count") and table.step.cards is None
    table.report_count(2)
    assert table.at("deal") and table.round.unread == (2,)
    assert table.until("confirm").round.void is None


def test_a_tile_that_comes_when_none_is_due_is_reported() -> None:
    table = Places().until("dice")
    table.receive(CardsReported(source="shoe", cards=(Card("6-6"),)))
    assert table.round.dealt == () and [notice.notice for notice in table.table.notices] == ["card_not_due"]


def test_a_reader_or_a_sign_that_is_away_holds_no_one_up() -> None:
    assert cell(GAME, "shoe", "lost", "deal", "shoe").action == "by hand"
    assert {cell(GAME, "sign", "lost", phase, "shoe").action for phase in ("wagers", "deal", "settle")} == {"continue"}
    table = Places(watched=True).until("deal")
    for device in ("shoe", "sign"):
        table.receive(DeviceMissed(device=device, reason="unplugged"))
    prompt = msgspec.json.decode(table.projection())["step"]["prompt"]
    assert "Continue to deal" in prompt["en"] and "Continue" in prompt["pt"] and "jackpot" not in prompt["en"]
    table.say(TilesDealt)
    table.take(32)
    assert table.until("claims").round.void is None


# ---- the dice keyed in wrongly


def test_pai_kao_art_2_b_dice_keyed_in_wrongly_are_corrected_while_no_tile_is_shown() -> None:
    right = Places(reader=False)
    right.dice = (1, 1, 1, 1)
    right.confirmed()
    table = Places(reader=False).until("arrange")
    assert table.refused(CorrectDice, dice=(1, 1, 1), **WHY).article == "1.º b)"
    table.change(CorrectDice, dice=(1, 1, 1, 1), **WHY)
    assert table.shown_round["first_place"] == 4
    report = table.confirmed()
    assert report.corrections[0].what == "dice" and tiles_of(report).dice == (1, 1, 1, 1)
    assert table.settlement == right.settlement
