"""The betting is closed on a screen: what is in the slots by then is read first."""

import asyncio
from pathlib import Path
from typing import Any

from controller.config.file import read_config
from controller.engine.decisions.betting import LockIn
from controller.engine.decisions.session import CloseTable
from controller.station import Station
from drivers.adu218.slots import Slots
from simulators.broker import free_port
from tests.configured import configured


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
