"""A round of black-jack/21 so far: bets, cards in the order drawn, answers. No I/O here."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from controller.rulebook.blackjack_21.bets import SeatBet
from controller.rulebook.blackjack_21.points import MOST_POINTS, is_ace, is_black_jack, is_special, total_of
from controller.rulebook.cards import Card
from controller.rulebook.steps import seat_place

Decision = Literal["hit", "stand", "double", "split"]
DECISIONS: tuple[Decision, ...] = ("hit", "stand", "double", "split")
Raise = Literal["double", "split"]

BANK_PLACE = "bank"


class Decided(Struct, frozen=True, tag=True):
    """The wish of a hand's player: `hit`, `remain`, `double` or `split` (18, 26, 29)."""

    decision: str


class GaveUp(Struct, frozen=True, tag=True):
    """Whether a seat gives up half its bet (36)."""

    yes: bool


class TookEvenMoney(Struct, frozen=True, tag=True):
    """Whether a black-jack takes the value of its bet before the bank's second card is known (34)."""

    yes: bool


class Insured(Struct, frozen=True, tag=True):
    """The insured amounts, minor units, 0 for none: the seat's own, then each backer's in the order placed (33)."""

    amounts: tuple[int, ...]


class Followed(Struct, frozen=True, tag=True):
    """Whether each of the backers asked follows a double or a split, in the order asked (28, 30)."""

    who: tuple[bool, ...]


PlayerAnswer = Decided | GaveUp | TookEvenMoney | Insured | Followed


class GivenAnswer(Struct, frozen=True):
    """An answer and its hand; `hand` counts from 1, None if the whole seat was asked."""

    seat: int
    hand: int | None
    answer: PlayerAnswer


class Drawn(Struct, frozen=True):
    """A card as it left the shoe: `seat 3` with the hand it was at then, or `bank`; None is a value not known."""

    place: str
    hand: int | None
    card: Card | None


class Hand(Struct, frozen=True, kw_only=True):
    """One hand of a seat.

    `times` is how many times the original bet each player has on it, in the order of SeatBet.stakes: 0 is not on this
    hand, 2 is doubled. `raising` is a double or split whose backers have not all been asked yet. `card_due`: it asked
    for a card, or is half of a split pair and gets its second card automatically.
    """

    times: tuple[int, ...]
    cards: tuple[Card, ...] = ()
    split: bool = False
    doubled: bool = False
    stood: bool = False
    card_due: bool = False
    raising: Raise | None = None

    @property
    def total(self) -> int:
        """The hand's points; an ace counted as 1 for a double stays 1 (32)."""
        return total_of(self.cards, low=2 if self.doubled else 0)

    @property
    def black_jack(self) -> bool:
        """Whether the hand is a black-jack; after a split it would be a 21 (20)."""
        return not self.split and is_black_jack(self.cards)

    @property
    def lost(self) -> bool:
        """Whether the hand passed 21 (22)."""
        return self.total > MOST_POINTS

    @property
    def split_ace(self) -> bool:
        """Whether the hand began with an ace of a split pair (26)."""
        return self.split and is_ace(self.cards[0])

    @property
    def special(self) -> bool:
        """Whether the hand's three cards win the special prize (35)."""
        return is_special(self.cards)


class Seat(Struct, frozen=True, kw_only=True):
    """A seat in play: its bets, its hands in the order played, and its answers; None for a question that was not
    asked yet.
    """

    placed: SeatBet
    hands: tuple[Hand, ...]
    gives_up: bool | None = None
    even_money: bool | None = None
    insurance: tuple[int, ...] | None = None

    @property
    def place(self) -> str:
        """The name of the place, ``seat 3``."""
        return seat_place(self.placed.seat)

    @property
    def insured(self) -> bool:
        """Whether anyone insured here (33)."""
        return any(self.insurance or ())


class RoundState(Struct, frozen=True, kw_only=True, dict=True):
    """One round so far; the seats ascend.

    `bank` has its cards in the order drawn; the second is face down until `turned`, and is None until it is known.
    `rules` are the keys of the readings that the house chose.
    """

    seats: tuple[Seat, ...] = ()
    bank: tuple[Card | None, ...] = ()
    turned: bool = False
    drawn: tuple[Drawn, ...] = ()
    answered: tuple[GivenAnswer, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def bank_shown(self) -> tuple[Card, ...]:
        """The bank's cards that are face up."""
        return tuple(card for card in (self.bank if self.turned else self.bank[:1]) if card is not None)

    @property
    def bank_shows_ace(self) -> bool:
        """Whether the bank's open card is an ace (33, 34, 36)."""
        return bool(self.bank_shown) and is_ace(self.bank_shown[0])

    def cards_of(self, seat: int) -> tuple[Card, ...]:
        """Every card dealt to a seat, in the order drawn, over all its hands (42)."""
        place = seat_place(seat)
        return tuple(drawn.card for drawn in self.drawn if drawn.place == place and drawn.card is not None)


def fresh_seat(seat_bet: SeatBet) -> Seat:
    """A seat before its first card: one hand, on which everybody has his bet once."""
    return Seat(placed=seat_bet, hands=(Hand(times=(1,) * len(seat_bet.stakes)),))


def replaced(hands: Sequence[Hand], index: int, *by: Hand) -> tuple[Hand, ...]:
    """The hands with one of them replaced, by two if it was split."""
    return (*hands[:index], *by, *hands[index + 1 :])
