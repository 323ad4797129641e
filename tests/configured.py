"""The configuration of a simulated table, as tests write it."""

from pathlib import Path
from typing import Any

from simulators.station_toml import station_toml
from tests.games import FORTUNE_8

USUAL: dict[str, Any] = {
    "game": FORTUNE_8,
    "source": "shoe",
    "broker": "mqtt://127.0.0.1:1",  # where no one listens
    "protocol": "5",
    "listen": "127.0.0.1:8080",
}

AUTHORISED_BETS = """
[[table.wagers.bet]]
name = "red eight"
pays = [{ cards = "8h 8d", to_one = 20 }, { ranks = "A", suits = "hd", to_one = 2 }]
reference = "DICJ 8/2026"
date = 2026-03-01

[[table.wagers.bet]]
name = "red"
pays = [{ suits = "hd", to_one = 1 }]
reference = "DICJ 9/2026"
date = 2026-03-02
"""


def table_toml(**changed: Any) -> str:
    """Fortune 8 with a shoe and no broker, but for what is changed: see `station_toml`."""
    return station_toml(**{**USUAL, **changed})


def configured(folder: Path, **changed: Any) -> Path:
    """That table's configuration as `station.toml` in a folder."""
    file = folder / "station.toml"
    file.write_text(table_toml(**changed), encoding="utf-8")
    return file
