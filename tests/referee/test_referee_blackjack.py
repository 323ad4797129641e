"""Black-jack judged from the camera: a round for each rule is right as it stands, and whatever is changed is told."""

from pathlib import Path
from typing import Any

import pytest

from tests.referee.film.judge import judge
from tests.referee.films.blackjack_rounds import ROUNDS, Written, backers, insurance_won
from tests.referee.films.written import cannot_be_known, lying
from tests.referee.test_referee_mutations import branches, leaves, otherwise, with_change


@pytest.mark.parametrize("written", ROUNDS)
def test_blackjack_a_round_for_each_rule_is_right_as_it_stands(tmp_path: Path, written: Written) -> None:
    film, right = written(tmp_path)
    report = film.judge(right)
    assert (report.differences, report.notes, report.unpaid) == ([], [], [])
    assert (report.rounds, report.settled, report.void) == (1, 1, 0)
    assert not any((report.initial, report.pot, report.contributions, report.awards))


@pytest.mark.parametrize("written", ROUNDS)
def test_blackjack_every_changed_value_is_told(tmp_path: Path, written: Written) -> None:
    film, right = written(tmp_path)
    film.judge(right)
    missed = []
    for at, value in leaves([right]):
        for wrong in otherwise(value):
            if cannot_be_known(at[-1], wrong):
                continue
            if not judge(film.station, film.camera, with_change([right], at, wrong)).differences:
                missed.append((at, value, wrong))
    assert missed == []


@pytest.mark.parametrize("written", ROUNDS)
def test_blackjack_every_line_missing_from_the_film_is_told(tmp_path: Path, written: Written) -> None:
    film, right = written(tmp_path)
    whole = film.lines
    for at, seen in enumerate(whole):
        if seen["event"] in ("round_begin", "lock_in", "round_end"):
            continue
        if seen["event"] == "answer" and seen["answer"] == "no" and lying("seat 1", "As Kd", 1) in right["shown_cards"]:
            continue  # a black-jack need not be asked whether it gives up
        film.lines = whole[:at] + whole[at + 1 :]
        assert film.judge(right).differences, seen


def test_blackjack_every_missing_part_is_told(tmp_path: Path) -> None:
    film, right = insurance_won(tmp_path)
    for gone in right:
        assert film.judge({one: right[one] for one in right if one != gone}).differences, gone
    assert film.judge(right | {"more": 1}).differences


def test_blackjack_nothing_in_a_message_stops_the_referee(tmp_path: Path) -> None:
    film, right = backers(tmp_path)
    assert film.judge(right).differences == []
    for at in branches([right]):
        strange: list[Any] = [
            None,
            [1],
            {"x": 1},
            "x",
            [{}],
            [{"seat": 1, "wager": "backing", "player": [], "amount": []}],
            True,
        ]
        for nonsense in strange:
            if len(at) > 1:
                judge(film.station, film.camera, with_change([right], at, nonsense))
