"""The station.toml a bench writes for the daemon, and what the bench itself reads from one."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

FORTUNE_3_2025, FORTUNE_3_2008, FORTUNE_8, BLACKJACK_21, TAIWAN_PAI_KAO = GAMES = (
    "fortune-3-card-poker-2025", "fortune-3-card-poker-2008", "fortune-8", "blackjack-21", "taiwan-pai-kao",
)  # fmt: skip
SEATS = {
    FORTUNE_3_2025: (5, 6, 7), FORTUNE_3_2008: (7,), FORTUNE_8: (7,), BLACKJACK_21: (6, 7), TAIWAN_PAI_KAO: (4, 8)
}  # fmt: skip
DEFAULT_SEATS = {FORTUNE_3_2025: 6, FORTUNE_3_2008: 7, FORTUNE_8: 7, BLACKJACK_21: 7, TAIWAN_PAI_KAO: 8}
DECKS = {
    FORTUNE_3_2025: (1,), FORTUNE_3_2008: (1,), FORTUNE_8: tuple(range(1, 9)), BLACKJACK_21: (4, 6),
    TAIWAN_PAI_KAO: (1,),
}  # fmt: skip
DEFAULT_DECKS = {FORTUNE_3_2025: 1, FORTUNE_3_2008: 1, FORTUNE_8: 8, BLACKJACK_21: 6, TAIWAN_PAI_KAO: 1}
SHUFFLER, SHOE, HAND = "shuffler", "shoe", "hand"
SOURCES = {
    FORTUNE_3_2025: (SHUFFLER, SHOE), FORTUNE_3_2008: (SHUFFLER, SHOE), FORTUNE_8: (SHUFFLER, SHOE),
    BLACKJACK_21: (SHUFFLER, SHOE), TAIWAN_PAI_KAO: (SHOE, HAND),
}  # fmt: skip  # the first is the default; by hand are tiles that no reader reads
MIXED = "mixed"
PLACES = (MIXED, "8", "4")  # to how many places tiles are dealt at a table of eight
MARKINGS = ("automatic", "manual")  # how the accumulated prize of black-jack/21 is marked (41)
DEALS = ("every_space", "spaces_with_bets")
SITE, TABLE = "laptop", "table-1"
SLOTS_MAKES = ("adu218", "numato")
SIGN_MAKES = ("alpha", "betabrite")

TEMPLATE = """\
# Written by dealer-station-sim bench. Simulated devices: nothing here is a live table.
schema = 1
mode = "simulation"

[table]
site = "{site}"
id = "{table}"
game = "{game}"
seats = {seats}
card_source = "{source}"
currency = "{currency}"
exponent = 2
{decks}
[table.limits]
min = 10000
max = {maximum}

{jackpot}[people]
ana = "dealer"
rui = "supervisor"

[journal]
path = "state/journal.db"
seal_key_file = "state/seal.key"

[floor]
broker = "{broker}"
protocol = "{protocol}"
{floor}
{link}[console]
listen = "{listen}"
{pins}
{devices}{panel}"""

LINK = """\
[checkpoint]
key_file = "state/table.key"

[link]
pot = "{link}"
keys = [{keys}]

"""

PANEL = """
[simulation]
panel = "http://127.0.0.1:{port}"
"""

SHUFFLER_TOML = """\
[devices.shuffler]
driver = "shuffler-link"
port = "shuffler"
{packets}"""
SHOE_TOML = """\
[devices.shoe]
driver = "angel-eye"
port = "shoe"
"""

JACKPOT = """\
[table.wagers]
additional = [{additional}]

[jackpot]
{marking}chip = 500
initial_pot = 60000000
initial_reserve = 0
minimum = 50000000
increment_bp = 7000
reserve_bp = 1000
ceiling = 200000000
overflow_to = "overflow"
unreasonable_chips = 7

"""

FIXED = """\
[jackpot.fixed]
royal_flush = 5000000
straight_flush = 1000000
four_of_a_kind = 150000
full_house = 50000
flush = 25000

