"""Messages that wait for a broker in files beside the journal: in order to the floor, and none is passed over."""

import asyncio
import json
from pathlib import Path

import aiomqtt
import pytest

from controller.config.file import read_config
from controller.engine.decisions.session import CloseTable, OpenTable
from controller.engine.outcomes import Accepted
from controller.floor import outbox
from controller.journal import closing
from simulators.broker import free_port
from tests.configured import configured
from tests.station.processes import Mosquitto
from tests.station.test_station_older_copy import Table, table

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
