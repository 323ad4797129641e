"""A real station whose clock, names and wires a test holds: one thing let in at a time, and what it says kept."""

import asyncio
import contextlib
import io
import json
import logging
import os
import re
import shutil
import socket
import sqlite3
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import prometheus_client
import structlog

from controller.config.file import read_config
from controller.floor import client
from controller.journal.records import Stamp
from controller.journal.sealing import KEY_BYTES, Seal
from controller.journal.store import Journal
from controller.journal.writer import Writer
from controller.rulebook.parts.faults import LossCause
from controller.runtime.clock import Clock
from controller.runtime.composition import compose
from controller.station import Station
from controller.telemetry import logs
from drivers.angel_eye.dialogue import ShoeTiming
from drivers.angel_eye.shoe import AngelEye
from drivers.device import DeviceMessage
from drivers.messages import LinkLost, LinkUp, Message, ShufflerHello
from drivers.shuffler_link.shuffler import Shuffler
from simulators.broker import free_port
from tests.configured import configured
from tests.games import GAMES
from tests.station.floor_ear import FloorEar
from tests.station.permuted_wires import ScriptedShoe, ScriptedShuffler
from tests.station.processes import PATIENCE_SECONDS, Mosquitto
from tests.wire.peer import Peer

UUID = "00000000-0000-4000-8000-000000000000"
OUTAGE_SECONDS = 0.25
MARKER = "dealer/marker"
SEATS = 6
MEASURED = re.compile(rb"(?i)content-length|dealer_station_(\w+_(duration|delay)_seconds|journal_bytes)")
CHANNELS = ("mqtt", "http", "stream", "metrics", "log")
# Journal columns anybody can read who has the file and not the key; the chain's hash and the MAC cover the sealed ones.
PLAIN = {
    "meta": "SELECT key, CASE key WHEN 'head' THEN json_remove(value, '$.hash', '$.edge') ELSE value END FROM meta "
    "WHERE key <> 'mac' ORDER BY key",
    "events": "SELECT id, time, boot, monotonic_ns, synchronised, body, length(sealed), input FROM events ORDER BY id",
    "answers": "SELECT number, input_id, body FROM answers ORDER BY number",
    "outbox": "SELECT * FROM outbox ORDER BY sequence",
    "marks": "SELECT * FROM marks ORDER BY device",
    "segments": "SELECT * FROM segments ORDER BY last",
    "tree": "SELECT level, place FROM tree ORDER BY level, place",
    "files": "SELECT * FROM files ORDER BY last",
    "archives": "SELECT * FROM archives ORDER BY archive",
    "snapshots": "SELECT event, substr(body, 33) FROM snapshots ORDER BY event",
}


@dataclass(frozen=True)
class Place:
    """Where runs take place, one after the other: the same folder and ports, so that no message differs by them."""

    directory: Path
    broker_port: int = field(default_factory=free_port)
    console_port: int = field(default_factory=free_port)


@dataclass
class Moment:
    """What was reported on each channel from one thing let in to the next."""

    name: str
    channels: dict[str, list[bytes]] = field(default_factory=lambda: {channel: [] for channel in CHANNELS})


class StoppedClock(Clock):
    """Stops until a test moves it."""

    def __init__(self) -> None:
        super().__init__()
        self.moment = 0

    def stamp(self) -> Stamp:
        minute, second = divmod(self.moment, 60)
        time = f"2026-06-01T20:{minute:02}:{second:02}.000Z"
        return Stamp(time=time, boot="boot", monotonic_ns=self.moment * 10**9, synchronised=True)


