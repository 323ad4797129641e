"""Every line of a settled round of Fortune 3 Card Poker 2025, named after its article."""

import msgspec
import pytest

from controller.rulebook.cards import parse_cards
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, bank_plays, settle
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.refusal import Refusal
from controller.rulebook.settlement import Line, Settlement
from tests.saying import saying

PLAYS = "Qd 9c 4h"
DOES_NOT_PLAY = "Jd 9c 4h"
TERMS = JackpotTerms(
    pot=1_000_000,
    minimum=500_000,
    fixed={
        "royal_flush": 50_000,
        "straight_flush": 10_000,
        "four_of_a_kind": 1_500,
        "full_house": 500,
        "flush": 250,
    },
)


def lines(
    cards: str, dealer: str, decision: str | None = "play", community: str | None = None, **wagers: int
) -> list[Line]:
    """The lines of seat 1, alone at the table."""
    seat = SeatRound(wagers, decision, parse_cards(cards))
    shared = parse_cards(community) if community else None
    return settle({1: seat}, parse_cards(dealer), shared, TERMS if community else None).seats["1"].lines


def told(found: list[Line]) -> list[tuple[str, str, str | None, int, str]]:
    return [(line.wager, line.outcome, line.odds, line.net, line.article) for line in found]


@pytest.mark.parametrize(
    ("dealer", "plays"),
    [
        ("Qd 3c 2h", True),
        ("Jd Tc 8h", False),
        ("5d 3c 2h", False),
        ("2d 2c 3h", True),
        ("3d 2c Ah", True),
        ("5d 3d 2d", True),
        ("Ad 3c 4h", True),
        ("4d 3c 2h", True),
        ("Jd Jc 2h", True),
    ],
)
def test_art_13_2_the_bank_plays_with_queen_high_or_better(dealer: str, plays: bool) -> None:
    assert bank_plays(parse_cards(dealer)) is plays


def test_art_13_1_bank_below_queen_pays_ante_and_returns_the_double() -> None:
    even = [("ante", "win", "1:1", 100, "13.º 1)"), ("play", "push", None, 0, "13.º 1)")]
    assert told(lines("As 9h 4s", DOES_NOT_PLAY, ante=100)) == even
    assert told(lines("5s 3h 2s", DOES_NOT_PLAY, ante=100)) == even, "a lower hand too"
    assert told(lines("Js 9h 4c", DOES_NOT_PLAY, ante=100)) == even, "an equal hand too"


def test_art_13_3_a_higher_hand_wins_ante_and_double_at_even_odds() -> None:
    assert told(lines("Qs 9h 5s", PLAYS, ante=100)) == [
        ("ante", "win", "1:1", 100, "13.º 3)"),
        ("play", "win", "1:1", 100, "13.º 3)"),
    ]


def test_art_13_3_a_lower_hand_loses_ante_and_double() -> None:
    assert told(lines("Qs 9h 3s", PLAYS, ante=100)) == [
        ("ante", "lose", None, -100, "13.º 3)"),
        ("play", "lose", None, -100, "13.º 3)"),
    ]


@pytest.mark.parametrize(
    ("cards", "dealer", "article"),
    [
        ("9s 8s 7s", "9h 8h 7h", "7.º 1 1)"),
        ("9s 8s 7h", "9h 8h 7s", "7.º 1 3)"),
        ("As 9s 4s", "Ah 9h 4h", "7.º 1 4)"),
        ("9s 9h 4s", "9d 9c 4h", "7.º 1 5)"),
        ("Qs 9h 4s", "Qd 9c 4h", "7.º 1 6)"),
    ],
)
def test_art_7_1_equal_hands_are_a_push_of_both_bets(cards: str, dealer: str, article: str) -> None:
    basic = told(lines(cards, dealer, ante=100))[:2]
    assert basic == [("ante", "push", None, 0, article), ("play", "push", None, 0, article)]


def test_art_6_2_a_bank_with_3_2_a_plays_and_loses_to_4_3_2() -> None:
    assert [line.net for line in lines("4s 3h 2s", "3d 2c Ah", ante=100)] == [100, 100, 100]
    assert [line.net for line in lines("As Ah Kd", "3d 2c Ac", ante=100)] == [-100, -100]


