"""The robot dealer at Fortune 3 Card Poker of 2008: no slots, the bank cuts, and an exposed card voids nothing."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.simulators.fake_other_games import FakeTable2008
from tests.simulators.fake_station import FakeStation
from tests.simulators.simulator_process import assert_played_well, killed_until_the_end, played, to_the_end

GAME = ("--game", "fortune-3-card-poker-2008")
SOURCES = pytest.mark.parametrize("source", ["shuffler", "shoe"])
SEEDS = pytest.mark.parametrize("seed", ["1", "2", "3"])


def said(station: FakeStation, *kinds: str) -> list[dict[str, Any]]:
    return [item for item in station.table.said if item["kind"] in kinds]


@SOURCES
async def test_rounds_are_played_without_slots(tmp_path: Path, source: str) -> None:
    async with played(tmp_path, *GAME, "--rounds", "8", "--source", source) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 8
        assert len(said(station, "lock_in")) == 8
        assert_played_well(running.camera())


async def test_the_bank_cuts_and_then_shuffles(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--rounds", "3", "--source", "shoe") as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 3
        assert [item.get("by", item.get("count")) for item in said(station, "cut", "shuffled")] == ["bank", 52] * 3
        hands = [line for line in running.camera() if line["event"] in ("cut", "shuffled")]
        assert [line.get("by", line.get("cards")) for line in hands] == ["bank", 52] * 3
        assert {line["source"] for line in running.filmed("shuffled")} == {"shoe"}


async def test_the_cards_of_a_stack_come_in_its_order(tmp_path: Path) -> None:
    spades = ["As", "Ks", "Qs", "Js", "Ts"]
    rest = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK" if rank + suit not in spades]
    (tmp_path / "stack.txt").write_text(" ".join(spades + rest))
    options = (*GAME, "--rounds", "1", "--source", "shoe", "--stack", str(tmp_path / "stack.txt"))
    async with played(tmp_path, *options) as (running, station):
        await to_the_end(running, station)
        assert [line["card"] for line in running.filmed("card")][:5] == spades


async def test_with_pair_plus_beside_the_ante_everybody_plays(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--rounds", "25") as (running, station):
        await to_the_end(running, station)
        assert not running.complaints()
        obliged = free = 0
        for past in station.table.past:
            for seat, decision in past["decisions"].items():
                assert decision == "play" or "pair_plus" not in past["wagers"][seat]
                obliged += "pair_plus" in past["wagers"][seat]
                free += decision == "fold"
        assert obliged > 10 and free > 10


@SOURCES
@SEEDS
async def test_an_exposed_card_of_the_bank_is_laid_aside_and_another_comes(
    tmp_path: Path, source: str, seed: str
) -> None:
    faults = [word for at in (1, 2, 3, 4) for word in ("--fault", f"dealer:expose=bank@round={at}")]
    async with played(tmp_path, *GAME, "--rounds", "5", "--source", source, "--seed", seed, *faults) as (
        running,
        station,
    ):
        assert await to_the_end(running, station) == ["settled"] * 5
        aside = running.filmed("set_aside")
        up = running.filmed("card", face="up")
        assert [(line["round"], line["card"]) for line in aside] == [(line["round"], line["card"]) for line in up]
        assert {line["round"] for line in aside} == {1, 2, 3, 4}
        assert len(running.filmed("irregularity", kind="exposed", to="bank")) == len(aside)
        reports = said(station, "exposed")
        assert sum(len(report["which"]) for report in reports) == len(aside)
        for number in range(1, 6):
            laid = [line["card"] for line in running.filmed("card", round=number, to="bank")]
            left_out = [line["card"] for line in aside if line["round"] == number]
            (turned,) = running.filmed("turned", round=number, to="bank")
            assert turned["cards"].split() == [card for card in laid if card not in left_out]
            assert len(laid) == 3 + len(left_out)


async def test_which_card_of_the_bank_it_was_counts_those_that_lie_there(tmp_path: Path) -> None:
    options = (*GAME, "--rounds", "6", "--source", "shoe", "--seed", "4")
    faults = [word for at in range(1, 7) for word in ("--fault", f"dealer:expose=bank@round={at}")]
    async with played(tmp_path, *options, *faults) as (running, station):
        await to_the_end(running, station)
        told = [report["which"] for report in said(station, "exposed")]
        expected = []
        for number in range(1, 7):
            lying = 0
            for line in running.filmed("card", round=number, to="bank"):
                lying += 1
                if line["face"] == "up":
                    expected.append([lying])
                    lying -= 1
        assert told == expected


@SOURCES
async def test_any_number_of_the_players_cards_may_be_exposed(tmp_path: Path, source: str) -> None:
    faults = [word for at in range(1, 13) for word in ("--fault", f"dealer:expose={at % 7 + 1}@round={at}")]
    async with played(tmp_path, *GAME, "--rounds", "12", "--source", source, "--seed", "8", *faults) as (
        running,
        station,
    ):
        assert await to_the_end(running, station) == ["settled"] * 12
        up = Counter(line["round"] for line in running.filmed("card", face="up"))
        assert max(up.values()) > 1
        reports = said(station, "exposed")
        assert sum(report["count"] for report in reports) == up.total()
        assert len(running.filmed("irregularity", kind="exposed")) == up.total()
        assert not running.filmed("set_aside")


async def test_cards_laid_aside_are_counted_with_the_others(tmp_path: Path) -> None:
    async with played(
        tmp_path, *GAME, "--rounds", "2", "--source", "shoe", "--fault", "dealer:expose=bank@round=1"
    ) as (running, station):
        await to_the_end(running, station)
        on_film = [len(running.filmed("card", round=number)) for number in (1, 2)]
        assert [item["count"] for item in said(station, "cards_counted")] == on_film


@SOURCES
async def test_a_report_refused_leaves_the_card_where_it_lies(tmp_path: Path, source: str) -> None:
    async with played(
        tmp_path, *GAME, "--rounds", "2", "--source", source, "--fault", "dealer:expose=bank@round=1"
    ) as (running, station):
        station.table.refuse_reports = True
        assert await to_the_end(running, station) == ["settled"] * 2
        assert not running.filmed("set_aside")
        assert len(running.filmed("card", round=1, to="bank")) == 3


@SEEDS
async def test_after_one_failure_the_shoe_is_used_or_the_shuffler_replaced(tmp_path: Path, seed: str) -> None:
    async with played(tmp_path, *GAME, "--rounds", "9", "--seed", seed) as (running, station):
        station.table.fail_in_rounds = {1, 5}
        outcomes = await to_the_end(running, station)
        assert outcomes[0] == "void" and outcomes[1] == "settled"
        told = [(item["kind"], item["actor"]) for item in said(station, "use_source", "shuffler_replaced")]
        assert told[0] in (("use_source", "ana"), ("shuffler_replaced", "rui"))
        sources = [line["source"] for line in running.filmed("round_begin")]
        if told[0][0] == "use_source":
            assert sources[:5] == ["shuffler", "shoe", "shoe", "shoe", "shuffler"]
        else:
            assert sources[1] == "shuffler"
            assert running.filmed("shuffler_replaced", round=1)
        assert told.count(("shuffler_replaced", "rui")) == len(running.filmed("shuffler_replaced"))
        assert "11.º 4)" in running.complaints()


@SOURCES
@pytest.mark.parametrize("what", ["order", "number"])
async def test_a_wrong_deal_is_reported(tmp_path: Path, source: str, what: str) -> None:
    async with played(tmp_path, *GAME, "--rounds", "3", "--source", source, "--fault", f"dealer:{what}@round=2") as (
        running,
        station,
    ):
        assert await to_the_end(running, station) == ["settled", "void", "settled"]
        assert [item["what"] for item in said(station, "misdealt")] == [what]


@SOURCES
async def test_cards_at_an_empty_seat_are_told_and_the_round_goes_on(tmp_path: Path, source: str) -> None:
    async with played(
        tmp_path, *GAME, "--rounds", "6", "--source", source, "--seed", "2", "--fault", "dealer:empty_seat@card=2"
    ) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 6
        (slip,) = running.filmed("irregularity", kind="empty_seat")
        (report,) = said(station, "to_empty_seat")
        assert (report["meant_for"], report["seat"]) == (slip["meant_for"], slip["seat"])


async def test_a_station_killed_at_any_moment_costs_no_round_and_no_second_card(tmp_path: Path) -> None:
    faults = [word for at in (2, 4, 6, 8) for word in ("--fault", f"dealer:expose=bank@round={at}")]
    async with played(tmp_path, *GAME, "--rounds", "10", *faults) as (running, station):
        assert await killed_until_the_end(running, station, random.Random(8)) == ["settled"] * 10
        assert isinstance(station.table, FakeTable2008)
        for number in range(1, 11):
            aside = len(running.filmed("set_aside", round=number))
            assert len(running.filmed("card", round=number, to="bank")) == 3 + aside
            assert bool(aside) == (number in (2, 4, 6, 8))
