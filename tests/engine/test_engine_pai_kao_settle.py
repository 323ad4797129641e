"""Taiwan-Pai Kao, tiles turned and settled: as placed, as corrected, and what is notified of it."""

import msgspec
import pytest

from controller.engine.decisions.played import Reveal
from controller.engine.shown.device_orders import react
from controller.engine.state.events import DealerNotified
from controller.engine.state.persons import CorrectCards, CorrectSeat, CorrectWager
from controller.rulebook.events import CardsShown, RoundVoided
from controller.rulebook.report import Holder, PlacedBet
from controller.words import english
from tests.engine.places import Places
from tests.engine.reported import bank_of, open_cards, seat_of, tiles_of

WHY = {"reason": "keyed in wrongly"}
FOR_2 = "6-6 2-1 4-2 6-6"  # dealt to place 2, which the dice name
HIGH, LOW = "6-6 6-6 1-1 1-1", "5-1 4-1 6-4 4-2"


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
