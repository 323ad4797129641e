"""What can happen at the table, and log-ins; rounds, jackpot, alarms and changes have events of their own. No I/O here.

The journal keeps who logged in and who was refused, and never a PIN.
"""

from typing import Literal, get_args

import msgspec

from controller.link.table import Event as OfLink
from controller.rulebook.events import EventBase
from controller.rulebook.parts.faults import DeviceName, LossCause
from controller.rulebook.refusal import Reason, Value
from controller.rulebook.roles import Role
from controller.rulebook.units import Milliseconds, Minor, Seconds

Notice = Literal[
    "late_chip", "chip_without_basic_bet", "chip_beside_carried", "carried_chip_back",
    "carried_chip_ends", "carried_chip_counts", "chip_gone", "increment_changed", "unswept_chip",
    "chip_not_taken_back", "chip_came_and_went", "doubtful_sensor", "unreasonable_chips", "slots_lost", "sign_lost",
    "card_not_due", "card_unread", "early_card", "unasked_card", "bank_card_too_many", "compare_cards", "cut_card",
    "warning_card_misplaced", "prize_cards_inserted",
    "complaint_cards_inserted",
    "damaged_card", "lock_in_refused", "rearranged",
    "folded_collect", "folded_stay"
]  # fmt: skip


DeviceRemark = Literal[
    "noise", "reports_lost", "error", "error_cleared", "refused", "restarted", "lid_opened", "lid_closed",
    "out_of_turn", "cut_card", "misread", "damaged_card", "jam", "cleared", "deck_check"
]  # fmt: skip
DeviceReportKind = Literal[DeviceRemark, "babbling", "quiet", "wrong_machine", "right_machine"]
"""The reports of a device about itself, and those of the station about a device."""

ComplaintOutcome = Literal["unchanged", "adjusted"]
VouchOutcome = Literal["counts", "never_was"]


class TableOpened(EventBase, frozen=True):
    """The table is open for play; `load` cards are to be put into its shuffler first (black-jack 53, 54)."""

    actor: str
    load: int = 0


class TableClosed(EventBase, frozen=True):
    """The table is closed."""

    actor: str


class NoBetMade(EventBase, frozen=True):
    """Play is interrupted, since no one is there or bets (black-jack 12); a round that was begun ends without play.

    `spread`: the shoe's cards are on the table, face up.
    """

    actor: str
    spread: bool


OPENING = ("cards_shown", "cards_mixed")
CLOSING = ("cards_discarded", "cards_ordered")
"""The acts that are ticked for the session that opens or closes."""
RENEWING = ("deck_replaced", "set_replaced")
"""The acts after which a shoe is prepared again before the next round."""


class ActsRecorded(EventBase, frozen=True, tag="acts_done"):
    """A person ticks the acts with the cards when the table opens or closes (black-jack 5, 7, 53, 55, 58)."""

    acts: tuple[str, ...]
    actor: str
    role: Role


class ChipPlaced(EventBase, frozen=True):
    """A chip came onto a sensor. `late`: the betting was closed, it never counts (10.º 3)."""

    seat: int
    counter: int
    late: bool
    edges: int = 1


class SensorDoubted(EventBase, frozen=True):
    """A sensor moves faster than hands can: its chips do not count in this betting."""

    seat: int
    counter: int


class ChipPassedBy(EventBase, frozen=True):
    """A chip came and went before anybody saw it there."""

    seat: int
    counter: int
    edges: int


class ChipCleared(EventBase, frozen=True):
    """A sensor is free again."""

    seat: int
    counter: int


class DealerNotified(EventBase, frozen=True):
    """A notice that the dealer must read or act on; shown until the next round begins.

    `text` fills the notice's sentence; or `why` is the reason of a refusal.
    """

    notice: Notice
    seat: int | None = None
    text: str | None = None
    why: Reason | None = None


class DeviceUp(EventBase, frozen=True):
    """A device answers again."""

    device: DeviceName
    outage_ms: Milliseconds
    tries: int


class DeviceLost(EventBase, frozen=True):
    """A device is away; `reason` is what its driver says, in English.

    `again`: it was away already, and only the cause has changed; this is not another loss.
    """

    device: DeviceName
    reason: str
    cause: LossCause
    again: bool = False


class DeviceReported(EventBase, frozen=True):
    """A device reported something about itself, or the station noticed it: `what`, with its `values`. `details` are the
    words of the device, in English.
    """

    device: DeviceName
    what: DeviceReportKind
    details: str = ""
    values: dict[str, Value] = msgspec.field(default_factory=dict)


