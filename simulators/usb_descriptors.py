"""Descriptors of USB devices, and those of a serial converter. No I/O here.

The FTDI FT232R is that of `lsusb -v` for an FT232RL, https://ksksue.hatenadiary.org/entry/20120212/1329015395.
"""

import struct
from dataclasses import dataclass, replace

from simulators.usb_backend import BULK, VENDORS_OWN, PluggedIdentity

DEVICE, CONFIGURATION, STRING, INTERFACE, ENDPOINT = 1, 2, 3, 4, 5
HUMAN, REPORT, FUNCTIONAL = 0x21, 0x22, 0x24
LOW_SPEED, FULL_SPEED = 1, 2
ENGLISH = b"\x04\x03\x09\x04"
LONGEST_CONFIGURATION = 4096


@dataclass(frozen=True, slots=True)
class UsbDescriptors:
    """The answers of a device to GET_DESCRIPTOR: the device, its one configuration, its strings, and a report if it has
    one.

    `interfaces` are class, subclass and protocol of each.
    """

    speed: int
    device: bytes
    configuration: bytes
    strings: dict[int, str]
    interfaces: tuple[tuple[int, int, int], ...]
    report: bytes = b""

    def read(self, kind: int, index: int) -> bytes | None:
        """A descriptor; None if there is none."""
        match kind:
            case 1:
                return self.device
            case 2 if index == 0:
                return self.configuration
            case 3 if index == 0:
                return ENGLISH
            case 3 if index in self.strings:
                text = self.strings[index].encode("utf-16-le")
                return bytes([2 + len(text), STRING]) + text
            case 0x22 if self.report:
                return self.report
            case 0x21 if self.report:
                return human(self.report)
        return None

    @property
    def overlong(self) -> "UsbDescriptors":
        """The same with a configuration that reports and has far more octets than any, and endpoints that never end."""
        endless = bytes([255, ENDPOINT]) + bytes(253)
        more = self.configuration + endless * ((LONGEST_CONFIGURATION - len(self.configuration)) // len(endless))
        return replace(self, configuration=more[:2] + struct.pack("<H", 0xFFFF) + more[4:])


def human(report: bytes) -> bytes:
    """The HID descriptor (HID 1.11, 6.2.1)."""
    return struct.pack("<BBHBBBH", 9, HUMAN, 0x0110, 0, 1, REPORT, len(report))


def endpoint(address: int, transfers: int, size: int, interval: int) -> bytes:
    return struct.pack("<BBBBHB", 7, ENDPOINT, address, transfers, size, interval)


def interface(number: int, endpoints: int, kind: tuple[int, int, int], name: int = 0) -> bytes:
    return bytes([9, INTERFACE, number, 0, endpoints, *kind, name])


def configuration(interfaces: int, attributes: int, milliamperes: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), interfaces, 1, 0, attributes, milliamperes // 2) + body


def device(usb: int, kind: int, packet: int, vendor: int, product: int, release: int, strings: dict[int, str]) -> bytes:
    named = [index if index in strings else 0 for index in (1, 2, 3)]
    return struct.pack("<BBHBBBBHHHBBBB", 18, DEVICE, usb, kind, 0, 0, packet, vendor, product, release, *named, 1)


def of_make(make: PluggedIdentity, speed: int, interval: int, report: bytes = b"") -> UsbDescriptors:
    """A device of one interface with two endpoints, as pyusb's backend of the bench describes it."""
    kind = (make.interface_class, 0, 0)
    addresses = (make.endpoint_in, make.endpoint_out)
    ends = [endpoint(address, make.transfers, make.packet_bytes, interval) for address in addresses]
    parts = (interface(0, 2, kind), human(report) if report else b"", *ends)
    return UsbDescriptors(
        speed,
        device(0x0110, 0, 8, make.vendor, make.product, 1, make.strings),
        configuration(1, 0x80, 100, *parts),
        make.strings,
        (kind,),
        report,
    )


def ftdi(number: str) -> UsbDescriptors:
    """An FT232R with this serial number."""
    strings = {1: "FTDI", 2: "FT232R USB UART", 3: number}
    kind = (VENDORS_OWN, 0xFF, 0xFF)
    ends = endpoint(0x81, BULK, 64, 0) + endpoint(0x02, BULK, 64, 0)
    return UsbDescriptors(
        FULL_SPEED,
        device(0x0200, 0, 8, 0x0403, 0x6001, 0x0600, strings),
        configuration(1, 0xA0, 90, interface(0, 2, kind, 2), ends),
        strings,
        (kind,),
    )