def test_art_12_2_a_fold_is_one_losing_ante_line() -> None:
    assert told(lines("As Ks Qs", DOES_NOT_PLAY, "fold", ante=100)) == [("ante", "lose", None, -100, "12.º 2")]


def test_art_12_2_the_double_is_equal_to_the_ante() -> None:
    assert [line.stake for line in lines("As Ks Qs", PLAYS, ante=12345)] == [12345, 12345, 12345]


@pytest.mark.parametrize(
    ("cards", "odds", "article"),
    [
        ("As Ks Qs", 5, "13.º 4) (1)"),
        ("3s 2s As", 5, "13.º 4) (1)"),
        ("As Ah Ac", 4, "13.º 4) (2)"),
        ("2s 2d 2c", 4, "13.º 4) (2)"),
        ("As Kh Qs", 1, "13.º 4) (3)"),
        ("3s 2d As", 1, "13.º 4) (3)"),
        ("As Ks Js", None, None),
        ("As Ac Ks", None, None),
    ],
)
@pytest.mark.parametrize("dealer", [PLAYS, DOES_NOT_PLAY, "Kd Kh Kc"])
def test_art_13_4_the_ante_bonus_is_paid_whatever_the_bank_has(
    cards: str, odds: int | None, article: str | None, dealer: str
) -> None:
    bonus = [line for line in told(lines(cards, dealer, ante=100)) if line[0] == "ante_bonus"]
    assert bonus == ([("ante_bonus", "win", f"{odds}:1", 100 * odds, article)] if odds else [])


def test_art_13_4_the_ante_bonus_is_paid_to_a_hand_that_loses() -> None:
    assert [line.net for line in lines("9s 8h 7s", "Kd Kh Kc", ante=100)] == [-100, -100, 100]


def test_art_13_4_no_ante_bonus_without_an_ante() -> None:
    assert [line.wager for line in lines("As Ks Qs", PLAYS, None, pair_plus=100)] == ["pair_plus"]


@pytest.mark.parametrize(
    ("cards", "odds", "article"),
    [
        ("As Ks Qs", 40, "16.º 1 1)"),
        ("3s 2s As", 40, "16.º 1 1)"),
        ("As Ah Ac", 25, "16.º 1 2)"),
        ("2s 2d 2c", 25, "16.º 1 2)"),
        ("As Kh Qs", 5, "16.º 1 3)"),
        ("3s 2d As", 5, "16.º 1 3)"),
        ("As Ks Js", 4, "16.º 1 4)"),
        ("5s 3s 2s", 4, "16.º 1 4)"),
        ("As Ac Ks", 1, "16.º 1 5)"),
        ("2s 2d 3s", 1, "16.º 1 5)"),
    ],
)
@pytest.mark.parametrize("dealer", [PLAYS, DOES_NOT_PLAY, "Kd Kh Kc"])
def test_art_16_1_pair_plus_pays_its_table_whatever_the_bank_has(
    cards: str, odds: int, article: str, dealer: str
) -> None:
    won = [("pair_plus", "win", f"{odds}:1", 100 * odds, article)]
    assert told(lines(cards, dealer, None, pair_plus=100)) == won


@pytest.mark.parametrize("cards", ["As Kh Js", "5s 3h 2s"])
def test_art_13_5_pair_plus_loses_below_a_pair(cards: str) -> None:
    assert told(lines(cards, PLAYS, None, pair_plus=100)) == [("pair_plus", "lose", None, -100, "13.º 5)")]


