"""Cards and their text, the one line of a refusal, and what `rank` answers and refuses."""

import json
from collections import Counter
from functools import cache
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, RANKS, Card, parse_cards, rank_of, refuse_repeated, show_cards
from controller.rulebook.five_card import STRONGEST_FIRST, best_combination
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.ranking import rank
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.three_card import ThreeCardHand, rank_three
from controller.words import sentence
from tests.shuffling import shuffled
from tests.with_words import with_words


def test_art_2_1_the_deck_has_52_different_cards() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {card[0] for card in DECK} == set(RANKS)
    assert {card[1] for card in DECK} == set("cdhs")


def test_art_6_1_face_values_descend_from_the_ace_to_the_two() -> None:
    in_order = parse_cards("As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s")
    assert [rank_of(card) for card in in_order] == list(range(14, 1, -1))


def test_show_cards_writes_what_parse_cards_reads() -> None:
    assert show_cards(parse_cards("As Kd Tc 9h")) == "As Kd Tc 9h"
    assert parse_cards(show_cards(DECK)) == DECK


@pytest.mark.parametrize(
    "text",
    ["", " ", "As  Kd", " As", "As ", "As,Kd", "As\tKd", "As\nKd", "\x00", *"as AS aS 10s 1s AsKd A♠ Ax".split()],
)
def test_a_text_that_is_not_exactly_cards_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_cards(text, "seat 3")
    assert refusal.value.who == "seat 3"
    assert len(sentence(refusal.value).splitlines()) == 1


def test_art_2_1_a_card_is_once_in_the_deck() -> None:
    with pytest.raises(Refusal, check=with_words(r"^dealer: the card As is already at seat 1 \(2\.º 1 1\)\)$")):
        refuse_repeated([("seat 1", parse_cards("As Kd")), ("dealer", parse_cards("2c As"))], "2.º 1 1)")
    with pytest.raises(Refusal, check=with_words("^seat 1: the card As is twice$")):
        refuse_repeated([("seat 1", parse_cards("As As"))])
    refuse_repeated([("seat 1", parse_cards("As")), ("seat 2", parse_cards("Ah"))])


def test_a_refusal_says_who_why_and_under_which_article_in_one_line() -> None:
    refusal = Refusal("seat 3", ThreeCardReason.WITHOUT_BASIC_BET, "4.º 3", wager="six_card_bonus")
    assert sentence(refusal) == "seat 3: six_card_bonus without ante or pair_plus is invalid (4.º 3)"
    assert (refusal.who, refusal.article) == ("seat 3", "4.º 3")
    assert sentence(Refusal("file", LawReason.NOT_UTF8)) == "file: is not UTF-8 text"


@pytest.mark.parametrize(
    "value",
    ["line\nbreak", "\ud800", "ª" * 500, 10**5000, None, True, 1.5, [1], {"a": 1}],
    ids=lambda value: type(value).__name__,
)
def test_a_quoted_value_is_short_and_on_one_line(value: object) -> None:
    text = quoted(value)
    assert text.isascii() and len(text) <= 40 and "\n" not in text


# ---- What `rank` answers and what it refuses.


GAME = "fortune-3-card-poker-2025"
HANDS = ["5h 3c 2d", "3s 2s As", "As Ks Qs", "Kh Qh Jh", "Ah Ad Ac"]


def test_hands_come_strongest_first_with_their_rank() -> None:
    assert rank(GAME, ["5h 3c 2d", "3s 2s As", "As Ks Qs", "Ah Ad Ac"]) == (
        b'[{"hand":"As Ks Qs","name":"straight_flush","rank":1},'
        b'{"hand":"3s 2s As","name":"straight_flush","rank":12},'
        b'{"hand":"Ah Ad Ac","name":"three_of_a_kind","rank":13},'
        b'{"hand":"5h 3c 2d","name":"high_card","rank":741}]'
    )


