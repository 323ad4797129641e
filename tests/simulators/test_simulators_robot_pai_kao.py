"""The robot dealer at Taiwan-Pai Kao: the bank, the stack and its order, the dice, tiles with and without a reader."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simulators.felt.tiles import Laid, is_right, tile_from_text
from tests.simulators.fake_pai_kao import FakePaiKao
from tests.simulators.fake_station import FakeStation
from tests.simulators.simulator_process import BenchProcess, killed_until_the_end, played, to_the_end

GAME = ("--game", "taiwan-pai-kao")
SOURCES = pytest.mark.parametrize("source", ["shoe", "hand"])


def said(station: FakeStation, *kinds: str) -> list[dict[str, Any]]:
    return [item for item in station.table.said if item["kind"] in kinds]


def of_round(running: BenchProcess, number: int) -> list[dict[str, Any]]:
    return [line for line in running.camera() if line["round"] == number]


def only(lines: list[dict[str, Any]], event: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["event"] == event]


def laid(text: str) -> Laid:
    tiles = tuple(map(tile_from_text, text.split()))
    return Laid(tiles[:2], tiles[2:])


def assert_dealt_by_the_dice(lines: list[dict[str, Any]]) -> None:
    """Four tiles to each place in turn, from the place the dice name, in the order of the stack."""
    (number,), (bank,), (dice,) = (only(lines, event) for event in ("places", "bank_taken", "dice"))
    (form,) = only(lines, "form")
    assert form["by"] == bank["place"] and lines.index(bank) < lines.index(form) < lines.index(dice)
    places = number["number"]
    first = bank["place"] + sum(dice["dice"]) - 1
    in_turn = [f"seat {(first - 1 + at) % places + 1}" for at in range(places)]
    cards = only(lines, "card")
    assert [card["to"] for card in cards] == [place for place in in_turn for _ in range(4)]
    if stacks := only(lines, "wash") + only(lines, "tiles_moved"):
        assert [card["card"] for card in cards] == stacks[-1]["tiles"].split()[: len(cards)]


def assert_pairs_put_right(lines: list[dict[str, Any]]) -> None:
    """What is turned is what the player laid, and the dealer lays another pair behind where a higher one is there."""
    arranged = {line["place"]: f"{line['front']} {line['rear']}" for line in only(lines, "arranged")}
    turned = {int(line["to"][5:]): line["cards"] for line in only(lines, "turned")}
    assert turned == arranged
    assert {line["place"] for line in only(lines, "rearranged")} == {
        place for place, tiles in turned.items() if not is_right(laid(tiles))
    }
    assert all(is_right(laid(f"{line['front']} {line['rear']}")) for line in only(lines, "rearranged"))


@SOURCES
async def test_rounds_are_played_with_eight_places_and_with_four(tmp_path: Path, source: str) -> None:
    async with played(tmp_path, *GAME, "--rounds", "10", "--source", source) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 10
        numbers = []
        for number in range(1, 11):
            lines = of_round(running, number)
            assert_dealt_by_the_dice(lines)
            assert_pairs_put_right(lines)
            numbers.append(only(lines, "places")[0]["number"])
            assert len(only(lines, "used")) == (numbers[-1] == 4 and bool(only(lines, "wash")))
        assert set(numbers) == {8, 4}
        assert any(only(of_round(running, number), "wash") == [] for number in range(2, 11))
        assert bool(said(station, "tiles_dealt")) == (source == "hand")
        assert not running.complaints()


async def test_the_bank_goes_around_and_its_money_is_laid_and_shared(tmp_path: Path) -> None:
    options = ("--seats", "4", "--rounds", "25", "--source", "hand", "--seed", "4")
    async with played(tmp_path, *GAME, *options) as (running, station):
        await to_the_end(running, station)
        film = running.camera()
        assert len({line["place"] for line in only(film, "bank_taken")}) == 4
        assert {line["absent"] for line in only(film, "bank_passed")} == {True, False}
        assert any(line["agreed"] for line in only(film, "bank_taken"))
        assert any(line["casino"] for line in only(film, "bank_taken"))
        joined = [line for line in only(film, "share") if line["of"] not in ("banker", "casino")]
        assert joined
        for number in range(1, 26):
            lines = of_round(running, number)
            if not only(lines, "share"):
                continue
            won, lost = (sum(line["amount"] for line in only(lines, event)) for event in ("collect", "pay"))
            paid_by_players = {(line["seat"], line["player"]) for line in only(lines, "pay")}
            commission = sum(
                line["amount"]
                for line in only(lines, "commission")
                if (line["seat"], line["player"]) not in paid_by_players
            )
            assert sum(line["amount"] for line in only(lines, "share")) == won - lost - commission
        assert {line["by"] for line in only(film, "tiles_moved")} > {"bank"}
        assert only(film, "dice_null") and len(said(station, "dice_null")) == len(only(film, "dice_null"))


@SOURCES
async def test_everything_the_dealer_does_wrong_is_told_and_put_right(tmp_path: Path, source: str) -> None:
    kinds = ["expose", "order", "number", "put_right", "slip_wager", "slip_dice", "miskey"]
    wished = [word for at, kind in enumerate(kinds, 2) for word in ("--fault", f"dealer:{kind}@round={at}")]
    options = (*GAME, "--rounds", "10", "--source", source, *wished, "--fault", "dealer:slip_seat")
    async with played(tmp_path, *options) as (running, station):
        outcomes = await to_the_end(running, station)
        assert [outcome.split(",")[0] for outcome in outcomes] == [
            "void" if number in (3, 4) else "settled" for number in range(1, 11)
        ]
        filmed = {line["kind"]: line["round"] for line in running.filmed("irregularity")}
        assert filmed.pop("slip_seat")
        assert filmed == {
            "exposed": 2, "order": 3, "number": 4, "error_corrected": 5, "slip_wager": 6, "slip_dice": 7, "miskey": 8,
        }  # fmt: skip
        assert isinstance(station.table, FakePaiKao)
        for number, past in enumerate(station.table.past, 1):
            lines = of_round(running, number)
            bets = {(line["seat"], line["player"]): line["amount"] for line in only(lines, "wager")}
            assert past["void"] or {(bet["seat"], bet["player"]): bet["amount"] for bet in past["bets"]} == bets
            assert past["dice"] == only(lines, "dice")[0]["dice"]
            (bank,) = only(lines, "bank_taken")
            assert (past["banker"]["capital"], past["banker"]["casino"]) == (bank["capital"], bank["casino"])
        (corrected,) = said(station, "correct_cards")
        turned = {line["to"]: line["cards"] for line in only(of_round(running, 8), "turned")}
        assert corrected["cards"] == turned[corrected["to"]] == station.table.past[7]["shown"][corrected["to"]]
        assert len(said(station, "exposed", "misdealt", "deal_corrected")) == 4


async def test_what_the_reader_does_not_tell_is_keyed_in_and_nothing_is_dealt_twice(tmp_path: Path) -> None:
    faults = ["unreadable@round=1,card=3", "lost@round=2,card=5"]
    wished = [word for fault in faults for word in ("--fault", f"shoe:{fault}")]
    async with played(tmp_path, *GAME, "--places", "4", "--rounds", "3", *wished) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 3
        assert [line["number"] for line in running.filmed("places")] == [4] * 3
        for number in range(1, 4):
            assert_dealt_by_the_dice(of_round(running, number))
        assert len(said(station, "unheard_card")) == 1 and not said(station, "tiles_dealt")


async def test_a_reader_that_stays_away_is_waited_for_once_in_a_round(tmp_path: Path) -> None:
    options = ("--seats", "4", "--rounds", "1", "--fault", "shoe:mute@round=1,card=6,for=30")
    async with played(tmp_path, *GAME, *options) as (running, station):
        station.table.devices["shoe"] = "down"
        assert await to_the_end(running, station) == ["settled"]
        assert_dealt_by_the_dice(of_round(running, 1))
        assert len(said(station, "tiles_dealt")) == 1 and len(said(station, "unheard_card")) < 6


async def test_a_station_killed_at_any_moment_finds_the_round_as_it_was(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--rounds", "5") as (running, station):
        assert await killed_until_the_end(running, station, random.Random(6)) == ["settled"] * 5
        for number in range(1, 6):
            lines = of_round(running, number)
            assert_dealt_by_the_dice(lines)
            assert_pairs_put_right(lines)
            once = Counter(line["event"] for line in lines)
            assert once["bank_taken"] == once["form"] == once["dice"] == once["lock_in"] == 1


async def test_a_missing_tile_is_found_when_they_are_counted(tmp_path: Path) -> None:
    options = (*GAME, "--places", "8", "--rounds", "3", "--source", "hand", "--fault", "deck:missing@phase=between")
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 3
        assert [line["number"] for line in running.filmed("places")] == [8] * 3
        assert "it should be 32 cards" in running.complaints()
        assert [line["on"] for line in running.filmed("fault") if line["kind"] == "missing"] == [True, False]
