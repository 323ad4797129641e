"""Black-jack/21, rules 26 to 37 in round files: splits, doubles, insurance, even money, special prize, giving up."""

import pytest

from tests.rulebook.blackjack_rounds import backer, blackjack, lines, refused_by, seat, settled, told


def test_blackjack_rule_26_a_pair_is_split_into_two_bets_played_one_after_the_other() -> None:
    # The current hand gets its second card unasked and is played out before the next gets its own.
    assert told("8c Ts 8d 7h 2c 9c 3c Th", seat("split", "hit", "stand", "hit")) == [
        ("hand 1", "", 200, 200, "23"),
        ("hand 2", "", 200, 200, "23"),
    ]
    assert told("8c Ts 8d 7h 7c 9c Th", seat("split", "hit", "stand")) == [
        ("hand 1", "", 200, -200, "22"),
        ("hand 2", "", 200, 200, "23"),
    ]


@pytest.mark.parametrize("pair", ["Tc Kd", "Kc Qd", "5c 5c", "2d 2h"])
def test_blackjack_rule_26_equal_values_are_split_whatever_rank_or_suit(pair: str) -> None:
    first, second = pair.split()
    answer = told(f"{first} Ts {second} 7h Tc Td", seat("split", "stand", "stand"))
    assert [line[0] for line in answer] == ["hand 1", "hand 2"]


def test_blackjack_rule_26_unequal_values_are_not_split() -> None:
    assert refused_by(blackjack("9c Ts 8d 7h", seat("split"))) == ("seat 1", "26")
    assert refused_by(blackjack("4c Ts 4d 7h 8h", seat("hit", "split"))) == ("seat 1", "26")


def test_blackjack_rule_26_split_aces_get_one_card_each() -> None:
    shoe = "Ac Ts Ad 7h 5c 9d"
    assert told(shoe, seat("split")) == [("hand 1", "", 200, -200, "23"), ("hand 2", "", 200, 200, "23")]
    for more in ("hit", "stand", "double"):
        assert refused_by(blackjack(shoe, seat("split", more))) == ("seat 1", "26")
    for more in ("hit", "double"):
        assert refused_by(blackjack("Ac Ts Ad 7h Ah 9d", seat("split", more))) == ("seat 1", "26")


def test_blackjack_rule_26_a_pair_of_aces_may_be_played_as_one_hand() -> None:
    assert told("Ac Ts Ad 7h 9c", seat("hit")) == [("hand 1", "", 200, 200, "23")]
    assert told("Ac Ts Ad 7h", seat("stand")) == [("hand 1", "", 200, -200, "23")]


def test_blackjack_rule_27_a_split_hand_is_split_again_and_follows_at_once() -> None:
    decisions = ("split", "split", "hit", "stand", "stand")
    assert told("8c Ts 8d 7h 8h 3c Tc 9c Td", seat(*decisions)) == [
        ("hand 1", "", 200, 200, "23"),
        ("hand 2", "", 200, 0, "24"),
        ("hand 3", "", 200, 200, "23"),
    ]
    assert refused_by(blackjack("8c Ts 8d 7h 3c", seat("split", "split"))) == ("seat 1", "27")


def test_blackjack_rule_27_a_split_ace_that_gets_an_ace_is_split_or_stands() -> None:
    assert told("Ac Ts Ad 7h Ah 9c 5c As", seat("split", "split", "stand")) == [
        ("hand 1", "", 200, 200, "23"),
        ("hand 2", "", 200, -200, "23"),
        ("hand 3", "", 200, -200, "23"),
    ]


def test_blackjack_rule_28_a_backer_follows_a_split_or_stays_with_the_first_hand() -> None:
    backers = [backer("Ana", True), backer("Rui", False)]
    assert told("8c Ts 8d 7h 9c Th", seat("split", "stand", "stand", backers=backers)) == [
        ("hand 1", "", 200, 0, "24"),
        ("hand 2", "", 200, 200, "23"),
        ("hand 1", "Ana", 100, 0, "24"),
        ("hand 2", "Ana", 100, 100, "23"),
        ("hand 1", "Rui", 100, 0, "24"),
    ]


