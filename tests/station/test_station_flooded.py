"""What a flood of messages at the broker queues inside a station: one input and one alarm of each kind, and no more."""

import asyncio
import json
from pathlib import Path

from controller.engine.state.events import JournalOvertaken
from tests.station.processes import Mosquitto
from tests.station.test_station_older_copy import BEGUN, read_configured, table

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
