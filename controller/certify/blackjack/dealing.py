"""The cards of a simulated table: from an endless deck, a continuous shuffler or a shoe. No I/O here."""

from random import Random
from typing import Literal, Protocol

from msgspec import Struct

from controller.rulebook.blackjack_21.paytable import DECKS
from controller.rulebook.cards import DECK, Card

BEHIND_THE_WARNING_CARD = 50  # rule 9: it is near the 50th card from the end, in the middle for one player

_Source = Literal["endless", "shuffler", "shoe"]


class SimulatedSeats(Struct, frozen=True, kw_only=True):
    """A table to simulate: how many seats play, and where its cards come from.

    `endless` draws every card from a whole deck and has no number of decks, `shuffler` has all decks before every
    round, `shoe` is dealt to its warning card (8 to 11).
    """

    source: _Source
    seats: int = 1
    decks: int | None = None

    @property
    def name(self) -> str:
        """``shoe of 6 decks, 7 seats``."""
        where = "endless deck" if self.decks is None else f"{self.source} of {self.decks} decks"
        return f"{where}, {self.seats} seat{'s' if self.seats > 1 else ''}"


class DealtCards(Protocol):
    """Cards for one round after the other, each an index into DECK; `drawn` has those of the round so far."""

    drawn: list[int]

    def begin_round(self) -> bool:
        """Begin a round; returns whether the cards were shuffled, so that earlier draws do not affect it."""

    def draw(self) -> int:
        """The next card; IndexError where there is none left."""


def dealing_for(table: SimulatedSeats, random: Random) -> DealtCards:
    """The cards of a simulated table; raises ValueError for a number of decks that it cannot have."""
    if table.source == "endless":
        if table.decks is not None:
            raise ValueError(f"an endless deck has no number of decks, not {table.decks}")
        return EndlessDeck(random)
    if table.decks not in DECKS:
        raise ValueError(f"a {table.source} has {' or '.join(map(str, DECKS))} decks, not {table.decks}")
    if table.source == "shuffler":
        return ContinuousShuffler(random, table.decks)
    return DealtShoe(random, table.decks, table.seats)


def cards_of(drawn: list[int]) -> tuple[Card, ...]:
    """The cards that the indexes stand for."""
    return tuple(DECK[card] for card in drawn)


class EndlessDeck:
    """Every card comes from a whole deck."""

    def __init__(self, random: Random) -> None:
        self.drawn: list[int] = []
        self._random = random.random

    def begin_round(self) -> bool:
        self.drawn.clear()
        return True

    def draw(self) -> int:
        card = int(self._random() * 52)
        self.drawn.append(card)
        return card


class ContinuousShuffler:
    """A continuous shuffler: the cards of a round are back before the next (56 to 59)."""

    def __init__(self, random: Random, decks: int) -> None:
        self.drawn: list[int] = []
        self._random = random.random
        self._cards = list(range(len(DECK))) * decks
        self._left = len(self._cards)

    def begin_round(self) -> bool:
        self.drawn.clear()
        self._left = len(self._cards)
        return True

    def draw(self) -> int:
        # What has been drawn is behind what is left; any order of what is left is as good as another.
        left, cards = self._left, self._cards
        if not left:
            raise IndexError("the shuffler is empty")
        at = int(self._random() * left)
        self._left = left = left - 1
        card = cards[at]
        cards[at] = cards[left]
        cards[left] = card
        self.drawn.append(card)
        return card


class DealtShoe:
    """A shoe: one card burned (10), dealt until the warning card has come, that round played out (11)."""

    def __init__(self, random: Random, decks: int, seats: int) -> None:
        self.drawn: list[int] = []
        self._shuffle = random.shuffle
        self._cards = list(range(len(DECK))) * decks
        behind = len(self._cards) // 2 if seats == 1 else BEHIND_THE_WARNING_CARD
        self._before_warning = len(self._cards) - behind
        self._out = len(self._cards)

    def begin_round(self) -> bool:
        self.drawn.clear()
        if self._out <= self._before_warning:
            return False
        self._shuffle(self._cards)
        self._out = 1
        return True

    def draw(self) -> int:
        card = self._cards[self._out]
        self._out += 1
        self.drawn.append(card)
        return card