def test_blackjack_rule_28_he_is_asked_again_when_his_hand_is_split_again() -> None:
    decisions = ("split", "split", "stand", "stand", "hit")
    rui = told("8c Ts 8d 7h 8h 9c Th 3c Tc", seat(*decisions, backers=[backer("Rui", False, True)]))[3:]
    assert rui == [("hand 1", "Rui", 100, 0, "24"), ("hand 2", "Rui", 100, 100, "23")]


def test_blackjack_rule_28_he_is_not_asked_about_a_hand_that_he_is_not_on() -> None:
    decisions = ("split", "stand", "split", "stand", "hit")
    shoe = "8c Ts 8d 7h 9c 8h Th 3c Tc"
    assert told(shoe, seat(*decisions, backers=[backer("Rui", False)]))[3:] == [("hand 1", "Rui", 100, 0, "24")]
    assert refused_by(blackjack(shoe, seat(*decisions, backers=[backer("Rui", False, False)]))) == ("seat 1", "28")
    assert refused_by(blackjack(shoe, seat(*decisions, backers=[backer("Rui")]))) == ("seat 1", "28")


@pytest.mark.parametrize(("cards", "third"), [("4c 5d", "Tc"), ("4c 6d", "9c"), ("6c 5d", "8c"), ("2c 7d", "Td")])
def test_blackjack_rule_29_nine_ten_and_eleven_are_doubled_with_one_card(cards: str, third: str) -> None:
    first, second = cards.split()
    assert told(f"{first} Ts {second} 7h {third}", seat("double")) == [("hand 1", "", 400, 400, "23")]
    assert refused_by(blackjack(f"{first} Ts {second} 7h {third} 2c", seat("double", "hit"))) == ("seat 1", "29")


@pytest.mark.parametrize("cards", ["5c 7d", "2c 6d", "Tc 2d", "Ac 2d", "Ac Ad", "9c 9d"])
def test_blackjack_rule_29_nothing_else_is_doubled(cards: str) -> None:
    first, second = cards.split()
    assert refused_by(blackjack(f"{first} Ts {second} 7h 9h", seat("double"))) == ("seat 1", "29")


def test_blackjack_rule_29_only_the_first_two_cards_are_doubled() -> None:
    assert refused_by(blackjack("2c Ts 3d 7h 4c 9c", seat("hit", "double"))) == ("seat 1", "29")


def test_blackjack_rule_29_a_doubled_bet_is_lost_or_null_as_a_whole() -> None:
    assert told("5c Ts 6d 7h 5d", seat("double")) == [("hand 1", "", 400, -400, "23")]
    assert told("5c Ts 6d 7h 6d", seat("double")) == [("hand 1", "", 400, 0, "24")]
    assert told("5c Ts 6d Ah Td", seat("double")) == [("hand 1", "", 400, -400, "20")]


def test_blackjack_rule_30_a_backer_doubles_with_the_seat_or_not() -> None:
    backers = [backer("Ana", True), backer("Rui", False)]
    assert told("5c Ts 6d 7h Td", seat("double", backers=backers)) == [
        ("hand 1", "", 400, 400, "23"),
        ("hand 1", "Ana", 200, 200, "23"),
        ("hand 1", "Rui", 100, 100, "23"),
    ]
    assert refused_by(blackjack("5c Ts 6d 7h Td", seat("double", backers=[backer("Ana")]))) == ("seat 1", "30")


def test_blackjack_rule_31_split_hands_are_doubled_too() -> None:
    backers = [backer("Ana", True, False, True), backer("Rui", False, True)]
    assert told("5c Ts 5d 7h 6c Tc 4c Td", seat("split", "double", "double", backers=backers)) == [
        ("hand 1", "", 400, 400, "23"),
        ("hand 2", "", 400, 400, "23"),
        ("hand 1", "Ana", 100, 100, "23"),
        ("hand 2", "Ana", 200, 200, "23"),
        ("hand 1", "Rui", 200, 200, "23"),
    ]
    assert refused_by(blackjack("5c Ts 5d 7h 7c", seat("split", "double"))) == ("seat 1", "31")


def test_blackjack_rule_32_an_ace_counted_as_1_to_double_stays_1() -> None:
    assert told("Ac Ts 8d 7h 2c", seat("double")) == [("hand 1", "", 400, -400, "23")]
    assert told("9c Ts Ad 7h Ah", seat("double")) == [("hand 1", "", 400, 400, "23")]  # a drawn ace is 11
    assert told("Ac Ts 8d 7h 2c", seat("hit")) == [("hand 1", "", 200, 200, "23")]


