"""One USB device, interrupt or bulk, through pyusb: its calls block, so they run on a thread of the device's own."""

import asyncio
import errno
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import usb.core
import usb.util

from drivers.faults import Cause, PortLost
from drivers.ports.causes import USB, holders, in_use
from drivers.tap import OpenTap, Tap

UsbBackend = Any  # a usb.backend.IBackend; pyusb has no types
_Result = TypeVar("_Result")

_REASONS: dict[Cause, str] = {
    "unplugged": "unplugged",
    "stalled": "an endpoint is halted",
    "garbled": "a transfer failed on the bus",
    "silent": "the device does not answer requests",
    "forbidden": "no permission to open it",
}


@dataclass(frozen=True, slots=True)
class UsbIdentity:
    """Which device and which of its endpoints: vendor and product id, endpoint addresses."""

    vendor: int
    product: int
    endpoint_out: int
    endpoint_in: int


def libusb_backend() -> UsbBackend:
    """The libusb of the package libusb-package, so that none of the system is needed."""
    import libusb_package

    return libusb_package.get_libusb1_backend()


class UsbSocket:
    """The place where a device is plugged in, for all its openings, one at a time."""

    def __init__(
        self, device: str, identity: UsbIdentity, open_backend: Callable[[], UsbBackend], *, tap: Tap | None = None
    ) -> None:
        self._device = device
        self._identity = identity
        self._open_backend = open_backend
        self._tap = tap
        self._last: UsbPort | None = None

    def open(self) -> "UsbPort":
        """Open the device, with no endpoint halted. Blocks. Raises PortLost.

        If an endpoint did no transfer in the last opening, the device is reset first: clearing the halt was not enough.
        """
        try:
            self._last = UsbPort(self._device, self._identity, self._open_backend, self._tap, self._still_fails())
        except PortLost as lost:
            if self._tap is not None:
                self._tap.refused(lost.reason)
            raise
        return self._last

    def _still_fails(self) -> bool:
        return self._last is not None and self._last.failed_at_once


class UsbPort:
    """An open device. Everything here blocks and belongs on a UsbThread."""

    failed_at_once = False  # an endpoint failed before it did one transfer

    def __init__(
        self, device: str, identity: UsbIdentity, open_backend: Callable[[], UsbBackend], tap: Tap | None, reset: bool
    ) -> None:
        """Finds, configures and claims interface 0. Raises PortLost, also if the backend cannot be reached."""
        self._device = device
        self._identity = identity
        self._worked: set[int] = set()  # endpoints
        self._tap = OpenTap(None, "usb", {})  # until it is open
        self._usb = self._found(open_backend)
        try:
            if reset:
                self._usb.reset()
            self._release_from_kernel()
            if self._configuration() is None:
                self._usb.set_configuration()
            usb.util.claim_interface(self._usb, 0)
            for endpoint in (identity.endpoint_out, identity.endpoint_in):
                # Also where none is halted: it sets the data toggles of both ends to DATA0 (USB 2.0, 9.4.5).
                self._usb.clear_halt(endpoint)
        except OSError as refusal:
            # A device that does not take this is reset at the next opening.
            self.failed_at_once = not reset and _why(refusal)[0] in ("stalled", "garbled", "silent")
            self.close()
            raise self._lost(refusal) from None
        self._tap = OpenTap(tap, "usb", {"vendor": f"{identity.vendor:04x}", "product": f"{identity.product:04x}"})

    def _found(self, open_backend: Callable[[], UsbBackend]) -> Any:
        vendor, product = self._identity.vendor, self._identity.product
        try:
            found = usb.core.find(idVendor=vendor, idProduct=product, backend=open_backend())
        except (OSError, ValueError) as refusal:  # USBError is an OSError, NoBackendError a ValueError
            raise PortLost(self._device, f"no USB: {refusal}") from None
        if found is None:
            raise PortLost(self._device, f"no USB device {vendor:04x}:{product:04x} is plugged in", "unplugged")
        return found

    def write(self, octets: bytes, seconds: float) -> bool:
        """Send one transfer, also an empty one; False if the device did not take all of it in time. Raises PortLost."""
        try:
            sent: int = self._usb.write(self._identity.endpoint_out, octets, timeout=_milliseconds(seconds))
        except OSError as refusal:
            if _timed_out(refusal):
                return False
            raise self._broken(self._identity.endpoint_out, refusal) from None
        self._worked.add(self._identity.endpoint_out)
        self._tap.sent(octets[:sent])
        return sent == len(octets)

    def read(self, octets: int, seconds: float) -> bytes | None:
        """Receive one transfer; None if there was none in time. Raises PortLost."""
        try:
            received = bytes(self._usb.read(self._identity.endpoint_in, octets, timeout=_milliseconds(seconds)))
        except OSError as refusal:
            if _timed_out(refusal):
                self._worked.add(self._identity.endpoint_in)  # it has nothing to send, and is not halted
                return None
            raise self._broken(self._identity.endpoint_in, refusal) from None
        self._worked.add(self._identity.endpoint_in)
        self._tap.received(received)
        return received

    def close(self) -> None:
        self._tap.closed("host", "closed")
        with suppress(OSError):  # an unplugged device cannot be released any more
            usb.util.dispose_resources(self._usb)

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
            if _why(refusal)[0] == "unplugged":
                raise
            return None

    def _broken(self, endpoint: int, refusal: OSError) -> PortLost:
        self.failed_at_once = endpoint not in self._worked and _why(refusal)[0] != "unplugged"
        return self._lost(refusal)

    def _lost(self, refusal: OSError) -> PortLost:
        cause, reason = _why(refusal)
        if cause == "in_use":
            node = f"/dev/bus/usb/{self._usb.bus or 0:03d}/{self._usb.address or 0:03d}"
            reason = in_use(f"USB device {self._usb.idVendor:04x}:{self._usb.idProduct:04x}", holders(node))
        self._tap.closed("device", reason)
        return PortLost(self._device, reason, cause)


class UsbThread:
    """The one thread on which a device's blocking calls run in turn; their results are passed to the loop."""

    def __init__(self, device: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"usb {device}")

    async def run(self, call: Callable[[], _Result]) -> _Result:
        """Runs `call` after the calls before it. Cancelling does not interrupt it, but drops its result."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def finish(self, call: Callable[[], None]) -> None:
        """Run `call` as the last one; returns at once."""
        self._executor.submit(call)
        self._executor.shutdown(wait=False)


def _why(refusal: OSError) -> tuple[Cause, str]:
    cause = USB.get(refusal.errno, "unknown")
    reason = _REASONS.get(cause, f"USB error: {refusal.strerror or refusal}")
    return cause, f"{reason} ({errno.errorcode[refusal.errno or 0]})" if cause in ("stalled", "garbled") else reason


def _timed_out(refusal: OSError) -> bool:
    return isinstance(refusal, usb.core.USBTimeoutError) or refusal.errno == errno.ETIMEDOUT


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
