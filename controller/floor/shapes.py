"""The shapes of the messages: what the `data` of each message holds. Each event has its own, made from the event's.

Money is in minor units of the `currency` beside it; `_e4` counts 1/10 000 of one, `_bp` basis points. No I/O here.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import NODEFAULT, UNSET, Struct, UnsetType, defstruct
from msgspec.structs import fields

from controller.engine.shown.alarms import PublicAlarm
from controller.engine.shown.changes import PublicChange
from controller.engine.shown.device_orders import Lamps, Sign
from controller.engine.shown.projection import PublicDealt, PublicRound, PublicStep, PublicTable, Turn
from controller.engine.state.alarms import Level
from controller.engine.state.events import (
    AlarmRaised,
    ChangeEntered,
    ChangeRejected,
    ChangesApproved,
    ChipCleared,
    ChipLaid,
    DealerTold,
    Event,
)
from controller.engine.state.persons import Role
from controller.floor.published import PUBLISHED
from controller.rulebook.events import InputCorrected, NetChange
from controller.rulebook.game import BankView, HandView
from controller.rulebook.games import RoundEvent, SettlingEvent
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.money import IN_MONEY, Minor
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.report import (
    Answered,
    BankResult,
    Cards,
    Holder,
    Laid,
    RoundReport,
    RoundResult,
)
from controller.words import Words

SCHEMA: Final = 1
# Another role or device is no other schema.
_OPEN = {
    Role: str,
    Role | None: str | None,
    tuple[Role, ...]: tuple[str, ...],
    DeviceName: str,
    tuple[DeviceName, ...]: tuple[str, ...],
}
# What the message of an event calls its round: a payment or a lost link belongs to no round that happens to be in play.
OF_ROUND = (
    *get_args(RoundEvent), ChipLaid, ChipCleared, DealerTold, ChangeEntered, ChangesApproved, ChangeRejected
)  # fmt: skip
SETTLED = "round_settled"


Texts = dict[str, str]
"""What fills the holes of a reason: numbers in decimals, a reason within it as its code."""


class ToldReason(Struct, frozen=True):
    """A reason: its code, and what fills the holes of its sentence."""

    code: str
    values: Texts


class ToldWhy(Struct, frozen=True):
    """Why something is not allowed now, and by which rule: in English, with code and values."""

    code: str
    values: Texts
    rule: str
    reason: str


class ToldVoid(Struct, frozen=True):
    """Why a round does not count, in English, with code and values."""

    article: str
    reason: str
    code: str
    values: Texts


class Entered(Struct, frozen=True, kw_only=True):
    """What was entered as a change of a round, in the fields of its input; `kind` is the input's."""

    kind: str
    seat: int | UnsetType = UNSET
    wager: str | UnsetType = UNSET
    amount: Minor | UnsetType = UNSET
    player: str | UnsetType | None = UNSET
    to_seat: int | UnsetType = UNSET
    decision: str | UnsetType = UNSET
    to: str | UnsetType = UNSET
    cards: Cards | UnsetType = UNSET
    dice: tuple[int, ...] | UnsetType = UNSET
    what: str | UnsetType = UNSET
    count: int | UnsetType = UNSET
    which: tuple[int, ...] | UnsetType = UNSET
    meant_for: str | UnsetType = UNSET
    reason: str


class ConfirmedRound(RoundReport, frozen=True, kw_only=True):
    """A confirmed round, of whatever game: as laid, shown, decided, settled. Money in minor units of `currency`.

    `began` and `confirmed` are UTC; `actor` is who confirmed it. `rules` are the readings that the house chose instead
    of those decided.
    """

    schema: Literal[1]
    sequence: int
    mode: str
    currency: str
    exponent: int
    began: str | None
    confirmed: str
    actor: str
    void: ToldVoid | None