@pytest.mark.parametrize(
    ("cards", "dealer", "odds", "combination", "article"),
    [
        ("As Ks Qs", "Js Ts 2d", 500, "royal_flush", "16.º 2 1)"),
        ("Ks Qs 2d", "Ts Js As", 500, "royal_flush", "16.º 2 1)"),
        ("9s Ks Qs", "Js Ts 2d", 100, "straight_flush", "16.º 2 2)"),
        ("5s 4s 3s", "2s As 2d", 100, "straight_flush", "16.º 2 2)"),
        ("9s 9h 2s", "9d 9c 2d", 50, "four_of_a_kind", "16.º 2 3)"),
        ("9s 9h 9d", "2c 2s 2d", 20, "full_house", "16.º 2 4)"),
        ("2s 2h 3d", "3c 3s Kd", 20, "full_house", "16.º 2 4)"),
        ("As Ks 9s", "5s 2s 2d", 15, "flush", "16.º 2 5)"),
        ("7s 5s 4s", "3s 2s 6d", 15, "flush", "16.º 2 5)"),
        ("As Kh Qs", "Jc Ts 2d", 10, "straight", "16.º 2 6)"),
        ("5s 4h 3s", "2c As Kd", 10, "straight", "16.º 2 6)"),
        ("As Ah 3d", "Ac Js 9d", 7, "three_of_a_kind", "16.º 2 7)"),
        ("2s 2h 3d", "2c Js 9d", 7, "three_of_a_kind", "16.º 2 7)"),
    ],
)
def test_art_16_2_six_card_bonus_pays_the_best_five_of_six(
    cards: str, dealer: str, odds: int, combination: str, article: str
) -> None:
    line = lines(cards, dealer, None, pair_plus=1, six_card_bonus=100)[-1]
    assert told([line]) == [("six_card_bonus", "win", f"{odds}:1", 100 * odds, article)]
    assert line.combination == combination


def test_art_14_six_card_bonus_loses_below_three_of_a_kind() -> None:
    line = lines("As Ah Kd", "Ks Qc Jd", None, pair_plus=1, six_card_bonus=100)[-1]
    assert told([line]) == [("six_card_bonus", "lose", None, -100, "14.º")]
    assert line.combination is None


def test_art_14_six_card_bonus_does_not_ask_whether_the_bank_plays() -> None:
    assert not bank_plays(parse_cards("Jd 9c 4h"))
    assert lines("Js Jh 5c", "Jd 9c 4h", "fold", ante=1, six_card_bonus=100)[-1].net == 700


@pytest.mark.parametrize(
    ("cards", "community", "amount", "combination", "article"),
    [
        ("As Ks Qs", "Js Ts", 1_000_000, "royal_flush", "16.º 3 1)"),
        ("9s Ks Qs", "Js Ts", 100_000, "straight_flush", "16.º 3 2)"),
        ("5s 4s 3s", "2s As", 100_000, "straight_flush", "16.º 3 2)"),
        ("9s 9h 2s", "9d 9c", 1_500, "four_of_a_kind", "16.º 3 3)"),
        ("9s 9h 9d", "2c 2s", 500, "full_house", "16.º 3 4)"),
        ("As Ks 9s", "5s 2s", 250, "flush", "16.º 3 5)"),
        ("7s 5s 4s", "3s 2s", 250, "flush", "16.º 3 5)"),
    ],
)
def test_art_16_3_the_jackpot_pays_the_three_cards_with_the_community_cards(
    cards: str, community: str, amount: int, combination: str, article: str
) -> None:
    line = lines(cards, "Jd 9c 4h", None, community, pair_plus=1, jackpot=5)[-1]
    assert told([line]) == [("jackpot", "win", None, amount - 5, article)]
    assert line.combination == combination


@pytest.mark.parametrize(
    ("cards", "community"), [("As Kh Qs", "Js Ts"), ("9s 9h Kd", "9d 2c"), ("Ks Kh 2d", "2c As"), ("As Ks Qs", "Js Th")]
)
def test_art_15_1_the_jackpot_loses_below_a_flush(cards: str, community: str) -> None:
    line = lines(cards, "Jd 9c 4h", None, community, pair_plus=1, jackpot=5)[-1]
    assert told([line]) == [("jackpot", "lose", None, -5, "15.º 1")]
    assert line.combination is None


def test_art_15_1_the_cards_of_the_bank_are_no_part_of_the_jackpot() -> None:
    assert lines("As Ks Qs", "Js Ts 9s", None, "2c 2d", pair_plus=1, jackpot=5)[-1].outcome == "lose"


