"""Five-card combinations against the words of article 6.º 3), 7.º 2 and 3 (2025)."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, Card, parse_cards
from controller.rulebook.five_card import STRONGEST_FIRST, best_combination
from tests.shuffling import shuffled


def six_or_five(text: str) -> str | None:
    return best_combination(parse_cards(text))


@pytest.mark.parametrize("faces", "KQJT9 QJT98 JT987 T9876 98765 87654 76543 65432 5432A".split())
def test_art_6_3_every_printed_sequence_counts_in_one_suit_and_in_mixed_suits(faces: str) -> None:
    assert six_or_five(" ".join(face + "h" for face in faces)) == "straight_flush"
    assert six_or_five(" ".join(face + suit for face, suit in zip(faces, "hhhhs", strict=True))) == "straight"


def test_art_6_3_no_sequence_goes_round_the_ace() -> None:
    assert six_or_five("2h Ah Kh Qh Jh") == "flush"
    assert six_or_five("2h Ah Kh Qh Js") is None
    assert six_or_five("3h 2h Ah Ks Qh") is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("As Ks Qs Js Ts", "royal_flush"),
        ("As Ks Qs Js Ts 9s", "royal_flush"),
        ("9s Ks Qs Js Ts Ah", "straight_flush"),
        ("5s 4s 3s 2s As 6d", "straight_flush"),
        ("9s 9h 9d 9c 2s", "four_of_a_kind"),
        ("9s 9h 9d 9c 2s 2h", "four_of_a_kind"),
        ("9s 9h 9d 2c 2s", "full_house"),
        ("9s 9h 9d 2c 2s 2h", "full_house"),
        ("9s 9h 9d 2c 2s Kh", "full_house"),
        ("As Ks 9s 5s 2s 2h", "flush"),
        ("As Ks Qs Js 9s Th", "flush"),
        ("As Kh Qs Js Ts 9s", "flush"),
        ("9s 8h 7d 6c 5s 5h", "straight"),
        ("9s 9h 8h 7d 6c 5s", "straight"),
        ("Kh 5s 4h 3d 2c As", "straight"),
        ("9s 9h 9d 2c Ks", "three_of_a_kind"),
        ("9s 9h 9d 2c Ks Qh", "three_of_a_kind"),
        ("9s 9h 2d 2c Ks Kh", None),
        ("9s 9h 2d 2c Ks", None),
        ("As Ks Qs Js 9h", None),
    ],
)
def test_art_7_2_the_highest_combination_of_five_counts(text: str, name: str | None) -> None:
    assert six_or_five(text) == name


def test_art_7_2_3_the_odd_card_beside_four_of_a_kind_counts_for_nothing() -> None:
    for odd in DECK:
        if odd[0] != "9":
            assert best_combination((*parse_cards("9s 9h 9d 9c"), odd)) == "four_of_a_kind"


def test_art_7_2_and_7_3_rank_the_combinations_as_printed() -> None:
    assert " ".join(STRONGEST_FIRST) == (
        "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind"
    )


@given(shuffled(DECK))
def test_art_14_six_cards_are_worth_the_best_five_of_them(deck: list[Card]) -> None:
    order: list[str | None] = [*STRONGEST_FIRST, None]
    six = deck[:6]
    assert best_combination(six) == min((best_combination(five) for five in combinations(six, 5)), key=order.index)


@given(shuffled(DECK), st.permutations("cdhs"), st.sampled_from([5, 6]))
def test_no_suit_is_worth_more_than_another_in_five_or_six_cards(deck: list[Card], suits: list[str], size: int) -> None:
    hand = deck[:size]
    assert best_combination(hand) == best_combination([Card(c[0] + suits["cdhs".index(c[1])]) for c in hand])
