"""A whole table on one loop in made-up time: the bench with its robot dealer, and a real station with its console.

The station is the product's own: drivers, engine, journal and console, without a floor and without the threads beside
the journal. Connections are sockets of this process and serial lines are ptys, which a loop that polls finds ready at
once. Nothing waits for the machine, so that every play is the same each time.
"""

import asyncio
import contextlib
import io
import json
import os
import random
import socket
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, TypeVar
from unittest.mock import patch

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.config.file import read_config
from controller.console.files import page_files
from controller.console.server import App
from controller.console.turns import Turns
from controller.journal.records import Stamp
from controller.journal.sealing import Seal, read_key
from controller.journal.writer import Writer
from controller.runtime.bus import CommitPublished
from controller.runtime.clock import Clock
from controller.runtime.composition import compose
from controller.station import Station
from drivers.link import Link
from drivers.registry import origin_of
from simulators.__main__ import parser, wishes_of
from simulators.simulated_table import running_bench
from simulators.station_toml import TOML, read_setting
from tests.made_up_time import MadeUpTime, P, on_loop
from tests.station.floor_ear import Published, round_messages
from tests.station.journal_eye import read_only
from tests.station.simulated import judged

T = TypeVar("T")
Item = dict[str, Any]
Fault = Literal["request lost", "answer lost", "late", "refused", "overtaken"]
REFUSED = {"error": "refused", "who": "seat 1", "reason": "the test refuses it", "article": "4.º 3"}
IDLE_SECONDS = 5.0  # without a commit all rounds are over, or the robot dealer waits for the station to come back
LATE_SECONDS = 20.0  # the robot dealer waits for an answer for 15
in_soak = partial(pytest.param, marks=pytest.mark.soak)
"""Parameters of a test with others of which it notices the same."""
# The step at which a slip is noticed is left to chance.
SEEDS = pytest.mark.parametrize("seed", ["1", *map(in_soak, "23")])


# The files of the page and of the makes of devices stay as they are while a station is killed again and again.
_page_files, _origin_of = cache(page_files), cache(origin_of)


def _name_of(port: int) -> str:
    return f"\0dealer-station-test-{os.getpid()}-{port}"


def _bound_socket(address: tuple[str, int], named: str) -> socket.socket:
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    bound.bind(_name_of(address[1]))
    return bound


async def _no_other_programs(port: str) -> list[str]:
    return []


async def _at_once(call: Callable[[], T], late: Callable[[T], None], name: str) -> T:
    return call()


class InMemory(MadeUpTime):
    """A port is a socket of this process, and what a thread would do is done at once."""

    async def create_connection(  # type: ignore[override]
        self, factory: Any, host: Any = None, port: Any = None, **more: Any
    ) -> Any:
        return await self.create_unix_connection(factory, _name_of(port))

    async def create_server(  # type: ignore[override]
        self, factory: Any, host: Any = None, port: Any = None, **more: Any
    ) -> Any:
        return await self.create_unix_server(factory, _name_of(port))

    def run_in_executor(self, executor: Any, call: Any, *arguments: Any) -> Any:  # type: ignore[override]
        done = self.create_future()
        try:
            done.set_result(call(*arguments))
        except Exception as failure:
            done.set_exception(failure)
        return done


