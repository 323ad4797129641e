"""Taiwan-Pai Kao, the bank around the table: who is asked, with how much, who joins, what a void leaves as it was."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.betting import Announce, PlaceWager
from controller.engine.decisions.cards import ReportsMissed, UnreportedCard
from controller.engine.decisions.devices import DeviceMissed
from controller.engine.decisions.played import CardsReported, Reveal
from controller.engine.decisions.session import ActsDone, BeginRound, CloseTable
from controller.engine.decisions.tiles import AnnounceForm, DiceNull, ReportTilesMoved, TakeBank, TilesDealt
from controller.engine.shown.device_orders import react
from controller.engine.state.current import cell
from controller.engine.state.events import ActsRecorded, DealerNotified
from controller.engine.state.persons import CorrectCards, CorrectDice, CorrectSeat, CorrectWager, Misdealt, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.cards import Card
from controller.rulebook.events import CardsDealt, CardsShown, RoundVoided
from controller.rulebook.games import GAMES
from controller.rulebook.report import Holder, PlacedBet
from controller.rulebook.steps import StepKind
from controller.rulebook.taiwan_pai_kao.events import BankTaken, FormAnnounced
from controller.words import english
from tests.engine.places import Places
from tests.engine.reported import bank_of, bets_at, open_cards, seat_of, tiles_of
from tests.engine.spaces import Spaces

HIGH, LOW = "6-6 6-6 1-1 1-1", "5-1 4-1 6-4 4-2"  # the best that four tiles can be, and nothing much


def asked(table: Places) -> int | None:
    assert table.step.kind == "bank"
    return table.step.seat


def played_by(table: Places, place: int, *bettors: int) -> Places:
    """A round in which the place holds the bank, and these others bet; then the next one, up to the offer."""
    table.until("bank")
    for _ in range(8):
        if asked(table) != place:
            table.refuse(absent=True)
    assert asked(table) == place
    table.take_bank()
    for bettor in bettors:
        table.place_bet(bettor, f"P{bettor}", 100)
    table.until("begin").until("bank")
    return table


# ---- what is done before the bank is offered


def test_pai_kao_art_2_d_the_casino_says_in_each_round_whether_8_or_4_places_have_tiles() -> None:
    table = Places().until("announce")
    assert table.step.legal == ("eight_places", "four_places")
    assert table.refused(Announce, deal="every_space").article == "2.º d)"
    table.say(Announce, deal="four_places")
    assert table.places == 4
    other_game = Spaces().until("wagers").place_bet(1, low=100).until("announce")
    assert other_game.refused(Announce, deal="four_places").article == "4.º 6"


def test_pai_kao_art_3_a_a_table_set_out_for_4_places_has_nothing_to_announce() -> None:
    table = Places(seats=4).until("bank")
    assert table.places == 4 and asked(table) == 1 and table.round.deal is None
    for place in (0, 5):
        assert table.refused(TakeBank, place=place, capital=100).article == "3.º a)"
    table.take_bank()
    refusal = table.refused(PlaceWager, seat=5, wager="place", amount=100, player="Ana")
    assert (refusal.who, refusal.article) == ("seat 5", "3.º a)")


def test_pai_kao_art_5_c_the_banker_announces_the_form_before_the_bets_and_no_one_for_him() -> None:
    table = Places().until("bank")
    assert table.refused(AnnounceForm, by=1).article == "policy: one step at a time"
    table.take_bank(form=None)
    assert (table.step.id, table.step.seat) == ("1/form", 1) and table.shown_round["form"] is None
    assert table.refused(PlaceWager, seat=2, wager="place", amount=1000, player="Ana").who == "table"
    other = table.refused(AnnounceForm, by=2)
    assert (other.who, other.article) == ("seat 2", "5.º c)")
    for form in ("x" * 41, "two\nlines"):
        assert (table.refused(AnnounceForm, by=1, form=form).who, table.step.kind) == ("form", "form")
    table.announce_form(" four from the end ")
    assert table.entries[-1][0] == FormAnnounced(form="four from the end", seat=1, actor="ana")
    assert table.at("wagers") and table.refused(AnnounceForm, by=1).who == "table"
    assert table.shown_round["form"] == tiles_of(table.confirmed()).form == "four from the end"


def test_pai_kao_art_5_c_the_banker_of_the_second_round_announces_again_and_may_leave_his_words_unwritten() -> None:
    table = Places(announced="four_places").until("claims").until("begin").until("form")
    assert table.state.used and table.step.id == "2/form"
    table.announce_form("")
    assert tiles_of(table.confirmed()).form == ""


def test_pai_kao_art_2_d_the_casino_decides_to_how_many_places_is_dealt() -> None:
    assert "The casino decides" in Places().until("announce").prompt["en"]


# ---- who is asked


def test_pai_kao_art_5_a_a_turn_of_the_bank_is_two_rounds_and_longer_only_if_all_others_agree() -> None:
    table = played_by(Places(), 3, 1, 5)
    assert (asked(table), table.step.waiting) == (3, ())
    played_by(table, 3, 1, 5, 8)
    assert (asked(table), table.step.waiting) == (3, (1, 5, 8))
    assert "1, 5, 8" in msgspec.json.decode(table.projection())["step"]["prompt"]["en"]
    refusal = table.refused(TakeBank, place=3, capital=1_000_000, agreed=(5, 8))
    assert refusal.article == "5.º a)" and english(refusal.reason).endswith(": 1")
    assert table.refused(TakeBank, place=3, capital=1_000_000, agreed=(1, 5, 8, 9)).article == "3.º a)"
    table.take_bank()
    assert table.shown_round["banker"] == {"place": 3, "capital": 1_000_000, "casino": 0, "rounds": 3}
    assert table.state.bank is not None and table.state.bank.agreed == (1, 5, 8)


def test_pai_kao_art_5_b_where_no_one_takes_the_bank_there_is_no_round() -> None:
    table = played_by(Places(), 3, 5)
    events = [table.refuse() for _ in range(4)][-1]  # the last one answers for all who bet nowhere
    voided = [event.article for event in events if isinstance(event, RoundVoided)]
    assert voided == ["policy: no one takes the bank"]
    assert table.report.bank is None and table.report.seats == () == table.report.wagers
    assert table.round.void is not None and table.round.void.article == "policy: no one takes the bank"
    table.until("begin").until("bank")
    assert asked(table) == 3 and table.state.answers == ()


# ---- a round that does not count


def test_pai_kao_art_5_d_a_void_round_leaves_the_bank_as_it_was() -> None:
    table = played_by(Places(), 3, 4, 5)
    before = table.table.left
    table.take_bank(capital=9_000_000)
    table.place_bet(4, "Ana", 100).place_bet(3, "Bo", 200)
    table.until("deal").proceed()
    table.change(Misdealt, what="order")
    assert table.round.void is not None and table.round.void.article == "policy: misdeal"
    assert seat_of(table.report, 4).net == 0 == bank_of(table.report).net
    assert bank_of(table.report).joiners[0].outcome == "void"
    table.until("begin")
    assert table.table.left == before
    table.until("bank")
    assert asked(table) == 3 and table.step.waiting == ()


def test_pai_kao_art_5_a_a_table_that_is_closed_and_opened_begins_at_place_1() -> None:
    table = played_by(Places(), 3, 4)
    table.say(VoidRound, "rui", reason="the end of the day")
    table.until("begin").say(CloseTable)
    assert table.until("bank").step.seat == 1 and table.state.before is None


# ---- no one bets, and who is reported


def test_pai_kao_art_3_b_who_placed_the_most_on_a_place_holds_its_tiles() -> None:
    table = Places().until("wagers")
    table.place_bet(2, "Ana", 500).place_bet(2, "Bo", 700).place_bet(4, "Ana", 100)
    assert table.shown_round["holders"] == {"2": "Bo", "4": "Ana"} | dict.fromkeys("35678")
    table.place_bet(2, "Ana", 700)
    assert table.shown_round["holders"]["2"] == "Ana"
    report = table.confirmed()
    holders = {holder.seat: holder.player for holder in tiles_of(report).holders}
    assert holders[2] == "Ana" and 1 not in holders
    assert [(bet.player, bet.amount) for bet in bets_at(report, 2)] == [("Ana", 500), ("Bo", 700), ("Ana", 200)]


def test_the_dealer_is_not_notified_of_what_is_not_his_to_correct() -> None:
    table = Places().until("wagers")
    table.confirmed()
    assert not table.happened(DealerNotified)


def test_a_journal_of_this_table_can_be_read_again() -> None:
    table = played_by(Places(announced="four_places"), 3, 4)
    assert table.state.used
    table.take_bank(casino=100)
    moments: tuple[StepKind, ...] = ("wagers", "deal", "reveal", "confirm")
    for moment in moments:
        if moment == "deal":
            table.place_bet(3, "Bo", 100).place_bet(1, "Ana", 200)
        kept = msgspec.json.encode(table.until(moment).table)
        assert msgspec.json.decode(kept, type=Table) == table.table
    assert table.refused(BeginRound).article == "policy: one step at a time"


def refused_bank(*bets: tuple[int, str]) -> Places:
    """A second round in which the banker of the first, place 1, and then place 2 refuse the bank."""
    table = Places().until("wagers")
    for place, player in bets:
        table.place_bet(place, player, 1000)
    table.next_round().until("bank")
    while table.at("announce"):
        table.proceed()
    table.refuse()
    table.refuse()
    return table


def test_pai_kao_art_5_b_a_player_who_bet_away_from_his_place_may_take_a_refused_bank() -> None:
    table = refused_bank((4, "Ana"))  # who sits at place 3
    assert (table.step.seat, table.step.elsewhere) == (4, (3,))
    assert "There was no bet on places 3 in the round before" in table.prompt["en"]
    assert table.refused(TakeBank, place=3, capital=5000).article == "5.º b)"
    assert table.refused(TakeBank, place=5, capital=5000, bet_elsewhere=True).article == "5.º b)"
    [taken] = [event for event in table.take_bank(3, bet_elsewhere=True) if isinstance(event, BankTaken)]
    assert taken.bet_elsewhere and table.banker == 3
    table.confirmed()


def test_pai_kao_art_5_b_a_player_who_joined_the_bank_may_take_a_refused_one_before_the_round_is_void() -> None:
    table = refused_bank((2, "Bo"), (1, "Ana"))
    assert table.round.void is None
    assert (table.step.seat, table.step.elsewhere) == (3, (3, 4, 5, 6, 7, 8))
    assert table.refused(TakeBank, place=3, capital=5000).article == "5.º b)"
    table.take_bank(6, bet_elsewhere=True)
    assert table.banker == 6
    table = refused_bank((2, "Bo"))
    table.refuse()  # no one of these has bet anywhere
    assert table.round.void is not None and table.round.void.article == "policy: no one takes the bank"


def test_pai_kao_art_5_d_the_casino_s_share_is_no_capital_that_the_banker_has_to_keep() -> None:
    """The bank wins 2 500 less 5 %: the banker has 2 000 of it, up to his capital, and the casino the rest."""
    table = Places(f"{LOW} {HIGH}", seats=4, capital=2_000)
    table.dice = (1, 1, 1, 1)
    table.until("bank")
    table.take_bank(casino=1_000)
    bank = bank_of(table.place_bet(4, "Ana", 2_500).confirmed())
    assert (bank.net, bank.casino.net) == (2_000, 375)
    table.until("begin").until("bank")
    assert table.step.least == 4_000


# ---- Taiwan-Pai Kao, dice and deal: who shakes them, who moves the tiles, what is seen, and tiles no one has read


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


# ---- Taiwan-Pai Kao, tiles turned and settled: as placed, as corrected, and what is notified of it


FOR_2 = "6-6 2-1 4-2 6-6"  # dealt to place 2, which the dice name


def turned_to(table: Places, place: str) -> Places:
    table.until("reveal")
    while table.step.to != (place,):
        table.proceed()
    return table


def test_pai_kao_art_6_b_tiles_that_no_one_placed_are_set_by_the_station() -> None:
    table = turned_to(Places(FOR_2), "seat 2")
    [shown, *_] = table.turn()
    assert isinstance(shown, CardsShown) and shown.cards == ("6-6", "6-6", "4-2", "2-1")
    pairs = table.shown_round["pairs"]["seat 2"]
    assert pairs["rear"] == {"cards": ["4-2", "2-1"], "name": "chi_chun", "rank": 1, "title": "Chi Chün"}
    assert pairs["front"]["title"] == "Seong Tin" and not pairs["rearranged"]
    assert table.shown_round["shown"]["seat 2"] == "6-6 6-6 4-2 2-1"


def test_pai_kao_art_6_b_a_rear_pair_that_is_not_the_highest_is_corrected_and_the_dealer_is_notified() -> None:
    table = turned_to(Places(FOR_2), "seat 2")
    shown, *notices = table.turn("4-2 2-1 6-6 6-6")
    assert isinstance(shown, CardsShown) and shown.cards == ("4-2", "2-1", "6-6", "6-6")
    assert notices == [DealerNotified(notice="rearranged", seat=2)]
    pairs = table.shown_round["pairs"]["seat 2"]
    assert pairs["rearranged"] and pairs["rear"]["cards"] == ["4-2", "2-1"]
    report = table.confirmed()
    seat = seat_of(report, 2)
    assert open_cards(report)["seat 2"] == "4-2 2-1 6-6 6-6" and seat.rearranged is True
    assert seat.front and seat.rear and (seat.front.title, seat.rear.title) == ("Seong Tin", "Chi Chün")
    shown_notices = msgspec.json.decode(table.projection())["notices"]
    assert shown_notices[0]["en"].startswith("Place 2: correct the pairs")


def test_pai_kao_art_6_b_the_banker_s_pairs_are_corrected_at_the_table_too() -> None:
    table = Places(f"{LOW} {HIGH}", seats=4)
    table.dice = (1, 1, 1, 1)
    table.until("reveal")
    assert table.turn("6-6 1-1 6-6 1-1")[-1] == DealerNotified(notice="rearranged", seat=1)


def test_a_tile_that_was_not_read_is_keyed_in_with_the_others_in_their_order() -> None:
    table = turned_to(Places(FOR_2, unread=[1]), "seat 2")
    assert table.step.key_in and table.round.unread == (2,)
    assert table.refused(Reveal, to="seat 2").article == "policy: unread cards"
    assert table.refused(Reveal, to="seat 2", cards="6-6 4-1 4-2 2-1").article == "policy: unread cards"
    [shown, *_] = table.turn("6-6 6-6 4-2 2-1")
    assert isinstance(shown, CardsShown) and shown.keyed_in and table.vault[2] == "2-1"
    assert table.confirmed().irregularities[0].kind == "keyed_in"


def test_pai_kao_art_1_a_a_tile_that_comes_too_often_voids_the_round_and_is_not_named() -> None:
    table = Places(watched=True)
    table.deck = [table.deck[31], *table.deck[1:]]  # there is one 2-1
    table.until("confirm")
    voided = [(event.article, english(event.why)) for event, _ in table.entries if isinstance(event, RoundVoided)]
    assert voided == [("policy: complete deck", "one tile came too often")]


def test_a_tile_keyed_in_wrongly_that_comes_again_can_be_corrected() -> None:
    table = Places(FOR_2, unread=[28])  # the banker's first tile: 4-1
    table.until("reveal")
    lying = table.lying_at("seat 1").split()
    wrong = " ".join(["2-1", *lying[1:]])
    table.turn(wrong)
    refusal = table.refused(Reveal, to="seat 2")
    assert refusal.article == "policy: complete deck" and "keyed in wrongly" in english(refusal.reason)
    table.change(CorrectCards, to="seat 1", cards=" ".join(lying), **WHY)
    assert table.until("confirm").round.void is None


# ---- corrections


def test_tiles_placed_otherwise_than_keyed_in_are_corrected_and_settled_again() -> None:
    table = turned_to(Places(FOR_2), "seat 2")
    table.turn("4-2 2-1 6-6 6-6")
    table.until("confirm")
    assert table.refused(CorrectCards, to="seat 2", cards="6-6 6-6 4-2 1-1", **WHY).article == "policy: unread cards"
    assert table.refused(CorrectCards, to="seat 2", cards="4-2 2-1 6-6 6-6", **WHY).article == "policy: corrections"
    table.change(CorrectCards, to="seat 2", cards="6-6 6-6 4-2 2-1", **WHY)
    report = table.confirmed()
    assert open_cards(report)["seat 2"] == "6-6 6-6 4-2 2-1" and seat_of(report, 2).rearranged is False
    assert report.corrections[0].before == "4-2 2-1 6-6 6-6"


def test_a_tile_that_its_reader_read_is_a_supervisor_s_to_correct() -> None:
    table = Places(seats=4).until("confirm")
    lying = open_cards(table.report)["seat 2"]
    other = lying.replace("1-1", "2-1", 1)
    assert table.refused(CorrectCards, to="seat 2", cards=other, **WHY).article == "policy: unread cards"
    table.change(CorrectCards, "rui", to="seat 2", cards=other, **WHY)
    assert open_cards(table.confirmed())["seat 2"] == other
    assert sorted(str(tile) for tile in table.vault.values()).count("2-1") == 1


def test_a_wager_the_capital_and_the_share_of_the_casino_are_corrected() -> None:
    table = Places(HIGH, seats=4, capital=5_000).until("wagers").place_bet(2, "Ana", 1_000).until("confirm")
    assert table.settlement.bank.net == -1_000
    for wager, player, seat in (("capital", None, 2), ("capital", "Ana", 1), ("casino", None, 3)):
        refusal = table.refused(CorrectWager, seat=seat, wager=wager, amount=5, player=player, **WHY)
        assert refusal.article == "3.º a)"
    assert table.refused(CorrectWager, seat=1, wager="capital", amount=0, **WHY).article == "5.º c)"
    table.change(CorrectWager, seat=1, wager="capital", amount=400, **WHY)
    assert (table.settlement.bank.net, table.settlement.bank.limited) == (-400, True)
    table.change(CorrectWager, seat=1, wager="casino", amount=100, **WHY)
    table.change(CorrectWager, seat=2, wager="place", amount=2_000, player="Ana", **WHY)
    report = table.confirmed()
    assert bank_of(report).casino.net == -100 and bank_of(report).capital == 400
    assert [(correction.wager, correction.amount_before) for correction in report.corrections] == [
        ("capital", 5_000), ("casino", 0), ("place", 1_000)
    ]  # fmt: skip


def test_pai_kao_art_2_h_bets_keyed_in_at_the_wrong_place_are_moved_and_its_tiles_are_not() -> None:
    table = Places(HIGH, seats=4).until("wagers").place_bet(3, "Ana", 500).until("arrange")
    tiles = table.lying_at("seat 3")
    table.change(CorrectSeat, seat=3, to_seat=2, **WHY)
    assert table.lying_at("seat 3") == tiles
    report = table.confirmed()
    assert report.wagers == (PlacedBet(2, "place", "Ana", 500),) and seat_of(report, 2).net == 475
    assert tiles_of(report).holders == (Holder(2, "Ana"), Holder(3, None), Holder(4, None))


# ---- the sign


def sign(table: Places) -> list[str]:
    shown = react(table.table, 2).sign
    assert shown is not None and shown.amount_text == ""
    return [page.text for page in shown.pages]


def test_the_sign_shows_the_bank_then_the_dice_then_the_bank_s_pairs_by_their_names() -> None:
    table = Places("6-6 6-6 6-5 6-5", seats=4)
    assert react(table.table, 2).sign is None
    table.until("bank")
    assert sign(table) == ["TAIWAN-PAI KAO"] * 2
    table.take_bank()
    assert sign(table) == ["BANCA LUGAR 1", "BANK PLACE 1"]
    table.until("dice").throw(1, 1, 1, 2)  # place 1 itself is the first
    assert sign(table) == ["BANCA LUGAR 1 DADOS 5 LUGAR 1", "BANK PLACE 1 DICE 5 PLACE 1"]
    table.until("reveal").turn()
    assert sign(table) == ["BANCA SEONG FU T'AU + SEONG TIN", "BANK SEONG FU T'AU + SEONG TIN"]
    assert sign(table.until("claims")) == ["TAIWAN-PAI KAO"] * 2


def test_a_pair_without_a_name_in_the_table_is_shown_by_its_tiles_on_the_sign() -> None:
    table = Places("6-6 6-6 1-1 2-1", seats=4)
    table.dice = (1, 1, 1, 2)
    table.until("reveal").turn()
    assert sign(table) == ["BANCA 1-1 2-1 + SEONG TIN", "BANK 1-1 2-1 + SEONG TIN"]
    assert table.shown_round["pairs"]["seat 1"]["front"]["title"] is None


@pytest.mark.parametrize(
    ("entries", "parts"),
    [
        ([("A", 1000), ("A", 4000)], [("A", 4000)]),  # nothing was placed between
        ([("A", 1000), ("B", 500), ("A", 4000)], [("A", 1000), ("B", 500), ("A", 3000)]),
        ([("A", 1000), ("B", 500), ("A", 4000), ("A", 5000)], [("A", 1000), ("B", 500), ("A", 4000)]),
        ([("A", 1000), ("B", 500), ("A", 4000), ("A", 1500)], [("A", 1000), ("B", 500), ("A", 500)]),
        ([("A", 1000), ("B", 500), ("A", 4000), ("A", 700)], [("A", 700), ("B", 500)]),
        ([("A", 1000), ("B", 500), ("A", 0), ("A", 1000)], [("B", 500), ("A", 1000)]),
    ],
)
def test_pai_kao_art_3_b_and_5_e_a_raised_bet_keeps_its_parts_in_the_order_placed(
    entries: list[tuple[str, int]], parts: list[tuple[str, int]]
) -> None:
    table = Places(capital=10**6).until("wagers")
    place = table.banker % 8 + 1
    for player, amount in entries:
        table.place_bet(place, player, amount)
    assert [(wager.player, wager.amount) for wager in table.state.wagers] == parts
    assert table.round.bets[place]["place"] == {  # what a player has there is one sum
        player: sum(amount for name, amount in parts if name == player) for player, _ in parts
    }


def test_pai_kao_art_5_e_a_corrected_amount_keeps_the_turn_of_what_was_entered_wrongly() -> None:
    table = Places(capital=10**6).until("wagers")
    place = table.banker % 8 + 1
    table.place_bet(place, "A", 1000).place_bet(place, "B", 500).until("deal")
    table.change(CorrectWager, seat=place, wager="place", amount=4000, player="A", reason="x")
    assert [(wager.player, wager.amount) for wager in table.state.wagers] == [("A", 4000), ("B", 500)]
    table.change(CorrectSeat, seat=place, to_seat=place % 8 + 1, reason="x")
    assert {wager.place for wager in table.state.wagers} == {place % 8 + 1}
    table.confirmed()
