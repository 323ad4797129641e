"""What happens in a round, in the past tense. An event has happened and cannot be refused. No I/O here.

Cards dealt face down are here by draw number alone; their values are in the vault until a rule shows them.
"""

import re
from typing import Literal

import msgspec

from controller.rulebook.cards import Card
from controller.rulebook.house import House
from controller.rulebook.reading import Limits
from controller.rulebook.refusal import Reason, Value
from controller.rulebook.settlement import Settlement
from controller.rulebook.units import Minor

CardSource = Literal["shuffler", "shoe"]
Deal = Literal["every_space", "spaces_with_bets", "eight_places", "four_places"]
WarningPlace = Literal["end", "middle"]
UNCOUNTED = "uncounted"  # the place of cards that no place of the deal can be named for


def snake_case(name: str) -> str:
    """The tag of a class.

    >>> snake_case("RoundBegun")
    'round_begun'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Terms(msgspec.Struct, frozen=True):
    """The terms of one round; they never change during it. Money in minor units.

    `additional` names the additional bets offered; `packet_sizes` what the shuffler can dispense at once; `chip` is the
    value of a jackpot chip, 0 where no jackpot is offered. `shared`: several players may bet in one box. `deal` applies
    if a card comes before the dealer has announced a deal (Fortune 8, 4.º 6). `manual`: the dealer marks the chips and
    enters the increment (black-jack 41 b)). `reader`: what leaves the shoe is read; otherwise the dealer reports that
    all tiles are there (Taiwan-Pai Kao). `rules` are the keys of the readings that the house chose instead of those
    decided (`Game.other_readings`). `house` has its own decisions and the authorisations. `act` is the version that
    decides the round, by the number of its act (`RegulationVersion.key`): empty in terms of no round yet, and where the
    regulation has no dates. It is that of the day in `time_zone`, the table's by its IANA name; empty for that of the
    regulation's jurisdiction.
    """

    game: str
    seat_count: int
    source: CardSource
    minimum: Minor
    maximum: Minor
    additional: tuple[str, ...] = ()
    packet_sizes: tuple[int, ...] = (3,)
    chip: Minor = 0
    decks: int = 1
    shared: bool = False
    deal: Deal = "every_space"
    manual: bool = False
    reader: bool = True
    rules: tuple[str, ...] = ()
    house: House = House()
    act: str = ""
    time_zone: str = ""

    def reads_otherwise(self, key: str) -> bool:
        """Whether the house chose the other reading of this key."""
        return key in self.rules

    def limits_of(self, wager: str) -> Limits:
        """The minimum and maximum of a wager: its own posted limits, else the table's.

        >>> Terms("fortune-8", 7, "shoe", minimum=1000, maximum=100_000).limits_of("low")
        Limits(min=1000, max=100000)
        """
        return self.house.limits.get(wager) or Limits(self.minimum, self.maximum)


class EventBase(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """Something that has happened. Its type is its name: ``round_begun``."""


class PlayEvent(EventBase, frozen=True):
    """An event of one kind of play only; it is defined by its game, and the shared round only passes it on."""


class BankLeft(msgspec.Struct, frozen=True, tag_field="type", tag="bank"):
    """The bank that the last settled round left: its place, the rounds of its turn, its capital; minor units.

    `net` is that of its player. `betting_seats` are the places that bet, its own among them. `used` are
    the sixteen tiles that are open after the first round with four places: the other sixteen serve the next (2.º d)).
    """

    seat: int
    turn_rounds: int
    capital: Minor
    net: Minor
    betting_seats: tuple[int, ...]
    used: tuple[Card, ...] = ()

    @property
    def others(self) -> tuple[int, ...]:
        """The other places with players, all of which must agree to a turn of more than two rounds (5.º a))."""
        return tuple(place for place in self.betting_seats if place != self.seat)


class CutLeft(msgspec.Struct, frozen=True, tag_field="type", tag="cut"):
    """The seat that cut the last shoe, 0 where none did: the next one is cut by a seat after it (black-jack 8).

    At `seats_betting` there were bets: with one alone, the warning card goes near the middle (9).
    """

    seat: int
    seats_betting: int


Left = BankLeft | CutLeft
"""The facts that a round leaves to the next one; only its game reads them."""


class RoundBegun(EventBase, frozen=True):
    """A round has its number, which is never used again, void rounds included.

    `carried` are the seats whose jackpot chip came over from a void round (17.º 3); `ready`: the cards are in the shoe
    from the round before, or the tiles beside those of that round. `left` is what this round takes over from the round
    before.
    """

    round: int
    terms: Terms
    orders_from: int  # the shuffler's orders of this round are numbered from the next one on
    carried: tuple[int, ...] = ()
    ready: bool = False
    left: Left | None = None


class SourceChosen(EventBase, frozen=True):
    """From here on the cards come from the shoe (shuffled by hand, 9.º 2) or from the shuffler (9.º 3)."""

    source: CardSource
    actor: str


class DeckFaulted(EventBase, frozen=True):
    """The deck is not complete: the number of cards found, and the least number of missing or duplicated ones. The
    report does not name the wrong card.
    """

    found: int
    missing: int
    duplicated: int


class DeckRestored(EventBase, frozen=True):
    """The dealer has made the deck whole: it is shuffled again."""

    actor: str


class CardsShuffled(EventBase, frozen=True):
    """The deck is shuffled and ready; `count` is the number of cards, null if a person shuffled and no one counted."""

    count: int | None


class ShuffleLost(EventBase, frozen=True):
    """The shuffler was restarted or replaced and does not know the deck's order: it shuffles again before the deal."""