class GatedWriter(Writer):
    """Asks again what became of a failed commit when a test lets it."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, journal.restore())
        self.tries = asyncio.Semaphore(0)

    async def _until_next_try(self) -> None:
        await self.tries.acquire()


class GatedStation(Station):
    """A station that receives its wires, and the broker's link, when a test lets it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.at_gate: dict[str, deque[DeviceMessage]] = defaultdict(deque)
        self.links: deque[tuple[str | None, LossCause]] = deque()
        self._receive, self._receive_link = self.devices.receive, self.floor.on_link
        self.devices.receive = lambda message: self.at_gate[message.device].append(message)  # type: ignore[method-assign]
        self.floor.on_link = lambda reason, *rest: self.links.append((reason, rest[-1]))  # type: ignore[method-assign]
        # A device that a slow start or a busy machine makes late is neither silent nor asked twice.
        shoe, shuffler = self.devices.by_name["shoe"], self.devices.by_name["shuffler"]
        assert isinstance(shoe, AngelEye) and isinstance(shuffler, Shuffler)
        shoe._dialogue.timing = ShoeTiming(answer=PATIENCE_SECONDS)
        shuffler._hello_wait = shuffler._resend_repeat = PATIENCE_SECONDS

    def let_in(self, message: DeviceMessage) -> None:
        """Receive this; an outage has always been as long."""
        if isinstance(message.message, LinkUp):
            message = replace(message, message=LinkUp(outage_seconds=OUTAGE_SECONDS, tries=1))
        self._receive(message)

    def let_link_in(self) -> None:
        """Receive what the floor's client reported of its link first."""
        reason, cause = self.links.popleft()
        self._receive_link(reason, OUTAGE_SECONDS, 1, cause)

    @property
    def floor_up_to_date(self) -> bool:
        """Whether the broker has acknowledged all there is to say."""
        client = self.floor.client
        return self.floor.outbox.empty and client._published == client._retained_now()


