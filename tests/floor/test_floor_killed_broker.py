"""A broker that is killed again and again: the station connects again, and the event loop complains of nothing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from controller.floor.broker import Broker
from tests.floor.informing_station import informing
from tests.station.processes import Mosquitto

SECONDS = 60.0
TIMES = 8


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", lambda low, high: 0.0)


@pytest.fixture
async def complaints() -> list[dict[str, Any]]:
    """What the event loop says of its callbacks."""
    alarms: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: alarms.append(context))
    return alarms


async def test_a_broker_that_is_killed_again_and_again(tmp_path: Path, complaints: list[dict[str, Any]]) -> None:
    broker = Mosquitto(tmp_path)
    async with asyncio.timeout(SECONDS):
        await asyncio.to_thread(broker.start)
        async with informing(Broker("127.0.0.1", broker.port)) as station:
            for time in range(1, TIMES + 1):
                for number in range(20):
                    station.say("card", b"%d" % number)
                await station.until(lambda time=time: station.edges.count("back") == time)  # type: ignore[misc]
                for number in range(200):
                    station.say("card", b"%d" % number)
                await asyncio.to_thread(broker.kill)
                await station.until(lambda: station.edges[-1] == "lost")
                await asyncio.to_thread(broker.start)
            await station.until(lambda: station.acknowledged == len(station.sent))
    broker.stop()
    assert complaints == []
    assert set(station.causes) <= {"hung_up", "nothing_listens", "no_welcome"}
