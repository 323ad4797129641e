"""The bank of Taiwan-Pai Kao around the table, the places, which one the dice name, and in what order others follow."""

from itertools import product

import pytest

from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.bank import asked_next
from controller.rulebook.taiwan_pai_kao.places import check_place, check_places, first_place, right_of, settling_order

ALL = range(1, 9)


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
