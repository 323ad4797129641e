"""Cards and their text, the one line of a refusal, and what `rank` answers and refuses."""

import json

import pytest

from controller.rulebook.cards import DECK, RANKS, parse_cards, rank_of, refuse_repeated, show_cards
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.ranking import rank
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.words import sentence
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
