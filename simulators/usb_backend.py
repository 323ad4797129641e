"""A pyusb backend with one device, the ADU218 or the BetaBrite of the bench, reached over a Unix socket.

Loaded by name in the daemon's process; the device and its state live in the bench.
"""

import array
import contextlib
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import usb.backend
from usb.core import USBError, USBTimeoutError

from simulators.usb_cable import (
    BUSY,
    FAILED,
    IO_GONE,
    OK,
    STALLED,
    TIMED_OUT,
    TOO_LONG,
    Operation,
    read_request,
    request,
)

LANGUAGE = 0x0409
SOCKET_PATIENCE_SECONDS = 5.0  # beyond the transfer's own timeout
KERNEL_ASK, KERNEL_ATTACH, KERNEL_DETACH = b"\0", b"\1", b"\2"
INTERRUPT, BULK = 3, 2
CLEAR_ENDPOINT_HALT = (0x02, 1, 0)  # request type, request, value (USB 2.0, 9.4.1)
ERRORS = {  # by libusb's number, as pyusb reports them: EPROTO comes as EIO
    FAILED: ("Input/Output Error", 5),
    BUSY: ("Resource busy", 16),
    TOO_LONG: ("Overflow", 75),
    STALLED: ("Pipe error", 32),
}
HUMAN_INTERFACE, VENDORS_OWN = 3, 0xFF


@dataclass(frozen=True)
class PluggedIdentity:
    """The identity in a device's USB descriptors."""

    vendor: int
    product: int
    strings: dict[int, str]
    interface_class: int
    transfers: int
    packet_bytes: int
    endpoint_in: int
    endpoint_out: int

    @property
    def device(self) -> SimpleNamespace:
        """The device descriptor."""
        return SimpleNamespace(
            bLength=18, bDescriptorType=1, bcdUSB=0x0110, bDeviceClass=0, bDeviceSubClass=0, bDeviceProtocol=0,
            bMaxPacketSize0=8, idVendor=self.vendor, idProduct=self.product, bcdDevice=0x0001, iManufacturer=1,
            iProduct=2, iSerialNumber=3, bNumConfigurations=1, bus=1, address=2, port_number=1, port_numbers=(1,),
            speed=1,
        )  # fmt: skip

    @property
    def interface(self) -> SimpleNamespace:
        """The descriptor of its one interface."""
        return SimpleNamespace(
            bLength=9, bDescriptorType=4, bInterfaceNumber=0, bAlternateSetting=0, bNumEndpoints=2,
            bInterfaceClass=self.interface_class, bInterfaceSubClass=0, bInterfaceProtocol=0, iInterface=0,
            extra_descriptors=[],
        )  # fmt: skip

    def endpoint(self, number: int) -> SimpleNamespace:
        """The descriptor of endpoint 0 (in) or 1 (out)."""
        return SimpleNamespace(
            bLength=7, bDescriptorType=5, bEndpointAddress=(self.endpoint_in, self.endpoint_out)[number],
            bmAttributes=self.transfers, wMaxPacketSize=self.packet_bytes, bInterval=10, bRefresh=0, bSynchAddress=0,
            extra_descriptors=[],
        )  # fmt: skip


ADU218 = PluggedIdentity(
    vendor=0x0A07,
    product=0x00DA,
    strings={1: "www.ontrak.net", 2: "ADU218 USB Relay I/O Interface", 3: "B02597"},
    interface_class=HUMAN_INTERFACE,
    transfers=INTERRUPT,
    packet_bytes=8,
    endpoint_in=0x81,
    endpoint_out=0x01,
)
BETABRITE = PluggedIdentity(
    vendor=0x8765,
    product=0x1234,
    strings={1: "Adaptive Micro Systems", 2: "BetaBrite Prism"},
    interface_class=VENDORS_OWN,
    transfers=BULK,
    packet_bytes=64,
    endpoint_in=0x82,
    endpoint_out=0x02,
)
CONFIGURATION_DESCRIPTOR = SimpleNamespace(
    bLength=9, bDescriptorType=2, wTotalLength=41, bNumInterfaces=1, bConfigurationValue=1, iConfiguration=0,
    bmAttributes=0x80, bMaxPower=50, extra_descriptors=[],
)  # fmt: skip


