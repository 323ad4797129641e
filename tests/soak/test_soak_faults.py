"""A thousand rounds with something going wrong in every fifth, by either source, held against the referee."""

from collections import Counter
from pathlib import Path

import pytest

from tests.station.floor_ear import check_envelopes, round_messages, sequenced
from tests.station.judging import check_ledger, judged
from tests.station.simulated import simulate


@pytest.mark.parametrize(("source", "rounds"), [("shuffler", 1000), ("shoe", 600)])
def test_a_thousand_rounds_with_faults_are_what_the_camera_calls_for(
    tmp_path: Path, source: str, rounds: int, capsys: pytest.CaptureFixture[str]
) -> None:
    played = simulate(tmp_path, rounds, "--source", source, "--seed", "5", "--faults", "0.2", seconds=1800)
    report = judged(played.config, played.camera, round_messages(played.told))
    assert report.rounds == rounds
    check_ledger(report, played.tally)
    assert len(sequenced(played.told)) == played.tally["last_sequence"] == played.tally["acknowledged"]
    assert check_envelopes(played.told) >= played.tally["last_sequence"]
    assert played.log.count("running ") == 1, "the daemon was started once"
    film = played.film()
    seen = Counter(f"{line['device']}:{line['kind']}" for line in film if line["event"] == "fault" and line["on"])
    seen += Counter(f"hands:{line['kind']}" for line in film if line["event"] == "irregularity")
    with capsys.disabled():
        print(
            f"\n{rounds} rounds from the {source}: {report.settled} settled, {report.void} void: {dict(report.void_by)}"
        )
        print(", ".join(f"{kind} {count}" for kind, count in sorted(seen.items())))