class ToldHit(Struct, frozen=True, kw_only=True):
    """An award won at the table: `locked` until its round is confirmed, then `payable`, then `paid`.

    `witnessed_by` are the two persons who recorded that they saw its cards before it was paid.
    """

    hit: int
    round: int
    seat: int
    player: str | None
    tier: str
    amount: Minor
    article: str
    state: Literal["locked", "payable", "paid"]
    confirmed_by: tuple[str, ...]
    roles: tuple[str, ...]
    cards: Cards
    slip: int
    witnessed_by: tuple[str, ...]


class Proposed(Struct, frozen=True):
    """Parameters that wait for two persons, and who of them has approved, in which role."""

    number: int
    parameters_before: Parameters
    parameters_after: Parameters
    approved_by: tuple[str, ...]
    roles: tuple[str, ...]


class Ledger(Struct, frozen=True):
    """The meter's running totals: initial + contributions - returned + house_funded - paid + adjustments =
    pot + reserve + overflow + pending, to 1/10 000 of a minor unit.
    """

    initial_e4: int
    contributions_e4: int
    returned_e4: int
    house_funded_e4: int
    paid_e4: int
    adjustments_e4: int
    pot_e4: int
    reserve_e4: int
    overflow_e4: int
    pending_e4: int


class ToldJackpot(Struct, frozen=True, kw_only=True):
    """The meter in whole minor units, rounded down, what governs it, its ledger, and the hits: not paid, or lately.

    It holds what the messages up to `as_of` tell of the jackpot; those behind it bring it on, whoever comes late.
    """

    schema: Literal[1]
    as_of: int
    currency: str
    exponent: int
    pot: Minor
    reserve: Minor
    overflow: Minor
    pending: Minor
    chips_counted: int
    parameters: Parameters
    ledger: Ledger
    hits: tuple[ToldHit, ...]
    held_back: dict[int, ToldWhy]
    turns: dict[int, Turn]
    proposed: Proposed | None
    scheduled: Parameters | None


class ToldLasted(Struct, frozen=True):
    """How long a phase of the rounds took: the median and the longest; null where no round has come through it."""

    median_ms: int | None
    longest_ms: int | None


class ToldPhases(Struct, frozen=True):
    """The phases of a round: `shuffle` from its beginning until the cards are shuffled, `betting` until the betting is
    closed, `play` until the settlement, `payment` until it is confirmed, `pause` until the next one begins.
    """

    shuffle: ToldLasted
    betting: ToldLasted
    play: ToldLasted
    payment: ToldLasted
    pause: ToldLasted


class ToldLost(Struct, frozen=True):
    """For how long each of these stood while the table was open; several may have stood at once."""

    shuffle_ms: int
    jam_ms: int
    dispute_ms: int
    device_ms: int
    broker_ms: int


class ToldWagered(Struct, frozen=True):
    """What one wager brought the house, beside what its odds say.

    `staked` is what the odds count on: the stakes without doubles, raises and splits, which `handle` has as well.
    `edge` is the house's part of `staked` as a fraction, `theoretical` that of it; `deviation` is the standard
    deviation of `win`, and `sigmas` = (`win` - `theoretical`) / `deviation`. All four are null where no odds are known,
    and the intervals, from and to, where they are exact. Amounts as text are minor units with two decimals.
    """

    wager: str
    bet_count: int
    staked: Minor
    handle: Minor
    win: Minor
    edge: str | None
    edge_interval: tuple[str, ...] | None
    theoretical: str | None
    theoretical_interval: tuple[str, ...] | None
    deviation: str | None
    sigmas: str | None


class ToldStatistics(Struct, frozen=True, kw_only=True):
    """The day so far, from `since` on: what was played and confirmed, what it brought, and what held it up.

    `per_hour` counts `rounds`, void ones included, over the time that the table was open; `occupied` is the mean number
    of the table's `seats` with a bet. `corrections` are of what was entered; `adjusted` is what supervisors paid
    afterwards, in so many `adjustments`.
    """

    schema: Literal[1]
    as_of: int
    since: str
    currency: str
    exponent: int
    open_ms: int
    round_count: int
    void_rounds: int
    per_hour: str | None
    seat_count: int
    occupied: str | None
    phases: ToldPhases
    handle: Minor
    win: Minor
    wager_totals: tuple[ToldWagered, ...]
    lost_time: ToldLost
    correction_count: int
    adjustment_count: int
    adjusted_amount: Minor


