"""The bank of Taiwan-Pai Kao around the table, the places, which one the dice name, and in what order others follow."""

from itertools import pairwise, product

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
from controller.rulebook.taiwan_pai_kao.places import (
    check_dice,
    check_place,
    check_places,
    dealing_order,
    first_place,
    right_of,
    settling_order,
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


# ---- How many places there are, which one the dice name, and in what order the others follow.


def test_pai_kao_art_2_b_the_sum_of_the_dice_is_counted_to_the_right_from_the_banker_who_is_one() -> None:
    for places in (8, 4):
        for banker in range(1, places + 1):
            for dice in product(range(1, 7), repeat=4):
                place = banker
                for _ in range(sum(dice) - 1):
                    place = right_of(place, places)
                assert first_place(dice, banker, places) == place
    assert first_place([1, 2, 3, 4], 3, 8) == 4


def test_pai_kao_art_2_b_the_order_of_the_places_is_that_of_the_deal_without_the_banker() -> None:
    assert dealing_order(4, 8) == (4, 5, 6, 7, 8, 1, 2, 3)
    assert settling_order(4, 3, 8) == (4, 5, 6, 7, 8, 1, 2)
    assert settling_order(2, 3, 8) == (2, 4, 5, 6, 7, 8, 1)
    assert settling_order(3, 1, 4) == (3, 4, 2)
    for places in (8, 4):
        for first, banker in product(range(1, places + 1), repeat=2):
            order = settling_order(first, banker, places)
            assert sorted((*order, banker)) == list(range(1, places + 1))
            assert [place for place in dealing_order(first, places) if place != banker] == list(order)


def test_pai_kao_art_2_b_a_first_place_that_is_the_banker_gives_way_to_his_right() -> None:
    assert first_place([1, 1, 1, 6], 5, 8) == 5
    for places in (8, 4):
        for banker in range(1, places + 1):
            assert settling_order(banker, banker, places)[0] == right_of(banker, places)


def test_pai_kao_art_2_b_by_the_other_reading_the_place_at_the_banker_s_right_is_the_first_where_he_was_named() -> None:
    for places, banker in ((8, 3), (4, 4)):
        for dice in product(range(1, 7), repeat=4):
            named, first = first_place(dice, banker, places), first_place(dice, banker, places, beside_banker=True)
            assert first == (right_of(banker, places) if named == banker else named)
            assert settling_order(named, banker, places) == settling_order(first, banker, places)


@pytest.mark.parametrize(("places", "named", "decimal"), [(8, 160, "0.1235"), (4, 324, "0.2500")])
def test_pai_kao_art_2_b_erratum_how_often_the_readings_deal_other_hands(places: int, named: int, decimal: str) -> None:
    throws = list(product(range(1, 7), repeat=4))
    assert sum(first_place(dice, 1, places) == 1 for dice in throws) == named
    assert f"{named / len(throws):.4f}" == decimal


def test_pai_kao_art_2_c_nothing_is_added_to_the_dice_and_their_order_says_nothing() -> None:
    assert {first_place(dice, 1, 8) for dice in ([1, 2, 3, 4], [4, 3, 2, 1], [3, 3, 2, 2])} == {2}
    assert {first_place([die, 1, 1, 1], 1, 8) for die in range(1, 7)} == {4, 5, 6, 7, 8, 1}


def test_pai_kao_art_2_c_the_deal_goes_counter_clockwise() -> None:
    assert [right_of(place, 4) for place in (1, 2, 3, 4)] == [2, 3, 4, 1]
    assert right_of(8, 8) == 1
    order = dealing_order(6, 8)
    assert all(right_of(here, 8) == there for here, there in pairwise(order))


def test_pai_kao_art_3_a_there_are_8_or_4_places() -> None:
    assert (check_places(8), check_places(4)) == (8, 4)
    wrong: list[object] = [0, 1, 2, 3, 5, 6, 7, 9, 16, -4, True, None, 8.0, "8", [8]]
    for value in wrong:
        with pytest.raises(Refusal) as refusal:
            check_places(value)
        assert (refusal.value.who, refusal.value.article) == ("places", "3.º a)")


def test_pai_kao_art_3_a_the_banker_has_one_of_them() -> None:
    assert (check_place("banker", 1, 4), check_place("banker", 4, 4), check_place("banker", 8, 8)) == (1, 4, 8)
    for place, places in ((0, 8), (9, 8), (5, 4), (True, 8), ("1", 8), (1.0, 8), (None, 8)):
        with pytest.raises(Refusal) as refusal:
            check_place("banker", place, places)
        assert (refusal.value.who, refusal.value.article) == ("banker", "3.º a)")


def test_pai_kao_art_1_b_there_are_four_dice_of_six_sides() -> None:
    assert check_dice([1, 6, 3, 4]) == (1, 6, 3, 4)
    wrong: list[list[object]] = [[], [1, 2, 3], [1, 2, 3, 4, 5], [0, 1, 2, 3], [1, 2, 3, 7]]
    wrong += [[1, 2, 3, value] for value in (True, 4.0, "4", None, [4])]
    for dice in wrong:
        with pytest.raises(Refusal) as refusal:
            check_dice(dice)
        assert (refusal.value.who, refusal.value.article) == ("dice", "1.º b)")