class BenchBackend(usb.backend.IBackend):  # type: ignore[misc]
    """A backend of pyusb. Errors are libusb's: a timeout is (-7, 110), a missing device (-4, 19), others in
    `ERRORS`.
    """

    def __init__(self, path: str, make: PluggedIdentity) -> None:
        self._path = path
        self._make = make
        self._socket: socket.socket | None = None
        self._turn = threading.Lock()

    def enumerate_devices(self) -> Iterator[str]:
        """The one device, or none when it is unplugged or the bench is not there."""
        try:
            plugged = self._ask(Operation.IS_PLUGGED) == b"\x01"
        except USBError:
            plugged = False
        if plugged:
            yield self._make.strings[2]

    def get_device_descriptor(self, dev: object) -> SimpleNamespace:
        return self._make.device

    def get_configuration_descriptor(self, dev: object, config: int) -> SimpleNamespace:
        return first_only(CONFIGURATION_DESCRIPTOR, config)

    def get_interface_descriptor(self, dev: object, intf: int, alt: int, config: int) -> SimpleNamespace:
        return first_only(self._make.interface, intf, alt, config)

    def get_endpoint_descriptor(self, dev: object, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        return self._make.endpoint(ep)

    def open_device(self, dev: object) -> object:
        self._ask(Operation.OPEN)
        return dev

    def close_device(self, dev_handle: object) -> None:
        with contextlib.suppress(USBError):
            self._ask(Operation.CLOSE)
        self._hang_up()

    def set_configuration(self, dev_handle: object, config_value: int) -> None:
        self._ask(Operation.CONFIGURE)

    def get_configuration(self, dev_handle: object) -> int:
        return 1

    def set_interface_altsetting(self, dev_handle: object, intf: int, altsetting: int) -> None:
        pass

    def claim_interface(self, dev_handle: object, intf: int) -> None:
        self._ask(Operation.CLAIM)

    def release_interface(self, dev_handle: object, intf: int) -> None:
        self._ask(Operation.RELEASE)

    def is_kernel_driver_active(self, dev_handle: object, intf: int) -> bool:
        return self._ask(Operation.KERNEL_DRIVER, KERNEL_ASK) == b"\x01"

    def detach_kernel_driver(self, dev_handle: object, intf: int) -> None:
        self._ask(Operation.KERNEL_DRIVER, KERNEL_DETACH)

    def attach_kernel_driver(self, dev_handle: object, intf: int) -> None:
        self._ask(Operation.KERNEL_DRIVER, KERNEL_ATTACH)

    def intr_write(self, dev_handle: object, ep: int, intf: int, chunk: "array.array[int]", timeout: int) -> int:
        self._ask(Operation.WRITE, chunk.tobytes())
        return len(chunk)

    def intr_read(self, dev_handle: object, ep: int, intf: int, buff: "array.array[int]", timeout: int) -> int:
        received = self._ask(Operation.READ, read_request(timeout, len(buff)), timeout / 1000)
        buff[: len(received)] = array.array("B", received)
        return len(received)

    bulk_write = intr_write
    bulk_read = intr_read

    def ctrl_transfer(
        self,
        dev_handle: object,
        bmRequestType: int,
        bRequest: int,
        wValue: int,
        wIndex: int,
        buff: "array.array[int]",
        timeout: int,
    ) -> int:
        """Answers string descriptors, and clears the halt of an endpoint; everything else stalls."""
        if (bmRequestType, bRequest, wValue) == CLEAR_ENDPOINT_HALT:
            self._ask(Operation.CLEAR_FEATURE, bytes([wIndex]))
            return 0
        if (bmRequestType, bRequest, wValue >> 8) != (0x80, 6, 3):
            raise USBError("Pipe error", STALLED, 32)
        index = wValue & 0xFF
        text = self._make.strings.get(index, "").encode("utf-16-le") if index else struct.pack("<H", LANGUAGE)
        content = bytes([2 + len(text), 3]) + text
        count = min(len(content), len(buff))
        buff[:count] = array.array("B", content[:count])
        return count

    def clear_halt(self, dev_handle: object, ep: int) -> None:
        self._ask(Operation.CLEAR_HALT, bytes([ep]))

    def reset_device(self, dev_handle: object) -> None:
        self._ask(Operation.RESET)

    def _finalize_object(self) -> None:
        self._hang_up()

    def _ask(self, operation: Operation, content: bytes = b"", wait: float = 0.0) -> bytes:
        with self._turn:
            try:
                if self._socket is None:
                    self._socket = socket.socket(socket.AF_UNIX)
                    self._socket.connect(self._path)
                self._socket.settimeout(wait + SOCKET_PATIENCE_SECONDS if wait or operation != Operation.READ else None)
                self._socket.sendall(request(operation, content))
                (length,) = struct.unpack(">H", self._receive(2))
                message = self._receive(length)
            except OSError as failure:
                self._hang_up()
                raise USBError("No such device (it may have been disconnected)", IO_GONE, 19) from failure
        (status,) = struct.unpack(">b", message[:1])
        if status == OK:
            return message[1:]
        if status == TIMED_OUT:
            raise USBTimeoutError("Operation timed out", TIMED_OUT, 110)
        if status in ERRORS:
            text, number = ERRORS[status]
            raise USBError(text, status, number)
        raise USBError("No such device (it may have been disconnected)", IO_GONE, 19)

    def _receive(self, count: int) -> bytes:
        assert self._socket is not None
        received = b""
        while len(received) < count:
            piece = self._socket.recv(count - len(received))
            if not piece:
                raise ConnectionError("the bench hung up")
            received += piece
        return received

    def _hang_up(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def first_only(descriptor: SimpleNamespace, *indices: int) -> SimpleNamespace:
    """The descriptor at index 0. Raises IndexError for others, which is how pyusb finds the end."""
    if any(indices):
        raise IndexError("there is only one")
    return descriptor


def open_backend(path: str) -> BenchBackend:
    """The ADU218's for `usb.core.find(backend=…)`; `path` is the bench's `usb.sock`. Connects when first used."""
    return BenchBackend(path, ADU218)


def open_betabrite(path: str) -> BenchBackend:
    """The BetaBrite's; `path` is the bench's `sign.sock`."""
    return BenchBackend(path, BETABRITE)
