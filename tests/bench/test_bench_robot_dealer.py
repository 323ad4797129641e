"""The whole bench as a process of its own, played with by a station that dies and refuses."""

import asyncio
import json
import random
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.bench.fake_station import FakeStation


class BenchProcess:
    """`python -m simulators bench` in `directory`."""

    def __init__(self, directory: Path, process: asyncio.subprocess.Process) -> None:
        self.directory = directory
        self.process = process

    async def line(self) -> str:
        assert self.process.stdout
        return (await asyncio.wait_for(self.process.stdout.readline(), 15)).decode().rstrip("\n")

    async def finished(self) -> list[dict[str, Any]]:
        """The JSON lines up to the one that says finished."""
        lines: list[dict[str, Any]] = []
        while not (lines and lines[-1].get("finished")):
            lines.append(json.loads(await self.line()))
        return lines

    async def end(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return await asyncio.wait_for(self.process.wait(), 5)

    def camera(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.directory / "camera.jsonl").read_text().splitlines()]


@asynccontextmanager
async def bench(directory: Path, *options: str) -> AsyncIterator[BenchProcess]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "simulators", "bench", "--dir", str(directory), "--broker", "none", "--speed", "max",
        "--camera", str(directory / "camera.jsonl"), *options,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    running = BenchProcess(directory, process)
    try:
        assert await running.line() == f"ready {directory}/station.toml"
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def assert_played_well(lines: list[dict[str, Any]], seats_with_cards: bool = True) -> None:
    """In every round each place got its cards once, and every ante one decision."""
    rounds: dict[int, list[dict[str, Any]]] = {}
    for line in lines:
        rounds.setdefault(line["round"], []).append(line)
    for number, events in rounds.items():
        if number == 0:
            continue
        kinds = Counter(event["event"] for event in events)
        assert kinds["round_begin"] == kinds["lock_in"] == kinds["round_end"] == 1
        places = Counter(event["to"] for event in events if event["event"] == "card")
        betting = {event["seat"] for event in events if event["event"] == "wager"}
        assert {place for place in places if place.startswith("seat")} == {f"seat {seat}" for seat in betting}
        assert all(places[f"seat {seat}"] == 3 for seat in betting)
        assert places["bank"] == 3
        assert places["community"] == 2
        cards = [event["card"] for event in events if event["event"] == "card"]
        assert len(set(cards)) == len(cards)
        decided = [event["seat"] for event in events if event["event"] == "decision"]
        antes = [event["seat"] for event in events if event["event"] == "wager" and event["wager"] == "ante"]
        assert decided == antes


async def test_rounds_are_played_told_and_filmed_and_the_table_closed(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "10", "--seats", "7") as running:
        station = FakeStation(tmp_path)
        await station.start()
        lines = await running.finished()
        assert lines == [
            *({"round": number, "robot": "settled"} for number in range(1, 11)),
            {"finished": True, "rounds": 10},
        ]
        assert not station.open
        assert running.process.returncode is None, "the devices stay up"
        assert await running.end() == 0
        await station.kill()
        assert_played_well(running.camera())


async def test_the_shoe_is_drawn_one_card_a_prompt(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "4", "--source", "shoe") as running:
        station = FakeStation(tmp_path)
        await station.start()
        await running.finished()
        await running.end()
        await station.kill()
        assert_played_well(running.camera())


async def test_a_station_killed_at_any_moment_costs_no_round_and_no_second_card(tmp_path: Path) -> None:
    chance = random.Random(20)
    async with bench(tmp_path, "--rounds", "25") as running:
        station = FakeStation(tmp_path)
        finished = asyncio.create_task(running.finished())
        kills = 0
        while not finished.done():
            await station.start()
            await asyncio.wait([finished], timeout=chance.uniform(0.005, 0.15))
            await station.kill()
            kills += 1
        assert [line["robot"] for line in finished.result()[:-1]] == ["settled"] * 25
        assert kills > 5
        await running.end()
        assert_played_well(running.camera())


async def test_the_same_seed_plays_the_same_cards_and_bets(tmp_path: Path) -> None:
    films = []
    for name in ("a", "b"):
        directory = tmp_path / name
        directory.mkdir()
        async with bench(directory, "--rounds", "4", "--seed", "77") as running:
            station = FakeStation(directory)
            await station.start()
            await running.finished()
            await running.end()
            await station.kill()
            films.append([line for line in running.camera() if line["event"] != "lamp"])
    assert films[0] == films[1]


async def test_a_hit_is_confirmed_by_two_people_and_handed_over_once(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "2") as running:
        station = FakeStation(tmp_path)
        station.hit_in_round = 1
        await station.start()
        await running.finished()
        await running.end()
        await station.kill()
        assert station.hits[0]["confirmed_by"] == ["ana", "rui"]
        awards = [line for line in running.camera() if line["event"] == "pay"]
        assert awards == [
            {"round": 1, "event": "pay", "seat": station.hits[0]["seat"], "wager": "jackpot", "amount": 777}
        ]


async def test_a_refusal_is_told_and_tried_again(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "1") as running:
        station = FakeStation(tmp_path)
        station.refuse_once = {"open_table", "wager", "decide", "reveal", "confirm"}
        await station.start()
        await running.finished()
        await running.end()
        await station.kill()
        assert running.process.stderr
        told = (await running.process.stderr.read()).decode()
        assert "refused (422) at step 0/open/1: open" in told
        assert "as told" in told
        assert told.count("refused (422)") == 5
        assert_played_well(running.camera())


async def test_a_stack_forces_the_cards_of_the_first_round(tmp_path: Path) -> None:
    spades = ["As", "Ks", "Qs", "Js", "Ts"]
    rest = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK" if rank + suit not in spades]
    (tmp_path / "stack.txt").write_text(" ".join(spades + rest))
    async with bench(tmp_path, "--rounds", "1", "--stack", str(tmp_path / "stack.txt")) as running:
        station = FakeStation(tmp_path)
        await station.start()
        await running.finished()
        await running.end()
        await station.kill()
        assert [line["card"] for line in running.camera() if line["event"] == "card"][:5] == spades


async def test_it_ends_cleanly_at_sigterm_and_leaves_no_device_behind(tmp_path: Path) -> None:
    async with bench(tmp_path) as running:
        assert (tmp_path / "usb.sock").exists()
        running.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(running.process.wait(), 5) == 0
        assert not (tmp_path / "usb.sock").exists()
        assert not (tmp_path / "shuffler").is_symlink()


async def test_a_station_in_the_middle_of_a_round_is_another_tables(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "1") as running:
        station = FakeStation(tmp_path)
        station.plan = [("confirm", None), ("claims", None)]
        await station.start()
        assert await asyncio.wait_for(running.process.wait(), 5) == 1
        await station.kill()
        assert running.process.stderr
        assert b"in the middle of a round" in await running.process.stderr.read()
