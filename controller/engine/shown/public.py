"""The shape of the table as everybody may see it, with its alarms and its changes that wait. No I/O here."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from controller.engine.shown.device_orders import Lamps, Posted, Sign
from controller.engine.shown.places import PublicPlaces
from controller.engine.state.alarms import Level
from controller.engine.state.current import Payout
from controller.engine.state.jackpot import Hit, Proposal
from controller.engine.state.table import Complaint
from controller.link.table import Shown
from controller.rulebook.events import NetChange
from controller.rulebook.game import BankView, HandView
from controller.rulebook.jackpot_award import Parameters, Win
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Reason
from controller.rulebook.report import Correction, LineResult, PlacedBet, RoundResult
from controller.rulebook.roles import Role
from controller.rulebook.round import Voided
from controller.rulebook.steps import Phase, Step, Why
from controller.rulebook.units import Minor
from controller.words import Words

SCHEMA = 1
LinkState = Literal["up", "down"]


class PartyChange(msgspec.Struct, frozen=True):
    """The effect of a change on one party: ``seat 3`` or ``bank``, `player` null if none is named; minor units."""

    at: str
    player: str | None
    net_before: Minor
    net_after: Minor


class PublicChange(NetChange, frozen=True, kw_only=True):
    """A change that waits: `what` was entered, as an input's kind, by `actor`, and whether two persons approve it.

    A corrected amount has `amount_before` and `amount_after`, minor units, another correction `before` and `after`; a
    void has neither. `article` is the rule of the moment it came after, or of the void. `why_not` says why it cannot be
    approved in the round's present state. `parties` are those whose money it changes.
    """

    change: int
    what: str
    at: str | None = None
    wager: str | None = None
    player: str | None = None
    amount_before: Minor | None = None
    amount_after: Minor | None = None
    before: str | None = None
    after: str | None = None
    article: str | None = None
    actor: str
    role: Role
    two_persons: bool
    why_not: Reason | None = None
    net_difference: Minor | None = None
    parties: tuple[PartyChange, ...] = ()


class PublicAlarm(msgspec.Struct, frozen=True):
    """An alarm that is listed: it is active, or it is `over` and no one has acknowledged it.

    `code` names its sentence. `since` is when it was raised, UTC. `acknowledged_by` is set if it is acknowledged and
    not over.
    """

    name: str
    level: Level
    code: str
    texts: Words
    since: str
    over: bool = False
    acknowledged_by: str | None = None
    details: str = ""


class PublicWhy(Why, frozen=True, kw_only=True):
    """The reason why an answer is not allowed now, in English, with its code and values."""

    reason: str


class PublicStep(Step, frozen=True, kw_only=True, omit_defaults=True):
    """The step awaited, with its prompt by language."""

    illegal: Mapping[str, PublicWhy] = {}
    prompt: Words


class PublicDealt(msgspec.Struct, frozen=True):
    """Cards that left the source together: the shuffler's order number, and their places; null ones (17.º 5) too."""

    order: int | None
    to: tuple[str, ...]
    null: bool


class PublicShoe(msgspec.Struct, frozen=True):
    """A shoe that is dealt from for many rounds: loaded or not, and whether its cut card came out."""

    loaded: bool
    cut_card_out: bool


class PublicRound(PublicPlaces, frozen=True, kw_only=True):
    """A round without what still is face down. Money in minor units.

    `payouts` are those of seats whose prize of the pot is not paid yet.
    """

    id: int
    phase: Phase
    source: str
    wagers: dict[int, dict[str, int]]
    bets: tuple[PlacedBet, ...]
    players: dict[int, str]
    deal: str | None
    chips: tuple[int, ...]
    carried_chips: tuple[int, ...]
    returned_chips: tuple[int, ...]
    locked: bool
    result_open: bool
    dealt: tuple[PublicDealt, ...]
    unread: tuple[str, ...]
    exposed: dict[str, int]
    aside: tuple[int, ...]
    decisions: dict[int, str]
    shown: dict[str, str]
    hands: dict[int, tuple[HandView, ...]]
    bank: BankView | None
    lines: dict[int, tuple[LineResult, ...]]
    pending_cards: int
    corrections: tuple[Correction, ...]
    changes_waiting: tuple[PublicChange, ...]
    settlement: RoundResult | None
    payouts: dict[int, Payout]
    void: Voided | None


class Turn(msgspec.Struct, frozen=True):
    """The turn of a hit among `of` unpaid ones."""

    turn: int
    of: int


class PublicDoubted(msgspec.Struct, frozen=True):
    """An entry that the pit of a linked pot does not accept until two persons have checked it; minor units.

    `chips` were contributed in this `round`, or returned if negative; null if that is no longer known.
    """

    journal: str
    entry: int
    round: int | None
    chips: int | None
    units: int | None


class PublicComparison(msgspec.Struct, frozen=True):
    """A claim to a linked pot that is paid once two persons have compared it with the page of the pit.

    `why` is a code.
    """

    claim: str
    round: int
    why: str


class PublicJackpot(msgspec.Struct, frozen=True):
    """The meter in minor units, with the hits not yet paid and the last 25 that were.

    `blocked` says of a hit that is not the next to be paid in its round why it is not, and `turns` in which order
    several of a round are paid. `scheduled` are other parameters than govern now, agreed on for after the running pot.
    `linked` is what is shown of the pot where several tables share one; it is not on this meter. `doubted` is what its
    pit holds back of this table, `claimed` who has won of it and waits for its grant, in the order they are paid.
    `compared` are claims whose grant is doubted. `pit_keys` are the configured keys of the pit; `pit_waits` while two
    persons have to accept them.
    """

    pot: Minor
    minimum: Minor
    reserve: Minor
    overflow: Minor
    pending: Minor
    fixed: dict[str, Minor]
    chip: Minor
    hits: tuple[Hit, ...]
    blocked: dict[int, PublicWhy]
    turns: dict[int, Turn]
    proposed: Proposal | None
    scheduled: Parameters | None
    linked: Shown | None = None
    doubted: tuple[PublicDoubted, ...] | None = None
    claimed: tuple[Win, ...] | None = None
    compared: tuple[PublicComparison, ...] | None = None
    pit_keys: tuple[str, ...] | None = None
    pit_waits: bool = False


class PublicTable(msgspec.Struct, frozen=True):
    """The whole projection; identity and connection states are the station's to add.

    `acts` are those ticked as the table opens or closes, with who did.
    """

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
    step: PublicStep
    round: PublicRound | None
    jackpot: PublicJackpot | None
    lamps: Lamps
    sign: Sign | None
    slots: dict[int, str]
    notices: list[Words]
    devices: dict[DeviceName, LinkState]
    alarms: list[PublicAlarm]
    posted: Posted
    acts: dict[str, tuple[str, ...]]
