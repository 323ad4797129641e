"""The ADU218, as the registry has it: the relay of an input's number is the lamp of its seat."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from drivers.adu218.codec import CHANNELS, decode
from drivers.device import Device, Mark
from drivers.make import (
    Decode,
    DeviceMake,
    DeviceWire,
    MakeContext,
    SectionKeys,
    SimulatedUsb,
    SlotsSettings,
    UsbMatch,
    read_seats,
    read_simulated_usb,
)
from drivers.wiring import Wiring

if TYPE_CHECKING:
    from drivers.passive import PassiveUsbReader

LAST = CHANNELS - 1


@dataclass(frozen=True)
class Adu218Settings(SlotsSettings):
    """The settings of a board. `seats` maps inputs to seats."""

    driver: ClassVar = "adu218"
    seats: dict[int, int]
    button_input: int
    lock_lamp_relay: int
    usb: SimulatedUsb | None

    @property
    def wiring(self) -> Wiring:
        return Wiring(seats=self.seats, button_input=self.button_input, lock_lamp_relay=self.lock_lamp_relay)

    def open(self, wire: DeviceWire) -> Device:
        from drivers.adu218.slots import Slots

        return Slots(button=self.button_input, open_backend=wire.usb_backend(self.usb), tap=wire.tap)


def _read(section: SectionKeys, context: MakeContext) -> Adu218Settings:
    button = section.integer("button_input", 0, LAST)
    wired = section.section("seats")
    lines = {str(line) for line in range(CHANNELS) if line != section.peek("button_input")}
    by_input = read_seats(wired, context.seats, lines, f"an input 0 to {LAST} that is not the button's")
    lock_lamp = section.integer("lock_lamp_relay", 0, LAST)
    if section.peek("lock_lamp_relay") == lock_lamp and lock_lamp in by_input:
        section.report(
            "lock_lamp_relay", lock_lamp, f"a relay that is no seat's lamp; it is seat {by_input[lock_lamp]}'s"
        )
    return Adu218Settings(
        seats=by_input, button_input=button, lock_lamp_relay=lock_lamp, usb=read_simulated_usb(section, context)
    )


def _codec() -> Decode:
    return lambda octets: [decode(octets)]


def _passive(settings: Adu218Settings, mark: Mark | None) -> "PassiveUsbReader":
    from drivers.adu218.passive import Adu218Passive

    return Adu218Passive()


MAKE = DeviceMake(
    kind="slots",
    settings=Adu218Settings,
    read=_read,
    usb=UsbMatch(vendor=0x0A07, product=0x00DA, model="the model ADU218"),
    example=(
        "button_input = 7  # as it is wired",
        "lock_lamp_relay = 7",
        "",
        "[devices.slots.seats]  # input -> seat",
        *(f"{line} = {line + 1}" for line in range(6)),
    ),
    codec=_codec,
    passive=_passive,
)
