"""The station.toml a bench writes for the daemon, and what the bench itself reads from one."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GAMES = ("fortune-3-card-poker-2025",)
SLOTS_MAKES = ("adu218", "numato")
SIGN_MAKES = ("alpha", "betabrite")

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

{slots}
{sign}"""

SLOTS = {
    "adu218": """\
[devices.slots]
driver = "adu218"
usb_backend = "simulators.usb_backend:open_backend"
usb_socket = "usb.sock"
button_input = 7
lock_lamp_relay = 7

[devices.slots.seats]
{seats}
""",
    "numato": """\
[devices.slots]
driver = "numato"
port = "slots"
button_input = 14
lock_lamp_output = 15

[devices.slots.seats]
{seats}

[devices.slots.lamps]
{lamps}
""",
}
SIGN = {
    "alpha": """\
[devices.sign]
driver = "alpha"
port = "sign"
format = "7E1"
address = "00"
""",
    "betabrite": """\
[devices.sign]
driver = "betabrite"
usb_backend = "simulators.usb_backend:open_betabrite"
usb_socket = "sign.sock"
address = "00"
""",
}
NUMATO_SEATS = 7  # its lamps begin behind as many sensors


def station_toml(
    *,
    game: str,
    seats: int,
    source: str,
    broker: str,
    protocol: str,
    listen: str,
    slots: str = SLOTS_MAKES[0],
    sign: str = SIGN_MAKES[0],
) -> str:
    """The text of a ready station.toml; slot input n belongs to seat n + 1."""
    inputs = "\n".join(f"{seat - 1} = {seat}" for seat in range(1, seats + 1))
    lamps = "\n".join(f"{seat} = {seat - 1 + NUMATO_SEATS}" for seat in range(1, seats + 1))
    return TEMPLATE.format(
        game=game,
        seats=seats,
        source=source,
        broker=broker,
        protocol=protocol,
        listen=listen,
        slots=SLOTS[slots].format(seats=inputs, lamps=lamps),
        sign=SIGN[sign],
    )


@dataclass(frozen=True, slots=True)
class SlotsSetting:
    """The slots: their make, and what is connected to which of the board's lines."""

    make: str
    input_of_seat: dict[int, int]
    lamp_of_seat: dict[int, int]
    button_input: int
    lock_lamp: int


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
    slots: SlotsSetting
    sign_make: str
    sign_address: str


def read_setting(path: Path) -> Setting:
    """Read a station.toml. Raises ValueError naming what is missing, or a make that is not on the bench."""
    try:
        text: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        table, devices = text["table"], text["devices"]
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
            slots=_read_slots(path, devices["slots"]),
            sign_make=_make(path, devices["sign"], SIGN_MAKES),
            sign_address=devices["sign"].get("address", "00"),
        )
    except KeyError as missing:
        raise ValueError(f"{path}: the key {missing} is missing") from None


def _make(path: Path, section: dict[str, Any], makes: tuple[str, ...]) -> str:
    driver: str = section["driver"]
    if driver not in makes:
        raise ValueError(f"{path}: driver {driver!r} is not on the bench, which has {' and '.join(makes)}")
    return driver


def _read_slots(path: Path, slots: dict[str, Any]) -> SlotsSetting:
    make = _make(path, slots, SLOTS_MAKES)
    input_of_seat = {seat: int(line) for line, seat in slots["seats"].items()}
    if make == "numato":
        lamps = {int(seat): line for seat, line in slots["lamps"].items()}
        lock_lamp = slots["lock_lamp_output"]
    else:
        lamps, lock_lamp = input_of_seat, slots["lock_lamp_relay"]
    return SlotsSetting(make, input_of_seat, lamps, slots["button_input"], lock_lamp)