def in_memory(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Runs a test on such a loop."""
    return on_loop(InMemory, test)


class _LoopClock(Clock):
    """The time of the loop."""

    def stamp(self) -> Stamp:
        now = asyncio.get_running_loop().time()
        hour, minute, second = int(now // 3600), int(now // 60) % 60, now % 60
        time = f"2026-06-01T{hour:02}:{minute:02}:{second:06.3f}Z"
        return Stamp(time=time, boot="boot", monotonic_ns=int(now * 1e9), synchronised=True)


class _Station(Station):
    """Without what works beside the table. It ends as a killed one does: it writes and sends nothing more."""

    def _tasks(self, group: asyncio.TaskGroup) -> list["asyncio.Task[None]"]:
        return [group.create_task(self.loop.run()), *self.devices.tasks(group)]

    async def _end(self) -> None:
        self.console.close()
        self.hang_up()
        for task in self.console._server.server_state.tasks:
            task.cancel()
        await self.writer.close()

    def hang_up(self) -> None:
        """Close every connection at once, with what was not yet sent."""
        for connection in list(self.console._server.server_state.connections):
            connection.transport.abort()


class StationInMemory:
    """The station of a bench, started and killed as often as a test likes.

    `accepted` are the inputs it accepted over HTTP, in order. `refused_kinds` are kinds of inputs that it refuses, how
    often: what the rules would not refuse. `fault_of` says what becomes of a request with inputs.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.accepted: list[Item] = []
        self.posted: list[Item] = []
        self.refused_kinds: Counter[str] = Counter()
        self.fault_of: Callable[[list[Item]], Fault | None] = lambda items: None
        self.struck: Counter[str] = Counter()
        self.commits = self.rounds_over = 0
        self._due, self._due_at = asyncio.Event(), 0
        self._accepted_ids: set[str] = set()
        self._run: asyncio.Task[None] | None = None

    @property
    def table(self) -> Item:
        """As the screen shows it now."""
        shown: Item = json.loads(self.station.view.projection())
        return shown

    @property
    def rounds(self) -> list[Item]:
        """What is to be published of each round that is over: no floor takes it, and the journal keeps it."""
        with contextlib.closing(read_only(self.directory / "state" / "journal.db")) as file:
            rows = file.execute("SELECT topic, payload FROM outbox ORDER BY sequence").fetchall()
        return round_messages(Published(topic, payload, False) for topic, payload in rows)

    async def start(self) -> None:
        config = read_config(self.directory / TOML)
        with (
            patch("controller.console.server.bound_socket", _bound_socket),
            patch("controller.runtime.composition.Clock", _LoopClock),
            patch("controller.console.app.page_files", _page_files),
            patch("controller.runtime.wired.origin_of", _origin_of),
            # Processor time is charged as waiting time: on a busy machine the same play would take longer.
            patch("controller.console.connections.Turns", partial(Turns, clock=lambda: 0.0)),
        ):
            writer = await Writer.open(config.journal, Seal(read_key(config.seal_key_file, create=True)), config.mode)
            self.station = _Station(**vars(compose(config, writer, around=self._around)))
        self.station.upkeep.start = lambda: None  # type: ignore[method-assign]
        self.station.bus.subscribe(CommitPublished, self._committed)
        self._run = asyncio.create_task(self.station.run())
        await self.station.console.answers()

    async def kill(self) -> None:
        assert self._run
        self._run.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._run

    def after_commits(self, commits: int) -> asyncio.Event:
        """Set as soon as so many more are published."""
        self._due, self._due_at = asyncio.Event(), self.commits + commits
        return self._due

    def _committed(self, commit: CommitPublished) -> None:
        self.commits += 1
        self.rounds_over += sum(row.topic.endswith("/rounds") for row in commit.outbox)
        if self.commits == self._due_at:
            self._due.set()

    def _around(self, app: App) -> App:
        async def faulty(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or (scope["method"], scope["path"]) != ("POST", "/inputs"):
                return await app(scope, receive, send)
            await self._post(app, scope, await Request(scope, receive).body(), send)

        return faulty

    async def _post(self, app: ASGIApp, scope: Scope, body: bytes, send: Send) -> None:
        items = json.loads(body)
        items = items if isinstance(items, list) else [items]
        self.posted += items
        fault = self.fault_of(items)
        unwanted = next((item["kind"] for item in items if self.refused_kinds[item["kind"]]), None)
        if unwanted is not None:
            self.refused_kinds[unwanted] -= 1
            fault = "refused"
        self.struck[str(fault)] += 1
        if fault == "request lost":
            return self.station.hang_up()
        if fault == "refused":
            return await JSONResponse(REFUSED, 422)(scope, _nothing, send)
        if fault == "overtaken":  # another program enters the same first
            others = [{**item, "input_id": uuid.uuid4().hex} for item in items]
            await _asked(app, scope, json.dumps(others).encode(), _nowhere)
        if fault == "late":
            await asyncio.sleep(LATE_SECONDS)
        status = await _asked(app, scope, body, _nowhere if fault == "answer lost" else send)
        if status == 200 and items[0]["input_id"] not in self._accepted_ids:
            self._accepted_ids.add(items[0]["input_id"])
            self.accepted += items
        if fault == "answer lost":
            self.station.hang_up()


async def _nowhere(message: Message) -> None:
    """Drops it."""


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


async def _asked(app: ASGIApp, scope: Scope, body: bytes, send: Send) -> int:
    statuses: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])
        await send(message)

    await app(dict(scope), receive, sent)
    return statuses[0]