class DeckCut(EventBase, frozen=True):
    """The deck was cut with the cut card, by the bank or a player (``seat 3``), and is in the shoe (9.º 2).

    At black-jack ``bank`` is the table inspector, by `name` if the configuration has any, and the cards go into the
    shoe with the warning card (8, 9).
    """

    by: str
    name: str | None = None


class CutPassed(EventBase, frozen=True):
    """The seat whose turn it is does not cut: its player does not want to, or no one sits there (black-jack 8)."""

    seat: int
    vacant: bool
    actor: str


class WarningCardPlaced(EventBase, frozen=True):
    """The warning card was put before the last `behind` cards, and the cards into the shoe (black-jack 9)."""

    place: WarningPlace
    behind: int
    actor: str


class WagerPlaced(EventBase, frozen=True):
    """The present wager on a betting space, in minor units; 0 means that it was taken back.

    Where several players may bet in one box it is this player's part.
    """

    seat: int
    wager: str
    amount: Minor
    player: str | None = None


class BettingClosed(EventBase, frozen=True):
    """No bet counts from here on (10.º 3).

    `chips` are the seats whose chips count, `carried` of them without a new contribution (17.º 3); `returned` have no
    basic bet beside them, and `carried_back` are carried chips without one (4.º 3). Where chips are marked by hand,
    `marked` says whose they are at each seat, as entered (black-jack 41 b), 47); null where they belong to the deciding
    player.
    """

    chips: tuple[int, ...]
    returned: tuple[int, ...]
    carried: tuple[int, ...] = ()
    carried_back: tuple[int, ...] = ()
    marked: dict[int, tuple[str, ...]] | None = None

    @property
    def counted(self) -> tuple[tuple[int, str], ...]:
        """Every chip that counts: its seat, and the name it was marked with, if it has one."""
        marked = self.marked or {}
        return tuple((seat, name) for seat in self.chips for name in marked.get(seat, ("",)))


class DealAnnounced(EventBase, frozen=True):
    """The dealer has reported which spaces get a card (Fortune 8, 4.º 6), or how many places do (Taiwan-Pai Kao, 2.º
    d)).

    `actor` null: a card came before he did.
    """

    deal: Deal
    actor: str | None


class CardCameEarly(EventBase, frozen=True):
    """The next card left its source face up before it was called: it is valid (Fortune 8, 3.º)."""


class CardsDealt(EventBase, frozen=True):
    """Cards left the shoe or shuffler: draw numbers of the round and the place of each.

    `unread` are the draws whose value no one knows; `unreported` cards are known from the dealer alone. A card received
    while the dealer counts, or in a packet of a wrong number, is ``uncounted``.
    """

    draws: tuple[int, ...]
    places: tuple[str, ...]
    order: int | None = None
    unread: tuple[int, ...] = ()
    unreported: bool = False


GapCause = Literal["reports_lost", "restarted", "error"]
"""The reason why cards may have left the shoe without a report: reports were lost, or the shoe was restarted or in
error.
"""


class CountAsked(EventBase, frozen=True):
    """Cards may have left the shoe without a report, at most `lost` (null: any number): the dealer counts them."""

    gap_cause: GapCause
    lost: int | None


class UnreportedMatched(EventBase, frozen=True):
    """Missing reports were those of cards that the dealer had reported: no count is needed."""

    count: int


class CountDoubted(EventBase, frozen=True):
    """The dealer's count does not agree with the reports received: the cards are counted again."""

    count: int
    actor: str


class CardsCounted(EventBase, frozen=True):
    """The number of cards dealt in this round; `unread` are the draw numbers of cards that were not received."""

    count: int
    unread: tuple[int, ...]
    actor: str


class CardBurned(EventBase, frozen=True):
    """The first card of a shoe went to the discard rack, seen by no one (black-jack 10)."""

    draw: int


class IncrementEntered(EventBase, frozen=True):
    """The increment that the dealer entered on the display for this round's chips, minor units (41 b))."""

    amount: Minor
    actor: str


class CardsExposed(EventBase, frozen=True):
    """Cards of a place were seen while they were dealt (17.º 1 2), 3), 17.º 4 1))."""

    to: str
    count: int


class CardsSetAside(EventBase, frozen=True):
    """Exposed cards of a place are set aside, face up, and the place gets the next ones (2008: 11.º 2))."""

    to: str
    draws: tuple[int, ...]


