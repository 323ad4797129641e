"""Combinations in five and six cards as certified, against the published counts and edges."""

from fractions import Fraction
from math import comb

import pytest
from msgspec.structs import replace

from controller.certify.classes import classes_of_sets
from controller.certify.combinations import (
    PARTS,
    CombinationCount,
    certify_six_card_bonus,
    count_combinations,
    count_part,
)
from controller.certify.result import Plain, Unkept, Unwatched
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025, Odds
from controller.statistics.odds import known_odds
from tests.certify.counted_once import sets_of
from tests.certify.known_odds import exactly

# The published counts of the best five of six cards.
IN_SIX = {
    "royal_flush": 188,
    "straight_flush": 1656,
    "four_of_a_kind": 14664,
    "full_house": 165984,
    "flush": 205792,
    "straight": 361620,
    "three_of_a_kind": 732160,
    "nothing": 2532816 + 9730740 + 6612900,
}
ONE_OF_EACH = {
    "royal_flush": "As Ks Qs Js Ts 2d",
    "straight_flush": "9s 8s 7s 6s 5s 2d",
    "four_of_a_kind": "9s 9h 9d 9c 2d 3d",
    "full_house": "9s 9h 9d 2c 2d 3d",
    "flush": "As Ks Qs Js 9s 2d",
    "straight": "9s 8h 7s 6s 5s 2d",
    "three_of_a_kind": "9s 9h 9d 2c 3d 5d",
    "nothing": "9s 9h 2d 2c 4d 5d",
}


def counts(found: dict[str, CombinationCount]) -> dict[str, int]:
    return {name: count.sets for name, count in found.items()}


def test_the_2598960_five_card_hands_fall_into_the_published_counts() -> None:
    assert counts(sets_of(5)) == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3744,
        "flush": 5108,
        "straight": 10200,
        "three_of_a_kind": 54912,
        "nothing": 123552 + 1098240 + 1302540,
    }


@pytest.mark.soak
def test_art_14_the_20358520_sets_of_six_cards_fall_into_the_published_counts() -> None:
    found = sets_of(6)
    assert counts(found) == IN_SIX
    assert sum(IN_SIX.values()) == 20358520
    odds = certify_six_card_bonus(RULES_2025, found).odds
    assert {row.outcome: row.chance * 20358520 for row in odds} == IN_SIX


def test_six_card_bonus_has_the_edge_that_first_principles_give() -> None:
    counted = {name: CombinationCount(sets, ONE_OF_EACH[name]) for name, sets in IN_SIX.items()}
    odds = {"royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 50, "full_house": 20, "flush": 15}
    odds |= {"straight": 10, "three_of_a_kind": 7}
    returned = sum(IN_SIX[name] * (to_one + 1) for name, to_one in odds.items())
    assert certify_six_card_bonus(RULES_2025, counted).house_edge == 1 - Fraction(returned, comb(52, 6))


def test_six_card_bonus_under_another_known_paytable_has_its_published_edge() -> None:
    """table-games-online.com, "Three Card Poker with 6-Card Bonus": 1000-200-50-25-20-10-5, 10.23 %, rounded up."""
    table = dict(zip(IN_SIX, (1000, 200, 50, 25, 20, 10, 5), strict=False))
    rules = replace(RULES_2025, six_card_bonus={name: Odds(to_one, "") for name, to_one in table.items()})
    counted = {name: CombinationCount(sets, ONE_OF_EACH[name]) for name, sets in IN_SIX.items()}
    edge = certify_six_card_bonus(rules, counted).edge
    assert edge == pytest.approx(0.1023, abs=0.0001)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_classes_of_a_size_are_all_sets_of_it_and_its_parts_are_disjoint(size: int) -> None:
    whole = list(classes_of_sets(size))
    assert sum(ways for _, ways in whole) == comb(52, size)
    parted = [sets for part in range(5) for sets in classes_of_sets(size, part, 5)]
    assert sorted(parted) == sorted(whole)


def test_parts_that_were_kept_are_not_counted_again() -> None:
    kept = Unkept()
    nothing: Plain = {}
    wrong: Plain = {"nothing": {"sets": comb(52, 5), "example": ONE_OF_EACH["nothing"][:14]}}
    for part in range(PARTS):
        kept.store(f"combinations in 5 cards, part {part} of {PARTS}", wrong if part == 0 else nothing)
    again = count_combinations(5, Unwatched(), kept, 1)
    assert counts(again) == {"nothing": comb(52, 5)}


def test_counts_that_do_not_make_up_the_deck_are_no_result() -> None:
    kept = Unkept()
    for part in range(PARTS):
        kept.store(f"combinations in 5 cards, part {part} of {PARTS}", {})
    with pytest.raises(AssertionError, match="the sets of 5 cards are"):
        count_combinations(5, Unwatched(), kept, 1)


def test_one_set_of_each_combination_is_one_of_it() -> None:
    for name, count in count_part((5, 0)).items():
        assert len(count.example.split()) == 5, name


def test_the_statistics_know_the_odds_of_the_six_card_bonus() -> None:
    counted = {name: CombinationCount(sets, ONE_OF_EACH[name]) for name, sets in IN_SIX.items()}
    [kept] = [row for row in known_odds()[RULES_2025.game] if row.wager == "six_card_bonus"]
    assert kept == exactly(certify_six_card_bonus(RULES_2025, counted))
