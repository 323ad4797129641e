"""The daemon killed in every phase of a round: it continues where it was, no round lost, no money doubled."""

from pathlib import Path

import pytest

from tests.station.kill_play import KillPlay


@pytest.mark.timeout(240)
def test_a_daemon_killed_in_every_phase_loses_no_round_and_doubles_nothing(tmp_path: Path) -> None:
    KillPlay(tmp_path, rounds=32, kills=24, least=1, seed=11).run(seconds=200)
