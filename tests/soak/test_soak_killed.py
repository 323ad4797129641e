"""The long kill test: 200 rounds by shuffler, at least five kills in every phase of a round."""

from pathlib import Path

from tests.station.kill_play import KillPlay


def test_two_hundred_rounds_with_five_kills_in_every_phase_equal_the_referees(tmp_path: Path) -> None:
    KillPlay(tmp_path, rounds=200, kills=120, least=5, seed=23).run(seconds=900)
