"""A make of device: everything that configuration, commands and station know about it. No I/O here.

A package enters its makes as entry points of the group `dealer_station.devices` (`registry.py`). A make's own module
imports its device only when one is opened, and its codec only when octets are decoded.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from drivers.device import Device, DeviceName, Mark
from drivers.tap import Tap
from drivers.wiring import Wiring

if TYPE_CHECKING:
    from drivers.passive import PassiveSerialReader, PassiveUsbReader
    from drivers.ports.usb import UsbBackend

Decode = Callable[[bytes], Sequence[object]]
"""Decodes octets of a device to the messages that they complete."""
Blot = Callable[[bytes], bytes]
"""Replaces every card in the frames that these octets complete by the same card; the frames keep their length and
stay valid.
"""


class SectionKeys(Protocol):
    """A section of the configuration. A mistake is reported, and a placeholder that is never used is returned."""

    missing: bool

    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, key: str) -> bool: ...
    def peek(self, key: str) -> object: ...
    def skip(self, key: str) -> None: ...
    def report(self, key: str, value: object, expected: str) -> None: ...
    def text(self, key: str, default: str = ...) -> str: ...
    def integer(self, key: str, least: int, most: int, expected: str = "", default: int = ...) -> int: ...
    def choice(self, key: str, choices: Sequence[str], default: str = ..., expected: str = "") -> Any: ...
    def list_of(self, key: str, choices: Sequence[int], default: Sequence[int] = ...) -> tuple[Any, ...]: ...
    def section(self, key: str, needed: bool = True) -> "SectionKeys": ...
    def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class MakeContext:
    """The facts on which the keys of a device depend: mode, folder of the file, seats, and the packets that the game
    may need.
    """

    live: bool
    folder: Path
    seats: int
    packet_sizes: tuple[int, ...]  # ascending; the largest is the default


@dataclass(frozen=True)
class SimulatedUsb:
    """A device that is not on the machine's USB: a function that opens its bus, and the socket that leads to it."""

    backend: str
    socket: Path


@dataclass(frozen=True, slots=True)
class DeviceWire:
    """The settings with which a device is opened. A serial port that is no URL is relative to `folder`."""

    folder: Path
    mark: Mark | None
    tap: Tap | None
    usb_backend: "Callable[[SimulatedUsb | None], Callable[[], UsbBackend]]"

    def serial(self, port: str) -> str:
        return port if "://" in port else str(self.folder / port)


class DeviceSettings:
    """The keys of a device's section, read: a frozen dataclass of its make."""

    driver: ClassVar[str]

    def open(self, wire: DeviceWire) -> Device:
        """The device, which opens its port when it runs. Raises ValueError."""
        raise NotImplementedError


class ShufflerSettings(DeviceSettings):
    """The settings of a shuffler. `packet_sizes` are the numbers of cards that it can dispense at once."""

    port: str
    packet_sizes: tuple[int, ...]

    @property
    def packet(self) -> int:
        """The largest packet; 0 for a machine that gives single cards."""
        return max(self.packet_sizes, default=0)


class ShoeSettings(DeviceSettings):
    port: str


class SlotsSettings(DeviceSettings):
    @property
    def wiring(self) -> Wiring:
        raise NotImplementedError


class SignSettings(DeviceSettings):
    pass


@dataclass(frozen=True, slots=True)
class UsbMatch:
    """How a make identifies itself on the bus. None means every product of the vendor.

    `is_serial`: the kernel gives it a serial port. A product of the vendor that `fits` rejects by its name, or whose
    number is another, is not this make; the remark about it names the `model`, if there is one.
    """

    vendor: int
    product: int | None = None
    is_serial: bool = False
    fits: Callable[[str], bool] = lambda name: True
    model: str = ""


@dataclass(frozen=True, slots=True)
class DeviceMake:
    """One make. `usb` is None for a device on a plain serial line, which cannot be recognised.

    `read` reports every mistake in the section; `example` are its lines besides driver and port. `codec` is None if the
    device sends nothing, and `blot` if it sends no cards. `passive` makes a reader of its wire while another controller
    drives the device, from its settings and the journal's last mark; None if that is impossible.
    """

    kind: DeviceName
    settings: type[DeviceSettings]
    read: Callable[[SectionKeys, MakeContext], DeviceSettings]
    usb: UsbMatch | None = None
    example: tuple[str, ...] = ()
    codec: Callable[[], Decode] | None = None
    blot: Callable[[], Blot] | None = None
    passive: "Callable[[Any, Mark | None], PassiveSerialReader | PassiveUsbReader] | None" = None

    @property
    def driver(self) -> str:
        return self.settings.driver

    @property
    def on_usb(self) -> bool:
        """A device on USB, without a serial or served port."""
        return self.usb is not None and not self.usb.is_serial


def read_simulated_usb(section: SectionKeys, context: MakeContext) -> SimulatedUsb | None:
    backend, socket = section.text("usb_backend", default=""), section.text("usb_socket", default="")
    if context.live and (backend or socket):
        section.report("usb_backend", backend or socket, 'nothing: mode is "live", and this is a simulated device')
    if bool(backend) != bool(socket):
        section.report("usb_socket", socket, "usb_backend and usb_socket together, or neither")
    return SimulatedUsb(backend=backend, socket=context.folder / socket) if backend and socket else None


def read_seats(wired: SectionKeys, seats: int, lines: set[str], expected: str) -> dict[int, int]:
    """The table of sensors, line -> seat, without entries that have a mistake."""
    by_line: dict[int, int] = {}
    for key in wired:
        if key not in lines:
            wired.report(key, wired.peek(key), f"as the key {expected}")
            wired.skip(key)
            continue
        seat = wired.integer(key, 1, seats, f"a seat, 1 to {seats}")
        if wired.peek(key) != seat:
            continue  # the substitute of a wrong number is no second mistake
        if seat in by_line.values():
            wired.report(key, seat, f"each seat once; seat {seat} has a sensor already")
        else:
            by_line[int(key)] = seat
    wired.end()
    return by_line
