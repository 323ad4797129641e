"""Hands of three and of five against the published counts and the words of articles 6.º and 7.º (2025)."""

from collections import Counter
from functools import cache
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, Card, parse_cards
from controller.rulebook.five_card import STRONGEST_FIRST, best_combination
from controller.rulebook.three_card import ThreeCardHand, rank_three
from tests.shuffling import shuffled

pytestmark = pytest.mark.long

# The 13 face values of art. 6.º 1) and the 12 sequences of art. 6.º 2), as printed there.
SEQUENCES = "AKQ KQJ QJT JT9 T98 987 876 765 654 543 432 32A".split()


@cache
def every_hand() -> dict[tuple[Card, ...], ThreeCardHand]:
    return {hand: rank_three(hand) for hand in combinations(DECK, 3)}


def of(text: str) -> ThreeCardHand:
    return rank_three(parse_cards(text))


def falling(*hands: str) -> bool:
    """Whether each hand beats the next."""
    return all(of(left).rank < of(right).rank for left, right in pairwise(hands))


def test_the_22100_hands_fall_into_the_published_counts() -> None:
    assert Counter(hand.name for hand in every_hand().values()) == {
        "straight_flush": 48,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high_card": 16440,
    }


def test_art_7_1_classes_descend_from_straight_flush_to_three_odd_cards() -> None:
    spans = [
        ("straight_flush", 1, 12),
        ("three_of_a_kind", 13, 25),
        ("straight", 26, 37),
        ("flush", 38, 311),
        ("pair", 312, 467),
        ("high_card", 468, 741),
    ]
    for name, first, last in spans:
        assert {hand.rank for hand in every_hand().values() if hand.name == name} == set(range(first, last + 1))


def test_art_6_2_sequences_descend_as_printed_in_one_suit_and_in_mixed_suits() -> None:
    one_suit = [of(f"{faces[0]}s {faces[1]}s {faces[2]}s") for faces in SEQUENCES]
    mixed = [of(f"{faces[0]}s {faces[1]}h {faces[2]}s") for faces in SEQUENCES]
    assert [(hand.name, hand.rank) for hand in one_suit] == [("straight_flush", rank) for rank in range(1, 13)]
    assert [(hand.name, hand.rank) for hand in mixed] == [("straight", rank) for rank in range(26, 38)]


def test_art_6_2_the_high_card_of_3_2_a_is_the_3() -> None:
    assert falling("4s 3h 2s", "3s 2h As")
    assert falling("3s 2h As", "As Ks Js")
    assert of("2d Ah 3c").name == "straight"


def test_art_6_2_no_sequence_goes_round_the_ace() -> None:
    assert of("Ks As 2s").name == "flush"
    assert of("Ks Ah 2s").name == "high_card"


def test_art_7_1_2_trios_descend_from_aces_to_twos_and_beat_a_straight() -> None:
    assert falling(*(f"{rank}s {rank}h {rank}d" for rank in "AKQJT98765432"))
    assert falling("3s 2s As", "As Ah Ad")
    assert falling("2s 2h 2d", "As Kh Qs")


def test_art_7_1_4_a_flush_is_decided_by_the_highest_card_then_the_second_then_the_third() -> None:
    assert falling("As 4s 2s", "Kh Qh Th")
    assert falling("As 9s 2s", "Ah 8h 7h")
    assert falling("As 9s 4s", "Ah 9h 3h")
    assert of("As 9s 4s") == of("Ah 9h 4h")


def test_art_7_1_5_a_pair_is_decided_by_the_pair_then_by_the_odd_card() -> None:
    assert falling("3s 3h 2s", "2s 2h Ad")
    assert falling("9s 9h Ad", "9c 9d Kd", "9s 9h Td", "9s 9h 8d", "9s 9h 2d")
    assert of("9s 9h Ad") == of("9c 9d Ac")


def test_art_7_1_6_odd_cards_are_decided_card_by_card() -> None:
    assert falling("As 4h 2s", "Kh Qh Td")
    assert falling("As 9s 2h", "Ah 8h 7d")
    assert falling("As 9s 4h", "Ah 9h 3d")
    assert of("Qs 9h 4d") == of("Qh 9d 4c")
    assert of("As Kh Jd").rank == 468
    assert of("5s 3h 2d").rank == 741


def independent_strength(cards: tuple[Card, ...]) -> tuple[int, list[int]]:
    """The same order computed another way: highest is largest."""
    values = sorted(("23456789TJQKA".index(card[0]) for card in cards), reverse=True)
    alike = Counter(values)
    flush = len({card[1] for card in cards}) == 1
    sequence = next((i for i, faces in enumerate(reversed(SEQUENCES)) if {c[0] for c in cards} == set(faces)), None)
    if sequence is not None:
        return (5 if flush else 3), [sequence]
    if len(alike) == 1:
        return 4, values
    if flush:
        return 2, values
    if len(alike) == 2:
        return 1, [value for value, _ in alike.most_common()]
    return 0, values


def test_the_ranks_are_a_total_preorder_and_agree_with_an_independent_computation() -> None:
    by_rank = sorted(every_hand(), key=lambda hand: every_hand()[hand].rank)
    strengths = [independent_strength(hand) for hand in by_rank]
    assert all(left >= right for left, right in pairwise(strengths))
    for (left, right), (stronger, weaker) in zip(pairwise(by_rank), pairwise(strengths), strict=True):
        assert (every_hand()[left].rank == every_hand()[right].rank) == (stronger == weaker)


@given(shuffled(DECK), st.permutations("cdhs"))
def test_no_suit_is_worth_more_than_another(deck: list[Card], suits: list[str]) -> None:
    hand = tuple(deck[:3])
    other = tuple(Card(card[0] + suits["cdhs".index(card[1])]) for card in hand)
    assert rank_three(hand) == rank_three(other)


@pytest.mark.parametrize("text", ["As", "As Ks", "As Ks Qs Js"])
def test_anything_but_three_cards_is_a_mistake_of_the_caller(text: str) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        of(text)


# ---- Five-card combinations against the words of article 6.º 3), 7.º 2 and 3 (2025).


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
