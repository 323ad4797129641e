"""What the table hears, from persons and from devices. No I/O here."""

from typing import Literal

from controller.engine.decisions.inputs_devices import (
    CardsHeard,
    ChipGone,
    ChipPassed,
    ChipSensed,
    DeckChecked,
    DeviceFound,
    DeviceMissed,
    DeviceSaid,
    DevicesConfigured,
    FloorBeyond,
    FromDevice,
    InsertionHeard,
    LinkConfigured,
    LinkHeard,
    LinkToCount,
    LockInPressed,
    MessageNotTaken,
    ParametersRead,
    ReportsMissed,
    SegmentsExpired,
    ShuffleHeard,
    ShufflerGreeted,
    SignInHeard,
)
from controller.engine.decisions.inputs_places import (
    AnnounceForm,
    Arranged,
    Dice,
    DiceNull,
    PassBank,
    TakeBank,
    TilesDealt,
    TilesMoved,
)
from controller.engine.state.events import ComplaintOutcome, VouchOutcome
from controller.engine.state.inputs_changes import (
    CardsCounted,
    CorrectCards,
    CorrectDecision,
    CorrectDice,
    Correction,
    CorrectSeat,
    CorrectWager,
    Exposed,
    Misdealt,
    ShufflerFailed,
    ToEmptySeat,
    VoidRound,
)
from controller.engine.state.persons import (
    PersonInput,
)
from controller.rulebook.events import CardSource, Deal, WarningPlace

__all__ = [  # beside what is defined here
    "AnnounceForm", "Arranged", "CardsCounted", "CardsHeard", "ChipGone", "ChipPassed", "ChipSensed", "CorrectCards",
    "CorrectDecision", "CorrectDice", "CorrectSeat", "CorrectWager", "Correction", "DeckChecked", "DeviceFound",
    "DeviceMissed", "DeviceSaid", "DevicesConfigured", "Dice", "DiceNull", "Exposed", "FloorBeyond", "FromDevice",
    "InsertionHeard", "LinkConfigured", "LinkHeard", "LinkToCount", "LockInPressed", "MessageNotTaken", "Misdealt",
    "ParametersRead", "PassBank", "PersonInput", "ReportsMissed", "SegmentsExpired", "ShuffleHeard", "ShufflerFailed",
    "ShufflerGreeted", "SignInHeard", "TakeBank", "TilesDealt", "TilesMoved", "ToEmptySeat", "VoidRound"
]  # fmt: skip


class OpenTable(PersonInput, frozen=True, tag="open_table"):
    """Open the table for play."""


class CloseTable(PersonInput, frozen=True, tag="close_table"):
    """Close the table, between two rounds."""


class BeginRound(PersonInput, frozen=True, tag="begin_round"):
    """Begin the next round."""


class NoBets(PersonInput, frozen=True, tag="no_bets"):
    """Nobody is there, or nobody bets (black-jack 12): what was begun ends without play.

    `spread`: the cards of the shoe lie face up on the table, and are shuffled before the next round.
    """

    spread: bool = False


class ActsDone(PersonInput, frozen=True, tag="acts_done"):
    """What was done with the cards as the table opens or closes (black-jack 5, 7, 53, 55, 58). Answers ``table``."""

    acts: tuple[str, ...]


class UseSource(PersonInput, frozen=True, tag="use_source"):
    """Take the cards from the other source, as 9.º 1 leaves to the bank: between two rounds, or before the bets."""

    source: CardSource


class ShufflerReplaced(PersonInput, frozen=True, tag="shuffler_replaced"):
    """Another shuffler stands at the table (17.º 2); a supervisor says so."""


class Shuffled(PersonInput, frozen=True, tag="shuffled"):
    """The deck was shuffled by hand (9.º 2); `count` if the cards were counted."""

    count: int | None = None


class Cut(PersonInput, frozen=True, tag="cut"):
    """The deck was cut by the ``bank`` or by a player, ``seat 3``.

    At black-jack the bank's is the table inspector, and `name` says which, where the configuration has any.
    """

    by: str
    name: str = ""


class PassCut(PersonInput, frozen=True, tag="pass_cut"):
    """The seat whose turn it is does not cut (black-jack 8): nobody sits there if `vacant`."""

    seat: int
    vacant: bool


class PlaceWarningCard(PersonInput, frozen=True, tag="warning_card"):
    """Where the warning card was put: near the 50th card from the ``end``, or in the ``middle`` (black-jack 9)."""

    place: WarningPlace


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
    """Which spaces get a card (Fortune 8, 4.º 6), or how many places the casino deals to (Taiwan-Pai Kao, 2.º d))."""

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


