"""The long plays: 500 rounds by shuffler, 300 by shoe, 10 at real device timing, 500 of Pai Kao with 8 and 4 places."""

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
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == rounds
    check_ledger(report, played.tally)
    assert len(sequenced(played.messages)) == played.tally["last_sequence"] == played.tally["acknowledged"]
    assert check_envelopes(played.messages) >= played.tally["last_sequence"]


@pytest.mark.parametrize("options", [("--places", "8"), ("--seats", "4")], ids=" ".join)
def test_a_long_play_of_pai_kao_reaches_the_capital_both_ways(tmp_path: Path, options: tuple[str, ...]) -> None:
    chosen = ("--game", "taiwan-pai-kao", *options, "--seed", "7")
    played = simulate(tmp_path, 500, *chosen, seconds=2400)
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == 500
    assert report.bankers > 100 and all(report.limited[way] >= 50 for way in ("paying", "collecting"))
    assert len(sequenced(played.messages)) == played.tally["last_sequence"] == played.tally["acknowledged"]
