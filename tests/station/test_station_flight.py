"""A flight recorder that cannot write: an alarm, and the table plays on."""

import asyncio
from pathlib import Path

import pytest

from controller.config.file import read_config
from controller.engine.alarms import RECORDER
from controller.engine.inputs import Acknowledge
from controller.engine.outcomes import Accepted
from controller.runtime.flight import folder_of
from controller.runtime.loop import Committed
from controller.station import Station
from simulators.broker import free_port
from simulators.station_toml import FORTUNE_8, station_toml


async def test_without_room_for_the_recorder_the_table_plays_on_with_an_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = station_toml(
        game=FORTUNE_8, source="shoe", broker="mqtt://127.0.0.1:1", protocol="5", listen=f"127.0.0.1:{free_port()}"
    )
    (tmp_path / "station.toml").write_text(f"{told}\n[recorder]\n", encoding="utf-8")
    config = read_config(tmp_path / "station.toml")
    config.journal.parent.mkdir(exist_ok=True)
    folder_of(config.journal).write_text("in the way")
    monkeypatch.setattr("controller.runtime.flight.SEAL_SECONDS", 0.01)
    alarmed = asyncio.Event()

    def watch(committed: Committed) -> None:
        if RECORDER in committed.table.alarms:
            alarmed.set()

    station = await Station.open(config, on_commit=watch)
    running = asyncio.create_task(station.run())
    await alarmed.wait()
    assert "File exists" in station.loop.table.alarms[RECORDER].text["en"]
    actor = next(iter(config.people))
    said = Acknowledge(input_id="1", step_id="table", actor=actor, alarm=RECORDER)
    [answer] = await station.loop.answer([said])  # type: ignore[misc]
    assert isinstance(answer, Accepted) and RECORDER not in station.loop.table.alarms
    assert b"dealer_station_recorder_dropped_bytes_total 0.0" not in station.metrics.text()
    station.stop()
    await running
