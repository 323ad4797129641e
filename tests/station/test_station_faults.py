"""Whole simulated tables on which things go wrong, by chance and on purpose, compared with the referee."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.station.floor_ear import round_messages
from tests.station.judging import check_ledger, decided_again, judged
from tests.station.simulated import Played, simulate

# One line of the log, as a person reads it in a terminal or a pipe.
EDGE = re.compile(r"(lost|back)\s+(?:cause=\w+ )?device=(\w+)(.*)")


def edges(played: Played, device: str) -> list[str]:
    """When a device was reported to be lost, and back, in order; but for the silence of simulators that stopped."""
    found = [(what, rest) for what, named, rest in EDGE.findall(played.log) if named == device]
    still = sum(line["event"] == "stalled" for line in played.film())
    silent = [at for at, (what, rest) in enumerate(found) if what == "lost" and "no answer" in rest][:still]
    return [what for at, (what, _) in enumerate(found) if at not in silent and at - 1 not in silent]


def checked_against_the_referee(played: Played) -> Counter[str]:
    """The causes of the void rounds; raises AssertionError where table, floor and meter do not agree."""
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == played.rounds == played.tally["rounds"]
    check_ledger(report, played.tally)
    decided_again(played.journal)
    assert played.tally["acknowledged"] == played.tally["last_sequence"]
    assert played.log.count("[info     ] running") == 1, "the daemon was started once"
    assert "defect" not in played.log
    return report.void_by


def test_whatever_goes_wrong_by_chance_every_round_is_what_the_camera_calls_for(tmp_path: Path) -> None:
    played = simulate(tmp_path, 10, "--source", "shoe", "--seed", "6", "--faults", "0.7")
    checked_against_the_referee(played)
    assert sum(line["event"] in ("fault", "irregularity") for line in played.film()) > 4


@pytest.mark.soak
def test_art_17_every_irregularity_ends_as_its_item_says(tmp_path: Path) -> None:
    """17.º 1 1) to 3) and 4 in rounds of their own; 17.º 2 twice in a row, and the shoe in its place."""
    wishes = [
        *("dealer:order@round=2", "dealer:number@round=4", "dealer:expose=bank@round=6"),
        *("dealer:expose=seat 2@round=8", "dealer:empty_seat@round=9", "shuffler:short@round=10,card=2"),
        *("shuffler:jam@round=12,card=1", "shuffler:restart@round=13,phase=deal"),
    ]
    options = [option for wish in wishes for option in ("--fault", wish)]
    played = simulate(tmp_path, 20, "--seed", "11", *options)
    causes = checked_against_the_referee(played)
    assert causes["17.º 1 1)"] == 3 and causes["17.º 1 2)"] == 1 and causes["17.º 2"] == 2
    rounds = {message["round"]: message for message in round_messages(played.messages)}
    assert rounds[13]["void"]["article"] == "17.º 2" and rounds[14]["source"] == "shoe"
    assert rounds[20]["source"] == "shuffler", "replaced, and used again"
    carried = {line["chip_carried"] for seat in rounds[2]["seats"] for line in seat["lines"] if "chip_carried" in line}
    returned = {line["chip_carried"] for seat in rounds[6]["seats"] for line in seat["lines"] if "chip_carried" in line}
    assert (carried, returned) == ({True}, {False})
    noted = [irregularity["article"] for irregularity in rounds[9]["irregularities"]]
    assert rounds[9]["outcome"] == "settled" and (not noted or noted == ["17.º 4 2)"])


@pytest.mark.soak
@pytest.mark.parametrize("phase", ["deal", "wagers", "decisions", "reveal"])
def test_each_device_unplugged_in_mid_round_is_lost_once_and_back_once_without_a_restart(
    tmp_path: Path, phase: str
) -> None:
    pulled = {"shuffler": 2, "slots": 4, "sign": 6, "shoe": 8}
    options = [
        option
        for device, number in pulled.items()
        for option in ("--fault", f"{device}:unplug@round={number},phase={phase}")
    ]
    played = simulate(tmp_path, 16, "--seed", "3", *options)
    checked_against_the_referee(played)
    for device in pulled:
        # The first is the start's: the link is there.
        assert edges(played, device) == ["back", "lost", "back"], (device, phase)


# Pulled as the deal begins, the shoe may not have received yet that it is unlocked, and then no card leaves it
# meanwhile.
@pytest.mark.soak
@pytest.mark.parametrize("when", ["card=2", "phase=deal", "phase=wagers", "phase=decisions"])
def test_the_shoe_unplugged_while_cards_come_from_it(tmp_path: Path, when: str) -> None:
    fault = f"shoe:unplug@round=3,{when},for=1.5"
    played = simulate(tmp_path, 6, "--source", "shoe", "--seed", "3", "--fault", fault)
    checked_against_the_referee(played)
    assert edges(played, "shoe") == ["back", "lost", "back"]
    if when == "card=2":
        third = next(message for message in round_messages(played.messages) if message["round"] == 3)
        assert third["outcome"] == "settled"
        assert {irregularity["kind"] for irregularity in third["irregularities"]} == {"keyed_in"}
