"""The devices in the configuration file: one section each, its keys as its driver needs them."""

from pathlib import Path
from typing import Literal

import msgspec

from controller.config.section import Section
from controller.rulebook.parts.faults import DeviceName

DRIVERS = {
    "shuffler": ("shuffler-link",),
    "shoe": ("angel-eye",),
    "slots": ("adu218", "numato"),
    "sign": ("alpha", "betabrite"),
}
ADU218_LINES = 8
NUMATO_LINES = 16


class ShufflerSettings(msgspec.Struct, frozen=True):
    """The shuffler's wire, and how many cards it can dispense at once."""

    port: str
    packet_sizes: tuple[int, ...]


class ShoeSettings(msgspec.Struct, frozen=True):
    """The card-reading shoe's wire."""

    port: str


class SimulatedUsb(msgspec.Struct, frozen=True):
    """A device that is not on the machine's USB: a function that opens its bus, and the socket it is reached over."""

    backend: str
    socket: Path


class Adu218Settings(msgspec.Struct, frozen=True):
    """The slots on an ADU218: input -> seat; the relay of the same number is that seat's lamp."""

    seats: dict[int, int]
    button_input: int
    lock_lamp_relay: int
    usb: SimulatedUsb | None


class NumatoSettings(msgspec.Struct, frozen=True):
    """The slots on a Numato board, whose lines are inputs or outputs: input -> seat, and seat -> output of its lamp."""

    port: str
    seats: dict[int, int]
    lamps: dict[int, int]
    button_input: int
    lock_lamp_output: int


class AlphaSignSettings(msgspec.Struct, frozen=True):
    """The Alpha sign's serial wire."""

    port: str
    format: Literal["7E1", "8N1"]
    address: str


class BetaBriteSettings(msgspec.Struct, frozen=True):
    """The Alpha sign on USB."""

    address: str
    usb: SimulatedUsb | None


def read_shuffler(devices: Section, sizes_known: tuple[int, ...], article: str) -> ShufflerSettings | None:
    """The shuffler, which dispenses packets of some of these sizes; with none of them it gives single cards."""
    if (section := devices.optional("shuffler")) is None:
        return None
    section.choice("driver", DRIVERS["shuffler"])
    needed = sizes_known[-1:]
    sizes = section.list_of("packet_sizes", sizes_known, default=needed) if sizes_known else ()
    shuffler = ShufflerSettings(port=section.text("port"), packet_sizes=sizes)
    if not set(needed) <= set(sizes):
        section.report("packet_sizes", list(sizes), f"a list with {needed[0]} in it ({article})")
    section.end()
    return shuffler


def read_shoe(devices: Section) -> ShoeSettings | None:
    if (section := devices.optional("shoe")) is None:
        return None
    section.choice("driver", DRIVERS["shoe"])
    shoe = ShoeSettings(port=section.text("port"))
    section.end()
    return shoe


def read_sign(devices: Section, mode: str, folder: Path) -> AlphaSignSettings | BetaBriteSettings | None:
    if (section := devices.optional("sign")) is None or (driver := _driver(section, "sign")) is None:
        return None
    address = section.text("address", default="00")
    if len(address) != 2 or not set(address) <= set("0123456789ABCDEF"):
        section.report("address", address, 'two hexadecimal digits, such as "00" for every sign')
    sign: AlphaSignSettings | BetaBriteSettings
    if driver == "betabrite":
        sign = BetaBriteSettings(address=address, usb=_simulated_usb(section, mode, folder))
    else:
        sign = AlphaSignSettings(
            port=section.text("port"), format=section.choice("format", ("7E1", "8N1")), address=address
        )
    section.end()
    return sign


def read_slots(devices: Section, mode: str, folder: Path, seats: int) -> Adu218Settings | NumatoSettings | None:
    if (section := devices.optional("slots")) is None or (driver := _driver(section, "slots")) is None:
        return None
    slots = _numato(section, seats) if driver == "numato" else _adu218(section, mode, folder, seats)
    section.end()
    return slots


def _driver(section: Section, device: DeviceName) -> str | None:
    """The driver; None for an unknown one, without which no other key can be judged."""
    driver: str = section.choice("driver", DRIVERS[device])
    if section.peek("driver") == driver:
        return driver
    for key in section:
        section.skip(key)
    return None


