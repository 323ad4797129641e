"""Black-jack judged from the camera: a round for each rule is right as it stands, and whatever is
changed is reported."""

from pathlib import Path

import pytest

from tests.referee.films.blackjack_rounds import ROUNDS, Written


@pytest.mark.parametrize("written", ROUNDS)
def test_blackjack_a_round_for_each_rule_is_right_unchanged(tmp_path: Path, written: Written) -> None:
    film, right = written(tmp_path)
    report = film.judge(right)
    assert (report.differences, report.notes, report.unpaid) == ([], [], [])
    assert (report.rounds, report.settled, report.void) == (1, 1, 0)
    assert not any((report.initial, report.pot, report.contributions, report.awards))
