"""The makes of devices on the bench: the section of station.toml and the device at the end of a wire; those of
`simulators.devices`, and those that other packages register.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from simulators.devices.card_machine import CardMachine
from simulators.devices.line import SimulatedLine
from simulators.devices.shoe import Reader
from simulators.devices.sign import SimulatedSign
from simulators.devices.spoiling import Report
from simulators.devices.usb_port import SimulatedUsbPort
from simulators.felt.deck import Pieces
from simulators.pace import Pace
from simulators.playback_file import WireRecording as RecordedWire
from simulators.playback_wire import PlayedWire, Playing, Talk
from simulators.usb_descriptors import UsbDescriptors

Wire = SimulatedLine | SimulatedUsbPort
"""The device's end of the wire."""
Transmit = Callable[[bytes], None]


class Board(Protocol):
    """The board that reads the button and drives the lamp, by the numbers of its lines."""

    @property
    def relays(self) -> Sequence[bool]: ...

    def sense(self, number: int, level: bool) -> None: ...


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A board on its wire. `trip` is its watchdog, None if it has none."""

    board: Board
    wire: Wire
    restart: Callable[[], None]
    trip: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class PlacedReader:
    """A reader of cards or tiles at the end of its wire."""

    reader: Reader[Any]
    wire: Wire


@dataclass(frozen=True, slots=True)
class OnUsb:
    """How a device is connected by USB: its wire in the folder, and its descriptors.

    `baud` is that of the line behind a serial converter; None for a device directly on USB.
    """

    place: str
    described: UsbDescriptors
    baud: int | None = None


@dataclass(frozen=True, kw_only=True)
class SimulatedMake:
    """A make on the bench. `usual` is the driver that a bench has by default.

    Its `playback` plays a recording; without one, `talk` describes what a host says on its wire; with neither, it
    cannot be played. `played_at` are the keys of its section of station.toml during playback; by default it has a port.
    Without `on_usb` it is not on the simulated USB.
    """

    kind: ClassVar[str]
    usual: ClassVar[str]
    talk: Callable[[], Talk] | None = None
    playback: Callable[[Playing, RecordedWire, Path], PlayedWire] | None = None
    played_at: Mapping[str, str] = field(default_factory=dict)
    on_usb: Callable[[], OnUsb] | None = None


@dataclass(frozen=True)
class SimulatedShufflerMake(SimulatedMake):
    """`place` gets the folder of the ports, and a function that builds the machine for a transmitter."""

    kind = "shuffler"
    usual = "shuffler-link"
    toml: str
    place: Callable[[Path, Pace, Callable[[Transmit], CardMachine]], Wire]


@dataclass(frozen=True)
class SimulatedShoeMake(SimulatedMake):
    """`place` gets the folder of the ports, the deck, whether it has tiles, and the dealer's bell."""

    kind = "shoe"
    usual = "angel-eye"
    toml: str
    place: Callable[[Path, Pace, Pieces[Any], bool, Callable[[], None]], PlacedReader]


@dataclass(frozen=True)
class SimulatedSlotsMake(SimulatedMake):
    """`toml` is the section for so many seats; `lamps` are seat -> lamp and the lock lamp of a section that was read.

    `place` gets the folder of the ports, a function to call for every lamp that changes, and one for every fault that
    strikes.
    """

    kind = "slots"
    usual = "adu218"
    toml: Callable[[int], str]
    lamps: Callable[[Mapping[str, Any]], tuple[dict[int, int], int]]
    place: Callable[[Path, Pace, Callable[[int, bool], None], Report], PlacedBoard]
    has_watchdog: bool = False


@dataclass(frozen=True)
class SimulatedSignMake(SimulatedMake):
    """`place` gets the folder of the ports, and connects the sign."""

    kind = "sign"
    usual = "alpha"
    toml: str
    place: Callable[[Path, Pace, SimulatedSign], Wire]


def seats_toml(seats: int) -> str:
    """The table of sensors: input n belongs to seat n + 1."""
    return "[devices.slots.seats]\n" + "\n".join(f"{seat - 1} = {seat}" for seat in range(1, seats + 1)) + "\n"


def input_of_seat(section: Mapping[str, Any]) -> dict[int, int]:
    """The input of each seat in a section that was read."""
    return {seat: int(line) for line, seat in section["seats"].items()}


DEVICES, GROUP = "dealer_station.devices", "dealer_station.simulators"
SORTS: dict[str, type[SimulatedMake]] = {
    sort.kind: sort for sort in (SimulatedShufflerMake, SimulatedShoeMake, SimulatedSlotsMake, SimulatedSignMake)
}
M = TypeVar("M", bound=SimulatedMake)


@cache
def _entered(kind: str) -> dict[str, EntryPoint]:
    """The entry points by driver. An entry point is named like that of its device, KIND.DRIVER; a make of the tree
    is found by that name.
    """
    named: dict[str, EntryPoint] = {}
    for name in {entry.name for entry in entry_points(group=DEVICES)}:
        module = f"simulators.devices.{name.partition('.')[2].replace('-', '_')}"
        if find_spec(module) is not None:
            named[name] = EntryPoint(name, f"{module}:MAKE", GROUP)
    named |= {entry.name: entry for entry in entry_points(group=GROUP)}
    return {name.partition(".")[2]: named[name] for name in sorted(named) if name.startswith(f"{kind}.")}


def drivers_of(sort: type[SimulatedMake]) -> tuple[str, ...]:
    return tuple(_entered(sort.kind))


def make_of(sort: type[M], driver: str = "") -> M:
    """The make of a driver, or the default one. Raises KeyError for one that is not on the bench, TypeError for an
    entry point that is no make.
    """
    driver = driver or sort.usual
    make = _entered(sort.kind)[driver].load()
    if not isinstance(make, sort):
        raise TypeError(f"{sort.kind}.{driver} is no {sort.__name__}")
    return make
