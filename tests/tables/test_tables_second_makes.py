"""Whole simulated tables with slots on a Numato board and a BetaBrite sign, compared with the referee."""

from pathlib import Path

import pytest

from tests.station.simulated import simulate
from tests.station.test_station_faults import checked_against_the_referee, edges

SECOND_MAKES = ("--slots", "numato", "--sign", "betabrite")


@pytest.mark.parametrize(("source", "seats"), [("shuffler", 6), pytest.param("shoe", 7, marks=pytest.mark.soak)])
def test_a_table_with_the_second_makes_plays_as_any_other(tmp_path: Path, source: str, seats: int) -> None:
    options = ("--source", source, "--seats", str(seats), "--seed", "7")
    played = simulate(tmp_path, 8, *SECOND_MAKES, *options)
    assert not checked_against_the_referee(played)
    film = played.film()
    lit = {line["lamp"] for line in film if line["event"] == "lamp" and line["on"]}
    chips = {f"seat {line['seat']}" for line in film if line["event"] == "chip"}
    assert lit == chips | {"lock"}, "every chip is seen, and its lamp lit"
    # A sign takes its time for a text, and a busy computer too: the last one may be written after the round of it.
    assert max(line["round"] for line in film if line["event"] == "sign") > 5, "the sign was written to the end"
    for device in ("slots", "sign"):
        assert edges(played, device) == ["back"]


@pytest.mark.soak
def test_whatever_goes_wrong_with_the_second_makes_every_round_is_what_the_camera_calls_for(tmp_path: Path) -> None:
    played = simulate(tmp_path, 12, *SECOND_MAKES, "--seed", "7", "--faults", "0.8")
    checked_against_the_referee(played)
    struck = {f"{line['device']}:{line['kind']}" for line in played.film() if line["event"] == "fault"}
    assert {kind.partition(":")[0] for kind in struck} >= {"slots", "sign"}
    assert "slots:watchdog" not in struck, "the board has none"


@pytest.mark.soak
def test_each_second_make_unplugged_in_mid_round_is_lost_and_back_once_each_time(tmp_path: Path) -> None:
    # Rounds of about a second: a link is back before the lock-in after the next.
    pulled = {"slots": ("wagers", "reveal"), "sign": ("deal", "decisions")}
    rounds = {"slots": (2, 5), "sign": (4, 7)}
    options = [
        option
        for device in pulled
        for phase, number in zip(pulled[device], rounds[device], strict=True)
        for option in ("--fault", f"{device}:unplug@round={number},phase={phase},for=0.4")
    ]
    played = simulate(tmp_path, 9, *SECOND_MAKES, "--seed", "3", *options, speed="60")
    checked_against_the_referee(played)
    for device in pulled:
        # The first is the start's: the link is there.
        assert edges(played, device) == ["back", "lost", "back", "lost", "back"], device
