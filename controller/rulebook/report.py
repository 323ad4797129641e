"""The report of a settled round, in one form for every game: console, floor and statistics use it unchanged.

Seats are in ascending order, and money is in minor units. No I/O here.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from controller.rulebook.five_card import FiveCardName
from controller.rulebook.house import Pays
from controller.rulebook.jackpot_award import SettledJackpot
from controller.rulebook.three_card import ThreeCardName
from controller.rulebook.units import Minor

Outcome = Literal["win", "lose", "push", "void"]
IrregularityKind = Literal[
    "exposed", "error_corrected", "keyed_in", "empty_seat", "early_card", "unasked_card", "bank_card_too_many"
]  # fmt: skip
Cards = tuple[str, ...]


class PlacedBet(Struct, frozen=True):
    """The bets on one betting space, or those of one player there; `player` is null if no one was named."""

    seat: int
    wager: str
    player: str | None
    amount: Minor


class OpenCards(Struct, frozen=True, kw_only=True):
    """Cards that was open at a place: ``bank``, ``community`` or ``seat 3``. `hand` counts the hands of a seat from 1.

    Those of Taiwan-Pai Kao are tiles, the front pair before the rear pair, as they were placed.
    """

    to: str
    hand: int | UnsetType = UNSET
    cards: Cards


class Answered(Struct, frozen=True):
    """The answer of a seat; `hand` counts its hands from 1, and is null if it has only one."""

    seat: int
    hand: int | None
    decision: str


class LineResult(Struct, frozen=True, kw_only=True):
    """The result of one wager: `net` is the change in the player's money, `commission` is the part that the house
    takes.

    `odds` is text such as "5:1" on a line won at a fixed ratio. `combination` is on the lines that have one, null if
    lost; `chip_carried` only on the jackpot line of a void round.
    """

    wager: str
    hand: int | UnsetType = UNSET
    player: str | None
    stake: Minor
    outcome: Outcome
    odds: str | None
    net: Minor
    commission: Minor
    combination: FiveCardName | UnsetType | None = UNSET
    chip_carried: bool | UnsetType = UNSET
    article: str


class PairResult(Struct, frozen=True):
    """A pair of tiles, the higher first, with its name and its rank from 1 to 118.

    `title` is its name in Table II, null if the table prints none.
    """

    cards: Cards
    name: str
    rank: int
    title: str | None


class PairsShown(Struct, frozen=True):
    """The pairs of a place that was shown, corrected if they were `rearranged`."""

    front: PairResult
    rear: PairResult
    rearranged: bool


class SeatResult(Struct, frozen=True, kw_only=True):
    """The result of one seat: `net` is the sum of its lines, at black-jack without those of other players at the seat.

    At Taiwan-Pai Kao the banker's seat has no lines: its net is the bank's result. `hand_name` is the rank at poker,
    null for a hand never shown. At Taiwan-Pai Kao `outcome` is the place's against the banker, and `rearranged` says
    that the dealer corrected its pairs. Keys that a game does not have are left out.
    """

    seat: int
    net: Minor
    lines: tuple[LineResult, ...]
    hand_name: ThreeCardName | UnsetType | None = UNSET
    outcome: Outcome | UnsetType = UNSET
    front: PairResult | UnsetType = UNSET
    rear: PairResult | UnsetType = UNSET
    rearranged: bool | UnsetType = UNSET


class CasinoResult(Struct, frozen=True):
    """The casino's part in a player's bank, and its win or loss with it, null before that is known."""

    share: Minor
    net: Minor | None = None
    article: str | None = None


class BankResult(Struct, frozen=True, kw_only=True):
    """The bank: at poker its hand and whether it plays, at black-jack its total, at Taiwan-Pai Kao who holds it.

    Null if there was no result. `net` is the banker's own after commission, `turn_rounds` the number of rounds in this
    turn as banker, `limited` whether the capital cut a wager, `joiners` who joined the banker.
    """

    hand_name: ThreeCardName | UnsetType | None = UNSET
    qualifies: bool | UnsetType | None = UNSET
    total: int | UnsetType | None = UNSET
    black_jack: bool | UnsetType | None = UNSET
    seat: int | UnsetType = UNSET
    capital: Minor | UnsetType = UNSET
    casino: CasinoResult | UnsetType | None = UNSET
    turn_rounds: int | UnsetType = UNSET
    net: Minor | UnsetType = UNSET
    limited: bool | UnsetType = UNSET
    joiners: tuple[LineResult, ...] | UnsetType = UNSET


class RoundResult(Struct, frozen=True, kw_only=True):
    """The outcome of a round of any game; seats ascending. `bank` is null if the game has none.

    `jackpot` is present if one is offered; `first_place` and `settling_order` only at Taiwan-Pai Kao.
    """

    game: str
    outcome: Literal["settled", "void"]
    bank: BankResult | None
    seats: tuple[SeatResult, ...]
    jackpot: SettledJackpot | UnsetType = UNSET
    first_place: int | UnsetType = UNSET
    settling_order: tuple[int, ...] | UnsetType = UNSET


class Correction(Struct, frozen=True, kw_only=True):
    """A wrong entry that was replaced: the amount of a wager, or else the words `before` and `after`.

    `change` is its number where it waited to be approved. `after_result`: it came after the moment from which it is
    informed, and `approved_by` are the persons who approved it. `net_before` and `net_after` are the sum that all
    players win, and `net_difference` is the difference; null while nothing is settled.
    """

    what: Literal["wager", "seat", "decision", "cards", "dice"]
    at: str
    before: str | None
    after: str | None
    amount_before: Minor | None
    amount_after: Minor | None
    actor: str
    reason: str
    wager: str | None
    player: str | None
    asked_again: int
    change: int | None
    after_result: bool
    approved_by: tuple[str, ...]
    net_before: Minor | None
    net_after: Minor | None
    net_difference: Minor | None


class AuthorisedBet(Struct, frozen=True):
    """A bet that the regulation does not have, with the reference and date of its authorisation."""

    name: str
    pays: tuple[Pays, ...]
    reference: str
    date: str


class Holder(Struct, frozen=True):
    """The player who may hold the tiles of a place; null if no one has bet."""

    seat: int
    player: str | None


class TilesReport(Struct, frozen=True, kw_only=True):
    """The additional keys of Taiwan-Pai Kao: `form` is how the tiles are distributed, null until announced."""

    place_count: int | None
    form: str | None
    dice: tuple[int, ...] | None
    null_dice: int
    moved: tuple[str, ...]
    holders: tuple[Holder, ...]


class Irregularity(Struct, frozen=True, omit_defaults=True):
    """An irregularity that did not void the round: `to` is its place, `count` the number of cards seen there."""

    kind: IrregularityKind
    to: str
    article: str
    count: int | None = None
    what: str | None = None


class RoundReport(RoundResult, frozen=True, kw_only=True):
    """A settled round of any game: its result, and what was placed, shown, decided and corrected before it.

    `act` is the number of the act by whose version of the regulation it was decided, empty where that has no dates.
    `rules` are the readings that the house chose instead of those decided. Why a round is void is in `Round.void`.
    """

    round: int
    act: str
    rules: tuple[str, ...]
    source: str
    decks: int
    deal: str | None
    wagers: tuple[PlacedBet, ...]
    shown_cards: tuple[OpenCards, ...]
    decisions: tuple[Answered, ...]
    added_bets: tuple[AuthorisedBet, ...]
    irregularities: tuple[Irregularity, ...]
    corrections: tuple[Correction, ...]
    tiles: TilesReport | UnsetType = UNSET
