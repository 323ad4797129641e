"""Keyed in wrongly and put right, cards the station did not hear, and chips out of turn."""

from pathlib import Path
from typing import Any

import pytest

from tests.simulators.fake_station import FakeStation
from tests.simulators.simulator_process import BenchProcess, assert_played_well, played, to_the_end

SEEDS = pytest.mark.parametrize("seed", ["1", "2", "3"])  # the step at which a slip is noticed is left to chance


def said(station: FakeStation, *kinds: str) -> list[dict[str, Any]]:
    return [item for item in station.table.said if item["kind"] in kinds]


def bets_on_film(running: BenchProcess, number: int) -> dict[str, dict[str, int]]:
    bets: dict[str, dict[str, int]] = {}
    for line in running.filmed("wager", round=number):
        bets.setdefault(str(line["seat"]), {})[line["wager"]] = line["amount"]
    return bets


@SEEDS
async def test_a_wrong_amount_is_put_right_after_the_lock(tmp_path: Path, seed: str) -> None:
    async with played(tmp_path, "--rounds", "2", "--seed", seed, "--fault", "dealer:slip_wager") as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 2
        (slip,) = running.filmed("irregularity", kind="slip_wager")
        (correction,) = said(station, "correct_wager")
        assert (correction["seat"], correction["wager"]) == (slip["seat"], slip["wager"])
        assert correction["reason"]
        keyed = [
            item for item in said(station, "wager") if (item["seat"], item["wager"]) == (slip["seat"], slip["wager"])
        ]
        assert keyed[0]["amount"] != correction["amount"]
        assert [past["wagers"] for past in station.table.past] == [bets_on_film(running, at) for at in (1, 2)]


@SEEDS
@pytest.mark.parametrize("source", ["shuffler", "shoe"])
async def test_a_wrong_seat_is_put_right_and_the_cards_lie_at_the_right_one(
    tmp_path: Path, seed: str, source: str
) -> None:
    async with played(
        tmp_path, "--rounds", "12", "--seed", seed, "--source", source, "--chip-rate", "0.1",
        "--fault", "dealer:slip_seat",
    ) as (running, station):  # fmt: skip
        assert await to_the_end(running, station) == ["settled"] * 12
        (slip,) = running.filmed("irregularity", kind="slip_seat")
        (correction,) = said(station, "correct_seat")
        assert (correction["seat"], correction["to_seat"]) == (slip["keyed"], slip["seat"])
        assert abs(slip["keyed"] - slip["seat"]) == 1
        past = station.table.past[slip["round"] - 1]
        assert past["wagers"] == bets_on_film(running, slip["round"])
        assert {str(line["seat"]): line["decision"] for line in running.filmed("decision", round=slip["round"])} == (
            past["decisions"]
        )
        assert_played_well(running.camera())


@SEEDS
async def test_a_wrong_decision_is_put_right_before_the_round_is_confirmed(tmp_path: Path, seed: str) -> None:
    rounds = range(1, 7)
    faults = [word for at in rounds for word in ("--fault", f"dealer:slip_decision@round={at}")]
    async with played(tmp_path, "--rounds", "6", "--seed", seed, "--chip-rate", "0", *faults) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 6
        assert len(running.filmed("irregularity", kind="slip_decision")) == len(said(station, "correct_decision")) > 3
        for at in rounds:
            filmed = {str(line["seat"]): line["decision"] for line in running.filmed("decision", round=at)}
            assert station.table.past[at - 1]["decisions"] == filmed


async def test_a_card_the_station_did_not_hear_is_told_and_keyed_in(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "2", "--source", "shoe") as (running, station):
        station.table.deaf_to = {(1, 2), (2, 4)}
        assert await to_the_end(running, station) == ["settled"] * 2
        assert len(said(station, "unheard_card")) == 2
        assert_played_well(running.camera())
        keyed = [item for item in said(station, "reveal") if "cards" in item]
        for past in station.table.past:
            for place, cards in past["shown"].items():
                turned = running.filmed("turned", round=past["round_id"], to=place)
                assert cards in ("", turned[0]["cards"])
        assert len(keyed) in (1, 2)


async def test_a_wrong_card_keyed_in_is_put_right(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "1", "--fault", "dealer:miskey") as (running, station):
        station.table.unread_in_rounds = {1: "bank"}
        assert await to_the_end(running, station) == ["settled"]
        (turned,) = running.filmed("turned", to="bank")
        (keyed,) = [item["cards"] for item in said(station, "reveal") if "cards" in item]
        (correction,) = said(station, "correct_cards")
        assert [line["to"] for line in running.filmed("irregularity", kind="miskey")] == ["bank"]
        assert correction["cards"] == turned["cards"] == station.table.past[0]["shown"]["bank"]
        wrong = set(keyed.split()) - set(turned["cards"].split())
        assert len(wrong) == 1
        assert not wrong & {line["card"] for line in running.filmed("card")}


async def test_a_late_chip_goes_back_and_one_that_comes_and_goes_leaves_nothing(tmp_path: Path) -> None:
    async with played(
        tmp_path, "--rounds", "2", "--chip-rate", "0",
        "--fault", "players:late_chip=2@round=1", "--fault", "players:in_and_out=3@round=2",
    ) as (running, station):  # fmt: skip
        assert await to_the_end(running, station) == ["settled"] * 2
        events = [line for line in running.camera() if line["event"] in ("lock_in", "chip", "irregularity")]
        assert [{**line, "event": line.get("kind", line["event"])} for line in events] == [
            {"round": 1, "event": "lock_in"},
            {"round": 1, "event": "chip", "seat": 2},
            {"round": 1, "event": "late_chip", "kind": "late_chip", "seat": 2},
            {"round": 2, "event": "chip", "seat": 3},
            {"round": 2, "event": "in_and_out", "kind": "in_and_out", "seat": 3},
            {"round": 2, "event": "lock_in"},
        ]
        assert not station.table.chips_in_slots
        assert [past["chips"] for past in station.table.past] == [[], []]