class MarkingEar(FloorEar):
    """Knows when it has received all that the broker took before."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        line = self._client.socket()
        assert isinstance(line, socket.socket)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else the marker waits 40 ms for an ACK

    async def caught_up(self) -> None:
        """Wait until a message of its own has come back behind the others."""
        before = len([message for message in self.messages if message.topic == MARKER])
        self._client.publish(MARKER, b"", qos=1)
        await until(lambda: len([sent for sent in self.messages if sent.topic == MARKER]) > before, "the marker")


class WatchedTable:
    """One running station with everything it says. `leak` is called with the station before it runs."""

    def __init__(
        self,
        station: GatedStation,
        writer: GatedWriter,
        ear: MarkingEar,
        clock: StoppedClock,
        place: Place,
        folder: Path,
        log: io.StringIO,
    ) -> None:
        self.station = station
        self.writer = writer
        self.moments: list[Moment] = [Moment("start")]
        self.state: dict[str, Any] = {}
        self.lines = {name: Peer(folder / name) for name in ("shuffler", "shoe")}
        self.shuffler = ScriptedShuffler(self.lines["shuffler"])
        self.shoe = ScriptedShoe(self.lines["shoe"])
        self._folder = folder
        self._ear = ear
        self._clock = clock
        self._port = place.console_port
        self._log = log
        self._seen_of_floor = self._logged = self._seen = 0
        self._streamed = bytearray()
        self._inputs = 0
        self._barrier = b""
        self._settled = True

    async def say(self, kind: str, step_id: str | None = None, actor: str = "ana", **fields: object) -> int:
        """Post one input; the status of the answer."""
        return await self.say_all([{"kind": kind, **fields}], step_id, actor)

    async def say_all(self, inputs: list[dict[str, object]], step_id: str | None = None, actor: str = "ana") -> int:
        """Post inputs together; the status of the answer."""
        step_id = self.state["step"]["id"] if step_id is None else step_id
        named = []
        for input in inputs:
            self._inputs += 1
            named.append({"input_id": f"i{self._inputs}", "step_id": step_id, "actor": actor, **input})
        return await self.post(json.dumps(named if len(named) > 1 else named[0]).encode())

    async def post(self, body: bytes) -> int:
        """Post this to /inputs; the status of the answer."""
        assert self._settled, "whether this and what was let in fall into one batch is left to chance"
        answer = await self._exchange("POST", "/inputs", body)
        self.moments[-1].channels["http"].append(answer)
        return int(answer.split(b" ", 2)[1])

    async def receive(self, device: str, kind: type[Message]) -> None:
        """Let in what waits at a device's gate, up to and with the first message of this kind."""
        waiting, together = self.station.at_gate[device], list[DeviceMessage]()
        await until(
            lambda: any(isinstance(message.message, kind) for message in waiting), f"{kind.__name__} of {device}"
        )
        while True:
            together.append(waiting.popleft())
            if isinstance(together[-1].message, kind):
                return self.let_in(*together)

    def let_in(self, *together: DeviceMessage) -> None:
        """Let these in, once what came before them has settled: else its commit would be theirs or not, by chance."""
        assert self._settled, f"{together} with what was let in before"
        self._settled = False
        for message in together:
            self.station.let_in(message)

    async def settle(self, name: str, durable: bool = True) -> dict[str, Any]:
        """Wait until nothing more comes of what was let in; keep it as a moment; the table as it is.

        `durable`: False while the journal cannot be written, when nothing can be waited for behind it.
        """
        if durable:
            await self._exchange("POST", "/inputs", self._barrier)
            self._settled = True
        await until(lambda: self.station.floor_up_to_date, f"the floor to receive {name}")
        await self._ear.caught_up()
        channels = self.moments[-1].channels
        self.moments[-1].name = name
        table = await self._exchange("GET", "/table")
        body = table.partition(b"\r\n\r\n")[2]
        await until(lambda: self._streamed.endswith(body + b"\n\n\r\n"), f"the stream to show {name}")
        channels["http"].append(table)
        channels["metrics"].append(_untimed(await self._exchange("GET", "/metrics")))
        self._collect(channels)
        self.moments.append(Moment("?"))
        self._clock.moment += 1
        self.state = json.loads(body)
        return self.state

    def _collect(self, channels: dict[str, list[bytes]]) -> None:
        messages = self._ear.messages[self._seen_of_floor :]
        self._seen_of_floor += len(messages)
        channels["mqtt"] += [
            f"{sent.topic} {sent.kept} ".encode() + sent.payload for sent in messages if sent.topic != MARKER
        ]
        text = self._log.getvalue()
        channels["log"] += text[self._logged :].encode().splitlines()
        self._logged = len(text)
        channels["stream"].append(bytes(self._streamed[self._seen :]))
        self._seen = len(self._streamed)

    async def _exchange(self, method: str, path: str, body: bytes = b"") -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.read(-1)
        writer.close()
        return _undated(answer)

    async def _follow(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            self._streamed += _undated(await reader.readuntil(b"\r\n\r\n"))
            while piece := await reader.read(65536):
                self._streamed += piece
        finally:
            writer.close()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs it, both sources of cards on their wires; slots and sign have none, and say what a test makes them."""
        for line in self.lines.values():
            line.plug()
        run = asyncio.create_task(self.station.run())
        follow = None
        try:
            await until(lambda: bool(self.station.links) or run.done(), "the broker's link")
            follow = asyncio.create_task(self._follow())
            await until(lambda: bool(self._streamed), "the stream")
            # Asked for again and again: it is answered behind everything that was received before, and changes nothing.
            self._barrier = b'{"kind":"close_table","input_id":"barrier","step_id":"open/1","actor":"ana"}'
            await self.post(self._barrier)
            await self.settle("started")
            self.station.let_link_in()
            await self.settle("floor up")
            await self.receive("shuffler", ShufflerHello)
            await self.settle("shuffler up")
            await self.receive("shoe", LinkUp)
            await self.settle("shoe up")
            for device in ("slots", "sign"):
                await self.receive(device, LinkLost)
                await self.settle(f"{device} away")
                self.let_in(DeviceMessage(device, LinkUp(OUTAGE_SECONDS, 1), None))
                await self.settle(f"{device} up")
            yield
        finally:
            self.station.stop()
            await run
            if follow is not None:
                await follow
            for line in self.lines.values():
                line.unplug()
        await self._ear.caught_up()
        self.moments[-1].name = "stopped"
        self._collect(self.moments[-1].channels)

    @contextmanager
    def journal_locked(self) -> Iterator[None]:
        """Another program holds the journal: no commit succeeds meanwhile."""
        with contextlib.closing(sqlite3.connect(self._folder / "state" / "journal.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield

    def plain_journal(self) -> dict[str, list[tuple[Any, ...]]]:
        """What is unsealed in the journal, by table."""
        with contextlib.closing(sqlite3.connect(self._folder / "state" / "journal.db")) as journal:
            found = {name: journal.execute(query).fetchall() for name, query in PLAIN.items()}
            kept = {name for (name,) in journal.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert kept == set(PLAIN), "a table of the journal that is not compared"
        return found


async def run_station(
    place: Place,
    source: str,
    play: Callable[[WatchedTable], Awaitable[None]],
    leak: Callable[[GatedStation], None] = lambda station: None,
) -> tuple[list[Moment], dict[str, list[tuple[Any, ...]]]]:
    """Run a station while `play` plays at its table: what was reported by moment, and the plain part of the journal."""
    clock, log = StoppedClock(), io.StringIO()
    folder = place.directory / "table"
    (folder / "state").mkdir(parents=True)
    broker_url, listen = f"mqtt://127.0.0.1:{place.broker_port}", f"127.0.0.1:{place.console_port}"
    configured(folder, game=GAMES[0], seats=SEATS, source=source, broker=broker_url, listen=listen)
    async with AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        broker = Mosquitto(folder / "broker", port=place.broker_port)
        await asyncio.to_thread(broker.start)
        stack.callback(broker.stop)
        ear = MarkingEar(place.broker_port)
        stack.callback(ear.close)
        stack.enter_context(_stopped(clock, log))
        config = read_config(folder / "station.toml")
        writer = GatedWriter(Journal(config.journal, Seal(bytes(KEY_BYTES)), config.mode, new_uuid=UUID))
        station = GatedStation(**vars(compose(config, writer)))
        leak(station)
        table = WatchedTable(station, writer, ear, clock, place, folder, log)
        async with table.running():
            await play(table)
        return table.moments, table.plain_journal()


@contextmanager
def _stopped(clock: StoppedClock, log: io.StringIO) -> Iterator[None]:
    """What else would differ from run to run: stamps, the log's end, and when the floor is notified of what remains."""
    prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
    everything = logging.StreamHandler(log)
    everything.setLevel(logging.WARNING)
    logging.getLogger().addHandler(everything)
    with (
        patch("controller.runtime.composition.Clock", lambda: clock),
        patch.object(client, "SETTLED_SECONDS", 0.001),
        patch.object(client, "RETAINED_AT_LEAST_EVERY_SECONDS", float("inf")),
        patch.object(client.FloorClient, "_publish_status_again", lambda floor: None),  # by the clock of the computer
        patch("controller.journal.store.BUSY_SECONDS", 0.05),
        patch("controller.runtime.loop.RETRY_SECONDS", 0),
        patch("controller.runtime.daily.STATISTICS_SECONDS", float("inf")),
        patch("controller.runtime.floor.CHECKPOINT_SECONDS", float("inf")),
        patch("controller.runtime.upkeep.FLUSH_SECONDS", float("inf")),  # a flush that fails is counted too
        contextlib.redirect_stderr(log),
        contextlib.redirect_stdout(log),
    ):
        try:
            with patch.dict(os.environ, {"JOURNAL_STREAM": "1:1"}):
                logs.configure()
            yield
        finally:
            structlog.reset_defaults()
            logging.getLogger().removeHandler(everything)
            prometheus_client.enable_created_metrics()  # type: ignore[no-untyped-call]


async def until(condition: Callable[[], bool], what: str) -> None:
    """Wait until `condition` holds. Raises AssertionError naming `what` did not come."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, f"waited {PATIENCE_SECONDS:.0f} s in vain for {what}"
        await asyncio.sleep(0.001)


def _undated(answer: bytes) -> bytes:
    """An answer without the time of day, which the web server reads off the machine."""
    head, separator, body = answer.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"date:")]
    return b"\r\n".join(kept) + separator + body


def _untimed(answer: bytes) -> bytes:
    """Metrics without those that measure the machine: how long it took, and how much its disk holds of it by now."""
    kept = [line for line in answer.split(b"\n") if not MEASURED.match(line)]
    return b"\n".join(kept)
