"""The messages of devices, in the terms of the table; cards are text ("As", "Td") and stay out of every repr. No I/O
here.
"""

from dataclasses import dataclass, field
from typing import Literal

from drivers.faults import Cause

# ---- every link


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The device has given a valid answer after being away. Reported once for each return."""

    outage_seconds: float  # since the loss, or since the driver was started
    tries: int  # openings of the port it took, this one included


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The device does not answer. Reported once for each loss, and once at the start if it is missing; `reason` says
    why.
    """

    reason: str
    cause: Cause = "unknown"


@dataclass(frozen=True, slots=True)
class NoiseReceived:
    """Octets that made no valid message since the last NoiseReceived. Reported at most once a second."""

    count: int


@dataclass(frozen=True, slots=True)
class ReportsLost:
    """Numbered messages that never arrived and cannot be asked for again. Reported before the one after the gap."""

    count: int


# ---- shuffler

ShufflerState = Literal["idle", "shuffling", "ready", "dispensing", "jammed"]


@dataclass(frozen=True, slots=True)
class ShufflerHello:
    """The identity of the shuffler: sent after every LinkUp, and when its boot id changes (it was restarted)."""

    boot: int
    mode: Literal["batch", "continuous"]
    decks: int
    last_order: int  # orders up to this number are spent
    model: str
    firmware: str


@dataclass(frozen=True, slots=True)
class ShufflerStatus:
    lid_open: bool
    hopper: int  # cards in the machine
    state: ShufflerState
    last_order: int


@dataclass(frozen=True, slots=True)
class ShuffleStarted:
    order: int


@dataclass(frozen=True, slots=True)
class ShuffleDone:
    order: int
    count: int  # cards shuffled


@dataclass(frozen=True, slots=True)
class PacketDispensed:
    order: int
    cards: tuple[str | None, ...] = field(repr=False)  # top card first; None: the machine could not read it


@dataclass(frozen=True, slots=True)
class CardDispensed:
    """One card of a continuous machine."""

    card: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardsInserted:
    count: int


@dataclass(frozen=True, slots=True)
class LidOpened:
    pass


@dataclass(frozen=True, slots=True)
class LidClosed:
    pass


@dataclass(frozen=True, slots=True)
class DeckChecked:
    expected: int
    found: int
    missing: tuple[str | None, ...] = field(repr=False)
    duplicate: tuple[str | None, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Jammed:
    order: int


@dataclass(frozen=True, slots=True)
class Misread:
    position: int


@dataclass(frozen=True, slots=True)
class DamagedCard:
    position: int


@dataclass(frozen=True, slots=True)
class Cleared:
    """The jam is cleared."""


# ---- shoe


@dataclass(frozen=True, slots=True)
class ShoeStarted:
    """The shoe was switched on; its reports count from 1 again."""


@dataclass(frozen=True, slots=True)
class ShoeStandby:
    pass


@dataclass(frozen=True, slots=True)
class CutCardSeen:
    pass


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card such as ``8s``, or of a reader of tiles a tile such as ``6-5``."""

    card: str | None = field(repr=False)  # None: the report was whole, but names no card of a deck, and no tile


@dataclass(frozen=True, slots=True)
class CardDrawnOutOfTurn:
    state: Literal["locked", "error", "setting"]
    card: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReportRepeated:
    """The shoe's own report "sent again": not another card. If the first was lost, ReportsLost was reported."""


@dataclass(frozen=True, slots=True)
class ReportUnknown:
    """A whole report whose code or shape is not known; it has used up its number."""

    code: int


@dataclass(frozen=True, slots=True)
class ShoeError:
    """The shoe is in error. Code 1 (cannot read) is a card on its way out that the shoe did not recognise."""

    code: int  # 1 to 7, see drivers/angel_eye/codec.py
    text: str


@dataclass(frozen=True, slots=True)
class ShoeErrorCleared:
    code: int


@dataclass(frozen=True, slots=True)
class ShoeLocked:
    """The shoe's lock as it reported it, or as it acknowledged it."""

    locked: bool


@dataclass(frozen=True, slots=True)
class ShoeRefused:
    """The shoe answered NAK to locking or to clearing an error. Reported once until it accepts; the driver retries."""

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class PresetChanged:
    pass


# ---- slots


@dataclass(frozen=True, slots=True)
class SlotsRead:
    """All inputs and their event counters, read together: at every open and on every change of either.

    Eight of an ADU218; sixteen of a Numato board, whose outputs read as low. Its counters are the driver's own and
    begin at 0 with each opening: a counter that went back is no new chip.
    """

    levels: tuple[bool, ...]  # by input number, True is high: a chip is on the sensor
    counters: tuple[int, ...]  # by input number, 0 to 65535, wrapping; never cleared in between
    before: tuple[int, ...] | None = None  # the counters of the reading before it; None at the first of an opening


Message = (
    LinkUp
    | LinkLost
    | NoiseReceived
    | ReportsLost
    | ShufflerHello
    | ShufflerStatus
    | ShuffleStarted
    | ShuffleDone
    | PacketDispensed
    | CardDispensed
    | CardsInserted
    | LidOpened
    | LidClosed
    | DeckChecked
    | Jammed
    | Misread
    | DamagedCard
    | Cleared
    | ShoeStarted
    | ShoeStandby
    | CutCardSeen
    | CardDrawn
    | CardDrawnOutOfTurn
    | ReportRepeated
    | ReportUnknown
    | ShoeError
    | ShoeErrorCleared
    | ShoeLocked
    | ShoeRefused
    | PresetChanged
    | SlotsRead
)
