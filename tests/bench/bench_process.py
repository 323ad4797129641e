"""The whole bench as a process of its own, for tests that play against it."""

import asyncio
import json
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
        line = (await asyncio.wait_for(self.process.stdout.readline(), 30)).decode()
        assert line, await self.complaints()
        return line.rstrip("\n")

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
        """What was filmed, without the time of it: that is another one in every play."""
        film = [json.loads(line) for line in (self.directory / "camera.jsonl").read_text().splitlines()]
        return [{key: value for key, value in line.items() if key != "t"} for line in film]

    def filmed(self, event: str, **what: object) -> list[dict[str, Any]]:
        """The lines of this event that have all of `what`."""
        wanted = {"event": event, **what}
        return [line for line in self.camera() if wanted.items() <= line.items()]

    async def complaints(self) -> str:
        """Standard error, once the process has ended."""
        assert self.process.stderr
        return (await self.process.stderr.read()).decode()


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


def assert_played_well(lines: list[dict[str, Any]]) -> None:
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
        assert places["community"] in (0, 2)
        cards = [event["card"] for event in events if event["event"] == "card"]
        assert len(set(cards)) == len(cards)
        decided = [event["seat"] for event in events if event["event"] == "decision"]
        antes = [event["seat"] for event in events if event["event"] == "wager" and event["wager"] == "ante"]
        assert decided == antes


@asynccontextmanager
async def played(directory: Path, *options: str) -> AsyncIterator[tuple[BenchProcess, FakeStation]]:
    """A bench and a station that has not yet started; the body sets its switches and calls `to_the_end`."""
    async with bench(directory, *options) as running:
        yield running, FakeStation(directory)


async def to_the_end(running: BenchProcess, station: FakeStation) -> list[str]:
    """Play all rounds; how each ended."""
    await station.start()
    try:
        lines = await running.finished()
    finally:
        await station.kill()
    await running.end()
    return [str(line["robot"]) for line in lines[:-1]]
