"""A clock that is not synchronised: the floor sees it in `state`, and persons get an alarm after ten minutes."""

import json
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
from tests.station.processes import Daemon, Mosquitto, patiently
from tests.station.test_station_status import daemon, kept  # noqa: F401 a fixture

SECONDS = 25.0


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


def test_the_retained_state_of_a_station_has_it(broker: Mosquitto, daemon: Daemon) -> None:  # noqa: F811
    daemon.start()
    patiently(lambda: "state" in kept(broker), SECONDS, "the state")
    expected = Path(times.SYNCHRONISED).exists()
    patiently(lambda: kept(broker)["state"]["data"]["clock_synchronised"] == expected, SECONDS, "the clock in it")