class Nobody(PersonInput, frozen=True, tag="nobody"):
    """All seats that are still asked something before play decline, `but` these (black-jack 33, 34, 36).

    Those give up, or take even money; at one that insures the sweep ends, and its amounts are asked.
    """

    but: tuple[int, ...] = ()


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


class DamagedCard(PersonInput, frozen=True, tag="damaged_card"):
    """A card is damaged, that at the place `to` if it lies at one (black-jack 51). Answers ``table``."""

    to: str = ""


class InspectionTold(PersonInput, frozen=True, tag="inspection_told"):
    """The inspection was told of the card that was replaced, in these words (black-jack 51). Answers ``table``."""

    reason: str


class CardReplaced(PersonInput, frozen=True, tag="card_replaced"):
    """The chief inspector has replaced a damaged card (black-jack 51). Answers ``table``."""

    reason: str


class SetAside(PersonInput, frozen=True, tag="set_aside"):
    """The outbox goes on without a message that the broker does not take. Answers ``table``."""

    message: int
    reason: str


class Acknowledge(PersonInput, frozen=True, tag="acknowledge"):
    """Any person of [people] has taken note of an alarm, of the one raised at `since` if given. Answers ``table``."""

    alarm: str
    since: str | None = None


class UnaskedCard(PersonInput, frozen=True, tag="unasked_card"):
    """The card nobody asked for was seen, or not (black-jack 18). Answers ``<round>/report``."""

    seen: bool


class UnheardCard(PersonInput, frozen=True, tag="unheard_card"):
    """The card of this step was drawn from the shoe, and the station did not hear of it."""


class Reveal(PersonInput, frozen=True, tag="reveal"):
    """The cards at a place were turned; `cards` names all of them where one was not read.

    At Taiwan-Pai Kao it names the four tiles as they lie, front pair then rear pair; null lets the station lay them.
    """

    to: str
    cards: str | None = None


class RevealAll(PersonInput, frozen=True, tag="reveal_all"):
    """Every place that is due was turned, in the order of the rules, as far as the cards were read."""


class DealCorrected(PersonInput, frozen=True, tag="deal_corrected"):
    """An error in the deal was put right at once (Fortune 8, 5.º). Answers ``<round>/report``."""

    what: Literal["place", "order", "number"]
    to: str


class CutCard(PersonInput, frozen=True, tag="cut_card"):
    """The cut card came out of the shoe, and the station did not hear of it. Answers ``<round>/report``."""


class ApproveChanges(PersonInput, frozen=True, tag="approve_changes"):
    """A supervisor approves changes that wait, by their numbers, in the order they were entered. Answers ``changes``.

    `second` is another person, who co-signs it; empty where none of them takes two persons.
    """

    changes: tuple[int, ...]
    reason: str
    second: str = ""


class RejectChanges(PersonInput, frozen=True, tag="reject_changes"):
    """A supervisor rejects changes that wait, with a reason, or the person who entered them withdraws them.

    Answers ``changes``.
    """

    changes: tuple[int, ...]
    reason: str = ""


class AdjustRound(PersonInput, frozen=True, tag="adjust_round"):
    """What a supervisor paid or took after a round was confirmed, documented. Answers ``adjustment``.

    `second` is another person, who co-signs it.
    """

    round: int
    seat: int
    amount: int
    reason: str
    second: str


class AdjustMeter(PersonInput, frozen=True, tag="adjust_meter"):
    """What a supervisor puts onto a part of the meter or takes off it, documented. Answers ``adjustment``.

    `second` is another person, who co-signs it.
    """

    part: Literal["pot", "reserve", "overflow"]
    amount: int
    reason: str
    second: str


class ReleaseKey(PersonInput, frozen=True, tag="release_key"):
    """A supervisor releases the key of a round's cards, so that those no rule showed can be read. Answers ``key``.

    `second` is another person, who co-signs it.
    """

    round: int
    reason: str
    second: str


class BeginEpoch(PersonInput, frozen=True, tag="begin_epoch"):
    """A supervisor lets the journal go on though the floor has heard more of it, under another name. Answers ``epoch``.

    `second` is another person, who co-signs it.
    """

    reason: str
    second: str


