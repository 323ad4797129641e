"""Ten thousand random rounds of each game in which anyone changes anything, and as many with a slip corrected."""

import pytest

from tests.plays.informed import COURSES, Corrections, Course, Tally, correct, play_round

ROUNDS = 10_000
FIRST_SEED = 1_000_000  # none of the short form's
EACH = pytest.mark.parametrize("course", COURSES, ids=[course.game for course in COURSES])


@EACH
def test_no_dealer_alone_betters_a_result_and_no_one_alone_makes_an_informed_bet(course: type[Course]) -> None:
    tally, seed = Tally(), FIRST_SEED
    while tally.rounds < ROUNDS:
        play_round(course, seed, tally)
        seed += 1
    print(f"{course.game}: seeds {FIRST_SEED} to {seed - 1}, {tally}")


@EACH
def test_each_slip_is_corrected_at_whatever_step_it_is_noticed(course: type[Course]) -> None:
    tally, seed = Corrections(), FIRST_SEED
    while tally.slips < ROUNDS:
        correct(course, seed, tally)
        seed += 1
    print(f"{course.game}: seeds {FIRST_SEED} to {seed - 1}, {tally}")
    assert tally.refused == {}
