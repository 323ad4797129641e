"""Every line of a settled round of Fortune 3 Card Poker 2008, named after its article."""

import pytest

from controller.rulebook.cards import parse_cards
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, bank_plays, settle
from controller.rulebook.three_card import STRONGEST_FIRST, rank_three

PLAYS = "Qd 9c 4h"
DOES_NOT_PLAY = "Jd 9c 4h"
SEQUENCES = "AKQ KQJ QJT JT9 T98 987 876 765 654 543 432 32A".split()  # as 4.º 2) prints them

Told = list[tuple[str, str, str | None, int, str]]


def told(cards: str, dealer: str, decision: str | None = "play", **wagers: int) -> Told:
    """The lines of seat 1, alone at the table."""
    seats = {1: SeatRound(wagers, decision, parse_cards(cards))}
    lines = settle(seats, parse_cards(dealer), None, None, RULES_2008).seats["1"].lines
    return [(line.wager, line.outcome, line.odds, line.net, line.article) for line in lines]


def test_2008_art_4_1_face_values_descend_from_the_ace_to_the_two() -> None:
    for high, low in zip("AKQJT987", "KQJT9876", strict=True):
        assert told(f"{high}s 4h 2d", f"{low}s 4d 2c", ante=1)[0][1] == "win"
        assert told(f"{high}s {high}h 2d", f"{low}s {low}d 3c", ante=1)[0][1] == "win"
    assert [rank_three(parse_cards(f"{rank}s {rank}h {rank}d")).rank for rank in "AKQJT98765432"] == list(range(13, 26))


def test_2008_art_4_2_sequences_descend_as_printed() -> None:
    for suits in ("sss", "shs"):
        hands = [" ".join(face + suit for face, suit in zip(faces, suits, strict=True)) for faces in SEQUENCES]
        ranks = [rank_three(parse_cards(hand)).rank for hand in hands]
        assert ranks == list(range(ranks[0], ranks[0] + 12))
    assert rank_three(parse_cards("As Ks Qs")).rank == 1


def test_2008_art_5_1_there_are_two_bets_to_lay() -> None:
    assert RULES_2008.wagers == ("ante", "pair_plus")
    assert not RULES_2008.six_card_bonus and not RULES_2008.jackpot


def test_2008_art_5_2_each_bet_may_stand_alone_or_both_together() -> None:
    assert [line[0] for line in told("As Ks Js", PLAYS, ante=100)] == ["ante", "play"]
    assert [line[0] for line in told("As Ks Js", PLAYS, None, pair_plus=100)] == ["pair_plus"]
    both = [line[0] for line in told("As Ks Qs", PLAYS, ante=100, pair_plus=50)]
    assert both == ["ante", "play", "ante_bonus", "pair_plus"]


def test_2008_art_8_combinations_descend_as_printed() -> None:
    assert " ".join(STRONGEST_FIRST) == "straight_flush three_of_a_kind straight flush pair high_card"
    lowest_and_next_highest = [
        ("3s 2s As", "Ad Ah Ac"),
        ("2s 2h 2d", "Ah Kd Qc"),
        ("3s 2h Ad", "Ac Kc Jc"),
        ("5s 3s 2s", "Ad Ah Kc"),
        ("2s 2h 3d", "As Kh Jd"),
    ]
    for stronger, weaker in lowest_and_next_highest:
        assert told(stronger, weaker, ante=100)[0] == ("ante", "win", "1:1", 100, "9.º 6)")


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        pytest.param("9s 8s 7s", "8h 7h 6h", id="1) by the highest card"),
        pytest.param("4s 3s 2s", "3h 2h Ah", id="1) 3-2-A is the lowest"),
        pytest.param("9s 9h 9d", "8s 8h 8d", id="2) by the highest card"),
        pytest.param("9s 8h 7s", "8h 7c 6h", id="3) by the highest card"),
        pytest.param("As 4s 2s", "Kh Qh Th", id="4) by the highest card"),
        pytest.param("As 9s 2s", "Ah 8h 7h", id="4) by the second card"),
        pytest.param("As 9s 4s", "Ah 9h 3h", id="4) by the third card"),
        pytest.param("3s 3h 2s", "2c 2h Ad", id="5) by the pair"),
        pytest.param("9s 9h 4s", "9d 9c 3h", id="5) by the kicker"),
        pytest.param("As 4h 2s", "Kh Qh Td", id="6) by the highest card"),
        pytest.param("As 9s 2h", "Ah 8h 7d", id="6) by the second card"),
        pytest.param("As 9s 4h", "Ah 9h 3d", id="6) by the third card"),
    ],
)
def test_2008_art_8_each_item_decides_between_two_hands_of_its_class(stronger: str, weaker: str) -> None:
    assert [line[1:5] for line in told(stronger, weaker, ante=100)[:2]] == [("win", "1:1", 100, "9.º 6)")] * 2
    assert [line[1:5] for line in told(weaker, stronger, ante=100)[:2]] == [("lose", None, -100, "9.º 7)")] * 2


@pytest.mark.parametrize(
    ("cards", "dealer", "article"),
    [
        ("9s 8s 7s", "9h 8h 7h", "8.º 1)"),
        ("9s 8s 7h", "9h 8h 7s", "8.º 3)"),
        ("As 9s 4s", "Ah 9h 4h", "8.º 4)"),
        ("9s 9h 4s", "9d 9c 4h", "8.º 5)"),
        ("Qs 9h 4s", "Qd 9c 4h", "8.º 6)"),
    ],
)
def test_2008_art_8_equal_hands_are_a_push_of_both_bets(cards: str, dealer: str, article: str) -> None:
    basic = told(cards, dealer, ante=100)[:2]
    assert basic == [("ante", "push", None, 0, article), ("play", "push", None, 0, article)]


