"""What the table hears from devices. No I/O here."""

import re
from typing import Literal

import msgspec

from controller.engine.state.events import DeviceRemark, JournalOvertaken, JournalPruned, LossCause, MessageUntaken
from controller.engine.state.sign_ins import SignInEvent
from controller.link.messages import BEFORE_ANY
from controller.link.table import Broken, Doubted, GrantHeard, Learnt, Through
from controller.rulebook.cards import Card
from controller.rulebook.events import CardSource
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.parts.faults import DeviceName


def _kind(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class DeviceInput(msgspec.Struct, frozen=True, tag_field="kind", tag=_kind):
    """Something that comes from no person. Its kind is its name: ``chip_sensed``."""


class ChipSensed(DeviceInput, frozen=True):
    """A chip came onto the sensor of a seat; `counter` is the sensor's event counter, which moved by `edges`."""

    seat: int
    counter: int
    edges: int = 1


class ChipPassed(DeviceInput, frozen=True):
    """A sensor that is free was not free in between: its counter moved by `edges`."""

    seat: int
    counter: int
    edges: int


class ChipGone(DeviceInput, frozen=True):
    """The sensor of a seat is free."""

    seat: int
    counter: int


class LockInPressed(DeviceInput, frozen=True):
    """The lock-in button beside the slots."""


class CardsHeard(DeviceInput, frozen=True):
    """Cards left the shoe or the shuffler, in the order they left; None is a card the device could not read."""

    source: CardSource
    cards: tuple[Card | None, ...]
    order: int | None = None

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"CardsHeard(source={self.source!r}, {len(self.cards)} cards, order={self.order})"


class ShuffleHeard(DeviceInput, frozen=True):
    """The shuffler finished an order to shuffle."""

    order: int
    count: int


class InsertionHeard(DeviceInput, frozen=True):
    """Cards were put into the shuffler."""

    count: int


class DeviceFound(DeviceInput, frozen=True):
    """A link works again."""

    device: DeviceName
    outage_ms: int
    tries: int


class DeviceMissed(DeviceInput, frozen=True):
    """A link is gone, with the driver's reason."""

    device: DeviceName
    reason: str
    cause: LossCause = "unknown"


class DeviceSaid(DeviceInput, frozen=True):
    """Something a device reports of itself that changes no round: noise, an error, a lid."""

    device: DeviceName
    what: DeviceRemark
    text: str


class ShufflerGreeted(DeviceInput, frozen=True):
    """The shuffler said since when it is switched on (its boot id), which order it carried out last, what it is."""

    boot: int
    last_order: int
    mode: Literal["batch", "continuous"] | None = None  # None: it was not said


class DeckChecked(DeviceInput, frozen=True):
    """The shuffler looked at every card: how many it found, how many are missing or there twice."""

    found: int
    missing: int
    doubled: int


class ReportsMissed(DeviceInput, frozen=True):
    """So many reports of the shoe never arrived; any of them may have been a card. None: it does not know how many."""

    count: int | None
    reason: str


class DevicesConfigured(DeviceInput, frozen=True):
    """The links the configuration has, heard once at every start."""

    devices: tuple[str, ...]


class ParametersRead(DeviceInput, frozen=True):
    """The configuration's jackpot parameters, heard once at every start; `pot` and `reserve` are a new journal's.

    `carried_over` says where the pot ran before; empty where it starts.
    """

    pot: int
    reserve: int
    parameters: Parameters
    carried_over: str = ""


class SignInHeard(DeviceInput, frozen=True):
    """Somebody came to the console, left it, or was not let in."""

    event: SignInEvent


class MessageNotTaken(DeviceInput, frozen=True):
    """The broker does not take this message of the outbox."""

    event: MessageUntaken


class LinkConfigured(DeviceInput, frozen=True):
    """The configuration's linked pot, heard once at every start; its journal goes on from `predecessor`.

    `keys` are the public keys of its pit.
    """

    link: str
    table: str
    game: str
    journal: str
    predecessor: str = ""
    through: int = 0
    head: str = BEFORE_ANY
    keys: tuple[str, ...] = ()


class LinkHeard(DeviceInput, frozen=True):
    """What the pit has said of the linked pot, as far as it is to be kept."""

    said: tuple[Through | GrantHeard | Doubted | Learnt | Broken, ...]


class LinkToCount(DeviceInput, frozen=True):
    """It is time to tell the pit what the table has added up."""


class SegmentsExpired(DeviceInput, frozen=True):
    """The oldest segments of the journal are older than they are to be kept."""

    event: JournalPruned


class FloorBeyond(DeviceInput, frozen=True):
    """On the broker lies a message of this journal that it does not have."""

    event: JournalOvertaken


FromDevice = (
    ChipSensed
    | ChipPassed
    | ChipGone
    | LockInPressed
    | CardsHeard
    | ShuffleHeard
    | InsertionHeard
    | DeviceFound
    | DeviceMissed
    | DeviceSaid
    | ShufflerGreeted
    | DeckChecked
    | ReportsMissed
    | DevicesConfigured
    | ParametersRead
    | SignInHeard
    | SegmentsExpired
    | MessageNotTaken
    | FloorBeyond
    | LinkConfigured
    | LinkHeard
    | LinkToCount
)
