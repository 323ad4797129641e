"""The long plays: 500 rounds by shuffler, 300 by shoe, 10 at real device timing, all held against the referee."""

from pathlib import Path

import pytest

from tests.station.floor_ear import check_envelopes, round_messages, sequenced
from tests.station.judging import check_ledger, judged
from tests.station.simulated import simulate


@pytest.mark.parametrize(
    ("source", "rounds", "speed"), [("shuffler", 500, "max"), ("shoe", 300, "max"), ("shuffler", 10, "device")]
)
def test_a_long_play_equals_the_referees(tmp_path: Path, source: str, rounds: int, speed: str) -> None:
    played = simulate(tmp_path, rounds, "--source", source, "--seed", "7", speed=speed, seconds=1200)
    report = judged(played.config, played.camera, round_messages(played.told))
    assert report.rounds == rounds
    check_ledger(report, played.tally)
    assert len(sequenced(played.told)) == played.tally["last_sequence"] == played.tally["acknowledged"]
    assert check_envelopes(played.told) >= played.tally["last_sequence"]
