"""A thread beside the table that cannot do its work: an alarm, and the table plays on."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.config.file import Config, read_config
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.outcomes import Accepted
from controller.engine.state.applied import Event
from controller.engine.state.events import ComplaintOpened, KeyReleased, RoundAdjusted
from controller.journal.wires import folder_of
from controller.rulebook.events import RoundVoided
from controller.runtime.bus import CommitPublished, Committed
from controller.runtime.flight import FlightRecorder
from controller.station import Station
from simulators.broker import free_port
from tests.configured import table_toml

DEFECT = "defect"


def recording(folder: Path) -> Config:
    text = table_toml(listen=f"127.0.0.1:{free_port()}")
    (folder / "station.toml").write_text(f"{text}\n[recorder]\n", encoding="utf-8")
    config = read_config(folder / "station.toml")
    config.journal.parent.mkdir(exist_ok=True)
    return config


async def test_without_room_for_the_recorder_the_table_plays_on_with_an_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = recording(tmp_path)
    folder_of(config.journal).write_text("in the way")
    monkeypatch.setattr("controller.runtime.flight.SEAL_SECONDS", 0.01)
    alarmed = asyncio.Event()

    def watch(committed: Committed) -> None:
        if "recorder" in committed.table.alarms:
            alarmed.set()

    station = await Station.open(config)
    station.bus.subscribe(CommitPublished, watch)
    running = asyncio.create_task(station.run())
    await alarmed.wait()
    assert station.loop.table.alarms["recorder"].details == "File exists"
    actor = next(iter(config.people))
    input = Acknowledge(input_id="1", step_id="table", actor=actor, alarm="recorder")
    [answer] = await station.loop.answer([input])  # type: ignore[misc]
    assert isinstance(answer, Accepted) and "recorder" not in station.loop.table.alarms
    assert b"dealer_station_recorder_dropped_bytes_total 0.0" not in station.metrics.text()
    station.stop()
    await running


@pytest.mark.parametrize(
    ("work", "code"),
    [
        ("verifying.Verifier.verify", "ended/verifier"),
        ("closing.Closer._close", "ended/closer"),
    ],
)
async def test_a_defect_that_ends_what_works_on_the_journal_is_an_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str, code: str
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("7h")

    monkeypatch.setattr(f"controller.journal.{work}", fails)
    monkeypatch.setattr("controller.journal.closing.LOOK_SECONDS", 0.0)
    alarmed = asyncio.Event()
    station = await Station.open(recording(tmp_path))
    station.bus.subscribe(CommitPublished, lambda now: alarmed.set() if DEFECT in now.table.alarms else None)
    running = asyncio.create_task(station.run())
    try:
        async with asyncio.timeout(100):
            await alarmed.wait()
    finally:
        station.stop()
        await running
    alarm = station.loop.table.alarms["defect"]
    assert alarm.code == code and "test_station_flight.py:" in alarm.details and "7h" not in alarm.details


async def test_a_round_complained_of_void_adjusted_or_whose_key_is_released_is_kept_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    monkeypatch.setattr(FlightRecorder, "keep", lambda _, round: kept.append(round))
    station = await Station.open(recording(tmp_path))
    events: tuple[Event, ...] = (
        ComplaintOpened(complaint=1, round=4, seat=1, what="payment", by="", actor="rui"),
        RoundAdjusted(5, seat=1, amount=-5, actor="rui", reason="paid twice", second="sol", after_claims=False),
        KeyReleased(round=6, actor="rui", reason="the inspection asks", second="sol"),
        RoundVoided(article="17.º 1 1)", code="misdealt", values={}),
    )
    table = replace(station.loop.table, rounds=7)
    station.bus.publish(CommitPublished("2026-01-02T03:04:05.678Z", events, table, (), (), 0))
    assert kept == [4, 5, 6, 7]
    await station.close()
