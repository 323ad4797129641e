"""The station.toml a bench writes for the daemon, and what the bench itself reads from one."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GAMES = ("fortune-3-card-poker-2025",)

TEMPLATE = """\
# Written by dealer-station-sim bench. Simulated devices: nothing here is a live table.
schema = 1
mode = "simulation"

[table]
site = "laptop"
id = "table-1"
game = "{game}"
seats = {seats}
card_source = "{source}"
currency = "MOP"
exponent = 2

[table.limits]
min = 10000
max = 1000000

[table.wagers]
additional = ["six_card_bonus", "jackpot"]

[jackpot]
chip = 500
initial_pot = 60000000
initial_reserve = 0
minimum = 50000000
increment_bp = 7000
reserve_bp = 1000
ceiling = 200000000
overflow_to = "overflow"
unreasonable_chips = 7

[jackpot.fixed]
royal_flush = 5000000
straight_flush = 1000000
four_of_a_kind = 150000
full_house = 50000
flush = 25000

[people]
ana = "dealer"
rui = "supervisor"

[journal]
path = "state/journal.db"
seal_key_file = "state/seal.key"

[floor]
broker = "{broker}"
protocol = "{protocol}"

[console]
listen = "{listen}"

[devices.shuffler]
driver = "shuffler-link"
port = "shuffler"
packet_sizes = [3]

[devices.shoe]
driver = "angel-eye"
port = "shoe"

[devices.slots]
driver = "adu218"
usb_backend = "simulators.usb_backend:open_backend"
usb_socket = "usb.sock"
button_input = 7
lock_lamp_relay = 7

[devices.slots.seats]
{slots}

[devices.sign]
driver = "alpha"
port = "sign"
format = "7E1"
address = "00"
"""


def station_toml(*, game: str, seats: int, source: str, broker: str, protocol: str, listen: str) -> str:
    """The text of a ready station.toml; slot input and relay n belong to seat n + 1."""
    slots = "\n".join(f"{seat - 1} = {seat}" for seat in range(1, seats + 1))
    return TEMPLATE.format(
        game=game, seats=seats, source=source, broker=broker, protocol=protocol, listen=listen, slots=slots
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """What the bench needs to know of the table it furnishes; money in minor units."""

    seats: int
    card_source: str
    minimum: int
    maximum: int
    additional: list[str]
    chip: int
    people: dict[str, str]
    broker: str
    host: str
    port: int
    seat_of_slot: dict[int, int]
    button_input: int
    lock_lamp_relay: int
    sign_address: str


def read_setting(path: Path) -> Setting:
    """Read a station.toml. Raises ValueError naming what is missing."""
    try:
        text: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        table, slots = text["table"], text["devices"]["slots"]
        host, _, port = text["console"]["listen"].rpartition(":")
        host = host.strip("[]")
        people: dict[str, str] = {}
        for name, role in text["people"].items():
            people.setdefault(role, name)
        return Setting(
            seats=table["seats"],
            card_source=table["card_source"],
            minimum=table["limits"]["min"],
            maximum=table["limits"]["max"],
            additional=table["wagers"]["additional"],
            chip=text.get("jackpot", {}).get("chip", 0),
            people=people,
            broker=text["floor"]["broker"],
            host=host,
            port=int(port),
            seat_of_slot={int(slot): seat for slot, seat in slots["seats"].items()},
            button_input=slots["button_input"],
            lock_lamp_relay=slots["lock_lamp_relay"],
            sign_address=text["devices"]["sign"].get("address", "00"),
        )
    except KeyError as missing:
        raise ValueError(f"{path}: the key {missing} is missing") from None
