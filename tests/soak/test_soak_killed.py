"""The long kill tests: at least five kills in every phase of a round; from the shoe too, and with faults besides."""

from pathlib import Path

import pytest

from tests.station.kill_play import KillPlay
from tests.station.kill_questions import INSURANCE, ON_HOLD, PRIZE, SPLIT, QuestionKills


def test_two_hundred_rounds_with_five_kills_in_every_phase_equal_the_referees(tmp_path: Path) -> None:
    KillPlay(tmp_path, 200, 120, 5, 23).run(seconds=900)


@pytest.mark.parametrize(
    "options",
    [
        ("--source", "shoe"),
        ("--faults", "0.3"),
        ("--source", "shoe", "--faults", "0.3"),
        ("--game", "fortune-3-card-poker-2008", "--faults", "0.3"),
        ("--game", "fortune-8", "--faults", "0.3"),
        ("--game", "fortune-8", "--source", "shoe", "--faults", "0.3"),
        ("--game", "blackjack-21", "--faults", "0.1"),
        ("--game", "blackjack-21", "--source", "shoe", "--faults", "0.1"),
        ("--game", "taiwan-pai-kao", "--faults", "0.1"),
    ],
)
def test_a_hundred_rounds_killed_by_the_shoe_and_with_faults_equal_the_referees(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    KillPlay(tmp_path, 100, 60, 1, 31, *options).run(seconds=900)


@pytest.mark.parametrize("options", [(), ("--faults", "0.1")], ids=["calm", "faults"])
def test_four_hundred_rounds_of_black_jack_killed_at_every_kind_of_moment_equal_the_referees(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    least = {SPLIT: 15, INSURANCE: 15, PRIZE: 3, ON_HOLD: 10}
    QuestionKills(tmp_path, 400, least, 3, "--chip-rate", "1", *options).run(seconds=900)
