"""The items of the 2025 regulation one by one: who may bet what, combinations, odds and prizes."""

import pytest

from controller.rulebook.cards import parse_cards
from controller.rulebook.five_card import best_combination
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.fortune_3_card_poker.wagers import refuse_wagers
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot, award_jackpot
from controller.rulebook.refusal import Refusal
from controller.rulebook.settlement import Line
from controller.rulebook.three_card import ThreeCardHand, rank_three
from tests.saying import saying

PLAYS = "Qd 9c 4h"
FIXED = {"royal_flush": 50_000, "straight_flush": 10_000, "four_of_a_kind": 1_500, "full_house": 500, "flush": 250}
TERMS = JackpotTerms(pot=1_000_000, minimum=500_000, fixed=FIXED)

Paid = tuple[str | None, int, str]


def lines(cards: str, dealer: str = PLAYS, community: str | None = None, **wagers: int) -> dict[str, Line]:
    """The lines of seat 1, alone at the table, by wager."""
    seat = SeatRound(wagers, "play" if "ante" in wagers else None, parse_cards(cards))
    shared = parse_cards(community) if community else None
    answer = settle({1: seat}, parse_cards(dealer), shared, TERMS if community else None)
    return {line.wager: line for line in answer.seats["1"].lines}


def paid(wager: str, cards: str, dealer: str = PLAYS, community: str | None = None, **wagers: int) -> Paid:
    line = lines(cards, dealer, community, **wagers)[wager]
    return line.odds, line.net, line.article


def test_art_3_1_the_basic_bets_are_ante_and_pair_plus() -> None:
    for wager in ("ante", "pair_plus"):
        refuse_wagers(1, {wager: 100}, None)


def test_art_3_2_the_additional_bets_are_six_card_bonus_and_jackpot() -> None:
    assert RULES_2025.wagers[2:] == ("six_card_bonus", "jackpot")
    for wager in RULES_2025.wagers[2:]:
        refuse_wagers(1, {"ante": 100, wager: 100}, None)


def test_art_3_3_the_basic_bets_are_on_offer_whatever_else_is() -> None:
    assert RULES_2025.wagers[:2] == ("ante", "pair_plus")
    assert "pair_plus" in lines("As Ks Js", pair_plus=100) and "ante" in lines("As Ks Js", ante=100)


@pytest.mark.parametrize("additional", [("six_card_bonus",), ("jackpot",), ("jackpot", "six_card_bonus")])
def test_art_3_4_additional_bets_are_no_game_of_their_own(additional: tuple[str, ...]) -> None:
    with pytest.raises(Refusal, check=saying(r"^seat 2: \w+ without ante or pair_plus is invalid \(4\.º 3\)$")):
        refuse_wagers(2, dict.fromkeys(additional, 100), None)


@pytest.mark.parametrize("wagers", [("ante",), ("pair_plus",), ("ante", "pair_plus")])
def test_art_4_1_each_basic_bet_may_stand_alone_or_both_together(wagers: tuple[str, ...]) -> None:
    laid = dict.fromkeys(wagers, 100)
    refuse_wagers(1, laid, None)
    found = lines("As Ks Js", PLAYS, None, **laid)
    assert [wager for wager in found if wager != "play"] == list(wagers)


@pytest.mark.parametrize("basic", ["ante", "pair_plus"])
@pytest.mark.parametrize("additional", [("six_card_bonus",), ("jackpot",), ("jackpot", "six_card_bonus")])
def test_art_4_2_beside_either_basic_bet_any_additional_ones_may_stand(basic: str, additional: tuple[str, ...]) -> None:
    refuse_wagers(1, dict.fromkeys((basic, *additional), 100), None)


def of(text: str) -> ThreeCardHand:
    return rank_three(parse_cards(text))


def test_art_7_1_1_a_straight_flush_is_three_cards_of_one_suit_in_sequence_and_its_highest_card_decides() -> None:
    assert of("9s 8s 7s").name == of("3h 2h Ah").name == "straight_flush"
    assert of("9s 8s 7h").name == "straight" and of("9s 8s 6s").name == "flush"
    assert of("9s 8s 7s").rank < of("8h 7h 6h").rank
    assert of("9s 8s 7s") == of("9h 8h 7h")


def test_art_7_1_2_a_trio_is_three_cards_of_one_value_and_the_higher_value_wins() -> None:
    assert of("9s 9h 9d").name == "three_of_a_kind"
    assert of("9s 9h 9d").rank < of("8s 8h 8d").rank