def test_2008_art_9_1_the_double_is_equal_to_the_ante() -> None:
    seats = {1: SeatRound({"ante": 12345}, "play", parse_cards("As Ks Qs"))}
    lines = settle(seats, parse_cards(PLAYS), None, None, RULES_2008).seats["1"].lines
    assert [line.stake for line in lines] == [12345, 12345, 12345]


def test_2008_art_9_2_a_fold_is_one_losing_ante_line() -> None:
    assert told("As Ks Qs", DOES_NOT_PLAY, "fold", ante=100) == [("ante", "lose", None, -100, "9.º 2)")]


@pytest.mark.parametrize(
    ("dealer", "plays"),
    [("Qd 3c 2h", True), ("Jd Tc 8h", False), ("5d 3c 2h", False), ("2d 2c 3h", True), ("3d 2c Ah", True)],
)
def test_2008_art_9_4_the_bank_plays_with_queen_high_or_better(dealer: str, plays: bool) -> None:
    assert bank_plays(parse_cards(dealer), RULES_2008) is plays


@pytest.mark.parametrize("cards", ["As 9h 4s", "5s 3h 2s", "Js 9h 4c"])
def test_2008_art_9_5_bank_below_queen_pays_ante_and_returns_the_double(cards: str) -> None:
    even = [("ante", "win", "1:1", 100, "9.º 5)"), ("play", "push", None, 0, "9.º 5)")]
    assert told(cards, DOES_NOT_PLAY, ante=100) == even


def test_2008_art_9_6_a_higher_hand_wins_ante_and_double_at_even_odds() -> None:
    won = [("ante", "win", "1:1", 100, "9.º 6)"), ("play", "win", "1:1", 100, "9.º 6)")]
    assert told("Qs 9h 5s", PLAYS, ante=100) == won


def test_2008_art_9_7_a_lower_hand_loses_ante_and_double() -> None:
    lost = [("ante", "lose", None, -100, "9.º 7)"), ("play", "lose", None, -100, "9.º 7)")]
    assert told("Qs 9h 3s", PLAYS, ante=100) == lost


@pytest.mark.parametrize(
    ("cards", "odds", "article"),
    [
        ("As Ks Qs", 5, "9.º 8) (1)"),
        ("3s 2s As", 5, "9.º 8) (1)"),
        ("As Ah Ac", 4, "9.º 8) (2)"),
        ("2s 2d 2c", 4, "9.º 8) (2)"),
        ("As Kh Qs", 1, "9.º 8) (3)"),
        ("3s 2d As", 1, "9.º 8) (3)"),
        ("As Ks Js", None, None),
        ("As Ac Ks", None, None),
    ],
)
@pytest.mark.parametrize("dealer", [PLAYS, DOES_NOT_PLAY, "Kd Kh Kc"])
def test_2008_art_9_8_the_ante_bonus_is_paid_whatever_the_bank_has(
    cards: str, odds: int | None, article: str | None, dealer: str
) -> None:
    bonus = [line for line in told(cards, dealer, ante=100) if line[0] == "ante_bonus"]
    assert bonus == ([("ante_bonus", "win", f"{odds}:1", 100 * odds, article)] if odds else [])


def test_2008_art_9_8_no_ante_bonus_without_an_ante_in_play() -> None:
    assert [line[0] for line in told("As Ks Qs", PLAYS, "fold", ante=100)] == ["ante"]
    assert [line[0] for line in told("As Ks Qs", PLAYS, None, pair_plus=100)] == ["pair_plus"]


@pytest.mark.parametrize("cards", ["As Kh Js", "5s 3h 2s"])
def test_2008_art_9_9_pair_plus_loses_below_a_pair(cards: str) -> None:
    assert told(cards, PLAYS, None, pair_plus=100) == [("pair_plus", "lose", None, -100, "9.º 9)")]


@pytest.mark.parametrize(
    ("cards", "odds", "article"),
    [
        ("As Ks Qs", 40, "10.º 1)"),
        ("3s 2s As", 40, "10.º 1)"),
        ("As Ah Ac", 25, "10.º 2)"),
        ("2s 2d 2c", 25, "10.º 2)"),
        ("As Kh Qs", 5, "10.º 3)"),
        ("3s 2d As", 5, "10.º 3)"),
        ("As Ks Js", 4, "10.º 4)"),
        ("5s 3s 2s", 4, "10.º 4)"),
        ("As Ac Ks", 1, "10.º 5)"),
        ("2s 2d 3s", 1, "10.º 5)"),
    ],
)
@pytest.mark.parametrize("dealer", [PLAYS, DOES_NOT_PLAY, "Kd Kh Kc"])
@pytest.mark.parametrize("ante", [0, 100])
def test_2008_art_10_pair_plus_pays_its_table_whatever_the_bank_has(
    cards: str, odds: int, article: str, dealer: str, ante: int
) -> None:
    beside = {"ante": ante} if ante else {}
    lines = told(cards, dealer, "play" if ante else None, pair_plus=100, **beside)
    assert lines[-1] == ("pair_plus", "win", f"{odds}:1", 100 * odds, article)
