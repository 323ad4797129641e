"""The robot dealer at every game, against a real station in memory: whole, killed, and cut off from its answers."""

import random
from pathlib import Path

import pytest

from tests.simulators.table_in_memory import Fault, Item, bench, in_memory, in_soak, played

TABLES = (
    "fortune-3-card-poker-2025 shuffler", "fortune-3-card-poker-2025 shoe", "fortune-3-card-poker-2008 shuffler",
    "fortune-3-card-poker-2008 shoe", "fortune-8 shuffler", "fortune-8 shoe", "blackjack-21 shuffler",
    "blackjack-21 shoe", "taiwan-pai-kao shoe", "taiwan-pai-kao hand",
)  # fmt: skip
# Of Taiwan-Pai Kao the robot dealer places on the felt what it has entered itself: no other program may do it first.
BY_HAND = ("announce", "take_bank", "pass_bank", "announce_form", "reveal")
FAULTS: tuple[Fault, ...] = ("request lost", "answer lost", "late", "refused", "overtaken")


def with_source(first: int) -> pytest.MarkDecorator:
    """At each kind of play's table with its first source, or its second; at the others in the soak."""
    chosen = [table for table in TABLES[first::2] if "2008" not in table]
    return pytest.mark.parametrize("table", [*chosen, *(in_soak(table) for table in TABLES if table not in chosen)])


def rounds_of(table: str) -> int:
    """Enough of them to be cut off often."""
    return 8 if "fortune-8" in table else 5 if "hand" in table else 4


def options_of(table: str, rounds: int, more: str = "") -> str:
    game, source = table.split()
    return f"--game {game} --source {source} --rounds {rounds} {more}"


@with_source(0)
@in_memory
async def test_rounds_are_played_paid_and_filmed(table: str, tmp_path: Path) -> None:
    async with bench(tmp_path, options_of(table, 2, "--seed 6")) as running:
        assert await running.to_the_end() == ["settled"] * 2
        running.judge()
        assert not running.complaints and not running.filmed("irregularity") and running.filmed("table_closed")
        assert "hand" in table or (tmp_path / "shoe").is_symlink(), "the devices stay up"


@with_source(1)
@in_memory
async def test_a_station_killed_at_any_moment_costs_no_round_no_card_and_no_chip(table: str, tmp_path: Path) -> None:
    rounds = rounds_of(table)
    async with bench(tmp_path, options_of(table, rounds, "--seed 5")) as running:
        assert await running.killed_until_the_end(random.Random(20)) == ["settled"] * rounds
        running.judge(away=True)


@pytest.mark.parametrize("table", [TABLES[0], TABLES[8], *map(in_soak, (*TABLES[1:8], TABLES[9]))])
@in_memory
async def test_an_answer_lost_late_refused_or_overtaken_costs_no_round_no_card_and_no_chip(
    table: str, tmp_path: Path
) -> None:
    chance = random.Random(20)

    def fault_of(items: list[Item]) -> Fault | None:
        if items[0]["kind"] == "complaint":  # answers no step: entered again under another id it would be a second one
            return None if running.accepted("complaint") else "answer lost"
        fault = chance.choice(FAULTS) if chance.random() < 0.2 else None
        often = fault == "late" and running.station.struck["late"] > 1  # each takes long, even in made-up time
        return None if often or (fault == "overtaken" and "kao" in table and items[0]["kind"] in BY_HAND) else fault

    rounds = rounds_of(table)
    async with bench(tmp_path, options_of(table, rounds, "--seed 5"), ["dealer:complaint@round=2"]) as running:
        running.station.fault_of = fault_of
        assert await running.to_the_end() == ["settled"] * rounds
        running.judge()
        assert all(running.station.struck[fault] for fault in FAULTS)
        assert len(running.accepted("complaint")) == 1


@pytest.mark.parametrize("table", [TABLES[0], TABLES[9], *map(in_soak, TABLES[3:9:2])])
@in_memory
async def test_the_same_seed_plays_the_same_cards_bets_and_answers_whatever_the_devices_do(
    table: str, tmp_path: Path
) -> None:
    films = []
    faults = ["shuffler:bytewise@for=9", "shoe:bytewise@for=9"] if "kao" not in table else []
    for name, wished in (("sound", []), ("faulty", faults)):
        running = await played(tmp_path / name, options_of(table, 2, "--seed 77"), wished, "ss")
        films.append([line for line in running.film if line["event"] not in ("lamp", "fault", "sign")])
    assert films[0] == films[1]
