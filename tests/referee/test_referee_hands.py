"""The referee's ranking against the counts that combinatorics gives (6.º, 7.º)."""

from collections import Counter
from itertools import combinations

import pytest

from tests.referee.rules import hands


def test_art_7_1_every_three_card_hand_has_its_name() -> None:
    names = Counter(hands.three_card_hand(list(cards)) for cards in combinations(hands.PACK, 3))
    assert names == {
        "straight_flush": 48,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high_card": 16440,
    }


def test_art_7_1_there_are_741_different_hands() -> None:
    assert len({hands.order(list(cards)) for cards in combinations(hands.PACK, 3)}) == 741


STRONGEST_FIRST = [
    "As Ks Qs", "Kh Qh Jh", "4c 3c 2c", "3c 2c Ac",
    "Ac Ad Ah", "2c 2d 2h",
    "Ac Kd Qh", "4c 3d 2h", "3c 2d Ah",
    "Ac Kc Jc", "Ac Qc Jc", "5c 3c 2c",
    "Ac Ad Kh", "Ac Ad 2h", "Kc Kd Ah", "2c 2d 3h",
    "Ac Kd Jh", "Ac Kd Th", "Ac Qd Jh", "Kc Qd Th", "5c 3d 2h",
]  # fmt: skip


def test_art_6_and_7_the_order_of_hands() -> None:
    for better, worse in combinations(STRONGEST_FIRST, 2):
        assert hands.compare(better.split(), worse.split()) == "higher", (better, worse)
        assert hands.compare(worse.split(), better.split()) == "lower", (better, worse)


@pytest.mark.parametrize(
    ("one", "other"),
    [("3c 2c Ac", "3d 2d Ad"), ("Kc Qd Jh", "Kd Qh Js"), ("Ac Jc 2c", "Ad Jd 2d"), ("Ac Ad 2h", "Ah As 2c")],
)
def test_art_7_1_equal_values_tie(one: str, other: str) -> None:
    assert hands.compare(one.split(), other.split()) == "equal"


@pytest.mark.parametrize(
    ("bank", "plays"),
    [("Qc 3d 2h", True), ("Jc Td 8h", False), ("2c 2d 3h", True), ("3c 2d Ah", True), ("Jc 5c 2c", True)],
)
def test_art_13_1_and_2_q_or_better(bank: str, plays: bool) -> None:
    assert hands.bank_plays(bank.split()) is plays


def test_art_7_2_every_suited_five() -> None:
    names = Counter(hands.five_card_hand([value + "s" for value in five]) for five in combinations(hands.VALUES, 5))
    assert names == {"royal_flush": 1, "straight_flush": 9, "flush": 1277}


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("7c 7d 7h 7s 2c", "four_of_a_kind"),
        ("7c 7d 7h 2s 2c", "full_house"),
        ("Ac Kd Qh Js Tc", "straight"),
        ("5c 4d 3h 2s Ac", "straight"),
        ("7c 7d 7h 3s 2c", "three_of_a_kind"),
        ("7c 7d 3h 3s 2c", None),
        ("Kc Ad 2h 3s 4c", None),
    ],
)
def test_art_7_2_unsuited_fives(cards: str, name: str | None) -> None:
    assert hands.five_card_hand(cards.split()) == name


def test_art_14_the_best_five_of_six_count() -> None:
    assert hands.six_card_hand("7c 7d 7h".split(), "7s 2c 2d".split()) == "four_of_a_kind"
    assert hands.six_card_hand("Ah 2h 3h".split(), "4h 5h 6h".split()) == "straight_flush"
    assert hands.six_card_hand("7c 7d 2h".split(), "2s 9c 9d".split()) is None


def test_art_7_3_the_jackpot_begins_at_a_flush() -> None:
    assert hands.jackpot_hand("Ac Kd Qh".split(), "Js Tc".split()) is None
    assert hands.jackpot_hand("7c 7d 7h".split(), "3s 2c".split()) is None
    assert hands.jackpot_hand("Ac 9c 4c".split(), "2c Jc".split()) == "flush"