def test_blackjack_rule_33_insurance_pays_two_to_one_on_the_bank_s_black_jack() -> None:
    assert told("9c As 9d Kh", seat("stand", insurance=100)) == [
        ("hand 1", "", 200, -200, "23"),
        ("insurance", "", 100, 200, "33"),
    ]
    assert told("9c As 9d 7h", seat("stand", insurance=60)) == [
        ("hand 1", "", 200, 0, "24"),
        ("insurance", "", 60, -60, "33"),
    ]
    # 21 in three cards is no black-jack.
    assert told("9c As 9d 5h 5c", seat("stand", insurance=60))[1] == ("insurance", "", 60, -60, "33")


def test_blackjack_rule_33_no_more_than_half_the_bet_and_only_against_an_ace() -> None:
    assert refused_by(blackjack("9c As 9d Kh", seat("stand", insurance=101))) == ("seat 1", "33")
    for open_card in ("Ts", "9s"):
        assert refused_by(blackjack(f"9c {open_card} 9d 8h", seat("stand", insurance=1))) == ("seat 1", "33")


def test_blackjack_rule_33_half_of_the_first_bet_even_if_it_is_doubled_later() -> None:
    assert refused_by(blackjack("5c As 5d Kh Tc", seat("double", insurance=200))) == ("seat 1", "33")


def test_blackjack_rule_34_a_black_jack_against_an_ace_may_take_even_money() -> None:
    for second in ("Kh", "7h"):
        round_ = blackjack(f"Ac As Kd {second}", seat(even_money=True, backers=[backer("Ana")]))
        answer = settled(round_)
        assert lines(answer) == [("hand 1", "", 200, 200, "34"), ("hand 1", "Ana", 100, 100, "34")]
        assert answer["dealer"] == {"cards": "As", "total": None, "black_jack": None}


def test_blackjack_rule_34_only_a_black_jack_only_against_an_ace_and_not_with_insurance() -> None:
    assert refused_by(blackjack("9c As Kd Kh", seat("stand", even_money=True))) == ("seat 1", "34")
    assert refused_by(blackjack("Ac Ks Kd 7h", seat(even_money=True))) == ("seat 1", "34")
    assert refused_by(blackjack("Ac As Kd Kh", seat(even_money=True, insurance=100))) == ("seat 1", "34")
    with_backer = seat(even_money=True, backers=[backer("Ana", insurance=50)])
    assert refused_by(blackjack("Ac As Kd Kh", with_backer)) == ("seat 1", "34")
    # A black-jack may be insured instead.
    assert told("Ac As Kd Kh", seat(insurance=100)) == [
        ("hand 1", "", 200, 0, "21"),
        ("insurance", "", 100, 200, "33"),
    ]


@pytest.mark.parametrize("cards", ["6c 7c 8c", "8c 6c 7c", "7d 8d 6d", "7c 7d 7h", "7s 7s 7s"])
def test_blackjack_rule_35_six_seven_eight_of_one_suit_or_three_sevens_win_three_times_the_bet_besides(
    cards: str,
) -> None:
    first, second, third = cards.split()
    backers = [backer("Ana")]
    assert told(f"{first} Ts {second} 7h {third}", seat("hit", backers=backers)) == [
        ("hand 1", "", 200, 200, "23"),
        ("special_prize 1", "", 200, 600, "35"),
        ("hand 1", "Ana", 100, 100, "23"),
        ("special_prize 1", "Ana", 100, 300, "35"),
    ]
    assert told(f"{first} Ts {second} Ah {third}", seat("hit")) == [
        ("hand 1", "", 200, -200, "20"),
        ("special_prize 1", "", 200, 600, "35"),
    ]


@pytest.mark.parametrize("cards", ["6c 7c 8d", "6c 8d 7h", "5c 7c 9c", "6c 6d 9h"])
def test_blackjack_rule_35_no_other_cards_win_it(cards: str) -> None:
    first, second, third = cards.split()
    assert told(f"{first} Ts {second} 7h {third}", seat("hit")) == [("hand 1", "", 200, 200, "23")]


