"""What the table hears, from persons and from devices. No I/O here."""

from typing import Literal

import msgspec

from controller.engine.jackpot import Parameters
from controller.rulebook.cards import Card
from controller.rulebook.events import CardSource, Deal


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


class UseSource(PersonInput, frozen=True, tag="use_source"):
    """Take the cards from the other source, as 9.º 1 leaves to the bank: between two rounds, or before the bets."""

    source: CardSource


class ShufflerReplaced(PersonInput, frozen=True, tag="shuffler_replaced"):
    """Another shuffler stands at the table (17.º 2); a supervisor says so."""


class Shuffled(PersonInput, frozen=True, tag="shuffled"):
    """The deck was shuffled by hand (9.º 2); `count` if the cards were counted."""

    count: int | None = None


class Cut(PersonInput, frozen=True, tag="cut"):
    """The deck was cut by the ``bank`` or by a player, ``seat 3``, and put into the shoe."""

    by: str


class DeckComplete(PersonInput, frozen=True, tag="deck_complete"):
    """The deck is whole again."""


class PlaceWager(PersonInput, frozen=True, tag="wager"):
    """What lies on a betting space, in minor units; 0 takes the wager back.

    Where several players may bet in one box it is what this one has there.
    """

    seat: int
    wager: str
    amount: int
    player: str | None = None


class Announce(PersonInput, frozen=True, tag="announce"):
    """The dealer says which spaces get a card (Fortune 8, 4.º 6)."""

    deal: Deal


class LockIn(PersonInput, frozen=True, tag="lock_in"):
    """No more bets: count and contribute the jackpot chips."""


class Decide(PersonInput, frozen=True, tag="decide"):
    """A player's ``play`` or ``fold``."""

    seat: int
    decision: str
    hand: int = 1


class GiveUp(PersonInput, frozen=True, tag="give_up"):
    """Whether a seat gives up half its bet (black-jack 36)."""

    seat: int
    yes: bool


class EvenMoney(PersonInput, frozen=True, tag="even_money"):
    """Whether a black-jack takes the value of its bet now (black-jack 34)."""

    seat: int
    yes: bool


class Insure(PersonInput, frozen=True, tag="insure"):
    """What a seat and its backers insure, minor units, 0 for nothing, in the order asked (black-jack 33)."""

    seat: int
    amounts: tuple[int, ...]


class Follow(PersonInput, frozen=True, tag="follow"):
    """Which backers follow a double or a split, in the order asked (black-jack 28, 30)."""

    seat: int
    hand: int
    who: tuple[bool, ...]


class EnterIncrement(PersonInput, frozen=True, tag="increment"):
    """What the dealer put on the display for the chips of this round, minor units (black-jack 41 b))."""

    amount: int


class Loaded(PersonInput, frozen=True, tag="loaded"):
    """The chief inspector was there while the shuffler was loaded (black-jack 54)."""


class Extracted(PersonInput, frozen=True, tag="extracted"):
    """The chief inspector was there while the cards were taken out; so many were counted (black-jack 55)."""

    cards: int


class HoldCards(PersonInput, frozen=True, tag="hold_cards"):
    """The shuffler's lid stayed shut: the cards wait with those of the next round (black-jack 61)."""


class CardReplaced(PersonInput, frozen=True, tag="card_replaced"):
    """The chief inspector has replaced a damaged card (black-jack 51). Answers ``table``."""

    reason: str


class UnaskedCard(PersonInput, frozen=True, tag="unasked_card"):
    """The card nobody asked for was seen, or not (black-jack 18). Answers ``<round>/report``."""

    seen: bool


class UnheardCard(PersonInput, frozen=True, tag="unheard_card"):
    """The card of this step was drawn from the shoe, and the station did not hear of it."""


class CardsCounted(PersonInput, frozen=True, tag="cards_counted"):
    """How many cards were dealt in this round, as they lie on the felt."""

    count: int


class Reveal(PersonInput, frozen=True, tag="reveal"):
    """The cards at a place were turned; `cards` names all of them where one was not read."""

    to: str
    cards: str | None = None


class Exposed(PersonInput, frozen=True, tag="exposed"):
    """Cards of a place were seen while they were dealt (17.º 1 2), 3), 17.º 4 1)). Answers ``<round>/report``.

    Where they are left out (2008, the bank's) `which` says which of those that lie there: 1 is the one that came first.
    """

    to: str
    count: int = 1
    which: tuple[int, ...] = ()


class DealCorrected(PersonInput, frozen=True, tag="deal_corrected"):
    """An error in the deal was put right at once (Fortune 8, 5.º). Answers ``<round>/report``."""

    what: Literal["place", "order", "number"]
    to: str


