"""The configuration of console and panel, and of passwords that are in the clear."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.config.console import LogInSettings
from controller.engine.shown.prompts import alarm_words
from controller.runtime.bus import Bus, StationAlarm
from controller.runtime.watches import warn_if_exposed
from simulators.broker import free_port
from simulators.station_toml import read_setting
from tests.config.texts import SIMULATED, example, mistakes, read
from tests.configured import table_toml
from tests.games import GAMES

LISTEN = "listen = \"127.0.0.1:8080\"            # the dealer's screen is this computer's\n"


def with_console(*lines: str) -> tuple[str, str]:
    return LISTEN, LISTEN + "".join(f"{line}\n" for line in lines)


def test_a_live_table_asks_for_pins_and_keeps_them_beside_its_journal(tmp_path: Path) -> None:
    wanted = LogInSettings(
        True, Path("/var/lib/dealer-station/pins.json"), dealer_idle=28_800, idle=300, longest=43_200
    )
    assert read(tmp_path, example()).log_in == wanted


def test_a_simulated_one_asks_for_them_only_where_it_is_configured(tmp_path: Path) -> None:
    assert not read(tmp_path, example(SIMULATED)).log_in.required
    assert read(tmp_path, example(SIMULATED, with_console("pins = true"))).log_in.required


def test_the_file_and_the_times_can_be_given(tmp_path: Path) -> None:
    stays = ("[console.stays]", "dealer_idle_minutes = 30", "idle_minutes = 1", "longest_hours = 9")
    files = ('pin_file = "pins/table-1"', 'metrics_token_file = "metrics.token"')
    wanted = LogInSettings(True, tmp_path / "pins/table-1", 1800, 60, 9 * 3600, tmp_path / "metrics.token")
    assert read(tmp_path, example(with_console(*files, *stays))).log_in == wanted


def test_a_live_table_without_pins_is_refused(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, example(with_console("pins = false")))
    assert mistake.key == "console.pins" and "live" in mistake.expected


def test_art_18_1_erratum_the_last_rounds_are_off_where_players_may_keep_no_records(tmp_path: Path) -> None:
    assert not read(tmp_path, example()).last_rounds
    assert read(tmp_path, example(with_console("last_rounds = true"))).last_rounds
    [mistake] = mistakes(tmp_path, example(with_console('last_rounds = "ten"')))
    assert mistake.key == "console.last_rounds"


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("pins = 1", "console.pins"),
        ('pins = "yes"', "console.pins"),
        ("pin_file = 3", "console.pin_file"),
        ("metrics_token_file = 3", "console.metrics_token_file"),
        ('pin_fle = "x"', "console.pin_fle"),
        ("[console.stays]\nidle_minutes = 0", "console.stays.idle_minutes"),
        ("[console.stays]\nidle_minutes = 61", "console.stays.idle_minutes"),
        ("[console.stays]\ndealer_idle_minutes = 1441", "console.stays.dealer_idle_minutes"),
        ("[console.stays]\nlongest_hours = 25", "console.stays.longest_hours"),
        ("[console.stays]\nidle = 5", "console.stays.idle"),
    ],
)
def test_a_mistake_is_named_by_its_key(tmp_path: Path, line: str, key: str) -> None:
    [mistake] = mistakes(tmp_path, example(with_console(line)))
    assert mistake.key == key


# ---- The simulator's panel in the configuration: a page of this computer, and never at a live table.


PANEL = '[simulation]\npanel = "http://127.0.0.1:8090"\n'


@pytest.mark.parametrize("game", GAMES)
def test_what_the_bench_writes_is_read_by_both(tmp_path: Path, game: str) -> None:
    port = free_port()
    texts = [table_toml(game=game, panel=panel) for panel in (port, None)]
    assert read(tmp_path, texts[0]).panel == f"http://127.0.0.1:{port}"
    assert read_setting(tmp_path / "station.toml").panel == port
    assert read(tmp_path, texts[1]).panel == ""
    assert read_setting(tmp_path / "station.toml").panel is None


def test_a_live_table_with_a_panel_is_refused(tmp_path: Path) -> None:
    assert read(tmp_path, example(SIMULATED) + PANEL).panel
    [mistake] = mistakes(tmp_path, example() + PANEL)
    assert mistake.key == "simulation" and "live" in mistake.expected


@pytest.mark.parametrize(
    "panel",
    [
        "https://127.0.0.1:8090", "http://example.org:8090", "http://127.0.0.1.example.org:8090", "javascript:alert(1)",
        "http://127.0.0.1", "http://127.0.0.1:8090/x", "http://a@127.0.0.1:8090", "http://127.0.0.1:8090\\n",
    ],
)  # fmt: skip
def test_a_page_elsewhere_is_refused(tmp_path: Path, panel: str) -> None:
    [mistake] = mistakes(tmp_path, example(SIMULATED) + PANEL.replace("http://127.0.0.1:8090", panel))
    assert mistake.key == "simulation.panel"


def test_a_section_without_its_page_and_an_unknown_key_are_named(tmp_path: Path) -> None:
    text = example(SIMULATED) + '[simulation]\nport = "x"\n'
    assert {mistake.key for mistake in mistakes(tmp_path, text)} == {"simulation.panel", "simulation.port"}


# ---- A live table sends no password in clear over a network, unless its configuration allows it: then it is an alarm.


BROKER, ALLOWED = 'broker = "mqtts://broker.example:8883"', "password_in_clear = true"


def at(host: str, *lines: str) -> tuple[str, str]:
    return BROKER, "\n".join((f'broker = "mqtt://{host}:1883"', *lines))


@pytest.mark.parametrize("host", ["broker.example", "192.0.2.1", "localhost", "127.0.0.1.example", "[2001:db8::1]"])
def test_a_live_table_refuses_to_send_its_password_in_clear_beyond_this_computer(tmp_path: Path, host: str) -> None:
    [mistake] = mistakes(tmp_path, example(at(host)))
    assert mistake.key == "floor.broker" and "mqtts://" in mistake.expected and ALLOWED in mistake.expected
    assert read(tmp_path, example(at(host, ALLOWED))).floor.exposed
    assert not read(tmp_path, example(at(host), SIMULATED)).floor.exposed


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_at_an_address_of_this_computer_it_may(tmp_path: Path, host: str) -> None:
    assert not read(tmp_path, example(at(host))).floor.exposed


@pytest.mark.parametrize("host", ["localhost", "0.0.0.0", "192.0.2.1", "[::]"])
def test_a_console_at_a_name_or_beyond_this_computer_is_refused(tmp_path: Path, host: str) -> None:
    [mistake] = mistakes(tmp_path, example(('listen = "127.0.0.1:8080"', f'listen = "{host}:8080"')))
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
