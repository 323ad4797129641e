"""The states that the station may want of a device, to be kept, instead of commands to be sent once. No I/O here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShuffleOrder:
    """Shuffle the deck in the machine. `order` (u32, from 1) is greater than any order the machine has carried out."""

    order: int


@dataclass(frozen=True, slots=True)
class DispenseOrder:
    """Dispense one packet of `count` cards (1 to 255) into the tray, numbered like ShuffleOrder."""

    order: int
    count: int


@dataclass(frozen=True, slots=True)
class NoOrder:
    """No order for the shuffler; an order that was sent cannot be called back."""


@dataclass(frozen=True, slots=True)
class ShoeLock:
    """The wanted state of the shoe: locked or unlocked. Without an order the driver keeps the shoe locked.

    For an unlocked shoe the driver also clears its error.
    """

    locked: bool


@dataclass(frozen=True, slots=True)
class LampStates:
    """The lamps by relay or line number, True is lit. Without an order the lamps stay as they are.

    There is one value for each line of the board: eight of an ADU218, sixteen of a Numato board. While no round is
    `in_play` no chip counts, and the inputs are read only a few times a second: the counters show what was missed.
    """

    relays: tuple[bool, ...]
    in_play: bool = True


@dataclass(frozen=True, slots=True)
class SignFace:
    """What the sign shows: pages in turn, "{amount}" in place of the amount, and the amount as text.

    At most 25 pages; the amount is at most 125 characters once it is ASCII (a STRING file holds no more).
    """

    pages: tuple[str, ...]
    amount: str


Order = ShuffleOrder | DispenseOrder | NoOrder | ShoeLock | LampStates | SignFace