def test_art_7_1_3_a_straight_is_three_cards_in_sequence_not_of_one_suit_and_its_highest_card_decides() -> None:
    assert of("9s 8s 7h").name == of("9s 8h 7d").name == "straight"
    assert of("9s 8s 6h").name == "high_card"
    assert of("9s 8h 7d").rank < of("8s 7h 6d").rank
    assert of("9s 8h 7d") == of("9c 8d 7c")


def of_five(text: str) -> str | None:
    return best_combination(parse_cards(text))


def test_art_7_2_1_a_royal_flush_is_the_highest_sequence_in_one_suit() -> None:
    assert of_five("As Ks Qs Js Ts") == of_five("2d Ts Js Qs Ks As") == "royal_flush"
    assert of_five("As Ks Qs Js Th") == "straight"


def test_art_7_2_2_a_straight_flush_is_any_lower_sequence_in_one_suit() -> None:
    assert of_five("Ks Qs Js Ts 9s") == of_five("5s 4s 3s 2s As") == "straight_flush"
    assert of_five("5s 4s 3s 2s Ah") == "straight" and of_five("6s 4s 3s 2s As") == "flush"


def test_art_7_2_4_a_full_house_is_three_of_one_value_and_two_of_another() -> None:
    assert of_five("9s 9h 9d 2c 2s") == of_five("9s 9h 9d 2c 2s 2h") == "full_house"
    assert of_five("9s 9h 9d 3c 2s") == "three_of_a_kind" and of_five("9s 9h 3d 3c 2s 2h") is None


def test_art_7_2_5_a_flush_is_five_of_one_suit_that_are_no_sequence() -> None:
    assert of_five("As Ks Qs Js 9s") == of_five("2h 9s 7s 5s 4s 3s") == "flush"
    assert of_five("As Ks Qs Js 9h") is None


def test_art_7_2_6_a_straight_is_five_in_sequence_not_all_of_one_suit() -> None:
    assert of_five("9s 8s 7s 6s 5h") == of_five("9s 8h 7d 6c 5s") == "straight"
    assert of_five("9s 8h 7d 6c 4s") is None


def test_art_7_2_7_three_of_a_kind_is_three_of_one_value_and_no_pair_beside_them() -> None:
    assert of_five("9s 9h 9d 3c 2s") == of_five("9s 9h 9d 4h 3c 2s") == "three_of_a_kind"
    assert of_five("9s 9h 4d 3c 2s") is None


def tier(cards: str, community: str) -> object:
    return lines(cards, "2d 9c 4h", community, pair_plus=1, jackpot=5)["jackpot"].combination


def test_art_7_3_1_the_jackpot_s_royal_flush() -> None:
    assert tier("As Ks Qs", "Js Ts") == "royal_flush"
    assert tier("As Ks Qs", "Js Th") is None


def test_art_7_3_2_the_jackpot_s_straight_flush() -> None:
    assert tier("Ks Qs Js", "Ts 9s") == tier("5s 4s 3s", "2s As") == "straight_flush"


def test_art_7_3_3_the_jackpot_s_four_of_a_kind_whatever_the_odd_card() -> None:
    assert {tier("8s 8h 8d", f"8c {odd}s") for odd in "2367TJQKA"} == {"four_of_a_kind"}


def test_art_7_3_4_the_jackpot_s_full_house() -> None:
    assert tier("8s 8h 3d", "8c 3s") == "full_house"
    assert tier("8s 8h 3d", "8c 5s") is None, "three of a kind is no prize of the jackpot"


def test_art_7_3_5_the_jackpot_s_flush() -> None:
    assert tier("As Ks 8s", "5s 3s") == "flush"
    assert tier("As Ks 8s", "5s 3h") is None and tier("9s 8h 7s", "6s 5s") is None


def test_art_13_4_1_the_bonus_of_a_straight_flush_is_5_to_1_of_the_ante() -> None:
    assert paid("ante_bonus", "As Ks Qs", ante=100, pair_plus=7) == ("5:1", 500, "13.º 4) (1)")


def test_art_13_4_2_the_bonus_of_a_trio_is_4_to_1_of_the_ante() -> None:
    assert paid("ante_bonus", "As Ah Ac", ante=100, pair_plus=7) == ("4:1", 400, "13.º 4) (2)")


def test_art_13_4_3_the_bonus_of_a_straight_is_even_money_on_the_ante() -> None:
    assert paid("ante_bonus", "As Kh Qs", ante=100, pair_plus=7) == ("1:1", 100, "13.º 4) (3)")


