"""The turn of the bank around the table: who is asked, how long it is on hold, with what capital."""

from itertools import product

import pytest

from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.bank import (
    asked_next,
    check_capital,
    check_casino_share,
    check_continuing,
    check_taking,
    least_capital,
    may_continue,
)
from tests.with_words import with_words

ALL = range(1, 9)


def test_pai_kao_art_5_a_a_place_holds_the_bank_for_two_rounds_unless_all_others_agree() -> None:
    assert may_continue(1, [1, 2], []) and not may_continue(2, [1, 2], [])
    assert not may_continue(2, [1, 2], [1]) and may_continue(2, [1, 2], [2, 1]) and may_continue(7, [1, 2], [1, 2, 3])
    assert not may_continue(7, [1, 2], [3])


def test_pai_kao_art_5_a_the_refusal_names_those_who_did_not_agree() -> None:
    check_continuing(3, 1, [1, 2, 5], [])
    check_continuing(3, 2, [1, 2, 5], [1, 2, 5])
    with pytest.raises(Refusal, check=with_words("not all others agree to another: 2, 5")) as refusal:
        check_continuing(3, 2, [5, 1, 2], [1])
    assert (refusal.value.who, refusal.value.article) == ("place 3", "5.º a)")


def test_pai_kao_art_5_a_the_bank_goes_in_turn_to_the_right() -> None:
    for last_banker in ALL:
        assert asked_next(last_banker, 8, ALL, [], []) == last_banker % 8 + 1
    assert asked_next(4, 4, [1, 2, 3, 4], [], []) == 1


def test_pai_kao_art_5_a_an_empty_place_has_no_turn_and_its_neighbour_was_not_passed_a_refused_bank() -> None:
    assert asked_next(3, 8, [1, 6, 7], [], []) == 6
    assert asked_next(7, 8, [7, 2], [], [7]) == 2


def test_pai_kao_art_5_a_a_turn_needs_no_bet_in_the_round_before() -> None:
    assert asked_next(3, 8, ALL, [], []) == 4
    assert asked_next(3, 8, ALL, [], [5, 6]) == 4


def test_pai_kao_art_5_b_a_refused_bank_passes_to_the_right_and_only_to_who_bet_in_the_round_before() -> None:
    assert asked_next(3, 8, ALL, [4], [5]) == 5
    assert asked_next(3, 8, ALL, [4], [6, 8]) == 6
    assert asked_next(3, 8, ALL, [4, 6], [6, 8]) == 8
    assert asked_next(3, 8, ALL, [4, 6, 8], [6, 8]) is None
    assert asked_next(3, 8, ALL, [4], [2]) == 2
    assert asked_next(3, 8, ALL, [4], []) is None


def test_pai_kao_art_5_b_it_stops_where_it_came_from() -> None:
    others = [place for place in ALL if place != 3]
    assert asked_next(3, 8, ALL, others, ALL) is None
    assert asked_next(3, 8, [3], [], ALL) is None


def test_pai_kao_art_5_b_without_a_round_before_no_one_is_passed_over() -> None:
    assert asked_next(8, 8, ALL, [1], None) == 2
    assert asked_next(8, 8, ALL, [1], []) is None


def test_pai_kao_art_5_b_asking_on_and_on_goes_around_once() -> None:
    for last_banker, bet in product(ALL, ([2, 5, 7], list(ALL), [])):
        refused: list[int] = []
        while (place := asked_next(last_banker, 8, ALL, refused, bet)) is not None:
            refused.append(place)
        steps = [(place - last_banker) % 8 for place in refused]
        assert steps == sorted(set(steps)) and 0 not in steps
        assert refused[0] == last_banker % 8 + 1 and set(refused[1:]) == set(bet) - {last_banker, refused[0]}


def test_pai_kao_art_5_b_only_the_place_asked_takes_the_bank() -> None:
    check_taking(4, 3, 8, ALL, [], [])
    check_taking(6, 3, 8, ALL, [4], [6])
    for place, refused, bet, article, reason in [
        (4, [4], [4, 5], "5.º b)", "has refused"),
        (5, [4], [6], "5.º b)", "did not bet in the round before"),
        (7, [4], [6, 7], "5.º a)", "it is the turn of place 6"),
        (6, [], [6], "5.º a)", "it is the turn of place 4"),
        (3, [4, 5, 6, 7, 8, 1, 2], [3], "5.º a)", "no one's turn is left"),
    ]:
        with pytest.raises(Refusal, check=with_words(reason)) as refusal:
            check_taking(place, 3, 8, ALL, refused, bet)
        assert (refusal.value.who, refusal.value.article) == (f"place {place}", article)


def test_pai_kao_art_5_c_a_banker_places_a_capital() -> None:
    check_capital(3, 1)
    for capital in (0, -1):
        with pytest.raises(Refusal) as refusal:
            check_capital(3, capital, 100)
        assert (refusal.value.who, refusal.value.article) == ("place 3", "5.º c)")


def test_pai_kao_art_5_d_a_banker_who_won_keeps_capital_and_winnings_may_add_and_never_reduces() -> None:
    least = least_capital(1000, 250)
    assert least == 1250
    check_capital(3, 1250, least)
    check_capital(3, 9000, least)
    for capital in (1249, 1000):
        with pytest.raises(Refusal) as refusal:
            check_capital(3, capital, least)
        assert (refusal.value.who, refusal.value.article) == ("place 3", "5.º d)")


def test_pai_kao_art_5_d_a_banker_who_did_not_win_places_what_he_likes() -> None:
    assert least_capital(1000, 0) == least_capital(1000, -400) == least_capital(1000, -1000) == 1


def test_pai_kao_art_5_e_the_share_of_the_casino_is_money_or_nothing() -> None:
    check_casino_share(0)
    check_casino_share(10**9)
    with pytest.raises(Refusal) as refusal:
        check_casino_share(-1)
    assert (refusal.value.who, refusal.value.article) == ("casino", "5.º e)")
