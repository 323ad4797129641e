"""The chips of the tray: configured, or suggested by the limits."""

import pytest

from controller.config.chips import MOST_TAPS, SHOWN, read_chips, usual_chips
from controller.config.section import Mistake, Section


def read(chips: object) -> tuple[tuple[int, ...], list[Mistake]]:
    mistakes: list[Mistake] = []
    return read_chips(Section("table", {"chips": chips}, mistakes), 10000, 1000000, False), mistakes


@pytest.mark.parametrize(
    ("limits", "multiples", "chips"),
    [
        ((10000, 1000000), False, (5000, 10000, 20000, 50000, 100000, 200000)),
        ((10000, 300000), True, (10000, 20000, 50000, 100000, 200000)),
        ((10000, 200000000), False, (10000, 100000, 500000, 5000000, 20000000, 200000000)),
        ((300, 9000), True, (300, 600, 1500, 3000, 6000)),
        ((7, 7), False, (5,)), ((3, 3), True, (3,)), ((1, 1), False, (1,)),
    ],
)  # fmt: skip
def test_the_limits_suggest_the_chips(limits: tuple[int, int], multiples: bool, chips: tuple[int, ...]) -> None:
    assert usual_chips(*limits, multiples) == chips


@pytest.mark.parametrize("minimum", [1, 3, 50, 99, 10000, 12345])
@pytest.mark.parametrize("times", [1, 2, 7, 30, 100, 20000, 10**7])
@pytest.mark.parametrize("multiples", [False, True])
def test_whatever_the_limits_are_both_are_reached_with_few_taps(minimum: int, times: int, multiples: bool) -> None:
    chips = usual_chips(minimum, minimum * times, multiples)
    assert 1 <= len(chips) <= SHOWN and list(chips) == sorted(set(chips))
    assert min(chips) <= minimum and max(chips) * MOST_TAPS >= minimum * times
    assert not multiples or all(chip % minimum == 0 for chip in chips)


def test_the_configuration_has_chips_of_its_own() -> None:
    assert read([5000, 25000, 1000000]) == ((5000, 25000, 1000000), [])


@pytest.mark.parametrize("wrong", [[], [100, 50], [50, 50], [0, 50], [1000001], ["50"], [True], 50, list(range(1, 12))])
def test_what_no_tray_has_is_named(wrong: object) -> None:
    [mistake] = read(wrong)[1]
    assert mistake.key == "table.chips" and "ascending" in mistake.expected
