"""The `data` of the message `state`: the whole public table except the jackpot. No I/O here."""

from typing import Literal

from msgspec import Struct

from controller.engine.shown.device_orders import Lamps, Posted, Sign
from controller.engine.shown.public import LinkState, PartyChange, PublicAlarm, PublicShoe
from controller.engine.state.current import Payout
from controller.engine.state.table import Complaint
from controller.floor.shapes import PublishedReason, PublishedRefusal, PublishedVoid
from controller.rulebook.game import HandState
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.report import (
    Answered,
    BankResult,
    Cards,
    Correction,
    Holder,
    LineResult,
    PairsShown,
    PlacedBet,
    RoundResult,
)
from controller.rulebook.roles import Role
from controller.rulebook.steps import Phase, StepKind
from controller.rulebook.units import Minor
from controller.words import Words


class StepAwaited(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The step that the table waits for, with its prompt by language."""

    id: str
    kind: StepKind
    places: tuple[str, ...] = ()
    order: int | None = None
    waiting: tuple[int, ...] = ()
    key_in: bool = False
    card_count: int | None = None
    question: str = ""
    seat: int | None = None
    hand: int | None = None
    legal: tuple[str, ...] = ()
    illegal: dict[str, PublishedRefusal]
    most: tuple[Minor, ...] = ()
    backers: tuple[str, ...] = ()
    least: Minor = 0
    prompt: Words


class OpenHand(Struct, frozen=True):
    """One hand that is played card by card: its open cards and its state.

    `bet` is the seat's own stake on it with its raises, in minor units.
    """

    cards: Cards
    total: int
    bet: Minor
    doubled: bool
    state: HandState


class OpenBank(Struct, frozen=True):
    """The bank's open cards, and their total."""

    cards: Cards
    total: int


class PublicDealt(Struct, frozen=True):
    """Cards that left the source together: the number of the shuffler's order, and their places.

    `null` cards are among them.
    """

    order: int | None
    places: tuple[str, ...]
    null: bool


class PublicChange(Struct, frozen=True, kw_only=True):
    """A change that waits: `what` was entered, as an input's kind, by `actor`, and whether two persons approve it.

    A corrected amount has `amount_before` and `amount_after`, minor units, another correction `before` and `after`; a
    void has neither. `article` is the rule of the moment it came after, or of the void. `why_not` says why it cannot be
    approved in the round's present state. `parties` are those whose money it changes.
    """

    net_before: Minor | None
    net_after: Minor | None
    change: int
    what: str
    at: str | None
    wager: str | None
    player: str | None
    amount_before: Minor | None
    amount_after: Minor | None
    before: str | None
    after: str | None
    article: str | None
    actor: str
    role: Role
    two_persons: bool
    why_not: PublishedReason | None
    net_difference: Minor | None
    parties: tuple[PartyChange, ...]


class RoundInPlay(Struct, frozen=True, kw_only=True):
    """A round without the cards that are face down. Money in minor units.

    `payouts` are those of seats whose prize of the pot is not paid yet. `dealt` is by number, from 1, so that
    a merge patch adds to it.
    """

    place_count: int | None
    bank: BankResult | None
    form: str | None
    dice: tuple[int, ...] | None
    null_dice: int
    moved: tuple[str, ...]
    first_place: int | None
    settling_order: tuple[int, ...]
    hands_set: bool
    holders: tuple[Holder, ...]
    used: Cards
    pairs: dict[str, PairsShown]
    round: int
    phase: Phase
    source: str
    wagers: tuple[PlacedBet, ...]
    deal: str | None
    chips: tuple[int, ...]
    carried_chips: tuple[int, ...]
    returned_chips: tuple[int, ...]
    locked: bool
    result_open: bool
    dealt: dict[int, PublicDealt]
    unread_places: tuple[str, ...]
    exposed: dict[str, int]
    aside: tuple[int, ...]
    decisions: tuple[Answered, ...]
    shown: dict[str, Cards]
    hands: dict[int, tuple[OpenHand, ...]]
    bank_hand: OpenBank | None
    lines_by_seat: dict[int, tuple[LineResult, ...]]
    pending_cards: int
    corrections: tuple[Correction, ...]
    changes_waiting: tuple[PublicChange, ...]
    settlement: RoundResult | None
    payouts: dict[int, Payout]
    void: PublishedVoid | None


class State(Struct, frozen=True, kw_only=True):
    """The public table without the jackpot, as of the message `as_of`.

    `ticked_acts` are those ticked as the table opens or closes, with who ticked them.
    """

    schema: Literal[1]
    as_of: int
    mode: str
    clock_synchronised: bool
    currency: str
    exponent: int
    open: bool
    version: int
    source: str
    sources: tuple[str, ...]
    shuffler_failures: int
    shoe: PublicShoe
    carried_chips: tuple[int, ...]
    pending_claims: tuple[int, ...]
    complaints: tuple[Complaint, ...]
    lid_open: bool | None
    step: StepAwaited
    round_in_play: RoundInPlay | None
    lamps: Lamps
    sign: Sign | None
    slots: dict[int, str]
    notices: list[Words]
    devices: dict[DeviceName, LinkState]
    alarms: list[PublicAlarm]
    posted: Posted
    ticked_acts: dict[str, tuple[str, ...]]
