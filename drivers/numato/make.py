"""The Numato board as a make: each of its sixteen lines is an input or an output, as it is used."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from drivers.device import Device, Mark
from drivers.make import (
    Decode,
    DeviceMake,
    DeviceWire,
    MakeContext,
    SectionKeys,
    SlotsSettings,
    UsbMatch,
    read_seats,
)
from drivers.numato.codec import LINES, NumatoCodec
from drivers.wiring import Wiring

LAST = LINES - 1
CHANNELS = re.compile(r"(\d+)[ _-]?channel", re.IGNORECASE)  # as the boards name themselves

if TYPE_CHECKING:
    from drivers.passive import PassiveSerialReader


@dataclass(frozen=True)
class NumatoSettings(SlotsSettings):
    """The settings of a board. `seats` maps inputs to seats, `lamps` maps seats to outputs."""

    driver: ClassVar = "numato"
    port: str
    seats: dict[int, int]
    lamps: dict[int, int]
    button_input: int
    lock_lamp_output: int

    @property
    def wiring(self) -> Wiring:
        return Wiring(
            seats=self.seats,
            button_input=self.button_input,
            lock_lamp_relay=self.lock_lamp_output,
            lamps=self.lamps,
            lines=LINES,
        )

    def open(self, wire: DeviceWire) -> Device:
        from drivers.numato.slots import Numato

        return Numato(
            port=wire.serial(self.port),
            seats=self.seats,
            button=self.button_input,
            lamps=[*self.lamps.values(), self.lock_lamp_output],
            tap=wire.tap,
        )


def _read(section: SectionKeys, context: MakeContext) -> NumatoSettings:
    used: dict[int, str] = {}  # line -> what is connected to it

    def claim(holder: SectionKeys, key: str, line: object, what: str) -> None:
        if type(line) is not int:
            return  # blamed already
        if line in used:
            holder.report(key, holder.peek(key), f"a line of its own; line {line} is {used[line]}")
        elif line in range(LINES):
            used[line] = what

    port = section.text("port")
    button, lock_lamp = section.integer("button_input", 0, LAST), section.integer("lock_lamp_output", 0, LAST)
    claim(section, "button_input", section.peek("button_input"), "the button's")
    claim(section, "lock_lamp_output", section.peek("lock_lamp_output"), "the lock lamp's")
    wired = section.section("seats")
    by_line = read_seats(wired, context.seats, {str(line) for line in range(LINES)}, f"an input 0 to {LAST}")
    for line, seat in by_line.items():
        claim(wired, str(line), line, f"seat {seat}'s sensor")
    lit = section.section("lamps")
    lamps: dict[int, int] = {}
    if wired.missing or len(by_line) != len(list(wired)):
        seats_with_sensor = set(lit)  # wrong already: not judged by it
    else:
        seats_with_sensor = {str(seat) for seat in by_line.values()}
    for key in sorted(seats_with_sensor):
        lamp = lit.integer(key, 0, LAST, f"an output 0 to {LAST}, the lamp of the seat's slot")
        claim(lit, key, lit.peek(key), f"seat {key}'s lamp")
        if key in map(str, by_line.values()):
            lamps[int(key)] = lamp
    for key in lit:
        if key not in seats_with_sensor:
            lit.report(key, lit.peek(key), "as the key a seat that has a sensor in seats")
            lit.skip(key)
    lit.end()
    return NumatoSettings(port=port, seats=by_line, lamps=lamps, button_input=button, lock_lamp_output=lock_lamp)


def _is_of_as_many_lines(name: str) -> bool:
    """Whether a board has this number of lines, by its reported name; a name without a number may be right."""
    channels = CHANNELS.search(name)
    return channels is None or int(channels[1]) == LINES


def _codec() -> Decode:
    return NumatoCodec().receive


def _passive(settings: NumatoSettings, mark: Mark | None) -> "PassiveSerialReader":
    from drivers.numato.passive import NumatoPassive

    inputs = sum(1 << line for line in (*settings.seats, settings.button_input))
    lamps = sum(1 << line for line in (*settings.lamps.values(), settings.lock_lamp_output))
    return NumatoPassive(inputs, lamps, settings.button_input)


MAKE = DeviceMake(
    kind="slots",
    settings=NumatoSettings,
    read=_read,
    # Of every board of the vendor; the product's number differs from board to board.
    usb=UsbMatch(vendor=0x2A19, is_serial=True, fits=_is_of_as_many_lines, model=f"the board of {LINES} channels"),
    example=(
        "button_input = 14  # as it is wired",
        "lock_lamp_output = 15",
        "",
        "[devices.slots.seats]  # input -> seat",
        *(f"{line} = {line + 1}" for line in range(6)),
        "",
        "[devices.slots.lamps]  # seat -> output",
        *(f"{seat} = {seat + 6}" for seat in range(1, 7)),
    ),
    codec=_codec,
    passive=_passive,
)