class DeviceForgotten(EventBase, frozen=True):
    """The configuration no longer has this device."""

    device: DeviceName


class DeckDoubted(EventBase, frozen=True):
    """Between two deals the shuffler found that the deck is not complete (2.º 1 1)): it is completed before the next
    deal.
    """

    found: int
    missing: int
    duplicated: int


class ShufflerKnown(EventBase, frozen=True):
    """The shuffler was restarted or exchanged: it has forgotten everything."""

    boot: int


class ShufflerExchanged(EventBase, frozen=True):
    """Another shuffler is at the table (17.º 2): its failures are counted from 0."""

    actor: str


class PacketLoaded(EventBase, frozen=True):
    """A packet of the session's cards was put into the shuffler (black-jack 54)."""

    count: int


class ShufflerLoaded(EventBase, frozen=True):
    """The shuffler is loaded for the session, in the presence of the chief inspector (black-jack 54)."""

    actor: str


class CardsExtracted(EventBase, frozen=True):
    """The session's cards were taken out and counted, in the presence of the chief inspector (black-jack 55)."""

    count: int
    missing: int
    actor: str


class DamagedCardReported(EventBase, frozen=True):
    """A person reports that a card is damaged, that at the place `to` if it is at one (black-jack 51)."""

    to: str
    actor: str


class DamagedCardReplaced(EventBase, frozen=True, tag="card_replaced"):
    """The chief inspector has replaced a damaged card; the inspection is to be informed of it (black-jack 51).

    At a shoe it was `authorised_by` the inspection before, and the cards are shuffled and cut again (5, 8 to 10).
    """

    actor: str
    reason: str
    authorised_by: str = ""


class InspectionInformed(EventBase, frozen=True):
    """The inspection was informed that a damaged card was replaced (black-jack 51)."""

    actor: str
    reason: str


class ShufflerCleared(EventBase, frozen=True):
    """`cleared_by` opened the shuffler and cleared its jam, a `technician` or not (black-jack 51, 60)."""

    cleared_by: str
    technician: bool
    actor: str


class CutCardOut(EventBase, frozen=True):
    """The cut card came out of a shoe that is kept: the round is finished, then the cards are shuffled.

    `one_more`: it came between two rounds, and the one that begins next is still played (black-jack 11).
    """

    actor: str | None = None
    one_more: bool = False


class RoundAdjusted(EventBase, frozen=True):
    """A supervisor paid a seat (negative: took from it) after its round was confirmed. The meter does not change.

    `second` is the other person, who co-signs it. `after_claims`: the cards had gone in by then, and complaints of the
    round were no longer accepted.
    """

    round: int
    seat: int
    amount: Minor
    actor: str
    reason: str
    second: str
    after_claims: bool


class KeyReleased(EventBase, frozen=True):
    """A supervisor has released the key of a round's cards, and `second` co-signed it; the journal has the key."""

    round: int
    actor: str
    reason: str
    second: str


class ComplaintOpened(EventBase, frozen=True):
    """A player complains about a round: `by` is the player, empty without a name (black-jack 62)."""

    complaint: int
    round: int
    seat: int
    what: str
    by: str
    actor: str


class ComplaintDecided(EventBase, frozen=True):
    """A supervisor has decided a complaint: the result remains, or the round was corrected or adjusted since."""

    complaint: int
    round: int
    seat: int
    outcome: ComplaintOutcome
    reason: str
    actor: str


class OrdersSpent(EventBase, frozen=True):
    """The shuffler has carried out orders up to this number for another journal, perhaps an earlier one."""

    last_order: int


class MessageUntaken(EventBase, frozen=True):
    """The broker refuses this message of the outbox; the following ones wait. `details`: its reason, in English."""

    message: int
    topic: str
    payload: str
    details: str


class MessageSetAside(EventBase, frozen=True):
    """A supervisor lets the outbox continue without this message, which stays in the journal."""

    message: int
    topic: str
    actor: str
    reason: str


class SlipPrinted(EventBase, frozen=True):
    """A payment slip was printed for the `times`-th time; every print after the first is a copy."""

    slip: int
    times: int
    actor: str


