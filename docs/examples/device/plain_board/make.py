"""The make as the registry of the station has it: the lamp of a seat has the number of its input."""

from dataclasses import dataclass
from typing import ClassVar

from drivers.device import Device
from drivers.make import Decode, DeviceMake, DeviceWire, MakeContext, SectionKeys, SlotsSettings, read_seats
from drivers.wiring import Wiring

from .codec import LINES, PlainBoardCodec

LAST = LINES - 1


@dataclass(frozen=True)
class PlainBoardSettings(SlotsSettings):
    """`seats` is input -> seat."""

    driver: ClassVar = "plain-board"
    port: str
    seats: dict[int, int]
    button_input: int
    lock_lamp: int

    @property
    def wiring(self) -> Wiring:
        return Wiring(self.seats, self.button_input, self.lock_lamp, lines=LINES)

    def open(self, wire: DeviceWire) -> Device:
        from .slots import PlainBoard

        return PlainBoard(port=wire.serial(self.port), button=self.button_input, tap=wire.tap)


def _read(section: SectionKeys, context: MakeContext) -> PlainBoardSettings:
    button = section.integer("button_input", 0, LAST)
    lock_lamp = section.integer("lock_lamp", 0, LAST)
    free = {str(line) for line in range(LINES)} - {str(button), str(lock_lamp)}
    expected = f"an input 0 to {LAST} that is neither the button's nor the lock lamp's"
    seats = read_seats(section.section("seats"), context.seats, free, expected)
    return PlainBoardSettings(section.text("port"), seats, button, lock_lamp)


def _codec() -> Decode:
    return PlainBoardCodec().receive


MAKE = DeviceMake(
    kind="slots",
    settings=PlainBoardSettings,
    read=_read,
    example=(
        "button_input = 7  # as it is wired",
        "lock_lamp = 7",
        "",
        "[devices.slots.seats]  # input -> seat",
        *(f"{line} = {line + 1}" for line in range(6)),
    ),
    codec=_codec,
)
