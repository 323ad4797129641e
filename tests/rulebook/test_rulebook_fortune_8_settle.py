"""Every line of a settled round of Fortune 8, named after its article, and the exact edge of each box."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from controller.rulebook.cards import DECK, RANKS, Card
from controller.rulebook.fortune_8.dealing import refuse_cards, spaces_dealt
from controller.rulebook.fortune_8.paytable import BOX_NAMES, BOXES, DEALS, DECKS, SPACES, BoxName
from controller.rulebook.fortune_8.settle import Settlement, settle
from controller.rulebook.fortune_8.wagers import Bets, refuse_bet, spaces_with_bets
from controller.rulebook.refusal import Refusal

Told = tuple[str, str, str | None, int, str]


def told(box: BoxName, card: str, stake: int = 100) -> Told:
    (line,) = settle({1: {box: stake}}, {1: Card(card)}).seats["1"].lines
    assert line.stake == stake
    return line.wager, line.outcome, line.odds, line.net, line.article


def net(box: BoxName, card: Card) -> int:
    return settle({1: {box: 1}}, {1: card}).seats["1"].net


def test_fortune_8_art_4_1_and_4_3_seven_spaces_of_three_boxes_make_21() -> None:
    assert list(SPACES) == [1, 2, 3, 4, 5, 6, 7]
    assert len(SPACES) * len(BOXES) == 21
    answer = settle({space: dict.fromkeys(BOX_NAMES, 1) for space in SPACES}, {space: DECK[0] for space in SPACES})
    assert [len(answer.seats[str(space)].lines) for space in SPACES] == [3] * 7


def test_fortune_8_art_4_2_the_boxes_stand_from_the_player_low_eight_high() -> None:
    assert BOX_NAMES == ("low", "eight", "high")
    answer = settle({1: {"high": 3, "eight": 2, "low": 1}}, {1: Card("8s")})
    assert [line.wager for line in answer.seats["1"].lines] == ["low", "eight", "high"]


def test_fortune_8_art_4_3_a_box_keeps_the_limits_both_included() -> None:
    for box in BOX_NAMES:
        for amount in (0, 100, 1000):
            refuse_bet(4, box, amount, (100, 1000))
        for amount in (1, 99, 1001):
            with pytest.raises(Refusal) as refusal:
                refuse_bet(4, box, amount, (100, 1000))
            assert (refusal.value.who, refusal.value.article) == ("space 4", "4.º 3")
            assert box in refusal.value.reason and str(amount) in refusal.value.reason
            refuse_bet(4, box, amount, None)


def test_fortune_8_art_4_6_a_card_for_every_space_or_for_those_with_bets() -> None:
    assert spaces_dealt("every_space", (2, 5)) == (1, 2, 3, 4, 5, 6, 7)
    assert spaces_dealt("spaces_with_bets", (5, 2)) == (2, 5)
    assert len(DEALS) == 2


def test_fortune_8_art_4_6_a_space_has_a_bet_if_any_of_its_boxes_has() -> None:
    assert spaces_with_bets({6: {"high": 1}, 3: {"low": 0, "eight": 0, "high": 0}, 2: {"eight": 5, "low": 0}}) == (2, 6)
    without: list[dict[int, Bets]] = [{}, {3: {}}, {3: {"low": 0}}]
    for nobody in without:
        with pytest.raises(Refusal) as refusal:
            spaces_with_bets(nobody)
        assert refusal.value.article == "4.º 6"


@pytest.mark.parametrize("decks", DECKS)
def test_fortune_8_art_1_1_no_card_comes_oftener_than_there_are_decks(decks: int) -> None:
    for copies in range(1, 8):
        cards = {space: Card("8s") if space <= copies else DECK[space] for space in SPACES}
        if copies <= decks:
            refuse_cards(cards, "every_space", (1,), decks)
            continue
        with pytest.raises(Refusal) as refusal:
            refuse_cards(cards, "every_space", (1,), decks)
        assert (refusal.value.who, refusal.value.article) == (f"space {decks + 1}", "1.º 1)")


@pytest.mark.parametrize("card", DECK)
def test_fortune_8_art_6_and_7_every_card_wins_in_one_box_and_loses_in_the_others(card: Card) -> None:
    winner = "low" if card[0] in "234567" else "eight" if card[0] == "8" else "high"
    for box in BOX_NAMES:
        if box == winner:
            odds, article = (11, "8.º 2") if box == "eight" else (1, "8.º 1")
            assert told(box, card) == (box, "win", f"{odds}:1", 100 * odds, article)
        else:
            assert told(box, card) == (box, "lose", None, -100, "6.º 1")


def test_fortune_8_art_6_1_a_bet_in_a_box_of_another_value_is_lost() -> None:
    assert told("low", "8d") == ("low", "lose", None, -100, "6.º 1")
    assert told("eight", "7d") == ("eight", "lose", None, -100, "6.º 1")
    assert told("high", "8d") == ("high", "lose", None, -100, "6.º 1")


def test_fortune_8_art_6_2_the_ace_is_high() -> None:
    assert told("high", "As")[1] == "win"
    assert told("low", "As")[1] == "lose"


@pytest.mark.parametrize(("box", "ranks"), [("low", "234567"), ("high", "9TJQKA"), ("eight", "8")])
def test_fortune_8_art_7_the_values_of_each_box(box: BoxName, ranks: str) -> None:
    assert {rank for rank in RANKS if told(box, rank + "h")[1] == "win"} == set(ranks)


def test_fortune_8_art_8_1_low_and_high_pay_even_money() -> None:
    assert told("low", "2c", 77) == ("low", "win", "1:1", 77, "8.º 1")
    assert told("high", "9c", 77) == ("high", "win", "1:1", 77, "8.º 1")


def test_fortune_8_art_8_2_the_eight_pays_eleven_to_one() -> None:
    assert told("eight", "8c", 77) == ("eight", "win", "11:1", 847, "8.º 2")


def test_fortune_8_art_6_each_space_is_settled_on_its_own_card() -> None:
    bets: dict[BoxName, int] = {"low": 10}
    answer = settle({1: bets, 2: bets, 3: {"low": 0}}, {1: Card("2c"), 2: Card("Kc"), 3: Card("3c")})
    assert {space: seat.net for space, seat in answer.seats.items()} == {"1": 10, "2": -10}


@pytest.mark.parametrize("box", BOX_NAMES)
def test_fortune_8_art_9_2_every_box_gives_the_house_one_thirteenth(box: BoxName) -> None:
    assert Fraction(-sum(net(box, card) for card in DECK), len(DECK)) == Fraction(1, 13)


def test_fortune_8_art_9_2_the_place_of_a_space_in_the_deal_changes_no_edge() -> None:
    """Two cards out of thirteen ranks, in every order: the second place wins what the first does."""
    small = [Card(rank + "s") for rank in RANKS]
    for box in BOX_NAMES:
        totals: Counter[int] = Counter()
        for first in small:
            for second in small:
                if first != second:
                    totals[0] += net(box, first)
                    totals[1] += net(box, second)
        assert totals[0] == totals[1] == -len(small) * (len(small) - 1) // 13


def test_fortune_8_art_6_1_erratum_read_to_the_letter_any_card_dealt_would_win_and_the_house_would_lose() -> None:
    """ "The values of the cards dealt" is plural and names no space: on any of the seven cards every box would win too
    often. On its own card each box gives the house 1/13."""
    for box in BOXES:
        for decks in DECKS:
            losing = sum(not box.wins(card) for card in DECK) * decks
            none_wins = Fraction(comb(losing, 7), comb(52 * decks, 7))
            edge = none_wins - (1 - none_wins) * box.to_one
            assert edge < Fraction(-9, 10)


def test_fortune_8_art_2_1_the_twelve_cards_behind_the_cut_card_end_any_round() -> None:
    assert len(spaces_dealt("every_space", ())) <= 12


def test_fortune_8_an_answer_has_no_line_for_a_box_without_a_bet() -> None:
    answer: Settlement = settle({1: {"low": 0, "high": 5}, 2: {}, 3: {"eight": 0}}, {1: Card("2c")})
    assert [(space, [line.wager for line in seat.lines]) for space, seat in answer.seats.items()] == [("1", ["high"])]


def test_fortune_8_the_boxes_share_the_thirteen_ranks_between_them() -> None:
    assert sorted("".join(box.ranks for box in BOXES)) == sorted(RANKS)
    assert all(not set(a.ranks) & set(b.ranks) for a, b in combinations(BOXES, 2))
