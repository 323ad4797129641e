"""The robot dealer deals wrongly: the film shows it, the station is told, and nothing of a void round stays behind."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.simulators.fake_station import FakeStation
from tests.simulators.simulator_process import BenchProcess, killed_until_the_end, played, to_the_end

SOURCES = pytest.mark.parametrize("source", ["shuffler", "shoe"])


def reports(station: FakeStation) -> list[dict[str, Any]]:
    kinds = ("exposed", "misdealt", "to_empty_seat", "shuffler_failed", "void_round")
    return [said for said in station.table.said if said["kind"] in kinds]


def of_round(running: BenchProcess, number: int) -> list[dict[str, Any]]:
    return [line for line in running.camera() if line["round"] == number]


@SOURCES
@pytest.mark.parametrize("seed", ["4", "5", "6"])
async def test_one_exposed_card_of_a_player_is_reported_and_the_round_goes_on(
    tmp_path: Path, source: str, seed: str
) -> None:
    faults = ("--fault", "dealer:expose=3", "--fault", "dealer:expose=community@round=3")
    async with played(tmp_path, "--rounds", "3", "--source", source, "--chip-rate", "1", "--seed", seed, *faults) as (
        running,
        station,
    ):
        outcomes = await to_the_end(running, station)
        up = [(line["round"], line["to"]) for line in running.filmed("card", face="up")]
        assert up == [(line["round"], line["to"]) for line in running.filmed("irregularity", kind="exposed")]
        assert [report["to"] for report in reports(station)] == [place for _, place in up]
        assert {"seat 3", "community"} <= {place for _, place in up}
        # Now and then the hands expose a second card of a player, and that is too many.
        players = Counter(number for number, place in up if place.startswith("seat"))
        assert outcomes == ["void" if players[number] > 1 else "settled" for number in (1, 2, 3)]


@SOURCES
async def test_an_exposed_card_of_the_bank_voids_and_every_chip_goes_back(tmp_path: Path, source: str) -> None:
    async with played(
        tmp_path, "--rounds", "2", "--source", source, "--chip-rate", "1", "--fault", "dealer:expose=bank@round=1"
    ) as (running, station):
        assert await to_the_end(running, station) == ["void", "settled"]
        assert [said["to"] for said in reports(station)] == ["bank"]
        assert [line["seat"] for line in running.filmed("chip_back")] == station.table.past[0]["chips"]
        assert not running.filmed("pay")


@SOURCES
@pytest.mark.parametrize("what", ["order", "number"])
async def test_a_wrong_deal_is_reported_and_the_chips_stay_for_the_next_round(
    tmp_path: Path, source: str, what: str
) -> None:
    async with played(
        tmp_path, "--rounds", "3", "--source", source, "--chip-rate", "1", "--fault", f"dealer:{what}@round=2"
    ) as (running, station):
        assert await to_the_end(running, station) == ["settled", "void", "settled"]
        assert reports(station) == [{"kind": "misdealt", "actor": "ana", "what": what}]
        assert [line["round"] for line in running.filmed("irregularity", kind=what)] == [2]
        void, after = station.table.past[1], station.table.past[2]
        dropped = sorted(set(void["chips"]) - set(after["chips"]))
        assert void["chips"]
        assert after["carried_now"] == sorted(set(void["chips"]) & set(after["chips"]))
        assert [(line["round"], line["seat"]) for line in running.filmed("chip_back")] == [(3, at) for at in dropped]
        lines = of_round(running, 2)
        slip = next(at for at, line in enumerate(lines) if line["event"] == "irregularity")
        assert not [line for line in lines[slip:] if line["event"] == "card" and line["to"] != "discard"]
        assert len({line["card"] for line in lines if line["event"] == "card"}) == len(
            [line for line in lines if line["event"] == "card"]
        )


async def test_too_few_of_a_packet_are_laid_and_the_third_goes_to_the_discard_rack(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "1", "--fault", "dealer:number@card=2") as (running, station):
        await to_the_end(running, station)
        cards = [line["to"] for line in running.filmed("card")][:6]
        assert cards[:3] == [cards[0]] * 3
        assert cards[3:] == [cards[3], cards[3], "discard"]


async def test_one_card_more_is_drawn_for_the_last_place(tmp_path: Path) -> None:
    async with played(
        tmp_path, "--rounds", "1", "--source", "shoe", "--chip-rate", "1", "--fault", "dealer:number@card=2"
    ) as (running, station):
        await to_the_end(running, station)
        assert Counter(line["to"] for line in running.filmed("card"))["community"] == 3
        assert not [said for said in station.table.said if said["kind"] == "cards_counted"]


@SOURCES
async def test_cards_at_an_empty_seat_are_null_and_the_next_ones_go_where_they_were_meant(
    tmp_path: Path, source: str
) -> None:
    async with played(
        tmp_path, "--rounds", "6", "--source", source, "--seed", "2", "--fault", "dealer:empty_seat@card=2"
    ) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 6
        (slip,) = running.filmed("irregularity", kind="empty_seat")
        (report,) = reports(station)
        assert (report["meant_for"], report["seat"]) == (slip["meant_for"], slip["seat"])
        lines = of_round(running, slip["round"])
        places = Counter(line["to"] for line in lines if line["event"] == "card")
        betting = {f"seat {line['seat']}" for line in lines if line["event"] == "wager"}
        assert places[f"seat {slip['seat']}"] == (3 if source == "shuffler" else 1)
        assert f"seat {slip['seat']}" not in betting
        assert all(places[place] == 3 for place in [*betting, "bank"])
        counted = [said["count"] for said in station.table.said if said["kind"] == "cards_counted"]
        if source == "shoe":
            assert counted[slip["round"] - 1] == sum(places.values())


async def test_a_report_that_is_refused_is_told_and_the_round_goes_on(tmp_path: Path) -> None:
    async with played(
        tmp_path, "--rounds", "2", "--fault", "dealer:expose=bank@round=1", "--fault", "dealer:expose=bank@round=2"
    ) as (running, station):
        station.table.refuse_reports = True
        assert await to_the_end(running, station) == ["settled"] * 2
        assert "too late" in running.complaints()


async def test_cards_the_station_will_not_take_end_the_round_by_a_supervisor(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "2") as (running, station):
        station.table.unread_in_rounds = {1: "bank"}
        station.table.refuse_keyed_cards = True
        assert await to_the_end(running, station) == ["void", "settled"]
        assert [(said["kind"], said["actor"]) for said in reports(station)] == [("void_round", "rui")]
        assert [line["round"] for line in running.filmed("irregularity", kind="supervisor_void")] == [1]


async def test_a_station_killed_at_any_moment_hears_every_report_once(tmp_path: Path) -> None:
    kinds = ["expose=bank", "order", "number", "empty_seat", "expose=community"]
    faults = [f"dealer:{kind}@round={number}" for number, kind in enumerate(kinds, 2)]
    options = [word for fault in faults for word in ("--fault", fault)]
    async with played(tmp_path, "--rounds", "9", "--chip-rate", "1", *options) as (running, station):
        await killed_until_the_end(running, station, random.Random(5))
        filmed = [line["kind"] for line in running.filmed("irregularity")]
        told = {"exposed": "exposed", "misdealt": "", "to_empty_seat": "empty_seat"}
        assert [told[said["kind"]] or said["what"] for said in reports(station)] == filmed
        assert filmed[:3] == ["exposed", "order", "number"]
