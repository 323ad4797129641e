"""What the bench knows of a make of slots or sign: its section of station.toml, and its device at the end of a wire."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from simulators.devices.line import SerialLine
from simulators.devices.sign import SimulatedSign
from simulators.devices.spoiling import Report
from simulators.devices.usb_port import UsbPort
from simulators.pace import Pace

Wire = SerialLine | UsbPort
"""The device's end of it."""


class Board(Protocol):
    """What reads the button and drives the lamp, by the numbers of its lines."""

    @property
    def relays(self) -> Sequence[bool]: ...

    def sense(self, number: int, level: bool) -> None: ...


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A board on its wire. `trip` is its watchdog, None where it has none."""

    board: Board
    wire: Wire
    restart: Callable[[], None]
    trip: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class SimulatedSlotsMake:
    """`toml` is the section for so many seats; `lamps` are seat -> lamp and the lock lamp of a section that was read.

    `place` gets the folder of the ports, what is called of every lamp that changes, and of every fault that strikes.
    """

    toml: Callable[[int], str]
    lamps: Callable[[Mapping[str, Any]], tuple[dict[int, int], int]]
    place: Callable[[Path, Pace, Callable[[int, bool], None], Report], PlacedBoard]
    has_watchdog: bool = False


@dataclass(frozen=True, slots=True)
class SimulatedSignMake:
    """`place` gets the folder of the ports, and connects the sign."""

    toml: str
    place: Callable[[Path, Pace, SimulatedSign], Wire]


def seats_toml(seats: int) -> str:
    """The table of sensors: input n belongs to seat n + 1."""
    return "[devices.slots.seats]\n" + "\n".join(f"{seat - 1} = {seat}" for seat in range(1, seats + 1)) + "\n"


def input_of_seat(section: Mapping[str, Any]) -> dict[int, int]:
    """Seat -> input, of a section that was read."""
    return {seat: int(line) for line, seat in section["seats"].items()}
