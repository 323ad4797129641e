"""A station with messages that it does not expect, too many or too few, and with an input that waits for the slots."""

import asyncio
import json
import shutil
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from controller.config.file import Config, read_config
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.betting import LockIn
from controller.engine.decisions.devices import BeginEpoch, FloorBeyond
from controller.engine.decisions.session import BeginRound, CloseTable, OpenTable
from controller.engine.outcomes import Accepted, Refused
from controller.engine.state.events import JournalOvertaken
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import next_step
from controller.floor import outbox
from controller.journal import closing
from controller.runtime.bus import CommitPublished, Committed, FromStation
from controller.station import Station
from drivers.adu218.slots import Slots
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


MANY = 5000


async def test_a_flood_of_messages_is_one_input_and_one_alarm_of_each_kind(tmp_path: Path, broker: Mosquitto) -> None:
    async with asyncio.timeout(100), table(read_configured(tmp_path, broker.url)) as running:
        await running.until(lambda: running.station.loop.sequence >= BEGUN)
        loop, floor, journal = running.station.loop, running.station.floor, running.station.identity.journal
        queued = loop._queue.qsize()
        for number in range(MANY):
            beyond = {"source": f"/dealer/laptop/table-1/{journal}", "data": {"as_of": 10_000 + number}}
            assert floor.overtakes(json.dumps(beyond).encode())
            floor.on_forged(f"dealer/laptop/table-1/alarms/{number}")
            floor.on_overflow("dealer/laptop/table-1/state")
        assert loop._queue.qsize() <= queued + 2
        await running.until(lambda: loop.table.overtaken is not None and "floor-forged" in loop.table.alarms)
        overtaken = loop.table.overtaken
        assert isinstance(overtaken, JournalOvertaken) and (overtaken.journal, overtaken.message) == (journal, 10_000)


TIMES = 12


async def opened_and_closed(running: Table) -> None:
    for _ in range(TIMES):
        for kind in (OpenTable, CloseTable):
            assert isinstance(await running.say(kind), Accepted)


async def test_a_file_that_is_missing_holds_what_is_behind_it_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closing, "MESSAGES", 4)
    monkeypatch.setattr(outbox, "WINDOW", 2)
    for name in ("LOOK_SECONDS", "SOON_SECONDS", "PAUSE_SECONDS"):
        monkeypatch.setattr(closing, name, 0.01)
    broker = Mosquitto(tmp_path, port=free_port())
    config_file = configured(tmp_path, broker=broker.url, listen=f"127.0.0.1:{free_port()}")
    third = tmp_path / "state" / "journal.db.messages.000000000009-000000000012.zst"
    read: list[int] = []
    more = asyncio.Event()
    async with asyncio.timeout(100), table(read_config(config_file)) as running:
        while running.station.writer.journal.filed < 12:
            await opened_and_closed(running)
        third.rename(tmp_path / "away")
        await asyncio.to_thread(broker.start)
        try:
            async with aiomqtt.Client("127.0.0.1", broker.port) as floor:
                await floor.subscribe("dealer/+/+/events/#", qos=1)

                async def listen() -> None:
                    async for message in floor.messages:
                        assert isinstance(message.payload, bytes)
                        read.append(int(json.loads(message.payload)["sequence"]))
                        more.set()

                listening = asyncio.create_task(listen())
                await running.until(lambda: "journal" in running.station.loop.table.alarms)
                assert all(number <= 8 for number in read), "what is behind the second file was passed on"
                (tmp_path / "away").rename(third)
                await running.station.drained()
                last = running.station.floor.outbox.acknowledged
                while not read or read[-1] < last:
                    more.clear()
                    await more.wait()
                listening.cancel()
        finally:
            await asyncio.to_thread(broker.stop)
    assert read == [*range(read[0], read[-1] + 1)] and read[0] <= 9 and read[-1] > 2 * TIMES


async def test_art_10_3_a_chip_that_is_there_as_a_screen_closes_the_betting_is_read_before(tmp_path: Path) -> None:
    game = {"game": "fortune-3-card-poker-2025", "source": "shuffler"}
    config = configured(tmp_path, **game, listen=f"127.0.0.1:{free_port()}")
    station = await Station.open(read_config(config))
    done: list[str] = []
    read = asyncio.Event()

    class Waiting(Slots):
        async def read_again(self) -> None:
            done.append("asked")
            await read.wait()
            done.append("read")

    async def answer(inputs: Any) -> Any:
        done.append(type(inputs[0]).__name__)

    station.devices.by_name["slots"] = Waiting(button=7)
    station.loop.answer = answer  # type: ignore[method-assign]
    try:
        closing = asyncio.create_task(station.devices.answer([LockIn("1", "1/wagers", "ana")]))
        await asyncio.sleep(0)
        await station.devices.answer([CloseTable("2", "table", "ana")])
        read.set()
        await closing
        assert done == ["asked", "CloseTable", "read", "LockIn"]
    finally:
        await station.close()
