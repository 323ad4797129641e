"""The items of the 2008 regulation one by one: bets, combinations, odds and prizes."""

import pytest

from controller.rulebook.cards import parse_cards
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.fortune_3_card_poker.wagers import refuse_wagers
from controller.rulebook.three_card import ThreeCardHand, rank_three

PLAYS = "Qd 9c 4h"

Told = dict[str, tuple[str, str | None, int, str]]


def told(cards: str, dealer: str = PLAYS, **wagers: int) -> Told:
    """The lines of seat 1, alone at the table, by wager: outcome, odds, net, article."""
    seats = {1: SeatRound(wagers, "play" if "ante" in wagers else None, parse_cards(cards))}
    lines = settle(seats, parse_cards(dealer), None, None, RULES_2008).seats["1"].lines
    return {line.wager: (line.outcome, line.odds, line.net, line.article) for line in lines}


def of(text: str) -> ThreeCardHand:
    return rank_three(parse_cards(text))


def pushed(cards: str, dealer: str, article: str) -> bool:
    """Whether both bets of two equal hands go back under this item."""
    lines = told(cards, dealer, ante=100)
    return [lines["ante"], lines["play"]] == [("push", None, 0, article)] * 2


def test_2008_art_5_1_1_a_player_may_lay_an_ante() -> None:
    refuse_wagers(1, {"ante": 100}, None, RULES_2008)
    assert "ante" in told("As Ks Js", ante=100)


def test_2008_art_5_1_2_a_player_may_lay_pair_plus() -> None:
    refuse_wagers(1, {"pair_plus": 100}, None, RULES_2008)
    assert "pair_plus" in told("As Ks Js", pair_plus=100)


def test_2008_art_8_1_straight_flushes_are_decided_by_the_highest_card_or_tie() -> None:
    assert of("9s 8s 7s").name == "straight_flush"
    assert of("9s 8s 7s").rank < of("8h 7h 6h").rank < of("3s 2s As").rank < of("As Ah Ad").rank
    assert pushed("9s 8s 7s", "9h 8h 7h", "8.º 1)")


def test_2008_art_8_2_trios_are_decided_by_their_value() -> None:
    assert of("Ks Kh Kd").name == "three_of_a_kind"
    assert of("Ks Kh Kd").rank < of("Qs Qh Qd").rank < of("2s 2h 2d").rank < of("As Kh Qd").rank


def test_2008_art_8_3_straights_are_decided_by_the_highest_card_or_tie() -> None:
    assert of("8s 7h 6d").name == of("8s 7s 6d").name == "straight"
    assert of("9s 8h 7d").rank < of("8s 7h 6d").rank < of("3s 2h Ad").rank < of("As Ks Js").rank
    assert pushed("9s 8s 7h", "9h 8h 7s", "8.º 3)")


def test_2008_art_8_4_flushes_are_decided_card_by_card_or_tie() -> None:
    assert of("Ts 7s 5s").name == "flush"
    assert of("Ts 7s 5s").rank < of("9h 8h 6h").rank
    assert of("Ts 7s 5s").rank < of("Th 6h 5h").rank
    assert of("Ts 7s 5s").rank < of("Th 7h 4h").rank
    assert pushed("As 9s 4s", "Ah 9h 4h", "8.º 4)")


def test_2008_art_8_5_pairs_are_decided_by_the_pair_then_the_kicker_or_tie() -> None:
    assert of("Ts Th 6d").name == "pair"
    assert of("Ts Th 6d").rank < of("9s 9h Ad").rank
    assert of("Ts Th 6d").rank < of("Tc Td 5d").rank
    assert pushed("9s 9h 4s", "9d 9c 4h", "8.º 5)")


def test_2008_art_8_6_three_odd_cards_are_decided_card_by_card() -> None:
    assert of("Qs 9h 4d").name == "high_card"
    assert of("Qs 9h 4d").rank < of("Js Th 8d").rank
    assert of("Qs 9h 4d").rank < of("Qh 8h 7d").rank
    assert of("Qs 9h 4d").rank < of("Qh 9d 3d").rank
    assert pushed("Qs 9h 4s", "Qd 9c 4h", "8.º 6)")


@pytest.mark.parametrize("dealer", [PLAYS, "Jd 9c 4h", "Kd Kh Kc"])
def test_2008_art_9_8_1_the_prize_of_a_straight_flush_is_5_to_1_of_the_ante(dealer: str) -> None:
    assert told("9s 8s 7s", dealer, ante=100, pair_plus=7)["ante_bonus"] == ("win", "5:1", 500, "9.º 8) (1)")


@pytest.mark.parametrize("dealer", [PLAYS, "Jd 9c 4h", "Kd Kh Kc"])
def test_2008_art_9_8_2_the_prize_of_a_trio_is_4_to_1_of_the_ante(dealer: str) -> None:
    assert told("7s 7h 7c", dealer, ante=100, pair_plus=7)["ante_bonus"] == ("win", "4:1", 400, "9.º 8) (2)")


@pytest.mark.parametrize("dealer", [PLAYS, "Jd 9c 4h", "Kd Kh Kc"])
def test_2008_art_9_8_3_the_prize_of_a_straight_is_even_money_on_the_ante(dealer: str) -> None:
    assert told("9s 8h 7s", dealer, ante=100, pair_plus=7)["ante_bonus"] == ("win", "1:1", 100, "9.º 8) (3)")


def pair_plus(cards: str) -> tuple[str, str | None, int, str]:
    return told(cards, pair_plus=100)["pair_plus"]


def test_2008_art_10_1_pair_plus_pays_a_straight_flush_40_to_1() -> None:
    assert pair_plus("As Ks Qs") == ("win", "40:1", 4000, "10.º 1)")


def test_2008_art_10_2_pair_plus_pays_a_trio_25_to_1() -> None:
    assert pair_plus("As Ah Ac") == ("win", "25:1", 2500, "10.º 2)")


def test_2008_art_10_3_pair_plus_pays_a_straight_5_to_1() -> None:
    assert pair_plus("As Kh Qs") == ("win", "5:1", 500, "10.º 3)")


def test_2008_art_10_4_pair_plus_pays_a_flush_4_to_1() -> None:
    assert pair_plus("As Ks Js") == ("win", "4:1", 400, "10.º 4)")


def test_2008_art_10_5_pair_plus_pays_a_pair_even_money() -> None:
    assert pair_plus("As Ac Ks") == ("win", "1:1", 100, "10.º 5)")
