"""How many places there are, which one the dice name, and in what order the others follow."""

from itertools import pairwise, product

import pytest

from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.places import (
    check_dice,
    check_place,
    check_places,
    dealing_order,
    first_place,
    right_of,
    settling_order,
)


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
