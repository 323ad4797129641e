"""One USB device, interrupt or bulk, through pyusb: its calls block, so they run on a thread of the device's own."""

import asyncio
import errno
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import usb.core
import usb.util

from drivers.faults import PortLost
from drivers.tap import OpenTap, Tap

UsbBackend = Any  # a usb.backend.IBackend; pyusb has no types
_Result = TypeVar("_Result")

_UNPLUGGED = (errno.ENODEV, errno.ENXIO, errno.ENOENT, errno.ESHUTDOWN, errno.EIO)


@dataclass(frozen=True, slots=True)
class UsbIdentity:
    """Which device and which of its endpoints: vendor and product id, endpoint addresses."""

    vendor: int
    product: int
    endpoint_out: int
    endpoint_in: int


def libusb_backend() -> UsbBackend:
    """The libusb that comes with the package libusb-package, so that none of the system is needed."""
    import libusb_package

    return libusb_package.get_libusb1_backend()


class UsbPort:
    """An open device. Everything here blocks and belongs on a UsbThread."""

    def __init__(
        self, device: str, identity: UsbIdentity, open_backend: Callable[[], UsbBackend], *, tap: Tap | None = None
    ) -> None:
        """Find, configure and claim interface 0. Raises PortLost, also when the backend is out of reach."""
        self._device = device
        self._identity = identity
        self._tap = OpenTap(None, "usb", {})  # until it is open
        try:
            self._open(identity, open_backend)
        except PortLost as lost:
            if tap is not None:
                tap.refused(lost.reason)
            raise
        self._tap = OpenTap(tap, "usb", {"vendor": f"{identity.vendor:04x}", "product": f"{identity.product:04x}"})

    def _open(self, identity: UsbIdentity, open_backend: Callable[[], UsbBackend]) -> None:
        device = self._device
        name = f"{identity.vendor:04x}:{identity.product:04x}"
        try:
            found = usb.core.find(idVendor=identity.vendor, idProduct=identity.product, backend=open_backend())
        except (OSError, ValueError) as refusal:  # USBError is an OSError, NoBackendError a ValueError
            raise PortLost(device, f"no USB: {refusal}") from None
        if found is None:
            raise PortLost(device, f"no USB device {name} is plugged in", "unplugged")
        self._usb = found
        try:
            self._release_from_kernel()
            if self._configuration() is None:
                found.set_configuration()
            usb.util.claim_interface(found, 0)
        except OSError as refusal:
            self.close()
            if refusal.errno == errno.EBUSY:
                raise PortLost(device, f"USB device {name} is in use by another program", "in_use") from None
            if refusal.errno == errno.EACCES:
                raise PortLost(device, f"no permission to open USB device {name}", "forbidden") from None
            raise self._lost(refusal) from None

    def write(self, octets: bytes, seconds: float) -> bool:
        """Send one transfer, also an empty one; False if the device did not take all of it in time. Raises PortLost."""
        try:
            sent: int = self._usb.write(self._identity.endpoint_out, octets, timeout=_milliseconds(seconds))
        except OSError as refusal:
            if _timed_out(refusal):
                return False
            raise self._lost(refusal) from None
        self._tap.said(octets[:sent])
        return sent == len(octets)

    def read(self, octets: int, seconds: float) -> bytes | None:
        """Receive one transfer; None if there was none in time. Raises PortLost."""
        try:
            received = bytes(self._usb.read(self._identity.endpoint_in, octets, timeout=_milliseconds(seconds)))
        except OSError as refusal:
            if _timed_out(refusal):
                return None
            raise self._lost(refusal) from None
        self._tap.heard(received)
        return received

    def close(self) -> None:
        self._tap.closed("host", "closed")
        try:
            usb.util.dispose_resources(self._usb)
        except OSError:
            pass  # an unplugged device cannot be released any more

    def _release_from_kernel(self) -> None:
        try:
            if self._usb.is_kernel_driver_active(0):
                self._usb.detach_kernel_driver(0)
        except NotImplementedError:
            pass  # a backend without kernel drivers

    def _configuration(self) -> object | None:
        try:
            return self._usb.get_active_configuration()  # type: ignore[no-any-return]
        except usb.core.USBError as refusal:
            if refusal.errno in _UNPLUGGED:
                raise
            return None

    def _lost(self, refusal: OSError) -> PortLost:
        unplugged = refusal.errno in _UNPLUGGED
        reason = "unplugged" if unplugged else f"USB error: {refusal.strerror or refusal}"
        self._tap.closed("device", reason)
        return PortLost(self._device, reason, "unplugged" if unplugged else "unknown")


class UsbThread:
    """The one thread on which a device's blocking calls run in turn; their results come to the loop."""

    def __init__(self, device: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"usb {device}")

    async def run(self, call: Callable[[], _Result]) -> _Result:
        """Run `call` after those before it. Cancelling does not interrupt it, but drops its result."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def finish(self, call: Callable[[], None]) -> None:
        """Run `call` as the last one; returns at once."""
        self._executor.submit(call)
        self._executor.shutdown(wait=False)


def _timed_out(refusal: OSError) -> bool:
    return isinstance(refusal, usb.core.USBTimeoutError) or refusal.errno == errno.ETIMEDOUT


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