class JournalPruned(EventBase, frozen=True):
    """The journal's events up to `last` were deleted; `hash` is that of the last, in hexadecimal.

    `segments` counts their segments, `first` was the first event, and all were older than `before` (UTC). If that is
    more than may be deleted in a day, two persons approved it.
    """

    first: int
    last: int
    segments: int
    hash: str
    before: str
    approved_by: tuple[str, ...] = ()


class JournalOvertaken(EventBase, frozen=True):
    """The floor has received message `message` of this journal, under the name `journal`; `known` is the last it has.

    So the journal is an older copy, or the message on the floor was forged.
    """

    journal: str
    message: int
    known: int


class CoSignedEvent(EventBase, frozen=True, kw_only=True):
    """An act of two persons: `second` co-signed it, with the role at that time."""

    actor: str
    reason: str
    second: str
    second_role: Role


class EpochBegun(CoSignedEvent, frozen=True):
    """Two persons let an older copy of a journal continue: ids from now on contain a new random name."""


class LinkJoined(EventBase, frozen=True):
    """From here on the journal informs a pit of the pot that its table shares with others.

    `keys` are the public keys of the pit, which are accepted with the beginning of the journal.
    """

    link: str
    table: str
    game: str
    keys: tuple[str, ...] = ()


class PitKeysConfigured(EventBase, frozen=True):
    """The configuration has other public keys of the pit of a linked pot than before."""

    keys: tuple[str, ...]


class PitAccepted(CoSignedEvent, frozen=True):
    """Two persons accepted the configured keys of the pit of a linked pot. The table forgets what it learnt from the
    keys before.
    """

    keys: tuple[str, ...]


class GrantCompared(CoSignedEvent, frozen=True):
    """Two persons compared a doubted grant of a linked pot with the page of the pit, which has this `amount`."""

    claim: str
    amount: Minor


class LinkVouched(CoSignedEvent, frozen=True):
    """Two persons looked at an entry of `journal` that the pit of a linked pot keeps on hold: it counts, or never
    existed.
    """

    journal: str
    entry: int
    outcome: VouchOutcome


class LinkOnPaper(CoSignedEvent, frozen=True):
    """While the pit of a linked pot was away, two persons settled a claim on paper, of this `pot`; minor units.

    `amounts` is what each of its winners gets, in their order.
    """

    claim: str
    pot: Minor
    amounts: tuple[Minor, ...]


class LinkRecorded(EventBase, frozen=True):
    """An entry for the pit of a linked pot, kept until it is acknowledged; or a message received from it."""

    content: OfLink


Ending = Literal["logged_out", "idle", "too_long", "pin_changed"]
SignInFault = Literal["wrong_pin", "no_pin", "unknown_name", "too_many"]


class SignedIn(EventBase, frozen=True, tag="entry_made"):
    """A person has logged in; `address` is where the request came from, `screen` names the screen.

    `first_login`: this person had not logged in on it before.
    """

    name: str
    role: Role
    address: str
    screen: str = ""
    first_login: bool = True


class SignedOut(EventBase, frozen=True, tag="entry_ended"):
    """A person is logged out: by a tap, after too long without an act or altogether, or since the PIN was changed or
    removed.

    A restart of the station logs everybody out, without this event.
    """

    name: str
    role: Role
    address: str
    how: Ending


class SignInRefused(EventBase, frozen=True, tag="entry_refused"):
    """A log-in failed. An unknown name is not kept: it may be a PIN typed in the wrong field.

    With `too_many`, so many attempts of a minute or more were not tried, under any names and from anywhere.

    `screen` is empty where no one has logged in before; `screen_persons` are those who have logged in there.
    """

    name: str | None
    role: Role | None
    address: str
    reason: SignInFault
    screen: str = ""
    screen_persons: tuple[str, ...] = ()
    attempts: int = 1


class LockedOut(EventBase, frozen=True, tag="entry_locked"):
    """After too many wrong PINs this name is locked for some seconds, at this screen or address.

    `screen_persons` are those who have logged in on the screen.
    """

    name: str
    role: Role
    address: str
    failures: int
    seconds: Seconds
    screen: str = ""
    screen_persons: tuple[str, ...] = ()


class LockLifted(EventBase, frozen=True, tag="entry_lifted"):
    """The lock of a name is lifted: `by` a supervisor; empty if a new PIN lifted it."""

    name: str
    role: Role
    address: str
    actor: str


SignInEvent = SignedIn | SignedOut | SignInRefused | LockedOut | LockLifted
SIGN_IN_EVENTS = get_args(SignInEvent)
