"""The Alpha sign on a serial line, as the registry has it."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from drivers.device import Device
from drivers.make import DeviceMake, DeviceWire, MakeContext, SectionKeys, SignSettings


@dataclass(frozen=True)
class AlphaSignSettings(SignSettings):
    driver: ClassVar = "alpha"
    port: str
    format: Literal["7E1", "8N1"]
    address: str

    def open(self, wire: DeviceWire) -> Device:
        from drivers.alpha.serial_sign import SerialSign

        return SerialSign(port=wire.serial(self.port), framing=self.format, address=self.address, tap=wire.tap)


def read_address(section: SectionKeys) -> str:
    """The sign's address by the Alpha protocol."""
    address = section.text("address", default="00")
    if len(address) != 2 or not set(address) <= set("0123456789ABCDEF"):
        section.report("address", address, 'two hexadecimal digits, such as "00" for every sign')
    return address


def _read(section: SectionKeys, context: MakeContext) -> AlphaSignSettings:
    address = read_address(section)
    return AlphaSignSettings(
        port=section.text("port"), format=section.choice("format", ("7E1", "8N1")), address=address
    )


MAKE = DeviceMake(kind="sign", settings=AlphaSignSettings, read=_read, example=('format = "7E1"  # or "8N1"',))