def test_art_16_3_an_award_below_the_chip_is_still_a_win() -> None:
    line = lines("As Ks 9s", PLAYS, None, "5s 2s", pair_plus=1, jackpot=300)[-1]
    assert (line.outcome, line.net) == ("win", -50)


@pytest.mark.parametrize("dealer", [PLAYS, DOES_NOT_PLAY])
def test_art_12_3_and_12_4_a_fold_leaves_the_other_bets_as_they_were(dealer: str) -> None:
    bets = {"ante": 100, "pair_plus": 50, "six_card_bonus": 10, "jackpot": 5}
    folded = lines("As Ks 9s", dealer, "fold", "5s 2s", **bets)
    played = lines("As Ks 9s", dealer, "play", "5s 2s", **bets)
    assert folded[1:] == [line for line in played if line.wager not in ("ante", "play", "ante_bonus")]
    assert [line.wager for line in folded[1:]] == ["pair_plus", "six_card_bonus", "jackpot"]


def test_art_12_3_a_folded_hand_that_was_never_shown_has_no_name() -> None:
    answer = settle({4: SeatRound({"ante": 100}, "fold", None)}, parse_cards(PLAYS), None, None)
    assert msgspec.to_builtins(answer.seats["4"]) == {
        "hand": None,
        "net": -100,
        "lines": [{"wager": "ante", "stake": 100, "outcome": "lose", "odds": None, "net": -100, "article": "12.º 2"}],
    }


def test_a_bet_without_the_cards_or_terms_it_needs_is_refused() -> None:
    dealer = parse_cards(PLAYS)
    unseen = SeatRound({"ante": 100, "pair_plus": 50}, "fold", None)
    chip = SeatRound({"pair_plus": 50, "jackpot": 5}, None, parse_cards("As Ks 9s"))
    with pytest.raises(Refusal, check=saying("^seat 2: ")):
        settle({2: unseen}, dealer, None, None)
    with pytest.raises(Refusal, check=saying(r"^community: .*\(11\.º 3\)$")):
        settle({2: chip}, dealer, None, TERMS)
    with pytest.raises(Refusal, check=saying(r"^jackpot: .*\(16\.º 3\)$")):
        settle({2: chip}, dealer, parse_cards("5s 2s"), None)


def test_art_13_lines_stand_in_the_order_of_the_wagers_and_seats_ascend() -> None:
    seats = {
        5: SeatRound({"ante": 2}, "play", parse_cards("5d 5h 2h")),
        2: SeatRound({"jackpot": 5, "six_card_bonus": 4, "pair_plus": 3, "ante": 2}, "play", parse_cards("As Ks Qs")),
    }
    answer = settle(seats, parse_cards(PLAYS), parse_cards("7d 8d"), TERMS)
    assert list(answer.seats) == ["2", "5"]
    wagers = ["ante", "play", "ante_bonus", "pair_plus", "six_card_bonus", "jackpot"]
    assert [line.wager for line in answer.seats["2"].lines] == wagers


def test_a_settlement_is_read_back_from_its_json_as_it_was() -> None:
    seats = {1: SeatRound({"pair_plus": 3, "jackpot": 5}, None, parse_cards("As Ks Qs"))}
    for terms, community in ((TERMS, parse_cards("Js Ts")), (TERMS, parse_cards("2d 2c"))):
        answer = settle(seats, parse_cards(PLAYS), community, terms)
        assert msgspec.json.decode(msgspec.json.encode(answer), type=Settlement) == answer
        assert msgspec.json.decode(msgspec.json.encode(answer)) == msgspec.to_builtins(answer)


def test_every_paytable_row_cites_its_own_item() -> None:
    tables = [RULES_2025.ante_bonus, RULES_2025.pair_plus, RULES_2025.six_card_bonus]
    cited = [odds.article for table in tables for odds in table.values()]
    cited += [tier.article for tier in RULES_2025.jackpot.values()]
    assert cited == [
        *(f"13.º 4) ({item})" for item in range(1, 4)),
        *(f"16.º 1 {item})" for item in range(1, 6)),
        *(f"16.º 2 {item})" for item in range(1, 8)),
        *(f"16.º 3 {item})" for item in range(1, 6)),
    ]