class ErrorCorrected(EventBase, frozen=True):
    """An error in the deal was corrected at once (Fortune 8, 5.º); the cards are now in the right places."""

    what: Literal["place", "order", "number"]
    to: str
    actor: str


class CardsNulled(EventBase, frozen=True):
    """Cards went to a seat without a bet: they are null (17.º 4 2), 5), and the next ones take their place."""

    draws: tuple[int, ...]
    seat: int


class DecisionMade(EventBase, frozen=True):
    """A player continues (``play``, with a bet equal to the ante) or gives the ante up (``fold``), 12.º 2."""

    seat: int
    hand: int
    decision: str


class CardsShown(EventBase, frozen=True):
    """The cards of one place were turned and their values are public. With `keyed_in` the dealer keyed some in.

    If cards are shown one by one, `draws` has their numbers in the round.
    """

    to: str
    cards: tuple[Card, ...]
    keyed_in: bool = False
    draws: tuple[int, ...] = ()


class NetChange(msgspec.Struct, frozen=True, kw_only=True):
    """What all players against the bank win together, before a change and after it; minor units. Null before a
    settlement.

    Null while nothing is settled.
    """

    net_before: Minor | None = None
    net_after: Minor | None = None

    @property
    def net_difference(self) -> int | None:
        """The additional win of the players through the change, minor units."""
        if self.net_before is None or self.net_after is None:
            return None
        return self.net_after - self.net_before


class Change(NetChange, frozen=True, kw_only=True):
    """A correction or void of something entered in a round: its effect, and who is responsible for it.

    `change` is its number in the round where it waited to be approved. `after_result`: it came after the moment from
    which it is informed, and `approved_by` are the supervisor and, where it takes two persons, the second.
    """

    change: int | None = None
    after_result: bool = False
    approved_by: tuple[str, ...] = ()


class InputCorrected(Change, EventBase, frozen=True):
    """A wrong entry is replaced, and the round is computed again; both versions stay in the record.

    `at` is a place, ``seat 3``; `wager` names the bet of a corrected amount, `player` whose it is where several share
    the box. Amounts in minor units, cards as text. `asked_again` is how many later answers are discarded with a
    replaced one. `reason` is empty where none was given, before the moment from which it is informed.
    """

    what: Literal["wager", "seat", "decision", "cards", "dice"]
    at: str
    before: int | str
    after: int | str
    actor: str
    reason: str
    wager: str | None = None
    player: str | None = None
    draws: tuple[int, ...] = ()
    asked_again: int = 0


class SettlementWithdrawn(EventBase, frozen=True):
    """The settlement so far is withdrawn; the round is settled again when everything needed is entered."""


class RoundSettled(EventBase, frozen=True):
    """Every wager of the round has its outcome."""

    settlement: Settlement


class RoundVoided(Change, EventBase, frozen=True):
    """The round does not count and the wagers are taken back. `article` is an article or a named policy.

    `code` is the reason, with its `values`. `carried` are the seats whose jackpot chip continues to the next
    round instead (17.º 3), `decided` those whose chip has won or lost already (black-jack 43). `actor` is who
    reported it, null where no person did.
    """

    article: str
    code: str
    values: dict[str, Value]
    carried: tuple[int, ...] = ()
    decided: tuple[int, ...] = ()
    actor: str | None = None

    @property
    def why(self) -> Reason:
        """The reason, with the values of its sentence."""
        return Reason(self.code, self.values)


class RoundConfirmed(EventBase, frozen=True):
    """The dealer has paid and collected; after this only a documented adjustment changes the round."""

    actor: str


class CardsInserted(EventBase, frozen=True):
    """Some of the round's cards were put into the shuffler."""

    count: int


class CardsPending(EventBase, frozen=True):
    """The shuffler's lid stayed closed: the round's cards wait with those of the next one (black-jack 61)."""

    count: int
    actor: str


class ClaimsClosed(EventBase, frozen=True):
    """The cards of the round, and of its `pending_rounds`, are cleared away and cannot be spread out again."""

    count: int | None
    pending_rounds: tuple[int, ...] = ()


SharedEvent = (
    DeckFaulted
    | DeckRestored
    | CardsShuffled
    | ShuffleLost
    | DeckCut
    | CutPassed
    | WarningCardPlaced
    | WagerPlaced
    | BettingClosed
    | DealAnnounced
    | CardCameEarly
    | CardsDealt
    | CountAsked
    | UnreportedMatched
    | CountDoubted
    | CardsCounted
    | CardBurned
    | IncrementEntered
    | CardsExposed
    | CardsSetAside
    | ErrorCorrected
    | CardsNulled
    | DecisionMade
    | CardsShown
    | InputCorrected
    | SettlementWithdrawn
    | RoundSettled
    | RoundVoided
    | RoundConfirmed
    | CardsInserted
    | CardsPending
    | ClaimsClosed
)
