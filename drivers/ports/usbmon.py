"""The transfers between a USB device and its host, as the kernel's usbmon shows them: nothing can be sent.

The text form, `1u` of Documentation/usb/usbmon.rst. It shows 32 octets of a transfer, and has no poll.
"""

import asyncio
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from drivers.faults import Cause, PortLost
from drivers.ports.causes import SERIAL
from drivers.ports.usb import UsbIdentity
from drivers.tap import End

DEVICES = Path("/sys/bus/usb/devices")
READ_OCTETS = 4096
LOOK_SECONDS = 0.01
PLUGGED_SECONDS = 1.0  # between two looks whether the device is still there
LONGEST_LINE = 1024
CLOCK_SECONDS = 4096  # the kernel's times begin at 0 again
_TRANSFER = re.compile(
    r"[0-9a-f]+ (\d+) ([SC]) [IB]([io]):(\d+):(\d+):(\d+) (-?\d+)(?::-?\d+)* (\d+) = ([0-9a-f]{1,8}(?: [0-9a-f]{1,8})*)"
)


@dataclass(frozen=True, slots=True)
class UsbPlace:
    """The address of a device on the machine's USB."""

    bus: int
    device: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Octets that one end has sent, at an endpoint's number."""

    end: End
    place: UsbPlace
    endpoint: int
    octets: bytes
    seconds: float  # when, below CLOCK_SECONDS


def transfer(line: str) -> Transfer | None:
    """The transfer in a line, of an interrupt or bulk endpoint, with its octets; None for other lines and failed
    transfers.

    >>> transfer("dd65f0e8 4128379752 S Bo:1:005:2 -115 4 = 55534243").octets
    b'USBC'
    """
    found = _TRANSFER.fullmatch(line.strip())
    if found is None:
        return None
    microseconds, event, direction, bus, device, endpoint, status, length, words = found.groups()
    # What the host sends is there when it is submitted, what the device sends when it is complete.
    if (event, direction) not in (("S", "o"), ("C", "i")) or (event == "C" and status != "0"):
        return None
    digits = words.replace(" ", "")
    if len(digits) % 2 or len(digits) // 2 > int(length):
        return None
    end: End = "host" if direction == "o" else "device"
    place = UsbPlace(int(bus), int(device))
    return Transfer(end, place, int(endpoint), bytes.fromhex(digits), int(microseconds) / 1_000_000)


def find(identity: UsbIdentity, devices: Path) -> UsbPlace | None:
    """The address that the kernel gave to a device of this identity."""
    for path in sorted(devices.glob("*/idVendor")):
        number = {name: _number(path.with_name(name), base) for name, base in _NUMBERS}
        if (number["idVendor"], number["idProduct"]) == (identity.vendor, identity.product):
            bus, device = number["busnum"], number["devnum"]
            if bus is not None and device is not None:
                return UsbPlace(bus, device)
    return None


_NUMBERS = (("idVendor", 16), ("idProduct", 16), ("busnum", 10), ("devnum", 10))


def _number(file: Path, base: int) -> int | None:
    try:
        return int(file.read_text(), base)
    except (OSError, ValueError):
        return None


class UsbMonitor:
    """Monitors the transfers of one device from its opening on: who sent, what, and the kernel's time of it in seconds.

    `lost` is set to the failure that ends it.
    """

    def __init__(
        self,
        device: str,
        identity: UsbIdentity,
        receive: Callable[[End, bytes, float], None],
        lost: "asyncio.Future[PortLost]",
        usbmon: Path,
        devices: Path,
    ) -> None:
        """Raises PortLost."""
        self._device, self._identity, self._receive, self._lost = device, identity, receive, lost
        self._devices = devices
        self._rest = ""
        place = find(identity, devices)
        if place is None:
            raise PortLost(
                device, f"no USB device {identity.vendor:04x}:{identity.product:04x} is plugged in", "unplugged"
            )
        self._place = place
        file = usbmon / f"{place.bus}u"
        try:
            self._descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as refusal:
            cause: Cause = SERIAL.get(refusal.errno, "unknown")
            reason = f"cannot open {file}: {refusal.strerror}; `modprobe usbmon`, and the right to read debugfs"
            raise PortLost(device, reason, cause) from None
        self._loop = asyncio.get_running_loop()
        self._next_look = 0.0
        self._timer = self._loop.call_soon(self._look)

    def close(self) -> None:
        self._timer.cancel()
        os.close(self._descriptor)

    def _look(self) -> None:
        now = self._loop.time()
        if now >= self._next_look:
            self._next_look = now + PLUGGED_SECONDS
            if find(self._identity, self._devices) != self._place:
                self._lose(PortLost(self._device, "unplugged", "unplugged"))
                return
        try:
            for sent in self._transfers():
                self._receive(sent.end, sent.octets, sent.seconds)
        except OSError as failure:
            self._lose(PortLost(self._device, f"usbmon cannot be read: {failure.strerror}"))
            return
        self._timer = self._loop.call_later(LOOK_SECONDS, self._look)

    def _transfers(self) -> Iterator[Transfer]:
        wanted = (self._identity.endpoint_out, self._identity.endpoint_in & 0x7F)
        while True:
            try:
                octets = os.read(self._descriptor, READ_OCTETS)
            except BlockingIOError:
                return
            if not octets:
                return
            *lines, rest = (self._rest + octets.decode("ascii", "replace")).split("\n")
            self._rest = rest if len(rest) <= LONGEST_LINE else ""
            for line in lines:
                found = transfer(line)
                if found is not None and found.place == self._place and found.endpoint in wanted:
                    yield found

    def _lose(self, failure: PortLost) -> None:
        if not self._lost.done():
            self._lost.set_result(failure)