"""

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
TOML = "station.toml"
PINS = "robot-pins.json"  # beside it: what the robot dealer logs in with
NUMATO_SEATS = 7  # its lamps begin behind as many sensors


def station_toml(
    *,
    game: str,
    seats: int | None = None,
    source: str,
    broker: str,
    protocol: str,
    listen: str,
    slots: str = SLOTS_MAKES[0],
    sign: str = SIGN_MAKES[0],
    decks: int | None = None,
    deal: str = DEALS[0],
    marking: str = MARKINGS[0],
    panel: int | None = None,
    pins: bool = False,
    site: str = SITE,
    table: str = TABLE,
    archive: str | None = None,
    link: str | None = None,
    floor: Mapping[str, str] = MappingProxyType({}),
    keys: tuple[str, ...] = (),
) -> str:
    """The text of a ready station.toml; only a game with a jackpot has slots, whose input n belongs to seat n + 1.

    `deal` is for Fortune 8 alone, `marking` for black-jack/21, which by hand has no slots either; `decks` for both.
    The source `hand` is a shoe that is not there: tiles without a reader. `panel` is the port of the bench's panel.
    With `pins` nobody acts who has not logged in. Messages are kept until the `archive` has them. The pot is that of
    the `link`, if there is one, whose pit has the public `keys`. `floor` has more keys of the section [floor], whose
    values are text.
    """
    seats = seats or DEFAULT_SEATS[game]
    packets = "" if has_dispenser(game) else "packet_sizes = [3]\n"
    devices = [
        *([SHUFFLER_TOML.format(packets=packets)] if has_shuffler(game) else []),
        *([SHOE_TOML] if source != HAND else []),
        *([_slots_toml(slots, seats)] if has_slots(game, marking) else []),
        *([SIGN[sign]] if has_sign(game) else []),
    ]
    return TEMPLATE.format(
        site=site,
        table=table,
        game=game,
        seats=seats,
        source=SHOE if source == HAND else source,
        currency="EUR" if game == BLACKJACK_21 else "MOP",
        decks=_decks_toml(game, decks, deal),
        maximum=10000 * (30 if game == BLACKJACK_21 else 100),
        jackpot=_jackpot_toml(game, marking),
        broker=broker,
        protocol=protocol,
        floor="".join(
            [
                *(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in floor.items()),
                f'archives = ["{archive}"]\n' if archive else "",
            ]
        ),
        link=LINK.format(link=link, keys=", ".join(f'"{key}"' for key in keys)) if link else "",
        listen=listen,
        pins="pins = true\n" if pins else "",
        devices="\n".join(devices),
        panel="" if panel is None else PANEL.format(port=panel),
    )


def has_jackpot(game: str) -> bool:
    """Whether there is a jackpot."""
    return game in (FORTUNE_3_2025, BLACKJACK_21)


def has_sign(game: str) -> bool:
    """Whether a sign stands at the table."""
    return has_jackpot(game) or game == TAIWAN_PAI_KAO


def has_shuffler(game: str) -> bool:
    """Whether a machine shuffles."""
    return game != TAIWAN_PAI_KAO


def has_slots(game: str, marking: str) -> bool:
    """Whether its chips lie in slots, and are not taken by hand."""
    return game == FORTUNE_3_2025 or (game == BLACKJACK_21 and marking == MARKINGS[0])


def has_dispenser(game: str) -> bool:
    """Whether its shuffler gives single cards all the time."""
    return game in (FORTUNE_8, BLACKJACK_21)


def _decks_toml(game: str, decks: int | None, deal: str) -> str:
    if len(DECKS[game]) == 1:
        return ""
    announced = f'deal = "{deal}"\n' if game == FORTUNE_8 else ""
    return f"decks = {decks or DEFAULT_DECKS[game]}\n{announced}"


def _jackpot_toml(game: str, marking: str) -> str:
    if not has_jackpot(game):
        return ""
    if game == FORTUNE_3_2025:
        return JACKPOT.format(additional='"six_card_bonus", "jackpot"', marking="") + FIXED
    return JACKPOT.format(additional='"jackpot"', marking=f'marking = "{marking}"\n')


def _slots_toml(make: str, seats: int) -> str:
    inputs = "\n".join(f"{seat - 1} = {seat}" for seat in range(1, seats + 1))
    lamps = "\n".join(f"{seat} = {seat - 1 + NUMATO_SEATS}" for seat in range(1, seats + 1))
    return SLOTS[make].format(seats=inputs, lamps=lamps)


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
    """What the bench needs to know of the table it furnishes; money in minor units, None what the table has not.

    `exponent` is how many decimals an amount is written with.

    `deal` is the deal of Fortune 8 that holds when a card comes before one was announced, `added` are its bets beside
    the three of the game; `panel` is a port. `rules` are the keys of [rules] that are true.
    """

    game: str
    seats: int
    decks: int
    deal: str
    card_source: str
    shoe: bool
    minimum: int
    maximum: int
    additional: list[str]
    chip: int
    increment_bp: int
    people: dict[str, str]
    exponent: int
    pins: bool
    broker: str
    host: str
    port: int
    slots: SlotsSetting | None
    sign_make: str | None
    sign_address: str
    panel: int | None = None
    rules: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


def read_setting(path: Path) -> Setting:
    """Read a station.toml. Raises ValueError naming what is missing, or a make that is not on the bench."""
    try:
        text: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        table, devices = text["table"], text.get("devices", {})
        host, _, port = text["console"]["listen"].rpartition(":")
        host = host.strip("[]")
        people: dict[str, str] = {}
        for name, role in text["people"].items():
            people.setdefault(role, name)
        return Setting(
            game=_one_of(path, "game", table["game"], GAMES),
            seats=table["seats"],
            decks=table.get("decks", DEFAULT_DECKS[table["game"]]),
            deal=_one_of(path, "deal", table.get("deal", DEALS[0]), DEALS),
            card_source=table["card_source"],
            shoe="shoe" in devices,
            minimum=table["limits"]["min"],
            maximum=table["limits"]["max"],
            additional=table.get("wagers", {}).get("additional", []),
            chip=text.get("jackpot", {}).get("chip", 0),
            increment_bp=text.get("jackpot", {}).get("increment_bp", 0),
            people=people,
            exponent=table.get("exponent", 0),
            pins=text["console"].get("pins", False),
            broker=text["floor"]["broker"],
            host=host,
            port=int(port),
            slots=_read_slots(path, devices["slots"]) if "slots" in devices else None,
            sign_make=_make(path, devices["sign"], SIGN_MAKES) if "sign" in devices else None,
            sign_address=devices.get("sign", {}).get("address", "00"),
            panel=urlsplit(text["simulation"]["panel"]).port if "simulation" in text else None,
            rules=tuple(key for key, chosen in text.get("rules", {}).items() if chosen),
            added=tuple(bet["name"] for bet in table.get("wagers", {}).get("bet", [])),
        )
    except KeyError as missing:
        raise ValueError(f"{path}: the key {missing} is missing") from None


def _one_of(path: Path, key: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"{path}: {key} {value!r} is not on the bench, which has {' and '.join(known)}")
    return value


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
