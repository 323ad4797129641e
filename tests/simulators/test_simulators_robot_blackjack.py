"""The robot dealer at black-jack/21: whole tables against a station of the bare minimum, killed, mistaken, paid out."""

import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.simulators.fake_blackjack import FakeBlackjackStation
from tests.simulators.simulator_process import BenchProcess, bench, killed_until_the_end, to_the_end

Line = dict[str, Any]


@asynccontextmanager
async def table(directory: Path, *options: str) -> AsyncIterator[tuple[BenchProcess, FakeBlackjackStation]]:
    async with bench(directory, "--game", "blackjack-21", *options) as running:
        yield running, FakeBlackjackStation(directory)


def told(settled: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """What a settlement says is won on the felt: seat, wager, hand and player with the amounts."""
    won: Counter[tuple[Any, ...]] = Counter()
    for here in settled["seats"]:
        for line in here["lines"]:
            if line["net"] > 0 and line["wager"] != "jackpot":
                won[here["seat"], line["wager"], line.get("hand"), line["net"]] += 1
    return won


def assert_paid_rightly(running: BenchProcess, station: FakeBlackjackStation) -> None:
    """Every line that was won was paid once, in every round; of a void one nothing is left."""
    paid: dict[int, Counter[tuple[Any, ...]]] = {}
    for line in running.filmed("pay"):
        if line["wager"] != "jackpot":
            key = line["seat"], line["wager"], line.get("hand"), abs(line["amount"])
            paid.setdefault(line["round"], Counter())[key] += 1 if line["amount"] > 0 else -1
    for number, past in enumerate(station.table.past, 1):
        there = +paid.get(number, Counter())
        unplayed = past["void"] or past["play"] is None
        assert there == (Counter() if unplayed else told(past["settled"])), f"round {number}"


def assert_cards_went_where_they_were_due(running: BenchProcess, station: FakeBlackjackStation) -> None:
    """What lies at each seat by the film is what the station thinks lies there, round by round."""
    for number, past in enumerate(station.table.past, 1):
        lying: dict[str, Counter[str]] = {}
        for line in running.camera():
            if line["round"] == number and line["event"] == "card":
                lying.setdefault(line["to"], Counter())[line["card"]] += 1
            elif line["round"] == number and line["event"] == "moved":
                lying[line["from"]][line["card"]] -= 1
                lying.setdefault(line["to"], Counter())[line["card"]] += 1
        if past["void"] or past["play"] is None:
            continue
        for seat in past["play"].seats:
            cards = Counter(card for hand in seat.hands for card in hand.cards)
            assert +lying[seat.place] == cards, f"round {number}, {seat.place}"


@pytest.mark.parametrize(
    "options",
    [
        ("--source", "shuffler"),
        ("--source", "shuffler", "--marking", "manual", "--decks", "4", "--seats", "6"),
        ("--source", "shoe", "--seats", "6"),
        ("--source", "shoe", "--marking", "manual", "--decks", "4"),
    ],
)
async def test_rounds_are_played_paid_and_filmed(tmp_path: Path, options: tuple[str, ...]) -> None:
    async with table(tmp_path, *options, "--rounds", "25", "--seed", "6") as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 25
        assert_paid_rightly(running, station)
        assert_cards_went_where_they_were_due(running, station)
        assert running.filmed("irregularity") == []
        for line in running.filmed("card", to="bank"):
            assert line["face"] in ("up", "down")


async def test_the_machine_is_loaded_before_the_chief_inspector_and_emptied_before_him(tmp_path: Path) -> None:
    async with table(tmp_path, "--rounds", "12", "--decks", "4", "--seed", "3") as (running, station):
        await to_the_end(running, station)
        packets = [line["cards"] for line in running.filmed("load")]
        assert packets == station.table.packets
        assert len(packets) >= 2 and sum(packets) == 208
        assert station.table.counted_out == [208]


async def test_cards_wait_while_the_lid_stays_shut_and_go_in_together(tmp_path: Path) -> None:
    async with table(tmp_path, "--rounds", "40", "--seed", "3") as (running, station):
        await to_the_end(running, station)
        inserted = [line["rounds"] for line in running.filmed("insert")]
        assert inserted == station.table.closed
        assert max(map(len, inserted)) > 1
        held = running.filmed("hold")
        assert held and all(line["rounds"][-1] == line["round"] for line in held)
        assert sorted(number for rounds in inserted for number in rounds) + station.table.held == list(range(1, 41))


async def test_the_warning_card_ends_a_shoe_and_the_first_card_of_the_next_is_burnt(tmp_path: Path) -> None:
    options = ("--source", "shoe", "--decks", "4", "--rounds", "40", "--seed", "3")
    async with table(tmp_path, *options) as (running, station):
        await to_the_end(running, station)
        burnt, shuffled, cuts = (running.filmed(event) for event in ("burn", "shuffled", "cut"))
        assert len(burnt) == len(shuffled) == len(cuts) > 1
        out = [line["round"] for line in running.filmed("cut_card")]
        assert [line["round"] for line in burnt[1:]] == [number + 1 for number in out][: len(burnt) - 1]


async def test_a_round_that_nobody_bets_on_ends_without_play_and_a_spread_shoe_is_shuffled_and_cut_by_the_first(
    tmp_path: Path,
) -> None:
    wishes = [word for said in ("kept@round=2", "spread@round=3") for word in ("--fault", f"dealer:no_bets={said}")]
    async with table(tmp_path, "--rounds", "5", "--source", "shoe", "--seed", "5", *wishes) as (running, station):
        assert await to_the_end(running, station) == ["settled", "no bets", "no bets", "settled", "settled"]
        assert [(line["round"], line["spread"]) for line in running.filmed("no_bets")] == [(2, False), (3, True)]
        assert [line["round"] for line in running.filmed("shuffled")] == [1, 4]
        assert [said["spread"] for said in station.table.said if said["kind"] == "no_bets"] == [False, True]
        assert_paid_rightly(running, station)
        assert_cards_went_where_they_were_due(running, station)


async def test_the_cards_of_a_machine_stay_inside_though_nobody_bets(tmp_path: Path) -> None:
    async with table(tmp_path, "--rounds", "3", "--seed", "5", "--fault", "dealer:no_bets=spread@round=2") as at:
        assert await to_the_end(*at) == ["settled", "no bets", "settled"]
        assert [line["spread"] for line in at[0].filmed("no_bets")] == [False]


async def test_everything_players_may_do_is_done(tmp_path: Path) -> None:
    async with table(tmp_path, "--rounds", "120", "--seed", "8") as (running, station):
        await to_the_end(running, station)
        said = Counter((line["question"], line["answer"].split()[0]) for line in running.filmed("answer"))
        assert {
            ("decision", "hit"), ("decision", "stand"), ("decision", "double"), ("decision", "split"),
            ("follow", "follow"), ("give_up", "give_up"), ("give_up", "no"), ("insurance", "insure"),
        } <= set(said)  # fmt: skip
        assert max(line.get("hand", 1) for line in running.filmed("card")) > 2, "a pair was split again"
        assert {line["wager"] for line in running.filmed("wager")} == {"bet", "backing", "vacant"}
        assert_paid_rightly(running, station)


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
async def test_a_station_killed_at_any_moment_costs_no_card_and_no_chip(tmp_path: Path, source: str) -> None:
    chance = random.Random(20)
    async with table(tmp_path, "--rounds", "15", "--source", source, "--seed", "5") as (running, station):
        assert await killed_until_the_end(running, station, chance) == ["settled"] * 15
        assert_paid_rightly(running, station)
        assert_cards_went_where_they_were_due(running, station)


@pytest.mark.parametrize("seen", ["seen", "unseen"])
@pytest.mark.parametrize("source", ["shuffler", "shoe"])
async def test_a_card_against_a_players_wish_is_thrown_away_or_kept_for_the_next(
    tmp_path: Path, source: str, seen: str
) -> None:
    wishes = [word for number in range(1, 6) for word in ("--fault", f"dealer:unasked_card={seen}@round={number}")]
    async with table(tmp_path, "--rounds", "6", "--source", source, "--seed", "5", *wishes) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 6
        wrong = running.filmed("irregularity", kind="unasked_card", seen=seen == "seen")
        assert len(wrong) >= 3
        assert len([said for said in station.table.said if said["kind"] == "unasked_card"]) == len(wrong)
        lost = sum(len(past["lost_cards"]) for past in station.table.past)
        assert lost == (len(wrong) if seen == "seen" else 0)
        assert_cards_went_where_they_were_due(running, station)
        assert_paid_rightly(running, station)


async def test_a_card_too_many_for_the_bank_goes_to_the_discard_rack(tmp_path: Path) -> None:
    wishes = [word for number in range(1, 7) for word in ("--fault", f"dealer:bank_card_too_many@round={number}")]
    async with table(tmp_path, "--rounds", "7", "--seed", "5", *wishes) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 7
        wrong = running.filmed("irregularity", kind="bank_card_too_many")
        assert len(wrong) >= 3
        away = [line["card"] for line in running.filmed("moved", to="discard", **{"from": "bank"})]
        assert away == [card for past in station.table.past for card in past["lost_cards"]]


async def test_a_slip_is_put_right_and_paid_as_it_lay(tmp_path: Path) -> None:
    wishes = [f"dealer:slip_{'wager' if number % 2 else 'seat'}@round={number}" for number in range(1, 13)]
    faults = [word for wish in wishes for word in ("--fault", wish)]
    async with table(tmp_path, "--rounds", "12", "--seed", "5", *faults) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 12
        slips = Counter(line["kind"] for line in running.filmed("irregularity"))
        assert slips["slip_wager"] == 6 and slips["slip_seat"] >= 1
        lying: dict[int, Counter[tuple[int, str]]] = {}
        for line in running.filmed("wager"):
            lying.setdefault(line["round"], Counter())[line["seat"], line["player"]] += line["amount"]
        for number, past in enumerate(station.table.past, 1):
            keyed = {(seat, who): bet for seat, laid in past["laid"].items() for who, (_, bet) in laid.items()}
            assert keyed == dict(lying[number]), f"round {number}"
        assert_paid_rightly(running, station)


async def test_an_error_of_the_deal_is_put_right_or_the_round_is_void(tmp_path: Path) -> None:
    wishes = ("put_right@round=1", "order@round=2", "number@round=3", "put_right@round=4")
    faults = [word for wish in wishes for word in ("--fault", f"dealer:{wish}")]
    async with table(tmp_path, "--rounds", "5", "--seed", "5", *faults) as (running, station):
        assert await to_the_end(running, station) == ["settled", "void", "void", "settled", "settled"]
        assert [len(past["corrected"]) for past in station.table.past] == [1, 0, 0, 1, 0]
        assert len(running.filmed("chip_back", round=2)) == len(station.table.past[1]["chips"])
        assert_paid_rightly(running, station)


async def test_a_damaged_card_is_replaced_and_an_unread_one_is_keyed_in(tmp_path: Path) -> None:
    faults = ("shuffler:damaged@round=1,card=3", "shuffler:misread@round=2,card=2", "shuffler:misread@round=3,card=4")
    options = [word for fault in faults for word in ("--fault", fault)]
    async with table(tmp_path, "--rounds", "3", "--seed", "5", *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 3
        assert len(running.filmed("card_replaced", round=1)) == 1
        assert {said["kind"] for said in station.table.said if "reason" in said} == {"card_replaced"}
        assert len([said for said in station.table.said if said.get("cards") and said["kind"] == "reveal"]) == 2
        assert_cards_went_where_they_were_due(running, station)


async def test_a_card_the_station_never_heard_of_is_told_and_keyed_in(tmp_path: Path) -> None:
    async with table(tmp_path, "--rounds", "2", "--seed", "5", "--source", "shoe") as (running, station):
        station.table.deaf_to = {(1, 2), (2, 5)}
        assert await to_the_end(running, station) == ["settled"] * 2
        assert len([said for said in station.table.said if said["kind"] == "unheard_card"]) == 2
        assert_cards_went_where_they_were_due(running, station)


async def test_the_lamp_of_a_jam_is_seen_and_the_round_goes_on(tmp_path: Path) -> None:
    options = ("--fault", "shuffler:jam@round=1,card=3")
    async with table(tmp_path, "--rounds", "2", "--seed", "5", *options) as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 2
        assert [line["on"] for line in running.filmed("lamp", lamp="shuffler")] == [True, False]


async def test_the_same_seed_plays_the_same_cards_bets_and_answers(tmp_path: Path) -> None:
    films = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        async with table(tmp_path / name, "--rounds", "6", "--seed", "77") as (running, station):
            await to_the_end(running, station)
            films.append([line for line in running.camera() if line["event"] not in ("lamp", "lock_in")])
    assert films[0] == films[1]
