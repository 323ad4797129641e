"""What `rank` answers and what it refuses."""

import json

import pytest

from controller.rulebook.ranking import rank
from controller.rulebook.refusal import Refusal
from tests.with_words import with_words

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
