"""The configurations of the tables that these tests change: the documented example, and one of each other game."""

from pathlib import Path

import pytest

from controller.config.document import BadConfiguration
from controller.config.file import Config, read_config
from controller.config.section import Mistake

EXAMPLE = (Path(__file__).parents[2] / "systemd" / "station.toml").read_text(encoding="utf-8")
SIMULATED = ('mode = "live"', 'mode = "simulation"')


def read(folder: Path, text: str | bytes) -> Config:
    path = folder / "station.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_config(path)


def mistakes(folder: Path, text: str | bytes) -> list[Mistake]:
    with pytest.raises(BadConfiguration) as bad:
        read(folder, text)
    return bad.value.mistakes


def replaced(text: str, *changes: tuple[str, str]) -> str:
    """Each old text must be there once."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def changed(text: str, old: str, new: str) -> str:
    return replaced(text, (old, new))


def example(*changes: tuple[str, str]) -> str:
    """The documented example with lines changed."""
    return replaced(EXAMPLE, *changes)


BASE = """
schema = 1
mode = "simulation"

[table]
site = "macau-1"
id = "table-1"
game = "GAME"
seats = 7
card_source = "shuffler"
currency = "MOP"
exponent = 2

[table.limits]
min = 10000
max = 1000000

[people]
ana = "dealer"
rui = "supervisor"

[journal]
path = "journal.db"
seal_key_file = "seal.key"

[floor]
broker = "mqtt://127.0.0.1:1883"

[console]
listen = "127.0.0.1:8080"

[devices.shuffler]
driver = "shuffler-link"
port = "/dev/shuffler"

[devices.shoe]
driver = "angel-eye"
port = "/dev/shoe"
"""
JACKPOT = """
[jackpot]
chip = 500
initial_pot = 60000000
initial_reserve = 0
minimum = 50000000
increment_bp = 7000
reserve_bp = 1000
ceiling = 200000000
overflow_to = "reserve"
unreasonable_chips = 7

[jackpot.fixed]
royal_flush = 5000000
straight_flush = 1000000
four_of_a_kind = 150000
full_house = 50000
flush = 25000
"""
PRIZE = """
[jackpot]
marking = "MARKING"
chip = 100
initial_pot = 1200000
initial_reserve = 0
minimum = 1000000
increment_bp = 7000
reserve_bp = 1000
ceiling = 200000000
overflow_to = "reserve"
unreasonable_chips = 7
"""
SLOTS = """
[devices.slots]
driver = "adu218"
button_input = 7
lock_lamp_relay = 7

[devices.slots.seats]
0 = 1
1 = 2
2 = 3
3 = 4
4 = 5
5 = 6
6 = 7
"""
SIGN = """
[devices.sign]
driver = "alpha"
port = "/dev/sign"
format = "7E1"
"""
OF_2008 = changed(BASE, "GAME", "fortune-3-card-poker-2008")
OF_8 = replaced(BASE, ("GAME", "fortune-8"), ("seats = 7", "seats = 7\ndecks = 8"))
OF_TILES = (
    BASE.replace("GAME", "taiwan-pai-kao").replace("seats = 7", "seats = 8").replace('card_source = "shuffler"\n', "")
).partition("[devices.shuffler]")[0]
READER = '\n[devices.shoe]\ndriver = "angel-eye"\nport = "/dev/reader"\n'
OF_21 = replaced(
    BASE,
    ("macau-1", "estoril-1"),
    ("table-1", "table-21"),
    ("GAME", "blackjack-21"),
    ("seats = 7", "seats = 7\ndecks = 6"),
    ("MOP", "EUR"),
    ("min = 10000", "min = 500"),
    ("max = 1000000", "max = 15000\n\n[table.wagers]\nadditional = []"),
)
OFFERED = OF_21.replace("additional = []", 'additional = ["jackpot"]')
AUTOMATIC = OFFERED + PRIZE.replace("MARKING", "automatic") + SLOTS
MANUAL = OFFERED + PRIZE.replace("MARKING", "manual")
