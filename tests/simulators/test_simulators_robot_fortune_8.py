"""The robot dealer at Fortune 8: several players at a box, one card face up to a space, a shoe for many rounds."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simulators.broker import free_port
from simulators.station_toml import station_toml
from tests.simulators.fake_other_games import SPACES, FakeFortune8
from tests.simulators.fake_station import FakeStation
from tests.simulators.simulator_process import BenchProcess, killed_until_the_end, played, to_the_end

GAME = ("--game", "fortune-8")
SOURCES = pytest.mark.parametrize("source", ["shuffler", "shoe"])
SEEDS = pytest.mark.parametrize("seed", ["1", "2", "3"])
CARDS = 52 * 2


def said(station: FakeStation, *kinds: str) -> list[dict[str, Any]]:
    return [item for item in station.table.said if item["kind"] in kinds]


def of_round(running: BenchProcess, number: int) -> list[dict[str, Any]]:
    return [line for line in running.camera() if line["round"] == number]


def fault(kind: str, *rounds: int) -> list[str]:
    return [word for at in rounds for word in ("--fault", f"dealer:{kind}@round={at}")]


def assert_each_space_got_its_card(running: BenchProcess, number: int) -> None:
    """By the deal announced: every space, or those with bets, one card face up in that order."""
    lines = of_round(running, number)
    (deal,) = [line["deal"] for line in lines if line["event"] == "announce"]
    laid = {f"seat {line['seat']}" for line in lines if line["event"] == "wager"}
    due = [space for space in SPACES if deal == "every_space" or space in laid]
    assert [line["to"] for line in lines if line["event"] == "card"] == due
    assert {line["face"] for line in lines if line["event"] == "card"} == {"up"}
    kinds = [line["event"] for line in lines]
    assert kinds.count("lock_in") == kinds.count("round_end") == 1
    assert kinds.index("lock_in") < kinds.index("announce") < kinds.index("card")
    assert not {"turned", "decision", "chip"} & set(kinds)


@SOURCES
async def test_rounds_are_played_in_both_deals(tmp_path: Path, source: str) -> None:
    async with played(tmp_path, *GAME, "--rounds", "12", "--source", source) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 12
        for number in range(1, 13):
            assert_each_space_got_its_card(running, number)
        assert {item["deal"] for item in said(station, "announce")} == {"every_space", "spaces_with_bets"}
        assert len(said(station, "lock_in")) == 12
        assert not running.complaints()


async def test_every_bet_is_keyed_in_with_its_player(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--rounds", "15") as (running, station):
        await to_the_end(running, station)
        bets = ("seat", "wager", "player", "amount")
        filmed = [[line[key] for key in bets] for line in running.filmed("wager")]
        assert filmed == [[item[key] for key in bets] for item in said(station, "wager")]
        shared = Counter((line["round"], line["seat"], line["wager"]) for line in running.filmed("wager"))
        assert max(shared.values()) > 1


@SOURCES
async def test_the_same_seed_plays_the_same_cards_and_bets(tmp_path: Path, source: str) -> None:
    films = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        async with played(tmp_path / name, *GAME, "--rounds", "4", "--seed", "7", "--source", source) as (run, station):
            await to_the_end(run, station)
            films.append(run.camera())
    assert films[0] == films[1]


async def test_a_shoe_is_shuffled_and_cut_again_when_the_cut_card_came(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--decks", "2", "--rounds", "40", "--source", "shoe") as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 40
        again = [line["round"] for line in running.filmed("cut")]
        assert again[0] == 1 and len(again) > 2
        assert [line["round"] for line in running.filmed("shuffled", cards=CARDS, source="shoe")] == again
        assert [item["count"] for item in said(station, "shuffled")] == [CARDS] * len(again)
        assert [item["by"] for item in said(station, "cut")] == [line["by"] for line in running.filmed("cut")]
        came = [line["round"] for line in running.filmed("cut_card")]
        assert [number + 1 for number in came][: len(again) - 1] == again[1:]
        drawn = 0
        for line in running.camera():
            drawn = 0 if line["event"] == "cut" else drawn + (line["event"] == "card")
            if line["event"] == "cut_card":
                assert drawn == CARDS - 12
        assert not said(station, "cut_card")


async def test_a_cut_card_that_was_not_heard_is_told_before_the_round_is_confirmed(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--decks", "1", "--rounds", "9", "--source", "shoe") as (running, station):
        assert isinstance(station.table, FakeFortune8)
        station.table.deaf_to_cut_card = True
        assert await to_the_end(running, station) == ["settled"] * 9
        assert len(said(station, "cut_card")) == len(running.filmed("cut_card")) > 0


async def test_a_station_that_says_nothing_of_its_shoe_is_told_nothing(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--decks", "1", "--rounds", "6", "--source", "shoe") as (running, station):
        projection = station.table.projection
        station.table.projection = lambda: {**projection(), "shoe": None}  # type: ignore[method-assign]
        assert await to_the_end(running, station) == ["settled"] * 6
        assert not said(station, "cut_card")


@SOURCES
@SEEDS
async def test_an_error_put_right_at_once_is_filmed_and_told(tmp_path: Path, source: str, seed: str) -> None:
    rounds = range(1, 9)
    options = (*GAME, "--rounds", "9", "--source", source, "--seed", seed, *fault("put_right", *rounds))
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 9
        assert not running.complaints()
        slips = [(line["what"], line["to"]) for line in running.filmed("irregularity", kind="error_corrected")]
        assert [(item["what"], item["to"]) for item in said(station, "deal_corrected")] == slips
        assert len(slips) == len(rounds)
        for number, (what, to) in enumerate(slips, 1):
            lines = of_round(running, number)
            slip = next(at for at, line in enumerate(lines) if line["event"] == "irregularity")
            before = lines[slip - 1]
            if what == "number":
                assert (before["event"], before["to"]) == ("card", "discard")
                assert to == [line["to"] for line in lines if line["event"] == "card"][-2]
            else:
                fell = lines[slip - 2]
                assert (before["event"], before["to"], before["from"]) == ("moved", to, fell["to"])
                assert (fell["event"], fell["card"]) == ("card", before["card"])
                filled = [line["to"] for line in lines[: slip - 2] if line["event"] == "card"]
                later = [line["to"] for line in lines[slip:] if line["event"] == "card"]
                assert (fell["to"] in later) == (what == "order") and to not in filled + later


@SOURCES
@SEEDS
async def test_a_card_before_the_announcement_holds_at_the_first_place(tmp_path: Path, source: str, seed: str) -> None:
    options = (*GAME, "--rounds", "6", "--source", source, "--seed", seed, *fault("early_card", 2, 3, 4, 5))
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 6
        assert not running.complaints()
        assert [past["early"] for past in station.table.past] == [False, True, True, True, True, False]
        for number in (2, 3, 4, 5):
            lines = of_round(running, number)
            cards = [line["to"] for line in lines if line["event"] == "card"]
            assert cards == SPACES, "the deal that holds by configuration, each space once"
            slip = next(at for at, line in enumerate(lines) if line["event"] == "irregularity")
            assert lines[slip] == {"round": number, "event": "irregularity", "kind": "early_card", "to": "seat 1"}
            assert lines[slip - 1]["event"] == "card"
            assert not running.filmed("announce", round=number)


async def test_an_early_card_goes_to_the_first_space_with_bets_where_that_deal_holds(tmp_path: Path) -> None:
    text = station_toml(
        game="fortune-8", source="shoe", broker="mqtt://h:1", protocol="5", listen=f"127.0.0.1:{free_port()}",
        deal="spaces_with_bets",
    )  # fmt: skip
    (tmp_path / "station.toml").write_text(text)
    options = (*GAME, "--keep", "--rounds", "20", "--seed", "3", *fault("early_card", *range(1, 21)))
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 20
        first = [min(line["seat"] for line in running.filmed("wager", round=number)) for number in range(1, 21)]
        slips = [line["to"] for line in running.filmed("irregularity", kind="early_card")]
        assert slips == [f"seat {seat}" for seat in first] and set(first) != {1}
        for number in range(1, 21):
            laid = {f"seat {line['seat']}" for line in running.filmed("wager", round=number)}
            assert [line["to"] for line in running.filmed("card", round=number)] == sorted(laid)


async def test_an_early_card_comes_before_or_after_the_bets_are_closed(tmp_path: Path) -> None:
    options = (*GAME, "--rounds", "12", "--seed", "1", *fault("early_card", *range(1, 13)))
    async with played(tmp_path, *options) as (running, station):
        await to_the_end(running, station)
        assert 0 < len(running.filmed("lock_in")) == len(said(station, "lock_in")) < 12


@SOURCES
@pytest.mark.parametrize("what", ["order", "number"])
async def test_an_error_that_nobody_puts_right_voids_the_round(tmp_path: Path, source: str, what: str) -> None:
    options = (*GAME, "--rounds", "3", "--source", source, *fault(what, 2))
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled", "void", "settled"]
        assert [item["what"] for item in said(station, "misdealt")] == [what]
        lines = of_round(running, 2)
        slip = next(at for at, line in enumerate(lines) if line["event"] == "irregularity")
        assert lines[slip]["kind"] == what
        assert not [line for line in lines[slip:] if line["event"] in ("card", "pay")]
        cards = Counter(line["to"] for line in lines if line["event"] == "card")
        assert max(cards.values()) == (2 if what == "number" else 1)
        heard = len(station.table.past[1]["dealt"])
        assert heard == cards.total(), "the station has heard the cards before it hears of the error"


@SOURCES
@SEEDS
async def test_a_wrong_amount_is_put_right_with_its_player(tmp_path: Path, source: str, seed: str) -> None:
    options = (*GAME, "--rounds", "2", "--source", source, "--seed", seed, *fault("slip_wager", 1))
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 2
        (slip,) = running.filmed("irregularity", kind="slip_wager")
        (correction,) = said(station, "correct_wager")
        for key in ("seat", "wager", "player"):
            assert correction[key] == slip[key]
        laid = {
            (line["seat"], line["wager"], line["player"]): line["amount"] for line in running.filmed("wager", round=1)
        }
        assert station.table.past[0]["bets"] == laid


@SOURCES
@SEEDS
async def test_bets_keyed_in_at_a_wrong_space_are_put_right(tmp_path: Path, source: str, seed: str) -> None:
    options = (*GAME, "--rounds", "12", "--source", source, "--seed", seed, *fault("slip_seat", *range(1, 13)))
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 12
        slips = [(line["keyed"], line["seat"]) for line in running.filmed("irregularity", kind="slip_seat")]
        assert [(item["seat"], item["to_seat"]) for item in said(station, "correct_seat")] == slips
        assert slips
        for number in range(1, 13):
            assert_each_space_got_its_card(running, number)
            laid = {
                (line["seat"], line["wager"], line["player"]): line["amount"]
                for line in running.filmed("wager", round=number)
            }
            assert station.table.past[number - 1]["bets"] == laid


async def test_a_card_the_station_did_not_hear_is_told_and_keyed_in(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--rounds", "2", "--source", "shoe", "--seed", "5") as (running, station):
        station.table.deaf_to = {(1, 2), (2, 1)}
        assert await to_the_end(running, station) == ["settled"] * 2
        assert len(said(station, "unheard_card")) == 2
        for past in station.table.past:
            for place, card in past["shown"].items():
                assert [card] == [line["card"] for line in running.filmed("card", round=past["round_id"], to=place)]
        assert [len(past["shown"]) for past in station.table.past] == [1, 1]


async def test_an_early_card_the_station_did_not_hear_is_told_in_its_turn(tmp_path: Path) -> None:
    options = (*GAME, "--rounds", "3", "--source", "shoe", "--seed", "2", *fault("early_card", 1, 2))
    async with played(tmp_path, *options) as (running, station):

        def deaf(order: int | None, count: int) -> None:
            if station.table.step["kind"] not in ("wagers", "announce"):
                hear(order, count)

        hear = station.table.cards_heard
        station.table.cards_heard = deaf  # type: ignore[method-assign]
        assert await to_the_end(running, station) == ["settled"] * 3
        assert [item["deal"] for item in said(station, "announce")][:2] == ["every_space"] * 2
        assert len(said(station, "unheard_card")) == 2
        assert list(station.table.past[0]["shown"]) == ["seat 1"]


@SOURCES
async def test_a_card_nobody_read_is_keyed_in_perhaps_wrongly(tmp_path: Path, source: str) -> None:
    kind = "shuffler:misread" if source == "shuffler" else "shoe:unreadable"
    options = (
        *GAME,
        "--rounds",
        "3",
        "--source",
        source,
        "--fault",
        f"{kind}@round=2,card=2",
        "--fault",
        "dealer:miskey",
    )
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 3
        (keyed,) = said(station, "reveal")
        (correction,) = said(station, "correct_cards")
        (lying,) = running.filmed("card", round=2, to=keyed["to"])
        assert correction["cards"] == lying["card"] != keyed["cards"]
        assert [line["to"] for line in running.filmed("irregularity", kind="miskey")] == [keyed["to"]]


async def test_a_dispenser_that_jams_is_cleared_and_goes_on(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--rounds", "3", "--fault", "shuffler:jam@round=2,card=3") as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 3
        assert [line["on"] for line in running.filmed("fault", kind="jam")] == [True, False]
        for number in (1, 2, 3):
            assert_each_space_got_its_card(running, number)


async def test_a_dispenser_that_stays_away_is_left_for_the_shoe_and_taken_up_again(tmp_path: Path) -> None:
    async with played(tmp_path, *GAME, "--rounds", "6") as (running, station):
        station.table.devices = {"shuffler": "down"}
        begin = station.table._begin_round

        def repaired(item: dict[str, Any]) -> None:
            begin(item)
            station.table.devices = {}

        station.table._begin_round = repaired  # type: ignore[method-assign]
        assert await to_the_end(running, station) == ["settled"] * 6
        sources = [line["source"] for line in running.filmed("round_begin")]
        assert sources == ["shoe"] * 3 + ["shuffler"] * 3
        assert [item["source"] for item in said(station, "use_source")] == ["shoe", "shuffler"]
        assert len(said(station, "shuffled")) == 1


async def test_a_missing_card_is_found_at_the_hand_shuffle(tmp_path: Path) -> None:
    options = (*GAME, "--decks", "2", "--rounds", "2", "--source", "shoe", "--fault", "deck:missing@phase=shuffle")
    async with played(tmp_path, *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 2
        assert [line["cards"] for line in running.filmed("shuffled")][-1] == CARDS
        assert [item["count"] for item in said(station, "shuffled")] == [CARDS]
        assert [line["on"] for line in running.filmed("fault", device="deck")] == [True, False]


@SOURCES
async def test_a_station_killed_at_any_moment_costs_no_round_and_no_second_card(tmp_path: Path, source: str) -> None:
    options = (*GAME, "--rounds", "20", "--source", source, *fault("put_right", 3, 6, 9), *fault("number", 5))
    async with played(tmp_path, *options) as (running, station):
        outcomes = await killed_until_the_end(running, station, random.Random(6))
        assert outcomes == ["void" if number == 5 else "settled" for number in range(1, 21)]
        told = [(item["what"], item["to"]) for item in said(station, "deal_corrected")]
        filmed = running.filmed("irregularity", kind="error_corrected")
        assert told == [(line["what"], line["to"]) for line in filmed] and len(told) == 3
        for number in (1, 2, 4, 7, 8, 10, 11, 12):
            assert_each_space_got_its_card(running, number)
