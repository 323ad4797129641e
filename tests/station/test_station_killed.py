"""The daemon killed again and again: it continues where it was, no round lost, no money doubled."""

from pathlib import Path

from tests.station.kill_play import KillPlay


def test_a_killed_daemon_loses_no_round_and_doubles_nothing(tmp_path: Path) -> None:
    KillPlay(tmp_path, rounds=12, kills=9, least=0, seed=11).run(seconds=220)
