"""What the floor and persons learn of a station: its status, its clock, its certificate, the mark of its journal."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.engine.state.alarms import active
from controller.engine.state.table import Table
from controller.floor.messages import Identity
from controller.journal.records import Stamp
from controller.runtime.bus import Bus, PublicationDue, StationAlarm
from controller.runtime.clock import REPORT_SECONDS, Synchronisation
from controller.runtime.view import View
from controller.runtime.watches import ClockWatch
from controller.system import times
from controller.telemetry.metrics import Metrics
from tests.engine.playing import Play
from tests.floor.access_control import DAY, Authority
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
    synchronised = Path(times.SYNCHRONISED).exists()
    patiently(lambda: kept(broker)["state"]["data"]["clock_synchronised"] == synchronised, SECONDS, "the clock in it")
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
    patiently(lambda: not holding(kept(broker)), SECONDS, "offline, by its goodbye or by the will")
    stopped = kept(broker)
    assert {status["session"] for status in stopped.values()} == {second["session"]}


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


def test_it_is_reported_once_after_its_time_and_again_after_it_was_synchronised() -> None:
    synchronisation = Synchronisation()
    looks = [(0, False), (REPORT_SECONDS - 1, False), (REPORT_SECONDS, False), (2 * REPORT_SECONDS, False)]
    assert [synchronisation.look(synchronised, at) for at, synchronised in looks] == [False, False, True, False]
    assert not synchronisation.look(True, 2000)
    later = [synchronisation.look(False, 2001 + after) for after in (0, REPORT_SECONDS)]
    assert later == [False, True], "and one that was shortly not is no alarm"


class Watching:
    """A watch on a clock that a test turns, what it shows, and what it publishes."""

    def __init__(self, mode: str) -> None:
        self.at, self.synchronised, self.woken = 0.0, False, 0
        self.reported: list[StationAlarm] = []
        bus = Bus()
        bus.subscribe(StationAlarm, self.reported.append)
        bus.subscribe(PublicationDue, self._wake)
        identity = Identity(site="laptop", table="table-1", journal="j", mode=mode, currency="MOP", exponent=2)
        writer: Any = SimpleNamespace(journal=None, restored=SimpleNamespace(table=Table(), sequence=3))
        self.view = View(writer, Play().settings, identity, Metrics(), "2026-01-02T03:04:05.678Z")
        clock: Any = SimpleNamespace(stamp=lambda: Stamp("then", "boot", int(self.at * 1e9), self.synchronised))
        self.watch = ClockWatch(clock, self.view, mode == "live", bus)

    def _wake(self, _: PublicationDue) -> None:
        self.woken += 1


def state_of(own: Watching) -> bool:
    [state_message] = [message for topic, message in own.view.retained(1).items() if topic.endswith("/state")]
    shown = json.loads(state_message)["data"]["clock_synchronised"]
    assert isinstance(shown, bool)
    return shown


@pytest.mark.parametrize("mode", ["live", "simulation"])
def test_the_floor_sees_it_at_once_and_a_live_table_gets_an_alarm(mode: str) -> None:
    own = Watching(mode)
    for own.at in (0.0, 10.0, REPORT_SECONDS, REPORT_SECONDS + 10):
        own.watch.look()
        assert not state_of(own)
    assert own.woken == 1, "the state goes out once it is another"
    due = StationAlarm(active("unsynchronised", minutes=10), once=True)
    assert own.reported == ([due] if mode == "live" else [])
    own.synchronised = True
    own.watch.look()
    assert state_of(own) and own.woken == 2


def alarms(daemon: Daemon, name: str) -> list[dict[str, Any]]:
    return [alarm for alarm in daemon.wait_answering()["alarms"] if alarm["name"] == name]


def test_a_certificate_that_ends_soon_is_an_alarm_with_its_date_and_its_file(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.sign("broker")
    own, own_key = authority.sign("table", (-DAY, 10 * DAY))
    settings = f"allow_anonymous true\ncafile {authority.file}\ncertfile {certificate}\nkeyfile {key}"
    broker = Mosquitto(tmp_path / "broker", settings)
    daemon = lone_daemon(tmp_path, f"mqtts://127.0.0.1:{broker.port}")
    text = daemon.config.read_text()
    files = f'[floor]\nca_file = "{authority.file}"\ncert_file = "{own}"\nkey_file = "{own_key}"\n'
    daemon.config.write_text(text.replace("[floor]\n", files))
    with ended_at_last(daemon, broker):
        broker.start()
        daemon.start()
        patiently(lambda: alarms(daemon, "certificate"), 20, "the alarm")
        [alarm] = alarms(daemon, "certificate")
        assert alarm["details"].startswith(f"{own} ends ")
        assert "Renew the file of cert_file" in alarm["texts"]["en"]


def test_a_mark_with_a_broken_checksum_is_an_alarm_and_the_table_continues(tmp_path: Path, lone: Daemon) -> None:
    lone.start()
    assert not alarms(lone, "journal")
    assert lone.terminate() == 0
    [mark] = tmp_path.rglob("*.mark")
    content = mark.read_bytes()
    mark.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    lone.start()
    patiently(lambda: alarms(lone, "journal"), 10, "the alarm")
    [alarm] = alarms(lone, "journal")
    assert alarm["details"] == f"{mark} is damaged"
