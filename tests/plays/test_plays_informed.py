"""Anyone changes anything at any step of random rounds: no one alone changes what is known, and slips are corrected."""

import pytest

from tests.plays.informed import COURSES, Corrections, Course, Tally, correct, play_round

EACH = pytest.mark.parametrize("course", COURSES, ids=[course.game for course in COURSES])


@EACH
def test_no_dealer_alone_betters_a_result_and_no_one_alone_makes_an_informed_bet(course: type[Course]) -> None:
    tally = Tally()
    for seed in range(30):
        play_round(course, seed, tally)
    assert tally.rounds > 15 and tally.at_once > 5 and tally.waited > 5 and tally.approved > 1


@EACH
def test_each_slip_is_corrected_at_whatever_step_it_is_noticed(course: type[Course]) -> None:
    tally = Corrections()
    for seed in range(30):
        correct(course, seed, tally)
    assert tally.refused == {} and tally.slips > 10 and tally.by_supervisor > 1