class Bench:
    """The bench beside its station: what it prints, complains of and films."""

    def __init__(self, directory: Path, printed: io.StringIO, complained: io.StringIO, stop: asyncio.Event) -> None:
        self.station = StationInMemory(directory)
        self.directory = directory
        self.setting = read_setting(directory / TOML)
        self.address = (self.setting.host, self.setting.port)
        self._printed, self._complained, self._stop = printed, complained, stop

    async def to_the_end(self) -> list[str]:
        """Play all rounds; how each ended."""
        await self.station.start()
        outcomes = await self.finished()
        await self.station.kill()
        return outcomes

    async def killed_until_the_end(self, chance: random.Random) -> list[str]:
        """Play all rounds; the station dies soon after every one to forty commits. How each round ended."""
        deaths = 0
        while not self._is_over:
            await self.station.start()
            due = self.station.after_commits(chance.randint(1, 40))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(due.wait(), IDLE_SECONDS)
            for _ in range(chance.randint(0, 8)):
                await asyncio.sleep(0)
            await self.station.kill()
            deaths += 1
        assert deaths > 5
        return await self.finished()

    async def finished(self) -> list[str]:
        """How each round ended, once all are played."""
        while not self._is_over:  # noqa: ASYNC110
            await asyncio.sleep(0.25)
        printed = [json.loads(line) for line in self._printed.getvalue().splitlines() if line.startswith("{")]
        return [str(line["robot"]) for line in printed if "robot" in line]

    @property
    def _is_over(self) -> bool:
        return '"finished"' in self._printed.getvalue() or self._stop.is_set()

    @property
    def complaints(self) -> str:
        return self._complained.getvalue()

    @property
    def film(self) -> list[Item]:
        """Without the time of it."""
        lines = [json.loads(line) for line in (self.directory / "camera.jsonl").read_text().splitlines()]
        return [{key: value for key, value in line.items() if key != "t"} for line in lines]

    def filmed(self, event: str, **what: object) -> list[Item]:
        """The lines of this event that have all of `what`."""
        wanted = {"event": event, **what}
        return [line for line in self.film if wanted.items() <= line.items()]

    def of_round(self, number: int) -> list[Item]:
        return [line for line in self.film if line["round"] == number]

    def accepted(self, *kinds: str) -> list[Item]:
        """The inputs of these kinds that the station accepted."""
        return [item for item in self.station.accepted if item["kind"] in kinds]

    def judge(self, away: bool = False) -> None:
        """Hold what the station published against the film, by the referee."""
        judged(self.directory / TOML, self.directory / "camera.jsonl", self.station.rounds, away=away)


@asynccontextmanager
async def bench(directory: Path, options: str, faults: Iterable[str] = ()) -> AsyncIterator[Bench]:
    """A bench with its station, which has not yet started. Raises what the bench raises."""
    arguments = ["bench", "--dir", str(directory), "--broker", "none", "--speed", "max", "--slots", "numato"]
    arguments += ["--camera", str(directory / "camera.jsonl"), *options.split()]
    arguments += [word for fault in faults for word in ("--fault", fault)]
    stop, printed, complained = asyncio.Event(), io.StringIO(), io.StringIO()
    alone = patch("drivers.ports.serial._others", _no_other_programs)
    # A thread that opens a line, and the random pause before the next try, would make each play another.
    opened = patch("drivers.ports.serial.unheld", _at_once)
    steady = patch.object(Link.__init__, "__defaults__", (lambda: 0.5,))
    filmed = patch("simulators.felt.camera.time", SimpleNamespace(monotonic=asyncio.get_running_loop().time))
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained), alone, opened, filmed, steady:
        async with running_bench(wishes_of(parser().parse_args(arguments)), stop):
            yield Bench(directory, printed, complained, stop)


def each(kind: str, *rounds: int) -> list[str]:
    """This fault in each of these rounds."""
    return [f"{kind}@round={number}" for number in rounds]


ENDS = {"s": "settled", "v": "void", "n": "no bets"}


async def played(
    directory: Path,
    options: str,
    faults: Iterable[str] = (),
    expect: str = "",
    before: Callable[[StationInMemory], None] = lambda station: None,
) -> Bench:
    """A whole play, which ends as expected, round by round, and is compared with the film by the referee."""
    directory.mkdir(exist_ok=True)  # noqa: ASYNC240
    async with bench(directory, options, faults) as running:
        before(running.station)
        outcomes = [outcome.split(",")[0] for outcome in await running.to_the_end()]
    assert not expect or outcomes == [ENDS[letter] for letter in expect], running.complaints
    running.judge()
    return running
