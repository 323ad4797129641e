"""A whole simulated table of Taiwan-Pai Kao on which things go wrong, compared with the referee."""

from pathlib import Path

from tests.games import TAIWAN_PAI_KAO
from tests.station.floor_ear import round_messages
from tests.station.judging import judged
from tests.station.simulated import simulate
from tests.station.test_station_faults import checked_against_the_referee


def test_whatever_goes_wrong_at_pai_kao_every_round_is_what_the_camera_calls_for(tmp_path: Path) -> None:
    options = ("--game", TAIWAN_PAI_KAO, "--places", "mixed", "--seed", "5", "--faults", "0.6")
    played = simulate(tmp_path, 8, *options)
    checked_against_the_referee(played)
    film = played.film()
    assert sum(line["event"] in ("fault", "irregularity") and line.get("on", True) for line in film) > 4
    assert {line["number"] for line in film if line["event"] == "places"} == {4, 8}
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.bankers and report.limited, "the bank goes around, and its capital is reached"