class ToldDevice(Struct, frozen=True):
    """Whether a device is there: ``up`` or ``down``."""

    schema: Literal[1]
    device: str
    link: str


class ToldStatus(Struct, frozen=True):
    """Whether the table is online; offline is the will too, and has no `time`."""

    schema: Literal[1]
    online: bool
    mode: str


class ToldArchive(Struct, frozen=True):
    """Up to which message of a journal an archive has them all."""

    schema: Literal[1]
    archive: str
    journal: str
    through: int


class ToldAnswer(Struct, frozen=True):
    """A request is done: how many messages were said once more, and which were asked for."""

    schema: Literal[1]
    request: Literal["replay", "rebirth"]
    first: int | None
    last: int | None
    count: int


class Addition(Struct, frozen=True):
    """What a witness is given: the checkpoint, and that it goes on from the one it has cosigned.

    The form is that of c2sp.org/tlog-witness, `add-checkpoint`.
    """

    witness: str
    text: str


class ToldCheckpoint(Struct, frozen=True):
    """How the record stands after an event: a signed note (c2sp.org/tlog-checkpoint); what each witness is given."""

    schema: Literal[1]
    event: int
    note: str
    additions: tuple[Addition, ...]


class Cosignature(Struct, frozen=True):
    """What a witness says: the last checkpoint it has cosigned (c2sp.org/tlog-cosignature); why it takes no other.

    `refusal` is a signed note: the word ``refused``, the table, and the reason.
    """

    schema: Literal[1]
    note: str | None
    refusal: str | None