def _adu218(section: Section, mode: str, folder: Path, seats: int) -> Adu218Settings:
    last = ADU218_LINES - 1
    button = section.integer("button_input", 0, last)
    wired = section.section("seats")
    lines = {str(line) for line in range(ADU218_LINES) if line != section.peek("button_input")}
    by_input = _seats(wired, seats, lines, f"an input 0 to {last} that is not the button's")
    lock_lamp = section.integer("lock_lamp_relay", 0, last)
    if section.peek("lock_lamp_relay") == lock_lamp and lock_lamp in by_input:
        section.report(
            "lock_lamp_relay", lock_lamp, f"a relay that is no seat's lamp; it is seat {by_input[lock_lamp]}'s"
        )
    return Adu218Settings(
        seats=by_input, button_input=button, lock_lamp_relay=lock_lamp, usb=_simulated_usb(section, mode, folder)
    )


def _seats(wired: Section, seats: int, lines: set[str], expected: str) -> dict[int, int]:
    """The table of sensors, line -> seat: those that are right."""
    by_line: dict[int, int] = {}
    for key in wired:
        if key not in lines:
            wired.report(key, wired.peek(key), f"as the key {expected}")
            wired.skip(key)
            continue
        seat = wired.integer(key, 1, seats, f"a seat, 1 to {seats}")
        if wired.peek(key) != seat:
            continue  # a stand-in is no second mistake
        if seat in by_line.values():
            wired.report(key, seat, f"each seat once; seat {seat} has a sensor already")
        else:
            by_line[int(key)] = seat
    wired.end()
    return by_line


def _numato(section: Section, seats: int) -> NumatoSettings:
    last = NUMATO_LINES - 1
    used: dict[int, str] = {}  # line -> what stands on it

    def claim(holder: Section, key: str, line: object, what: str) -> None:
        if type(line) is not int:
            return  # blamed already
        if line in used:
            holder.report(key, holder.peek(key), f"a line of its own; line {line} is {used[line]}")
        elif line in range(NUMATO_LINES):
            used[line] = what

    port = section.text("port")
    button, lock_lamp = section.integer("button_input", 0, last), section.integer("lock_lamp_output", 0, last)
    claim(section, "button_input", section.peek("button_input"), "the button's")
    claim(section, "lock_lamp_output", section.peek("lock_lamp_output"), "the lock lamp's")
    wired = section.section("seats")
    by_line = _seats(wired, seats, {str(line) for line in range(NUMATO_LINES)}, f"an input 0 to {last}")
    for line, seat in by_line.items():
        claim(wired, str(line), line, f"seat {seat}'s sensor")
    lit = section.section("lamps")
    lamps: dict[int, int] = {}
    if wired.missing or len(by_line) != len(list(wired)):
        seats_with_sensor = set(lit)  # wrong already: not judged by it
    else:
        seats_with_sensor = {str(seat) for seat in by_line.values()}
    for key in sorted(seats_with_sensor):
        lamp = lit.integer(key, 0, last, f"an output 0 to {last}, the lamp of the seat's slot")
        claim(lit, key, lit.peek(key), f"seat {key}'s lamp")
        if key in map(str, by_line.values()):
            lamps[int(key)] = lamp
    for key in lit:
        if key not in seats_with_sensor:
            lit.report(key, lit.peek(key), "as the key a seat that has a sensor in seats")
            lit.skip(key)
    lit.end()
    return NumatoSettings(port=port, seats=by_line, lamps=lamps, button_input=button, lock_lamp_output=lock_lamp)


def _simulated_usb(section: Section, mode: str, folder: Path) -> SimulatedUsb | None:
    backend, socket = section.text("usb_backend", default=""), section.text("usb_socket", default="")
    if mode == "live" and (backend or socket):
        section.report("usb_backend", backend or socket, 'nothing: mode is "live", and this is a simulated device')
    if bool(backend) != bool(socket):
        section.report("usb_socket", socket, "usb_backend and usb_socket together, or neither")
    return SimulatedUsb(backend=backend, socket=folder / socket) if backend and socket else None
