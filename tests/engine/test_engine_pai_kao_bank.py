"""Taiwan-Pai Kao, the bank around the table: who is asked, with how much, who joins, what a void leaves as it was."""

import msgspec

from controller.engine.decisions.betting import Announce, PlaceWager
from controller.engine.decisions.session import BeginRound, CloseTable
from controller.engine.decisions.tiles import AnnounceForm, TakeBank
from controller.engine.state.events import DealerNotified
from controller.engine.state.persons import Misdealt, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.events import RoundVoided
from controller.rulebook.steps import StepKind
from controller.rulebook.taiwan_pai_kao.events import BankTaken, FormAnnounced
from controller.words import english
from tests.engine.places import Places
from tests.engine.reported import bank_of, bets_at, seat_of, tiles_of
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
