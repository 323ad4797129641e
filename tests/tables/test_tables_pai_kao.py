"""Whole simulated tables of Taiwan-Pai Kao on which things go wrong, with 8 and with 4 places."""

from pathlib import Path

import pytest

from tests.station.floor_ear import round_messages
from tests.station.judging import judged
from tests.station.simulated import simulate
from tests.station.test_station_faults import checked_against_the_referee

pytestmark = pytest.mark.timeout(180)


@pytest.mark.parametrize(
    ("options", "rounds"),
    [(("--places", "mixed"), 8), (("--seats", "4", "--source", "hand"), 16)],
    ids=["8 places and a reader", "4 places by hand"],
)
def test_whatever_goes_wrong_at_a_pai_kao_table_every_round_is_what_the_camera_calls_for(
    tmp_path: Path, options: tuple[str, ...], rounds: int
) -> None:
    chosen = ("--game", "taiwan-pai-kao", *options, "--seed", "5", "--faults", "0.6")
    played = simulate(tmp_path, rounds, *chosen, seconds=150)
    checked_against_the_referee(played)
    film = played.film()
    assert sum(line["event"] in ("fault", "irregularity") and line.get("on", True) for line in film) > 4
    assert {line["number"] for line in film if line["event"] == "places"} == ({4} if "4" in options else {4, 8})
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.bankers and report.limited, "the bank goes around, and its capital is reached"
