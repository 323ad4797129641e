"""The `data` of messages that are not events; those of events are in `published`. No I/O here.

Money is in minor units of the `currency` beside it.
"""

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType

from controller.engine.shown.public import LinkState, Turn
from controller.engine.state.alarms import Level
from controller.engine.state.jackpot import Proposal
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.report import Cards, RoundReport
from controller.rulebook.roles import Role
from controller.rulebook.units import Milliseconds, Minor, TenThousandths
from controller.words import Words

SCHEMA: Final = 1
Texts = dict[str, str]
"""The values of the holes in a reason's sentence: numbers as decimals, a reason inside it as its code."""


class PublishedReason(Struct, frozen=True):
    """A reason: its code, and the values for the holes of its sentence."""

    code: str
    values: Texts


class PublishedRefusal(Struct, frozen=True):
    """The reason why something is not allowed now, and the rule: in English, with code and values."""

    code: str
    values: Texts
    rule: str
    reason: str


class PublishedVoid(Struct, frozen=True):
    """The reason why a round does not count, in English, with code and values."""

    article: str
    reason: str
    code: str
    values: Texts


class Entered(Struct, frozen=True, kw_only=True):
    """A change of a round as it was entered, in the fields of its input; `kind` is the input's."""

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
    """A confirmed round of any game: bets, cards, decisions and settlement. Money in minor units of `currency`.

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
    void: PublishedVoid | None


class PublishedHit(Struct, frozen=True, kw_only=True):
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
    roles: tuple[Role, ...]
    cards: Cards
    slip: int
    witnessed_by: tuple[str, ...]


class Ledger(Struct, frozen=True):
    """The meter's running totals: initial + contributions - returned + house_funded - paid + adjustments =
    pot + reserve + overflow + pending, to 1/10 000 of a minor unit.
    """

    initial_e4: TenThousandths
    contributions_e4: TenThousandths
    returned_e4: TenThousandths
    house_funded_e4: TenThousandths
    paid_e4: TenThousandths
    adjustments_e4: TenThousandths
    pot_e4: TenThousandths
    reserve_e4: TenThousandths
    overflow_e4: TenThousandths
    pending_e4: TenThousandths


class PublishedJackpot(Struct, frozen=True, kw_only=True):
    """The meter in whole minor units, rounded down; its parameters, its ledger, and the hits that are unpaid or recent.

    It includes the messages up to `as_of`; later messages change it, so a late subscriber is up to date too.
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
    hits: tuple[PublishedHit, ...]
    blocked: dict[int, PublishedRefusal]
    turns: dict[int, Turn]
    proposed: Proposal | None
    scheduled: Parameters | None


class PhaseDuration(Struct, frozen=True):
    """The duration of a phase of the rounds: the median and the longest; null if no round has completed it."""

    median_ms: Milliseconds | None
    longest_ms: Milliseconds | None


class PhaseDurations(Struct, frozen=True):
    """The phases of a round: `shuffle` from its beginning until the cards are shuffled, `betting` until the betting is
    closed, `play` until the settlement, `payment` until it is confirmed, `pause` until the next one begins.
    """

    shuffle: PhaseDuration
    betting: PhaseDuration
    play: PhaseDuration
    payment: PhaseDuration
    pause: PhaseDuration


class LostTimes(Struct, frozen=True):
    """How long each of these was active while the table was open; several may be active at once."""

    shuffle_ms: Milliseconds
    jam_ms: Milliseconds
    dispute_ms: Milliseconds
    device_ms: Milliseconds
    broker_ms: Milliseconds


class PublishedWager(Struct, frozen=True):
    """The result of one wager for the house, compared with its odds.

    `staked` is the base of the odds: the stakes without doubles, raises and splits, which `handle` includes. `edge` is
    the house's part of `staked` as a fraction, `theoretical` is that part as an amount; `deviation` is the standard
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


class PublishedStatistics(Struct, frozen=True, kw_only=True):
    """The day so far, from `since` on: rounds played and confirmed, their results, and delays.

    `per_hour` counts `rounds`, void ones included, over the time that the table was open; `occupied` is the mean number
    of the table's `seats` with a bet. `corrections` are of what was entered; `adjusted` is what supervisors paid
    afterwards, in so many `adjustments`.
    """

    schema: Literal[1]
    as_of: int
    since: str
    currency: str
    exponent: int
    open_ms: Milliseconds
    round_count: int
    void_rounds: int
    per_hour: str | None
    seat_count: int
    occupied: str | None
    phases: PhaseDurations
    handle: Minor
    win: Minor
    wager_totals: tuple[PublishedWager, ...]
    lost_time: LostTimes
    correction_count: int
    adjustment_count: int
    adjusted_amount: Minor


class Alarm(Struct, frozen=True):
    """An alarm that is active, or is over and not acknowledged.

    `code` names its sentence. `since` is when it was raised, in UTC. `acknowledged_by` names who acknowledged one that
    is not over.
    """

    schema: Literal[1]
    alarm: str
    level: Level
    code: str
    texts: Words
    since: str
    over: bool
    acknowledged_by: str | None
    details: str


class PublishedDevice(Struct, frozen=True):
    """The state of a device: ``up`` or ``down``."""

    schema: Literal[1]
    device: DeviceName
    link: LinkState


class PublishedStatus(Struct, frozen=True):
    """Whether the table is online. The offline status is also the will, and has no `time`."""

    schema: Literal[1]
    online: bool
    mode: str


class PublishedArchive(Struct, frozen=True):
    """The last message of a journal up to which an archive has all."""

    schema: Literal[1]
    archive: str
    journal: str
    through: int


class PublishedAnswer(Struct, frozen=True):
    """A request is done: how many messages were sent again, and which were asked for."""

    schema: Literal[1]
    request: Literal["replay", "rebirth"]
    first: int | None
    last: int | None
    count: int


class Addition(Struct, frozen=True):
    """A message to a witness: the checkpoint, and the proof that it continues from the last cosigned one.

    The form is that of c2sp.org/tlog-witness, `add-checkpoint`.
    """

    witness: str
    text: str


class PublishedCheckpoint(Struct, frozen=True):
    """The state of the record after an event as a signed note (c2sp.org/tlog-checkpoint), and the message to each
    witness.
    """

    schema: Literal[1]
    event: int
    note: str
    additions: tuple[Addition, ...]


class Cosignature(Struct, frozen=True):
    """A witness's message: the last checkpoint it has cosigned (c2sp.org/tlog-cosignature), and why it refuses a later
    one.

    `refusal` is a signed note: the word ``refused``, the table, and the reason.
    """

    schema: Literal[1]
    note: str | None
    refusal: str | None
