"""The station.toml a bench writes for the daemon, and what the bench itself reads from one."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from simulators.dealer.simulated_game import SimulatedGame
from simulators.devices.make import (
    SORTS,
    SimulatedShoeMake,
    SimulatedShufflerMake,
    SimulatedSignMake,
    SimulatedSlotsMake,
    drivers_of,
    input_of_seat,
    make_of,
)
from simulators.games import GAMES
from simulators.setting import DEALS, HAND, MARKINGS, SHOE, Setting, SlotsSetting

SITE, TABLE = "laptop", "table-1"
MINIMUM = 10_000  # of a bet, minor units

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
min = {minimum}
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

TOML = "station.toml"
PINS = "robot-pins.json"  # beside it: what the robot dealer logs in with


def station_toml(
    *,
    game: str,
    seats: int | None = None,
    source: str,
    broker: str,
    protocol: str,
    listen: str,
    shoe: str = "",
    slots: str = "",
    sign: str = "",
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

    `deal`, `marking` and `decks` are for the games that leave a choice of them. The source `hand` is a shoe that is not
    there: tiles without a reader. `panel` is the port of the bench's panel. With `pins`, only persons who have logged
    in can act. Messages are kept until the `archive` has them. The pot is that of the `link`, if there is one, whose
    pit has the public `keys`. `floor` has more keys of the section [floor], whose values are text.
    """
    played = GAMES[game]
    seats = seats or played.default_seats
    packets = f"packet_sizes = {list(played.packet_sizes)}\n" if played.packet_sizes else ""
    devices = [
        *([make_of(SimulatedShufflerMake).toml + packets] if played.machine else []),
        *([make_of(SimulatedShoeMake, shoe).toml] if source != HAND else []),
        *([make_of(SimulatedSlotsMake, slots).toml(seats)] if played.has_slots(marking) else []),
        *([make_of(SimulatedSignMake, sign).toml] if played.sign else []),
    ]
    return TEMPLATE.format(
        site=site,
        table=table,
        game=game,
        seats=seats,
        source=SHOE if source == HAND else source,
        currency=played.currency,
        decks=_decks_toml(played, decks, deal),
        minimum=MINIMUM,
        maximum=MINIMUM * played.limits,
        jackpot=_jackpot_toml(played, marking),
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


def _decks_toml(game: SimulatedGame, decks: int | None, deal: str) -> str:
    number = f"decks = {decks or game.default_decks}\n" if len(game.decks) > 1 else ""
    return number + (f'deal = "{deal}"\n' if game.deals else "")


def _jackpot_toml(game: SimulatedGame, marking: str) -> str:
    if "jackpot" not in game.additional:
        return ""
    marked = f'marking = "{marking}"\n' if game.markings else ""
    text = JACKPOT.format(additional=", ".join(f'"{name}"' for name in game.additional), marking=marked)
    fixed = "".join(f"{tier} = {prize}\n" for tier, prize in game.fixed.items())
    return f"{text}[jackpot.fixed]\n{fixed}\n" if fixed else text


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
            game=_one_of(path, "game", table["game"], tuple(GAMES)),
            seats=table["seats"],
            decks=table.get("decks", GAMES[table["game"]].default_decks),
            deal=_one_of(path, "deal", table.get("deal", DEALS[0]), DEALS),
            card_source=table["card_source"],
            makes={kind: _make(path, kind, devices[kind]) for kind in SORTS if kind in devices},
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
            slots=_read_slots(devices["slots"]) if "slots" in devices else None,
            sign_address=devices.get("sign", {}).get("address", "00"),
            panel=urlsplit(text["simulation"]["panel"]).port if "simulation" in text else None,
            rules=tuple(key for key, chosen in text.get("rules", {}).items() if chosen),
            added=tuple(bet["name"] for bet in table.get("wagers", {}).get("bet", [])),
            name=f"{table['site']}/{table['id']}",
        )
    except KeyError as missing:
        raise ValueError(f"{path}: the key {missing} is missing") from None


def _one_of(path: Path, key: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"{path}: {key} {value!r} is not on the bench, which has {' and '.join(known)}")
    return value


def _make(path: Path, kind: str, section: dict[str, Any]) -> str:
    driver: str = section["driver"]
    if driver not in (makes := drivers_of(SORTS[kind])):
        raise ValueError(f"{path}: driver {driver!r} is not on the bench, which has {' and '.join(makes)}")
    return driver


def _read_slots(slots: dict[str, Any]) -> SlotsSetting:
    lamps, lock_lamp = make_of(SimulatedSlotsMake, slots["driver"]).lamps(slots)
    return SlotsSetting(input_of_seat(slots), lamps, slots["button_input"], lock_lamp)
