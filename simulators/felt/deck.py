"""The physical cards or tiles: the place of each, their faults, and their orders."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from simulators.felt.cards import FULL_DECK, Card, card_from_text
from simulators.felt.tiles import TILE_SET, Tile, tile_from_text

SHOE = "shoe"  # the place from which a shoe, or a reader over the stack, gives what is on top

P = TypeVar("P", bound=Card | Tile)


class CardsLost(AssertionError):
    """The deck is not as it should be: a fault of the bench itself."""


@dataclass(frozen=True, slots=True)
class Material(Generic[P]):
    """The pieces of a game: every one of them, their common name, and the text of one."""

    pieces: tuple[P, ...]
    called: str
    read: Callable[[str], P]


TILES = Material(TILE_SET, "tiles", tile_from_text)


def card_material(decks: int = 1) -> Material[Card]:
    """A number of decks of cards."""
    return Material(FULL_DECK * decks, "cards", card_from_text)


class Pieces(Generic[P]):
    """Cards or tiles in named places, the top one first; every move is checked to lose none. Copies cannot be
    distinguished.
    """

    def __init__(self, place: str, material: Material[P]) -> None:
        self.places: dict[str, list[P]] = {place: list(material.pieces)}
        self._called = material.called
        self._whole = Counter(material.pieces)
        self._alike = self._whole.total() > len(self._whole)
        self._missing: list[P] = []
        self._doubles: dict[P, P] = {}  # one of which one is gone, and what is there for it
        self._random = random.Random("deck faults")

    @property
    def size(self) -> int:
        """The total number of pieces."""
        return self._whole.total()

    @property
    def faulty(self) -> bool:
        """Whether a card is missing or doubled."""
        return bool(self._missing or self._doubles)

    def at(self, place: str) -> list[P]:
        """The cards at `place`, top or first card first."""
        return list(self.places.get(place, ()))

    def count(self, *places: str) -> int:
        """How many cards are at these places together."""
        return sum(len(self.places.get(place, ())) for place in places)

    def move_top(self, source: str, target: str, count: int = 1) -> list[P]:
        """Take `count` cards from the top of `source` and place them, one after the other, at `target`."""
        pile = self.places.get(source, [])
        if len(pile) < count:
            raise CardsLost(f"{count} {self._called} wanted from {source}, {len(pile)} there")
        moved = pile[:count]
        del pile[:count]
        self.places.setdefault(target, []).extend(moved)
        self.check()
        return moved

    def move_card(self, card: P, source: str, target: str) -> None:
        """Takes this card out of `source`, at any position, and places it at `target`."""
        pile = self.places.get(source, [])
        if card not in pile:
            raise CardsLost(f"{card} wanted from {source}, where it is not")
        pile.remove(card)
        self.places.setdefault(target, []).append(card)
        self.check()

    def gather(self, sources: Iterable[str], target: str) -> int:
        """Move everything from `sources` to `target`; returns the number of cards."""
        moved = 0
        for source in sources:
            if source != target and (count := self.count(source)):
                moved += len(self.move_top(source, target, count))
        return moved

    def arrange(self, place: str, order: list[P]) -> None:
        """Puts the cards at `place` into `order`; cards that are elsewhere are skipped."""
        left = Counter(self.places.get(place, ()))
        doubles = dict(self._doubles)
        arranged = []
        for card in order:
            if not left[card]:
                card = doubles.pop(card, card)
            if left[card]:
                left[card] -= 1
                arranged.append(card)
        if left.total():
            raise CardsLost(f"the order given to {place} does not name every card that is there")
        self.places[place] = arranged
        self.check()

    def lose_one(self, card: P | None = None) -> P:
        """A card leaves the deck: this one, or any from the largest group."""
        lost = card or self._any_card()
        self._pile_of(lost).remove(lost)
        self._missing.append(lost)
        self.check()
        return lost

    def double_one(self) -> tuple[P, P]:
        """Replace a card by a second copy of another; returns the missing card and the doubled one."""
        gone = self._any_card()
        double = self._random.choice([card for card in self._whole if card != gone and self._sound(card)])
        pile = self._pile_of(gone)
        pile[pile.index(gone)] = double
        self._doubles[gone] = double
        self.check()
        return gone, double

    def repair(self) -> None:
        """Repairs the deck: a missing card goes to the largest group, and a double is changed for the right card."""
        for gone, double in self._doubles.items():
            pile = self._pile_of(double)
            pile[pile.index(double)] = gone
        self._doubles = {}
        self.places[self._largest_pile] += self._missing
        self._missing = []
        self.check()

    def check(self) -> None:
        """Raises CardsLost unless every card is there as often as it should be, apart from known faults."""
        there = [card for pile in self.places.values() for card in pile]
        if not (self._alike or self.faulty) and len(there) == len(self._whole) == len(set(there)):
            return
        expected = self._whole.copy()
        expected.subtract(self._missing)
        expected.subtract(self._doubles.keys())
        expected.update(self._doubles.values())
        seen = Counter(there)
        if seen != expected:
            wrong = " ".join(str(card) for card in self._whole if seen[card] != expected[card])
            raise CardsLost(f"{seen.total()} {self._called}, {expected.total()} expected, wrong: {wrong}")

    @property
    def _largest_pile(self) -> str:
        return max(self.places, key=lambda place: len(self.places[place]))

    def _sound(self, card: P) -> bool:
        return card not in self._missing and card not in self._doubles and card not in self._doubles.values()

    def _any_card(self) -> P:
        """A card from the largest group, none of which is missing or doubled."""
        return self._random.choice([card for card in self.places[self._largest_pile] if self._sound(card)])

    def _pile_of(self, card: P) -> list[P]:
        for pile in self.places.values():
            if card in pile:
                return pile
        raise CardsLost(f"{card} is nowhere")


class OrdersOf(Generic[P]):
    """The orders after shuffles: first those of a stack file, then random ones from a seed."""

    def __init__(self, seed: int | str, material: Material[P], stacked: Iterable[list[P]] = ()) -> None:
        self._random = random.Random(f"{seed}/deck")
        self._stacked = list(stacked)
        self._coming: list[P] = []  # what is left of the order that is picked from
        self._pieces = material.pieces

    def next(self) -> list[P]:
        """All cards in their next order, the first to be dealt at the front."""
        if self._stacked:
            return self._stacked.pop(0)
        order = list(self._pieces)
        self._random.shuffle(order)
        return order

    def pick(self, inside: Sequence[P]) -> P:
        """The card a machine that shuffles all the time gives next: as in the stack file if it is inside, then any."""
        while self._coming or self._stacked:
            if not self._coming:
                self._coming = list(self._stacked.pop(0))
            if (card := self._coming.pop(0)) in inside:
                return card
        return self._random.choice(inside)

    def bring(self, pieces: Sequence[P]) -> None:
        """Makes a continuous shuffler give these cards next, in this order."""
        self._coming = [*pieces, *self._coming]


def read_stack(path: Path, material: Material[P]) -> list[list[P]]:
    """Read a stack file: each line has all pieces of the material, `#` begins a comment. Raises ValueError naming the
    line.

    A line is the order of one shuffle.
    """
    orders = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            order = [material.read(word) for word in words]
        except ValueError as mistake:
            raise ValueError(f"{path}:{number}: {mistake}") from None
        missing = " ".join(str(piece) for piece in (Counter(material.pieces) - Counter(order)).elements())
        if len(order) != len(material.pieces) or missing:
            raise ValueError(f"{path}:{number}: {len(order)} {material.called}, missing: {missing or 'none'}")
        orders.append(order)
    return orders
