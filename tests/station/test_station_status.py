"""What a late subscriber is given of a station that runs, was killed, or stopped; over both versions of MQTT."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.station.floor_ear import BASE, kept_messages
from tests.station.processes import Daemon, Mosquitto, ended_at_last, lone_daemon, patiently
from tests.station.screen import active_alarms, get_table

SECONDS = 25.0


def daemon_at(folder: Path, broker: Mosquitto, protocol: str, *keys: str) -> Daemon:
    """A station without devices, not yet started, with these keys more in `[floor]`."""
    folder.mkdir(exist_ok=True)
    daemon = lone_daemon(folder, broker.url)
    text = daemon.config.read_text(encoding="utf-8")
    assert 'protocol = "5"' in text
    floor = "\n".join((f'protocol = "{protocol}"', *keys))
    daemon.config.write_text(text.replace('protocol = "5"', floor), encoding="utf-8")
    return daemon


@pytest.fixture(params=["5", "3.1.1"])
def daemon(tmp_path: Path, broker: Mosquitto, request: pytest.FixtureRequest) -> Iterator[Daemon]:
    daemon = daemon_at(tmp_path, broker, request.param)
    with ended_at_last(daemon):
        yield daemon


def kept(broker: Mosquitto) -> dict[str, Any]:
    """The retained messages by topic, below the table's."""
    return {
        topic.removeprefix(f"{BASE}/"): json.loads(payload) for topic, payload in kept_messages(broker.port).items()
    }


def holding(messages: dict[str, Any]) -> set[str]:
    """The topics whose messages hold now: those of the session that is online (docs/floor.md)."""
    status = messages.get("status")
    if status is None or not status["data"]["online"]:
        return set()
    return {topic for topic, message in messages.items() if message["session"] == status["session"]}


def all_hold(broker: Mosquitto) -> bool:
    messages = kept(broker)
    return {"status", "state", "devices/shuffler"} <= messages.keys() == holding(messages)


def test_retained_messages_hold_exactly_while_the_station_is_online(broker: Mosquitto, daemon: Daemon) -> None:
    daemon.start()
    patiently(lambda: all_hold(broker), SECONDS, "the retained messages of the first session")
    first = kept(broker)["status"]
    assert first["data"]["online"] and first["time"]
    daemon.kill()
    patiently(lambda: not holding(kept(broker)), SECONDS, "offline, by the will")
    killed = kept(broker)
    assert (killed["status"]["session"], killed["status"]["data"]["online"]) == (first["session"], False)
    assert "time" not in killed["status"], "it would be earlier than that of the message it replaces"
    assert {status["session"] for status in killed.values()} == {first["session"]}, "they are of the session that ended"
    daemon.start()
    patiently(lambda: all_hold(broker), SECONDS, "the retained messages of the second session")
    second = kept(broker)["status"]
    assert second["session"] > first["session"] and second["source"] == first["source"]
    assert daemon.terminate() == 0
    stopped = kept(broker)
    assert not holding(stopped) and {status["session"] for status in stopped.values()} == {second["session"]}


@pytest.mark.parametrize(
    "floor",
    [pytest.param(("3.1.1",), id="3.1.1"), pytest.param(("5", 'client_id = "t1"'), id="5", marks=pytest.mark.soak)],
)
def test_two_stations_of_one_client_id_raise_the_alarm_and_take_turns_ever_more_rarely(
    tmp_path: Path, broker: Mosquitto, floor: tuple[str, ...]
) -> None:
    stations = [daemon_at(tmp_path / name, broker, *floor) for name in ("one", "other")]
    with ended_at_last(*stations):
        for station in stations:
            station.start()
            station.wait_answering()
        for station in stations:
            patiently(
                lambda station=station: "second-station" in active_alarms(get_table(station.address)),  # type: ignore[misc]
                SECONDS,
                "the alarm",
            )
        connections = broker.log.read_text(encoding="utf-8").count("New client connected")
        assert connections < 30, "each waits twice as long as the time before"
