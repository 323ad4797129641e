"""A clock that is not synchronised: the floor sees it in `state`, and persons get an alarm after ten minutes."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.engine.decisions.alarms import CLOCK
from controller.engine.state.table import Table
from controller.floor.messages import Identity
from controller.journal.records import Stamp
from controller.runtime.clock import REPORT_SECONDS, Synchronisation
from controller.runtime.view import View
from controller.station import Station
from controller.system import times
from controller.telemetry.metrics import Metrics
from controller.words import SPOKEN
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


def station(mode: str, reported: list[tuple[Any, ...]]) -> tuple[Any, list[bool]]:
    """So much of a station as looks at its clock; and whether it is synchronised, which can be changed."""
    synchronised, woken = [False], [0]
    identity = Identity(site="laptop", table="table-1", journal="j", mode=mode, currency="MOP", exponent=2)
    writer: Any = SimpleNamespace(journal=None, restored=SimpleNamespace(table=Table(), sequence=3))
    clock = SimpleNamespace(at=0.0)
    clock.stamp = lambda: Stamp("then", "boot", int(clock.at * 1e9), synchronised[0])
    own: Any = SimpleNamespace(
        _clock=clock,
        _config=SimpleNamespace(mode=mode),
        view=View(writer, Play().settings, identity, Metrics(), "2026-01-02T03:04:05.678Z"),
        floor=SimpleNamespace(outbox=SimpleNamespace(wake=lambda: woken.append(1))),
        loop=SimpleNamespace(complain_once=lambda *given: reported.append(given)),
        woken=woken,
    )
    return own, synchronised


def state_of(own: Any) -> bool:
    [told] = [message for topic, message in own.view.retained(1).items() if topic.endswith("/state")]
    shown = json.loads(told)["data"]["clock_synchronised"]
    assert isinstance(shown, bool)
    return shown


@pytest.mark.parametrize("mode", ["live", "simulation"])
def test_the_floor_sees_it_at_once_and_a_live_table_gets_an_alarm(mode: str) -> None:
    reported: list[tuple[Any, ...]] = []
    own, synchronised = station(mode, reported)
    synchronisation = Synchronisation()
    for seconds in (0.0, 10.0, REPORT_SECONDS, REPORT_SECONDS + 10):
        own._clock.at = seconds
        Station._look_at_clock(own, synchronisation)
        assert not state_of(own)
    assert len(own.woken) == 2, "the state goes out once it is another"
    assert [alarm for _, alarm in reported] == ([CLOCK] if mode == "live" else [])
    for text, _ in reported:
        assert text.keys() == SPOKEN.keys() and all("10" in said for said in text.values())
    synchronised[0] = True
    Station._look_at_clock(own, synchronisation)
    assert state_of(own) and len(own.woken) == 3


def test_the_retained_state_of_a_station_has_it(broker: Mosquitto, daemon: Daemon) -> None:  # noqa: F811
    daemon.start()
    patiently(lambda: "state" in kept(broker), SECONDS, "the state")
    expected = Path(times.SYNCHRONISED).exists()
    patiently(lambda: kept(broker)["state"]["data"]["clock_synchronised"] == expected, SECONDS, "the clock in it")
