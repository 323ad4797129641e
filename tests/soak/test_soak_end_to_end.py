"""The long plays: 500 rounds by shuffler, 300 by shoe, every message and every amount held against the referee."""

from pathlib import Path

import pytest

from tests.station.floor_ear import check_envelopes, round_messages, sequenced
from tests.station.judging import check_ledger, judged
from tests.station.simulated import simulate


@pytest.mark.parametrize(("source", "rounds"), [("shuffler", 500), ("shoe", 300)])
def test_a_long_play_equals_the_referees(tmp_path: Path, source: str, rounds: int) -> None:
    played = simulate(tmp_path, rounds, "--source", source, "--seed", "19", seconds=1200)
    report = judged(played.config, played.camera, round_messages(played.told))
    assert report.rounds == rounds
    check_ledger(report, played.tally)
    assert len(sequenced(played.told)) == played.tally["last_sequence"] == played.tally["acknowledged"]
    assert check_envelopes(played.told) >= played.tally["last_sequence"]
