"""Black-jack/21, rules 26 to 37 in round files: splits, doubles, insurance, even money, special prize, giving up."""

import pytest

from tests.rulebook.blackjack_rounds import backer, blackjack, lines_of, refused_by, seat


def test_blackjack_rule_26_split_aces_get_one_card_each() -> None:
    shoe = "Ac Ts Ad 7h 5c 9d"
    assert lines_of(shoe, seat("split")) == [("hand 1", "", 200, -200, "23"), ("hand 2", "", 200, 200, "23")]
    for more in ("hit", "stand", "double"):
        assert refused_by(blackjack(shoe, seat("split", more))) == ("seat 1", "26")
    for more in ("hit", "double"):
        assert refused_by(blackjack("Ac Ts Ad 7h Ah 9d", seat("split", more))) == ("seat 1", "26")


def test_blackjack_rule_28_he_is_not_asked_about_a_hand_that_he_is_not_on() -> None:
    decisions = ("split", "stand", "split", "stand", "hit")
    shoe = "8c Ts 8d 7h 9c 8h Th 3c Tc"
    assert lines_of(shoe, seat(*decisions, backers=[backer("Rui", False)]))[3:] == [("hand 1", "Rui", 100, 0, "24")]
    assert refused_by(blackjack(shoe, seat(*decisions, backers=[backer("Rui", False, False)]))) == ("seat 1", "28")
    assert refused_by(blackjack(shoe, seat(*decisions, backers=[backer("Rui")]))) == ("seat 1", "28")


@pytest.mark.parametrize(("cards", "third"), [("4c 5d", "Tc"), ("4c 6d", "9c"), ("6c 5d", "8c"), ("2c 7d", "Td")])
def test_blackjack_rule_29_nine_ten_and_eleven_are_doubled_with_one_card(cards: str, third: str) -> None:
    first, second = cards.split()
    assert lines_of(f"{first} Ts {second} 7h {third}", seat("double")) == [("hand 1", "", 400, 400, "23")]
    assert refused_by(blackjack(f"{first} Ts {second} 7h {third} 2c", seat("double", "hit"))) == ("seat 1", "29")


def test_blackjack_rule_30_a_backer_doubles_with_the_seat_or_not() -> None:
    backers = [backer("Ana", True), backer("Rui", False)]
    assert lines_of("5c Ts 6d 7h Td", seat("double", backers=backers)) == [
        ("hand 1", "", 400, 400, "23"),
        ("hand 1", "Ana", 200, 200, "23"),
        ("hand 1", "Rui", 100, 100, "23"),
    ]
    assert refused_by(blackjack("5c Ts 6d 7h Td", seat("double", backers=[backer("Ana")]))) == ("seat 1", "30")


def test_blackjack_rule_33_no_more_than_half_the_bet_and_only_against_an_ace() -> None:
    assert refused_by(blackjack("9c As 9d Kh", seat("stand", insurance=101))) == ("seat 1", "33")
    for open_card in ("Ts", "9s"):
        assert refused_by(blackjack(f"9c {open_card} 9d 8h", seat("stand", insurance=1))) == ("seat 1", "33")


def test_blackjack_rule_34_only_a_black_jack_only_against_an_ace_and_not_with_insurance() -> None:
    assert refused_by(blackjack("9c As Kd Kh", seat("stand", even_money=True))) == ("seat 1", "34")
    assert refused_by(blackjack("Ac Ks Kd 7h", seat(even_money=True))) == ("seat 1", "34")
    assert refused_by(blackjack("Ac As Kd Kh", seat(even_money=True, insurance=100))) == ("seat 1", "34")
    with_backer = seat(even_money=True, backers=[backer("Ana", insurance=50)])
    assert refused_by(blackjack("Ac As Kd Kh", with_backer)) == ("seat 1", "34")
    # A black-jack may be insured instead.
    assert lines_of("Ac As Kd Kh", seat(insurance=100)) == [
        ("hand 1", "", 200, 0, "21"),
        ("insurance", "", 100, 200, "33"),
    ]


def test_blackjack_rule_36_never_against_an_ace_and_only_before_play() -> None:
    assert refused_by(blackjack("Tc As 6d 7h", seat("surrender"))) == ("seat 1", "36")
    assert refused_by(blackjack("2c Ts 6d 7h 2d", seat("hit", "surrender"))) == ("seat 1", "36")
    assert refused_by(blackjack("8c Ts 8d 7h 2d", seat("split", "surrender"))) == ("seat 1", "36")
    # What was decided cannot be changed.
    assert refused_by(blackjack("Tc Ts 6d 7h", seat("surrender", "hit"))) == ("seat 1", "36")


# ---- 31, the other reading

MORE = ["double_after_split_three_cards"]


@pytest.mark.parametrize("rules", ["", {}, [1], ["x"], [*MORE, "x"], MORE[0]])
def test_blackjack_the_readings_of_a_round_file_are_known_ones(rules: object) -> None:
    assert refused_by(blackjack("9c 5s 8d Td", seat("stand")) | {"rules": rules}) == ("rules", None)
