"""The simulator's panel in the configuration: a page of this computer, and never at a live table."""

from pathlib import Path

import pytest

from simulators.broker import free_port
from simulators.station_toml import read_setting
from tests.config.test_config_mistakes import changed, mistakes, read
from tests.configured import table_toml
from tests.games import GAMES

SIMULATED = ('mode = "live"', 'mode = "simulation"')
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
    assert read(tmp_path, changed(SIMULATED) + PANEL).panel
    [mistake] = mistakes(tmp_path, changed() + PANEL)
    assert mistake.key == "simulation" and "live" in mistake.expected


@pytest.mark.parametrize(
    "panel",
    [
        "https://127.0.0.1:8090", "http://example.org:8090", "http://127.0.0.1.example.org:8090", "javascript:alert(1)",
        "http://127.0.0.1", "http://127.0.0.1:8090/x", "http://a@127.0.0.1:8090", "http://127.0.0.1:8090\\n",
    ],
)  # fmt: skip
def test_a_page_elsewhere_is_refused(tmp_path: Path, panel: str) -> None:
    [mistake] = mistakes(tmp_path, changed(SIMULATED) + PANEL.replace("http://127.0.0.1:8090", panel))
    assert mistake.key == "simulation.panel"


def test_a_section_without_its_page_and_an_unknown_key_are_named(tmp_path: Path) -> None:
    text = changed(SIMULATED) + '[simulation]\nport = "x"\n'
    assert {mistake.key for mistake in mistakes(tmp_path, text)} == {"simulation.panel", "simulation.port"}