def test_blackjack_rule_35_the_three_cards_are_those_of_one_hand() -> None:
    sevens = seat("split", "hit", "stand", backers=[backer("Rui", False)])
    assert told("7c Ts 7d 7h 7h 7s Tc", sevens) == [
        ("hand 1", "", 200, 200, "23"),
        ("hand 2", "", 200, 0, "24"),
        ("special_prize 1", "", 200, 600, "35"),
        ("hand 1", "Rui", 100, 100, "23"),
        ("special_prize 1", "Rui", 100, 300, "35"),
    ]
    assert told("7c Ts 7d 7h Tc 7h 7s", seat("split", "stand", "hit", backers=[backer("Rui", False)])) == [
        ("hand 1", "", 200, 0, "24"),
        ("hand 2", "", 200, 200, "23"),
        ("special_prize 2", "", 200, 600, "35"),
        ("hand 1", "Rui", 100, 0, "24"),
    ]
    # Three sevens at the seat, never three in one hand.
    assert len(told("7c Ts 7d 7h 7h Tc", seat("split", "stand", "stand"))) == 2


def test_blackjack_rule_36_giving_up_loses_half_the_bet() -> None:
    answer = settled(blackjack("Tc 9s 6d 7h", seat("surrender", bet=300, backers=[backer("Ana")])))
    assert answer["seats"]["1"]["lines"] == [
        {"wager": "hand", "hand": 1, "stake": 300, "outcome": "lose", "odds": None, "net": -150, "article": "36"},
        {"wager": "hand", "hand": 1, "player": "Ana", "stake": 100, "outcome": "lose", "odds": None, "net": -50,
         "article": "36"},
    ]  # fmt: skip


def test_blackjack_rule_36_never_against_an_ace_and_only_before_play() -> None:
    assert refused_by(blackjack("Tc As 6d 7h", seat("surrender"))) == ("seat 1", "36")
    assert refused_by(blackjack("2c Ts 6d 7h 2d", seat("hit", "surrender"))) == ("seat 1", "36")
    assert refused_by(blackjack("8c Ts 8d 7h 2d", seat("split", "surrender"))) == ("seat 1", "36")
    # What was decided cannot be changed.
    assert refused_by(blackjack("Tc Ts 6d 7h", seat("surrender", "hit"))) == ("seat 1", "36")


def test_blackjack_rule_36_every_seat_is_asked_before_any_card_is_added() -> None:
    answer = settled(blackjack("2c Tc Ts 6d 6h 7h Td", seat("hit", "stand"), seat("surrender")))
    assert lines(answer, 1) == [("hand 1", "", 200, 200, "23")]
    assert lines(answer, 2) == [("hand 1", "", 200, -100, "36")]


def test_blackjack_rule_37_the_maximum_is_30_times_the_minimum() -> None:
    assert told("9c Ts 9d 7h", seat("stand", bet=3000)) == [("hand 1", "", 3000, 3000, "23")]
    assert refused_by(blackjack("9c Ts 9d 7h", seat("stand", bet=3100))) == ("seat 1", "37")


# ---- 31, the other reading

MORE = ["double_after_split_three_cards"]


def test_blackjack_rule_31_by_the_other_reading_three_cards_of_a_split_hand_are_doubled() -> None:
    shoe = "4c 5s 4d Td 3h 2d Tc Th Kd"  # 4 3 2, doubled, a ten; 4 and a ten, and stand; the bank has 15, then 25
    round_ = blackjack(shoe, seat("split", "hit", "double", "stand"))
    assert refused_by(round_) == ("seat 1", "31")
    assert lines(settled(round_ | {"rules": MORE}))[:2] == [
        ("hand 1", "", 400, 400, "23"), ("hand 2", "", 200, 200, "23")
    ]  # fmt: skip


def test_blackjack_rule_29_by_the_other_reading_too_a_hand_that_was_not_split_doubles_on_two_cards_only() -> None:
    round_ = blackjack("4c 5s 3d Td 2h Tc Kd", seat("hit", "double")) | {"rules": MORE}
    assert refused_by(round_) == ("seat 1", "29")


@pytest.mark.parametrize("rules", ["", {}, [1], ["x"], [*MORE, "x"], MORE[0]])
def test_blackjack_the_readings_of_a_round_file_are_known_ones(rules: object) -> None:
    assert refused_by(blackjack("9c 5s 8d Td", seat("stand")) | {"rules": rules}) == ("rules", None)
