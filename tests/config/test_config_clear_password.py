"""A live table sends no password in clear over a network, unless its configuration allows it: then it is an alarm."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.engine.shown.prompts import alarm_words
from controller.runtime.bus import Bus, StationAlarm
from controller.runtime.watches import warn_if_exposed
from tests.config.test_config_mistakes import changed, mistakes, read

BROKER, ALLOWED = 'broker = "mqtts://broker.example:8883"', "password_in_clear = true"
SIMULATED = ('mode = "live"', 'mode = "simulation"')


def at(host: str, *lines: str) -> tuple[str, str]:
    return BROKER, "\n".join((f'broker = "mqtt://{host}:1883"', *lines))


@pytest.mark.parametrize("host", ["broker.example", "192.0.2.1", "localhost", "127.0.0.1.example", "[2001:db8::1]"])
def test_a_live_table_refuses_to_send_its_password_in_clear_beyond_this_computer(tmp_path: Path, host: str) -> None:
    [mistake] = mistakes(tmp_path, changed(at(host)))
    assert mistake.key == "floor.broker" and "mqtts://" in mistake.expected and ALLOWED in mistake.expected
    assert read(tmp_path, changed(at(host, ALLOWED))).floor.exposed
    assert not read(tmp_path, changed(at(host), SIMULATED)).floor.exposed


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_at_an_address_of_this_computer_it_may(tmp_path: Path, host: str) -> None:
    assert not read(tmp_path, changed(at(host))).floor.exposed


@pytest.mark.parametrize("host", ["localhost", "0.0.0.0", "192.0.2.1", "[::]"])
def test_a_console_at_a_name_or_beyond_this_computer_is_refused(tmp_path: Path, host: str) -> None:
    [mistake] = mistakes(tmp_path, changed(('listen = "127.0.0.1:8080"', f'listen = "{host}:8080"')))
    assert mistake.key == "console.listen" and "127.0.0.1" in mistake.expected


@pytest.mark.parametrize("exposed", [True, False])
def test_where_it_is_allowed_it_is_an_alarm_at_each_start(exposed: bool) -> None:
    reported: list[StationAlarm] = []
    bus = Bus()
    bus.subscribe(StationAlarm, reported.append)
    warn_if_exposed(SimpleNamespace(exposed=exposed), bus)  # type: ignore[arg-type]
    assert [(alarm.alarm.name, alarm.once) for alarm in reported] == [("password-in-clear", True)] * exposed
    for alarm in reported:
        assert all("mqtts://" in text for text in alarm_words(alarm.alarm.code, alarm.alarm.values).values())