def test_art_13_6_six_card_bonus_wins_from_three_of_a_kind_whatever_the_bank_has() -> None:
    for dealer in (PLAYS, "Jd 9c 4h", "Kd Kh Kc"):
        assert paid("six_card_bonus", "As Ah Ac", dealer, pair_plus=1, six_card_bonus=100)[1] > 0
    assert paid("six_card_bonus", "As Ah 3c", "Ks Kh 5c", pair_plus=1, six_card_bonus=100)[1] == -100


def test_art_13_7_the_jackpot_wins_from_a_flush_with_the_community_cards() -> None:
    assert paid("jackpot", "As Ks 8s", community="5s 3s", pair_plus=1, jackpot=5) == (None, 245, "16.º 3 5)")
    assert paid("jackpot", "9s 8h 7s", community="6s 5s", pair_plus=1, jackpot=5) == (None, -5, "15.º 1")


def pair_plus(cards: str) -> Paid:
    return paid("pair_plus", cards, pair_plus=100)


def test_art_16_1_1_pair_plus_pays_a_straight_flush_40_to_1() -> None:
    assert pair_plus("As Ks Qs") == ("40:1", 4000, "16.º 1 1)")


def test_art_16_1_2_pair_plus_pays_a_trio_25_to_1() -> None:
    assert pair_plus("As Ah Ac") == ("25:1", 2500, "16.º 1 2)")


def test_art_16_1_3_pair_plus_pays_a_straight_5_to_1() -> None:
    assert pair_plus("As Kh Qs") == ("5:1", 500, "16.º 1 3)")


def test_art_16_1_4_pair_plus_pays_a_flush_4_to_1() -> None:
    assert pair_plus("As Ks Js") == ("4:1", 400, "16.º 1 4)")


def test_art_16_1_5_pair_plus_pays_a_pair_even_money() -> None:
    assert pair_plus("As Ac Ks") == ("1:1", 100, "16.º 1 5)")


def six_card_bonus(cards: str, dealer: str) -> Paid:
    return paid("six_card_bonus", cards, dealer, pair_plus=1, six_card_bonus=100)


def test_art_16_2_1_six_card_bonus_pays_a_royal_flush_500_to_1() -> None:
    assert six_card_bonus("As Ks Qs", "Js Ts 2d") == ("500:1", 50_000, "16.º 2 1)")


def test_art_16_2_2_six_card_bonus_pays_a_straight_flush_100_to_1() -> None:
    assert six_card_bonus("9s Ks Qs", "Js Ts 2d") == ("100:1", 10_000, "16.º 2 2)")


def test_art_16_2_3_six_card_bonus_pays_four_of_a_kind_50_to_1() -> None:
    assert six_card_bonus("9s 9h 2s", "9d 9c 2d") == ("50:1", 5_000, "16.º 2 3)")


def test_art_16_2_4_six_card_bonus_pays_a_full_house_20_to_1() -> None:
    assert six_card_bonus("9s 9h 9d", "2c 2s 2d") == ("20:1", 2_000, "16.º 2 4)")


def test_art_16_2_5_six_card_bonus_pays_a_flush_15_to_1() -> None:
    assert six_card_bonus("As Ks 9s", "5s 2s 2d") == ("15:1", 1_500, "16.º 2 5)")


def test_art_16_2_6_six_card_bonus_pays_a_straight_10_to_1() -> None:
    assert six_card_bonus("As Kh Qs", "Jc Ts 2d") == ("10:1", 1_000, "16.º 2 6)")


def test_art_16_2_7_six_card_bonus_pays_three_of_a_kind_7_to_1() -> None:
    assert six_card_bonus("As Ah 3d", "Ac Js 9d") == ("7:1", 700, "16.º 2 7)")


def prize(won: str) -> SettledJackpot:
    return award_jackpot([(1, won)], TERMS, RULES_2025.jackpot)


def test_art_16_3_3_the_jackpot_pays_four_of_a_kind_its_fixed_amount_and_none_of_the_pot() -> None:
    assert (prize("four_of_a_kind").awards[0].amount, prize("four_of_a_kind").pot_after) == (1_500, TERMS.pot)


def test_art_16_3_4_the_jackpot_pays_a_full_house_its_fixed_amount_and_none_of_the_pot() -> None:
    assert (prize("full_house").awards[0].amount, prize("full_house").pot_after) == (500, TERMS.pot)


def test_art_16_3_5_the_jackpot_pays_a_flush_its_fixed_amount_and_none_of_the_pot() -> None:
    assert (prize("flush").awards[0].amount, prize("flush").pot_after) == (250, TERMS.pot)
