"""The BetaBrite Prism, as the registry has it."""

from dataclasses import dataclass
from typing import ClassVar

from drivers.alpha.make import read_address
from drivers.device import Device
from drivers.make import (
    DeviceMake,
    DeviceWire,
    MakeContext,
    SectionKeys,
    SignSettings,
    SimulatedUsb,
    UsbMatch,
    read_simulated_usb,
)


@dataclass(frozen=True)
class BetaBriteSettings(SignSettings):
    driver: ClassVar = "betabrite"
    address: str
    usb: SimulatedUsb | None

    def open(self, wire: DeviceWire) -> Device:
        from drivers.betabrite.sign import BetaBrite

        return BetaBrite(open_backend=wire.usb_backend(self.usb), address=self.address, tap=wire.tap)


def _read(section: SectionKeys, context: MakeContext) -> BetaBriteSettings:
    return BetaBriteSettings(address=read_address(section), usb=read_simulated_usb(section, context))


MAKE = DeviceMake(kind="sign", settings=BetaBriteSettings, read=_read, usb=UsbMatch(vendor=0x8765, product=0x1234))
