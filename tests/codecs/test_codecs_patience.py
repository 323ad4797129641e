"""How long a device is waited for."""

from itertools import accumulate

import pytest

from drivers.patience import STEP_SECONDS, Patience


def steps_taken(seconds: float, took: list[float]) -> list[float]:
    """The steps of a wait in which each step, in truth, took so long."""
    times = accumulate(took, initial=100.0)
    patience = Patience(seconds, lambda: next(times))
    steps = []
    while step := patience.step():
        steps.append(step)
    return steps


def test_an_answer_is_waited_for_as_long_as_was_asked() -> None:
    steps = steps_taken(0.12, [0.0, 0.05, 0.05, 0.021])
    assert steps == pytest.approx([STEP_SECONDS, STEP_SECONDS, 0.02])


def test_while_this_computer_is_too_busy_to_listen_no_device_is_silent() -> None:
    delays = [0.0, 3.0, 0.05, 60.0, 0.041]
    assert steps_taken(0.19, delays) == pytest.approx([*[STEP_SECONDS] * 3, 0.04])


def test_what_comes_sooner_than_a_step_is_counted_as_it_was() -> None:
    assert steps_taken(0.03, [0.0, 0.01, 0.01, 0.011]) == pytest.approx([0.03, 0.02, 0.01])