def derived(
    name: str,
    base: type[Struct],
    first: Mapping[str, Any],
    changed: Mapping[str, Any],
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> type[Struct]:
    """The shape of `base` behind other fields, some of its own `changed`: another type, or None for none at all.

    Those `renamed` have another name in the message, under which they may be changed.
    """
    bare = base.__struct_config__.omit_defaults  # then what is not there is the default
    own = {renamed.get(one.name, one.name): (one.type, one.default if bare else NODEFAULT) for one in fields(base)}
    own |= {key: (kind, NODEFAULT if key not in own else own[key][1]) for key, kind in changed.items()}
    kept = {key: one for key, one in own.items() if one[0] is not None}
    every = {**{key: (kind, NODEFAULT) for key, kind in first.items()}, **kept}
    shaped: list[Any] = []
    for key, (told, default) in every.items():
        kind = _OPEN.get(told, told)
        if _may_be_unset(kind):
            shaped.append((key, kind, UNSET))
        else:
            shaped.append((key, kind) if default is NODEFAULT else (key, kind, default))
    namespace = {"__doc__": base.__doc__}
    return defstruct(name, shaped, namespace=namespace, frozen=True, kw_only=True, omit_defaults=bare)


def _may_be_unset(kind: Any) -> bool:
    return UnsetType in get_args(kind)


MONEYED = {"currency": str, "exponent": int}
OPEN_HAND = derived("OpenHand", HandView, {}, {"cards": Cards})
OPEN_BANK = derived("OpenBank", BankView, {}, {"cards": Cards})
CHANGE = derived("PublicChange", PublicChange, {}, {"why_not": ToldReason | None})
DEALT_NAMES = {"to": "places"}
DEALT = derived("PublicDealt", PublicDealt, {}, {}, DEALT_NAMES)
ROUND_NAMES = {
    "places": "place_count", "order": "settling_order", "id": "round", "unread": "unread_places", "bank": "bank_hand",
    "lines": "lines_by_seat", "banker": "bank",
}  # fmt: skip
ROUND = derived(
    "RoundInPlay",
    PublicRound,
    {},
    {
        "wagers": tuple[Laid, ...],
        "bets": None,
        "players": None,
        "decisions": tuple[Answered, ...],
        "shown": dict[str, Cards],
        "hands": dict[int, tuple[OPEN_HAND, ...]],  # type: ignore[valid-type]
        "changes_waiting": tuple[CHANGE, ...],  # type: ignore[valid-type]
        "dealt": tuple[DEALT, ...],  # type: ignore[valid-type]
        "bank_hand": OPEN_BANK | None,
        "bank": BankResult | None,
        "holders": tuple[Holder, ...],
        "used": Cards,
        "void": ToldVoid | None,
    },
    ROUND_NAMES,
)
STEP_NAMES = {"to": "places", "cards": "card_count"}
STEP = derived("StepAwaited", PublicStep, {}, {"illegal": dict[str, ToldWhy]}, STEP_NAMES)
LAMPS_NAMES = {"seats": "lit_seats"}
LAMPS = derived("Lamps", Lamps, {}, {}, LAMPS_NAMES)
SIGN_NAMES = {"amount": "amount_text"}
SIGN = derived("Sign", Sign, {}, {}, SIGN_NAMES)
STATE_NAMES = {"round": "round_in_play", "acts": "ticked_acts"}
STATE = derived(
    "State",
    PublicTable,
    {"schema": Literal[1], "as_of": int, "mode": str, "clock_synchronised": bool, **MONEYED},
    {
        "step": STEP,
        "round_in_play": ROUND | None,
        "jackpot": None,
        "lamps": LAMPS,
        "sign": SIGN | None,
    },
    STATE_NAMES,
)
ALARM = derived("Alarm", PublicAlarm, {"schema": Literal[1], "alarm": str}, {"name": None})


@cache
def name_of(event: type[Event]) -> str:
    """What the topic and the type of an event's message end in; every game settles a round alike."""
    return SETTLED if issubclass(event, SettlingEvent) else str(event.__struct_config__.tag)


def is_published(event: type[Event]) -> bool:
    """Whether there is a message of an event."""
    return event.__struct_config__.tag in PUBLISHED


@cache
def shape_of(event: type[Event]) -> type[Struct]:
    """The shape of an event's data: its number, its round, the currency where it has money, then what is published."""
    own = {one.name: one.type for one in fields(event)}
    first: dict[str, Any] = {"schema": Literal[1], "sequence": int}
    if "round" in own:
        first["round"] = int
    elif "hit" in own or issubclass(event, OF_ROUND):
        first["round"] = int | UnsetType
    if has_money(event):
        first |= MONEYED
    published = PUBLISHED[str(event.__struct_config__.tag)].split()
    changed: dict[str, Any] = {name: None for name in own if name not in published}
    if "player" in published:
        changed["player"] = str | None
    if issubclass(event, SettlingEvent):
        changed["settlement"] = RoundResult
    if issubclass(event, NetChange):
        first["net_difference"] = Minor | None
    if event is AlarmRaised:
        changed |= {"level": Level, "texts": Words}
    if "input" in own:
        changed["entered"] = Entered
    if "values" in own:
        changed["values"] = Texts
    if event is InputCorrected:
        text, amount = str | None, Minor | None
        changed |= {"before": text, "after": text, "amount_before": amount, "amount_after": amount}
    name = "".join(map(str.capitalize, name_of(event).split("_")))
    return derived(name, event, first, changed)


def has_money(event: type[Event]) -> bool:
    """Whether anything in an event is money."""
    _, parts = msgspec.json.schema_components([event])
    kept = (part.get("properties", {}) for part in parts.values())
    return any(key.endswith("_e4") or is_money(one) for own in kept for key, one in own.items())


def is_money(schema: Any) -> bool:
    """Whether anything in the schema of a property counts minor units, as its type says."""
    if isinstance(schema, dict):
        return schema.get("description") == IN_MONEY or any(map(is_money, schema.values()))
    return isinstance(schema, list) and any(map(is_money, schema))


@cache
def names_in(shape: type[Struct]) -> tuple[str, ...]:
    """The names of what a shape has."""
    return tuple(one.name for one in fields(shape))


EVENTS: tuple[type[Event], ...] = tuple(event for event in get_args(Event) if is_published(event))
"""Every event that has a message."""
