"""The whole bench as a process of its own, for tests that play against it."""

import asyncio
import json
import os
import random
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any

from tests.simulators.fake_station import FakeStation
from tests.station.forked import Forked


class BenchProcess:
    """`python -m simulators bench` in `directory`: its process, what it says, and the pipe whose end is its end."""

    def __init__(
        self, directory: Path, process: Forked, said: asyncio.StreamReader, stdin: IO[bytes], stderr: IO[bytes]
    ):
        self.directory = directory
        self.process = process
        self._said = said
        self._stdin = stdin
        self._stderr = stderr

    async def line(self) -> str:
        line = (await asyncio.wait_for(self._said.readline(), 30)).decode()
        assert line, self.complaints()
        return line.rstrip("\n")

    async def finished(self) -> list[dict[str, Any]]:
        """The JSON lines up to the one that says finished."""
        lines: list[dict[str, Any]] = []
        while not (lines and lines[-1].get("finished")):
            lines.append(json.loads(await self.line()))
        return lines

    async def end(self) -> int:
        self._stdin.close()
        return await self.ended()

    async def ended(self) -> int:
        """The exit code, once it has ended."""
        return await asyncio.to_thread(self.process.wait, 20)

    def camera(self) -> list[dict[str, Any]]:
        """What was filmed, without the time of it and without standstills: these are others in every play."""
        film = [json.loads(line) for line in (self.directory / "camera.jsonl").read_text().splitlines()]
        played = [line for line in film if line["event"] != "stood_still"]
        return [{key: value for key, value in line.items() if key != "t"} for line in played]

    def filmed(self, event: str, **what: object) -> list[dict[str, Any]]:
        """The lines of this event that have all of `what`."""
        wanted = {"event": event, **what}
        return [line for line in self.camera() if wanted.items() <= line.items()]

    def complaints(self) -> str:
        """What it has written to standard error."""
        self._stderr.seek(0)
        return self._stderr.read().decode()


@asynccontextmanager
async def bench(directory: Path, *options: str) -> AsyncIterator[BenchProcess]:
    arguments = ["bench", "--dir", str(directory), "--broker", "none", "--speed", "max"]
    arguments += ["--camera", str(directory / "camera.jsonl"), *options]
    (theirs, stdin), (said, stdout) = pipe(), pipe()
    with tempfile.TemporaryFile() as stderr, stdin, said:
        with theirs, stdout:
            process = Forked("simulators", *arguments, stdin=theirs, stdout=stdout, stderr=stderr)
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), said)
        running = BenchProcess(directory, process, reader, stdin, stderr)
        try:
            assert await running.line() == f"ready {directory}/station.toml"
            yield running
        finally:
            process.kill()
            await running.ended()
            transport.close()


def pipe() -> tuple[IO[bytes], IO[bytes]]:
    """The reading end and the writing end."""
    reading, writing = os.pipe()
    return open(reading, "rb", buffering=0), open(writing, "wb", buffering=0)


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


async def killed_until_the_end(running: BenchProcess, station: FakeStation, chance: random.Random) -> list[str]:
    """Play all rounds; the station dies soon after every one to forty changes of its table. How each round ended.

    The changes count, not the time, so that a slow machine has the same number of deaths.
    """
    finished = asyncio.create_task(running.finished())
    deaths = 0
    while not finished.done():
        await station.start()
        last = station.version + chance.randint(1, 40)
        while station.version < last and not finished.done():
            station.changed.clear()
            change = asyncio.create_task(station.changed.wait())
            await asyncio.wait([finished, change], return_when=asyncio.FIRST_COMPLETED)
            change.cancel()
        await asyncio.wait([finished], timeout=chance.uniform(0, 0.01))
        await station.kill()
        deaths += 1
    assert deaths > 5
    await running.end()
    return [str(line["robot"]) for line in finished.result()[:-1]]
