"""A backend of pyusb with one device of one configuration, one interface and two endpoints."""

from types import SimpleNamespace
from typing import Any

import usb.backend
import usb.core


class OneDevice(usb.backend.IBackend):  # type: ignore[misc]
    """`ends` are the endpoints that take and give octets, `kind` is theirs as a descriptor has it."""

    vendor: int
    product: int
    ends: tuple[int, int]
    kind: int
    packet: int

    def __init__(self) -> None:
        self.plugged = True
        self.claimed = False  # by another program
        self.opened = 0

    def enumerate_devices(self) -> list[str]:
        return ["device"] if self.plugged else []

    def get_device_descriptor(self, dev: str) -> SimpleNamespace:
        return SimpleNamespace(
            bLength=18, bDescriptorType=1, bcdUSB=0x110, bDeviceClass=0, bDeviceSubClass=0, bDeviceProtocol=0,
            bMaxPacketSize0=8, idVendor=self.vendor, idProduct=self.product, bcdDevice=0, iManufacturer=0, iProduct=0,
            iSerialNumber=0, bNumConfigurations=1, bus=1, address=5, port_number=1, port_numbers=(1,), speed=1,
        )  # fmt: skip

    def get_configuration_descriptor(self, dev: str, config: int) -> SimpleNamespace:
        if config:
            raise IndexError(config)
        return SimpleNamespace(
            bLength=9, bDescriptorType=2, wTotalLength=32, bNumInterfaces=1, bConfigurationValue=1, iConfiguration=0,
            bmAttributes=0x80, bMaxPower=50, extra_descriptors=[],
        )  # fmt: skip

    def get_interface_descriptor(self, dev: str, intf: int, alt: int, config: int) -> SimpleNamespace:
        if intf or alt:
            raise IndexError(intf)
        return SimpleNamespace(
            bLength=9, bDescriptorType=4, bInterfaceNumber=0, bAlternateSetting=0, bNumEndpoints=2,
            bInterfaceClass=0xFF, bInterfaceSubClass=0, bInterfaceProtocol=0, iInterface=0, extra_descriptors=[],
        )  # fmt: skip

    def get_endpoint_descriptor(self, dev: str, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        return SimpleNamespace(
            bLength=7, bDescriptorType=5, bEndpointAddress=self.ends[ep], bmAttributes=self.kind,
            wMaxPacketSize=self.packet, bInterval=10, bRefresh=0, bSynchAddress=0, extra_descriptors=[],
        )  # fmt: skip

    def open_device(self, dev: str) -> str:
        self.opened += 1
        return dev

    def close_device(self, dev_handle: str) -> None:
        self.opened -= 1

    def set_configuration(self, dev_handle: str, config_value: int) -> None: ...

    def get_configuration(self, dev_handle: str) -> int:
        return 1

    def claim_interface(self, dev_handle: str, intf: int) -> None:
        if self.claimed:
            raise usb.core.USBError("Resource busy", -6, 16)

    def release_interface(self, dev_handle: str, intf: int) -> None: ...

    def clear_halt(self, dev_handle: str, ep: int) -> None:
        assert ep in self.ends

    def is_kernel_driver_active(self, dev_handle: str, intf: int) -> bool:
        return False

    def check_plugged(self) -> None:
        if not self.plugged:
            raise usb.core.USBError("No such device", -4, 19)

    @staticmethod
    def put(octets: bytes, buff: Any) -> int:
        """What was read is given so."""
        for place, octet in enumerate(octets):
            buff[place] = octet
        return len(octets)