def test_2008_art_8_ranks_as_2025_does_and_art_4_2_puts_a_k_q_above_k_q_j() -> None:
    assert rank("fortune-3-card-poker-2008", HANDS) == rank(GAME, HANDS)
    ranked = json.loads(rank("fortune-3-card-poker-2008", HANDS))
    assert [(hand["hand"], hand["rank"]) for hand in ranked[:2]] == [("As Ks Qs", 1), ("Kh Qh Jh", 2)]


def test_equal_hands_keep_the_order_given() -> None:
    hands = ["9c 9d Ah", "Ks Qs Js", "9s 9h Ad", "Ad 9h 9s"]
    assert [found["hand"] for found in json.loads(rank(GAME, hands))] == [hands[1], hands[0], hands[2], hands[3]]
    assert len({found["rank"] for found in json.loads(rank(GAME, hands))}) == 2


def test_a_card_may_recur_in_another_hand_but_not_within_one() -> None:
    assert len(json.loads(rank(GAME, ["As Ks Qs", "As Ks Qs"]))) == 2
    with pytest.raises(Refusal, check=with_words("^hand 2: the card As is twice$")):
        rank(GAME, ["As Ks Qs", "As As Qs"])


@pytest.mark.parametrize("hand", ["", "As", "As Ks", "As Ks Qs Js", "as Ks Qs", "As  Ks Qs", "6-6 5-4", "As Ks Qs\n"])
def test_a_text_that_is_not_three_cards_is_refused(hand: str) -> None:
    with pytest.raises(Refusal) as refusal:
        rank(GAME, ["As Ks Qs", hand])
    assert refusal.value.who == "hand 2"


@pytest.mark.parametrize("game", ["fortune-8", "blackjack-21", "poker", "pai-kao", ""])
def test_a_game_with_nothing_to_rank_is_refused_and_says_so(game: str) -> None:
    with pytest.raises(
        Refusal, check=with_words("has nothing to rank; games with hands: .*2025, .*2008, taiwan-pai-kao$")
    ):
        rank(game, ["As Ks Qs"])


def test_no_hand_at_all_is_refused() -> None:
    with pytest.raises(Refusal):
        rank(GAME, [])


PAI_KAO = "taiwan-pai-kao"


def test_pai_kao_art_7_b_pairs_come_strongest_first_with_their_rank_of_118() -> None:
    assert rank(PAI_KAO, ["2-1 5-2", "6-6 5-4", "1-1 5-4", "2-1 4-2", "6-5 6-5"]) == (
        b'[{"hand":"2-1 4-2","name":"chi_chun","rank":1},'
        b'{"hand":"6-5 6-5","name":"pair","rank":9},'
        b'{"hand":"6-6 5-4","name":"tin_kau_vong","rank":17},'
        b'{"hand":"1-1 5-4","name":"points_1","rank":102},'
        b'{"hand":"2-1 5-2","name":"points_0","rank":118}]'
    )


def test_pai_kao_art_9_a_equal_pairs_keep_the_order_given_and_a_tile_may_recur_in_another() -> None:
    hands = ["6-3 6-6", "5-1 2-1", "6-6 5-4", "6-6 6-3", "6-6 6-6"]
    found = json.loads(rank(PAI_KAO, hands))
    assert [pair["hand"] for pair in found] == [hands[4], hands[0], hands[2], hands[3], hands[1]]
    assert [pair["rank"] for pair in found] == [2, 17, 17, 17, 29]


def test_pai_kao_art_1_a_two_of_a_tile_that_the_set_has_once_are_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        rank(PAI_KAO, ["6-6 6-6", "5-4 5-4"])
    assert (refusal.value.who, refusal.value.article) == ("hand 2", "1.º a)")


@pytest.mark.parametrize(
    "hand", ["", "6-6", "6-6 5-4 3-1", "6-6  5-4", "4-5 6-6", "6-6 5-4\n", "As Ks", "As Ks Qs", "6 6"]
)
def test_pai_kao_a_text_that_is_not_two_tiles_is_refused(hand: str) -> None:
    with pytest.raises(Refusal) as refusal:
        rank(PAI_KAO, ["6-6 5-4", hand])
    assert refusal.value.who == "hand 2"


# ---- Hands of three and of five against the published counts and the words of articles 6.º and 7.º (2025)


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
