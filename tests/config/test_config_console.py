"""The console in the configuration: who must log in, where the PINs are, and for how long someone stays."""

from pathlib import Path

import pytest

from controller.config.console import LogInSettings
from tests.config.test_config_mistakes import changed, mistakes, read

LISTEN = "listen = \"127.0.0.1:8080\"            # the dealer's screen is this computer's\n"
SIMULATED = ('mode = "live"', 'mode = "simulation"')


def with_console(*lines: str) -> tuple[str, str]:
    return LISTEN, LISTEN + "".join(f"{line}\n" for line in lines)


def test_a_live_table_asks_for_pins_and_keeps_them_beside_its_journal(tmp_path: Path) -> None:
    wanted = LogInSettings(
        True, Path("/var/lib/dealer-station/pins.json"), dealer_idle=28_800, idle=300, longest=43_200
    )
    assert read(tmp_path, changed()).log_in == wanted


def test_a_simulated_one_asks_for_them_only_where_it_is_configured(tmp_path: Path) -> None:
    assert not read(tmp_path, changed(SIMULATED)).log_in.required
    assert read(tmp_path, changed(SIMULATED, with_console("pins = true"))).log_in.required


def test_the_file_and_the_times_can_be_given(tmp_path: Path) -> None:
    stays = ("[console.stays]", "dealer_idle_minutes = 30", "idle_minutes = 1", "longest_hours = 9")
    files = ('pin_file = "pins/table-1"', 'metrics_token_file = "metrics.token"')
    wanted = LogInSettings(True, tmp_path / "pins/table-1", 1800, 60, 9 * 3600, tmp_path / "metrics.token")
    assert read(tmp_path, changed(with_console(*files, *stays))).log_in == wanted


def test_a_live_table_without_pins_is_refused(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, changed(with_console("pins = false")))
    assert mistake.key == "console.pins" and "live" in mistake.expected


def test_art_18_1_erratum_the_last_rounds_are_off_where_players_may_keep_no_records(tmp_path: Path) -> None:
    assert not read(tmp_path, changed()).last_rounds
    assert read(tmp_path, changed(with_console("last_rounds = true"))).last_rounds
    [mistake] = mistakes(tmp_path, changed(with_console('last_rounds = "ten"')))
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
    [mistake] = mistakes(tmp_path, changed(with_console(line)))
    assert mistake.key == key
