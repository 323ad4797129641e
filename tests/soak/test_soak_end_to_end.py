"""The long plays, with faults and without, against the referee."""

from collections import Counter
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


# ---- A thousand rounds with something going wrong in every fifth, by either source, compared with the referee.


@pytest.mark.parametrize(
    ("game", "source", "rounds", "rate"),
    [
        ("fortune-3-card-poker-2025", "shuffler", 1000, "0.2"),
        ("fortune-3-card-poker-2025", "shoe", 600, "0.2"),
        ("fortune-3-card-poker-2008", "shuffler", 600, "0.2"),
        ("fortune-8", "shoe", 600, "0.2"),
        ("blackjack-21", "shuffler", 1000, "0.1"),
        ("blackjack-21", "shoe", 300, "0.1"),
        ("taiwan-pai-kao", "shoe", 600, "0.2"),
        ("taiwan-pai-kao", "hand", 300, "0.2"),
    ],
)
def test_a_thousand_rounds_with_faults_are_what_the_camera_calls_for(
    tmp_path: Path, game: str, source: str, rounds: int, rate: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--game", game, "--source", source, "--seed", "5", "--faults", rate)
    played = simulate(tmp_path, rounds, *options, seconds=1800)
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == rounds
    check_ledger(report, played.tally)
    assert len(sequenced(played.messages)) == played.tally["last_sequence"] == played.tally["acknowledged"]
    assert check_envelopes(played.messages) >= played.tally["last_sequence"]
    assert played.log.count("[info     ] running") == 1, "the daemon was started once"
    film = played.film()
    seen = Counter(f"{line['device']}:{line['kind']}" for line in film if line["event"] == "fault" and line["on"])
    seen += Counter(f"hands:{line['kind']}" for line in film if line["event"] == "irregularity")
    with capsys.disabled():
        causes = dict(report.void_by)
        print(f"\n{rounds} rounds of {game} from the {source}: {report.settled} settled, {report.void} void: {causes}")
        print(", ".join(f"{kind} {count}" for kind, count in sorted(seen.items())))