class CutCard(PersonInput, frozen=True, tag="cut_card"):
    """The cut card came out of the shoe, and the station did not hear of it. Answers ``<round>/report``."""


class Misdealt(PersonInput, frozen=True, tag="misdealt"):
    """The order or the number of the cards was not that of the deal. Answers ``<round>/report``."""

    what: Literal["order", "number"]


class ToEmptySeat(PersonInput, frozen=True, tag="to_empty_seat"):
    """The last cards meant for a place lie at a seat without a bet (17.º 4 2)). Answers ``<round>/report``."""

    meant_for: str
    seat: int


class ShufflerFailed(PersonInput, frozen=True, tag="shuffler_failed"):
    """The shuffler failed while dealing (17.º 2). Answers ``<round>/report``."""


class VoidRound(PersonInput, frozen=True, tag="void_round"):
    """A supervisor breaks the round off. Answers ``<round>/report``."""

    reason: str


class CorrectWager(PersonInput, frozen=True, tag="correct_wager"):
    """Another amount lies there than was entered; 0 for nothing. Corrections answer ``<round>/correct``."""

    seat: int
    wager: str
    amount: int
    reason: str
    player: str | None = None


class CorrectSeat(PersonInput, frozen=True, tag="correct_seat"):
    """The bets entered for one seat lie at another."""

    seat: int
    to_seat: int
    reason: str


class CorrectDecision(PersonInput, frozen=True, tag="correct_decision"):
    """A player decided otherwise than was entered."""

    seat: int
    decision: str
    reason: str


class CorrectCards(PersonInput, frozen=True, tag="correct_cards"):
    """Other cards lie at a place than were keyed in; a card that its source read is a supervisor's to correct."""

    to: str
    cards: str
    reason: str


class AdjustRound(PersonInput, frozen=True, tag="adjust_round"):
    """What a supervisor paid or took after a round was confirmed, documented. Answers ``adjustment``."""

    round: int
    seat: int
    amount: int
    reason: str


class AdjustMeter(PersonInput, frozen=True, tag="adjust_meter"):
    """What a supervisor puts onto a part of the meter or takes off it, documented. Answers ``adjustment``."""

    part: Literal["pot", "reserve", "overflow"]
    amount: int
    reason: str


class Confirm(PersonInput, frozen=True, tag="confirm"):
    """Paid and collected."""


class CloseClaims(PersonInput, frozen=True, tag="close_claims"):
    """The cards of the round are cleared away."""


class ConfirmHit(PersonInput, frozen=True, tag="confirm_hit"):
    """One of the two persons confirms the payment of a jackpot hit."""

    hit: int


Report = Exposed | Misdealt | ToEmptySeat | ShufflerFailed | DealCorrected | CutCard | UnaskedCard | VoidRound
Correction = CorrectWager | CorrectSeat | CorrectDecision | CorrectCards
Adjustment = AdjustRound | AdjustMeter
FromPerson = (
    OpenTable
    | CloseTable
    | BeginRound
    | UseSource
    | ShufflerReplaced
    | Shuffled
    | Cut
    | DeckComplete
    | PlaceWager
    | LockIn
    | Announce
    | GiveUp
    | EvenMoney
    | Insure
    | Follow
    | EnterIncrement
    | Loaded
    | Extracted
    | HoldCards
    | CardReplaced
    | UnheardCard
    | CardsCounted
    | Decide
    | Reveal
    | Confirm
    | CloseClaims
    | ConfirmHit
    | Report
    | Correction
    | Adjustment
)


class ChipSensed(msgspec.Struct, frozen=True):
    """A chip came onto the sensor of a seat; `counter` is the sensor's event counter, which moved by `edges`."""

    seat: int
    counter: int
    edges: int = 1


class ChipPassed(msgspec.Struct, frozen=True):
    """A sensor that is free was not free in between: its counter moved by `edges`."""

    seat: int
    counter: int
    edges: int


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
    """The shuffler said since when it is switched on (its boot id), which order it carried out last, what it is."""

    boot: int
    last_order: int
    mode: Literal["batch", "continuous"] | None = None  # None: it was not said


class DeckChecked(msgspec.Struct, frozen=True):
    """The shuffler looked at every card: how many it found, how many are missing or there twice."""

    found: int
    missing: int
    doubled: int


class ReportsMissed(msgspec.Struct, frozen=True):
    """So many reports of the shoe never arrived; any of them may have been a card. None: it does not know how many."""

    count: int | None
    reason: str


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
)
Input = FromPerson | FromDevice
