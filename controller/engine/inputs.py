"""What the table hears, from persons and from devices. No I/O here."""

from typing import Literal

import msgspec

from controller.engine.jackpot import Parameters
from controller.rulebook.cards import Card
from controller.rulebook.events import CardSource


class PersonInput(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Something a person answers on a screen.

    `input_id` is the client's own and makes a repeat harmless; `step_id` names the step the person saw; `actor` is a
    name from the configuration's [people].
    """

    input_id: str
    step_id: str
    actor: str


class OpenTable(PersonInput, frozen=True, tag="open_table"):
    """Open the table for play."""


class CloseTable(PersonInput, frozen=True, tag="close_table"):
    """Close the table, between two rounds."""


class BeginRound(PersonInput, frozen=True, tag="begin_round"):
    """Begin the next round."""


class Shuffled(PersonInput, frozen=True, tag="shuffled"):
    """The deck was shuffled by hand, cut, and lies in the shoe (9.º 2)."""


class PlaceWager(PersonInput, frozen=True, tag="wager"):
    """What lies on a betting space, in minor units; 0 takes the wager back."""

    seat: int
    wager: str
    amount: int
    player: str | None = None


class LockIn(PersonInput, frozen=True, tag="lock_in"):
    """No more bets: count and contribute the jackpot chips."""


class Decide(PersonInput, frozen=True, tag="decide"):
    """A player's ``play`` or ``fold``."""

    seat: int
    decision: str
    hand: int = 1


class Reveal(PersonInput, frozen=True, tag="reveal"):
    """The cards at a place were turned."""

    to: str


class Confirm(PersonInput, frozen=True, tag="confirm"):
    """Paid and collected."""


class CloseClaims(PersonInput, frozen=True, tag="close_claims"):
    """The cards of the round are cleared away."""


class ConfirmHit(PersonInput, frozen=True, tag="confirm_hit"):
    """One of the two persons confirms the payment of a jackpot hit."""

    hit: int


FromPerson = (
    OpenTable
    | CloseTable
    | BeginRound
    | Shuffled
    | PlaceWager
    | LockIn
    | Decide
    | Reveal
    | Confirm
    | CloseClaims
    | ConfirmHit
)


class ChipSensed(msgspec.Struct, frozen=True):
    """A chip came onto the sensor of a seat; `counter` is the sensor's event counter."""

    seat: int
    counter: int


class ChipGone(msgspec.Struct, frozen=True):
    """The sensor of a seat is free."""

    seat: int
    counter: int


class LockInPressed(msgspec.Struct, frozen=True):
    """The lock-in button beside the slots."""


class CardsHeard(msgspec.Struct, frozen=True):
    """Cards left the shoe or the shuffler, in the order they left; None is a card the device could not read."""

    source: CardSource
    cards: tuple[Card | None, ...]
    order: int | None = None

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"CardsHeard(source={self.source!r}, {len(self.cards)} cards, order={self.order})"


class ShuffleHeard(msgspec.Struct, frozen=True):
    """The shuffler finished an order to shuffle."""

    order: int
    count: int


class InsertionHeard(msgspec.Struct, frozen=True):
    """Cards were put into the shuffler."""

    count: int


class DeviceFound(msgspec.Struct, frozen=True):
    """A link works again."""

    device: str
    outage_ms: int
    tries: int


class DeviceMissed(msgspec.Struct, frozen=True):
    """A link is gone, with the driver's reason."""

    device: str
    reason: str


class DeviceSaid(msgspec.Struct, frozen=True):
    """Something a device reports of itself that changes no round: noise, an error, a lid."""

    device: str
    what: Literal[
        "noise", "reports_lost", "error", "error_cleared", "refused", "restarted", "lid_opened", "lid_closed",
        "out_of_turn", "cut_card", "misread", "damaged_card", "jam", "cleared", "deck_check"
    ]  # fmt: skip
    text: str


class ShufflerGreeted(msgspec.Struct, frozen=True):
    """The shuffler said which order it carried out last."""

    last_order: int


class DevicesConfigured(msgspec.Struct, frozen=True):
    """The links the configuration has, heard once at every start."""

    devices: tuple[str, ...]


class ParametersRead(msgspec.Struct, frozen=True):
    """The configuration's jackpot parameters, heard once at every start."""

    pot: int
    reserve: int
    parameters: Parameters


FromDevice = (
    ChipSensed
    | ChipGone
    | LockInPressed
    | CardsHeard
    | ShuffleHeard
    | InsertionHeard
    | DeviceFound
    | DeviceMissed
    | DeviceSaid
    | ShufflerGreeted
    | DevicesConfigured
    | ParametersRead
)
Input = FromPerson | FromDevice
