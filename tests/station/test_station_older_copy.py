"""A folder put back, mark and all: the floor knows more, and nothing of it is reported twice under the same id."""

import asyncio
import json
import shutil
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt

from controller.config.file import Config, read_config
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.devices import BeginEpoch, FloorBeyond
from controller.engine.decisions.session import BeginRound, OpenTable
from controller.engine.outcomes import Accepted, Refused
from controller.engine.state.events import JournalOvertaken
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import next_step
from controller.runtime.bus import CommitPublished, Committed, FromStation
from controller.station import Station
from simulators.broker import free_port
from tests.configured import configured
from tests.station.processes import Mosquitto

BEGUN = 4  # messages of a table at least, once its devices and its meter are known


def read_configured(folder: Path, broker: str) -> Config:
    """The configuration of a table with a shoe in this folder."""
    return read_config(configured(folder, broker=broker, listen=f"127.0.0.1:{free_port()}"))


class Table:
    """A station at work, and who acts at it."""

    def __init__(self, station: Station, running: "asyncio.Task[None]", committed: asyncio.Event) -> None:
        self.station, self.running, self._committed = station, running, committed

    async def say(self, kind: type[PersonInput], step: str | None = None, **fields: Any) -> object:
        """What becomes of an input of the supervisor's."""
        at = step or next_step(self.station.loop.table).id
        answer = await self.station.loop.answer([kind(input_id=str(uuid.uuid4()), step_id=at, actor="rui", **fields)])
        return answer[0] if isinstance(answer, list) else answer

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this holds after something was committed."""
        while not condition():
            self._committed.clear()
            await self._committed.wait()


@asynccontextmanager
async def table(config: Config) -> AsyncIterator[Table]:
    committed = asyncio.Event()

    def on_commit(what: Committed) -> None:
        committed.set()

    station = await Station.open(config)
    station.bus.subscribe(CommitPublished, on_commit)
    running = asyncio.create_task(station.run())
    try:
        yield Table(station, running, committed)
    finally:
        station.stop()
        await running


class Ear:
    """What someone on the floor receives events: each message by its id."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.payloads_of: dict[str, set[bytes]] = {}
        self.journals: set[str] = set()

    async def listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            assert isinstance(message.payload, bytes)
            envelope = json.loads(message.payload)
            assert envelope["id"].rpartition("/")[0] == envelope["source"].rpartition("/")[2]
            self.payloads_of.setdefault(envelope["id"], set()).add(message.payload)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        async with aiomqtt.Client("127.0.0.1", self._port) as client:
            await client.subscribe("dealer/+/+/events/#", qos=1)
            task = asyncio.create_task(self.listen(client))
            try:
                yield
            finally:
                task.cancel()


async def test_the_folder_put_back_is_noticed_by_the_floor_and_two_persons_continue(
    tmp_path: Path, broker: Mosquitto
) -> None:
    config, ear = read_configured(tmp_path, broker.url), Ear(broker.port)
    folder, copy = config.journal.parent, tmp_path / "copy"
    async with asyncio.timeout(100), ear.listening():
        async with table(config) as first:
            await first.until(lambda: first.station.loop.sequence >= BEGUN)
            await first.station.drained()
        shutil.copytree(folder, copy)
        async with table(config) as second:
            assert isinstance(await second.say(OpenTable), Accepted)
            await second.station.drained()
            old = second.station.identity.journal
        shutil.rmtree(folder)
        shutil.copytree(copy, folder)
        known = dict(ear.payloads_of)
        async with table(config) as third:
            await third.until(lambda: "older-copy" in third.station.loop.table.alarms)
            assert isinstance(await third.say(OpenTable), Accepted)
            refused = await third.say(BeginRound)
            assert isinstance(refused, Refused) and refused.code == "overtaken"
            begun = await third.say(BeginEpoch, "epoch", reason="the disk was exchanged", second="ana")
            assert isinstance(begun, Accepted)
            await third.running
        assert ear.payloads_of == known, "it has sent nothing that it might have to take back"
        async with table(config) as fourth:
            new = fourth.station.identity.journal
            assert isinstance(await fourth.say(BeginRound), Accepted)
            await fourth.station.drained()
            assert "older-copy" in fourth.station.loop.table.alarms, "it is over, and not acknowledged"
    assert all(len(payloads) == 1 for payloads in ear.payloads_of.values())
    assert {id.rpartition("/")[0] for id in ear.payloads_of} == {old, new} and old != new
    [overtaken] = [
        json.loads(payload)["data"] for [payload] in ear.payloads_of.values() if b"event.journal_overtaken" in payload
    ]
    assert overtaken["journal"] == old and BEGUN <= overtaken["known"] < overtaken["message"]
    numbers = sorted(int(id.rpartition("/")[2]) for id in ear.payloads_of if id.startswith(f"{new}/"))
    assert numbers == [*range(numbers[0], numbers[-1] + 1)], "and nothing is missing of it"


async def test_a_round_that_begins_together_with_the_epoch_is_published_under_the_new_name(tmp_path: Path) -> None:
    config = read_configured(tmp_path, "mqtt://127.0.0.1:1")
    async with asyncio.timeout(100), table(config) as running:
        loop, old = running.station.loop, running.station.identity.journal
        assert isinstance(await running.say(OpenTable), Accepted)
        loop.receive(FromStation(input=FloorBeyond(event=JournalOvertaken(old, 99, 4))))
        await running.until(lambda: "older-copy" in loop.table.alarms)
        step = next_step(loop.table).id
        both = await asyncio.gather(
            running.say(BeginEpoch, "epoch", reason="the disk was exchanged", second="ana"),
            running.say(BeginRound, step),
        )
        assert all(isinstance(answer, Accepted) for answer in both) and loop.table.round is not None
        assert isinstance(await running.say(Acknowledge, "table", alarm="older-copy"), Accepted)
        journal = running.station.writer.journal
        names = {json.loads(row.payload)["id"].rpartition("/")[0] for row in journal.outbox(0, 1000)}
        assert names == {journal.name} and journal.name != old, "the floor may know another message of this number"