class Vouch(PersonInput, frozen=True, tag="vouch"):
    """A supervisor says of an entry that the pit of a linked pot holds back that it counts, or never was.

    `entry` is its number in `journal`, which may be an earlier one of this table. `second` is another person, who
    co-signs it. Answers ``vouch``.
    """

    journal: str
    entry: int
    outcome: VouchOutcome
    reason: str
    second: str


class SettleOnPaper(PersonInput, frozen=True, tag="settle_on_paper"):
    """A supervisor enters what was settled on paper of a linked pot whose pit is away, at the step `grant`.

    `pot` is what it was computed from, `amounts` what each of the jackpot's `claimed` wins of it, in their order; minor
    units. `second` is another person, who co-signs it.
    """

    pot: int
    amounts: tuple[int, ...]
    reason: str
    second: str


class CompareGrant(PersonInput, frozen=True, tag="compare_grant"):
    """A supervisor enters what the page of the pit shows for a claim whose grant is doubted.

    `amount` is all that it granted for the claim, in minor units. `second` is another person, who co-signs it. Answers
    ``compare``.
    """

    claim: str
    amount: int
    reason: str
    second: str


class AcceptPit(PersonInput, frozen=True, tag="accept_pit"):
    """A supervisor accepts the keys of the pit that the configuration has, and what was learnt of it is forgotten.

    `keys` are those on the screen. `second` is another person, who co-signs it. Answers ``pit``.
    """

    keys: tuple[str, ...]
    reason: str
    second: str


class Complain(PersonInput, frozen=True, tag="complaint"):
    """A player complains of a round whose cards lie there still (black-jack 62). Answers ``complaint``.

    `by` is who complains, where a name is given.
    """

    round: int
    seat: int
    what: str
    by: str = ""


class DecideComplaint(PersonInput, frozen=True, tag="decide_complaint"):
    """A supervisor decides a complaint: what was settled stands, or was corrected or adjusted since.

    Answers ``complaint/<number>``.
    """

    complaint: int
    outcome: ComplaintOutcome
    reason: str


class Confirm(PersonInput, frozen=True, tag="confirm"):
    """Paid and collected."""


class CloseClaims(PersonInput, frozen=True, tag="close_claims"):
    """The cards of the round are cleared away."""


class ConfirmHit(PersonInput, frozen=True, tag="confirm_hit"):
    """One of the two persons confirms the payment of a jackpot hit."""

    hit: int


class WitnessCards(PersonInput, frozen=True, tag="witness_cards"):
    """A supervisor records that the winning cards of these hits of the round, which are not paid, were seen.

    `second` is another person, who saw them too and co-signs it.
    """

    hits: tuple[int, ...]
    second: str


class PrintSlip(PersonInput, frozen=True, tag="print_slip"):
    """A payment slip is printed, once more if it was before. Answers ``slip/<number>``."""

    slip: int


class ApproveParameters(PersonInput, frozen=True, tag="approve_parameters"):
    """One of the two persons approves the change of the jackpot's parameters. Answers ``parameters/<number>``."""

    number: int


Report = (
    Exposed | Misdealt | ToEmptySeat | ShufflerFailed | DealCorrected | CutCard | UnaskedCard | TilesMoved | VoidRound
)
CoSigned = (
    AdjustRound
    | AdjustMeter
    | ReleaseKey
    | BeginEpoch
    | Vouch
    | SettleOnPaper
    | CompareGrant
    | AcceptPit
    | WitnessCards
)
FromPerson = (
    OpenTable
    | CloseTable
    | BeginRound
    | NoBets
    | ActsDone
    | UseSource
    | ShufflerReplaced
    | Shuffled
    | Cut
    | PassCut
    | PlaceWarningCard
    | DeckComplete
    | PlaceWager
    | TakeBank
    | PassBank
    | AnnounceForm
    | Dice
    | DiceNull
    | TilesDealt
    | Arranged
    | LockIn
    | Announce
    | GiveUp
    | EvenMoney
    | Insure
    | Follow
    | Nobody
    | EnterIncrement
    | Loaded
    | Extracted
    | HoldCards
    | DamagedCard
    | CardReplaced
    | SetAside
    | InspectionTold
    | Acknowledge
    | UnheardCard
    | CardsCounted
    | Decide
    | Reveal
    | RevealAll
    | Confirm
    | CloseClaims
    | ConfirmHit
    | PrintSlip
    | ApproveParameters
    | Complain
    | DecideComplaint
    | ApproveChanges
    | RejectChanges
    | Report
    | Correction
    | CoSigned
)


Input = FromPerson | FromDevice
