"""The physical cards, of one deck or several: where each lies, what is wrong with them, and the orders they come in."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from simulators.felt.cards import FULL_DECK, Card, card_from_text, text_of


class CardsLost(AssertionError):
    """The deck is not what it should be any more: a fault of the bench itself."""


class Deck:
    """Cards lie in named places, top card first; every move is checked to conserve them. Copies look alike."""

    def __init__(self, place: str, decks: int = 1) -> None:
        self.decks = decks
        self.places: dict[str, list[Card]] = {place: list(FULL_DECK) * decks}
        self._missing: list[Card] = []
        self._doubles: dict[Card, Card] = {}  # a card of which one is gone, and the card that lies there for it
        self._random = random.Random("deck faults")

    @property
    def faulty(self) -> bool:
        """Whether a card is missing or doubled."""
        return bool(self._missing or self._doubles)

    def at(self, place: str) -> list[Card]:
        """The cards at `place`, top or first card first."""
        return list(self.places.get(place, ()))

    def count(self, *places: str) -> int:
        """How many cards lie at these places together."""
        return sum(len(self.places.get(place, ())) for place in places)

    def move_top(self, source: str, target: str, count: int = 1) -> list[Card]:
        """Take `count` cards from the top of `source` and lay them, one after the other, at `target`."""
        pile = self.places.get(source, [])
        if len(pile) < count:
            raise CardsLost(f"{count} cards wanted from {source}, {len(pile)} there")
        moved = pile[:count]
        del pile[:count]
        self.places.setdefault(target, []).extend(moved)
        self.check()
        return moved

    def move_card(self, card: Card, source: str, target: str) -> None:
        """Take this card out of `source`, wherever it lies there, and lay it at `target`."""
        pile = self.places.get(source, [])
        if card not in pile:
            raise CardsLost(f"{card} wanted from {source}, where it is not")
        pile.remove(card)
        self.places.setdefault(target, []).append(card)
        self.check()

    def gather(self, sources: Iterable[str], target: str) -> int:
        """Put everything from `sources` to `target`; how many cards that was."""
        moved = 0
        for source in sources:
            if source != target and (count := self.count(source)):
                moved += len(self.move_top(source, target, count))
        return moved

    def arrange(self, place: str, order: list[Card]) -> None:
        """Put the cards at `place` into `order`; cards of it that lie elsewhere are passed over."""
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
            raise CardsLost(f"the order given to {place} does not name every card that lies there")
        self.places[place] = arranged
        self.check()

    def lose_one(self, card: Card | None = None) -> Card:
        """A card is out of the deck: this one, or any where most of them lie."""
        lost = card or self._any_card()
        self._pile_of(lost).remove(lost)
        self._missing.append(lost)
        self.check()
        return lost

    def double_one(self) -> tuple[Card, Card]:
        """A card is replaced by the double of another: the one that is gone, and the one of which there is one more."""
        gone = self._any_card()
        double = self._random.choice([card for card in FULL_DECK if card != gone and self._sound(card)])
        pile = self._pile_of(gone)
        pile[pile.index(gone)] = double
        self._doubles[gone] = double
        self.check()
        return gone, double

    def mend(self) -> None:
        """The deck is whole again: what was missing lies with most others, a double is changed for the right card."""
        for gone, double in self._doubles.items():
            pile = self._pile_of(double)
            pile[pile.index(double)] = gone
        self._doubles = {}
        self.places[self._largest_pile] += self._missing
        self._missing = []
        self.check()

    def check(self) -> None:
        """Raise CardsLost unless every card is there once a deck, but for the faults they are known to have."""
        cards = [card for pile in self.places.values() for card in pile]
        if self.decks == 1 and not self.faulty and len(cards) == len(FULL_DECK) == len(set(cards)):
            return
        expected = Counter(dict.fromkeys(FULL_DECK, self.decks))
        expected.subtract(self._missing)
        expected.subtract(self._doubles.keys())
        expected.update(self._doubles.values())
        seen = Counter(cards)
        if seen != expected:
            wrong = [card for card in FULL_DECK if seen[card] != expected[card]]
            raise CardsLost(f"{seen.total()} cards, {expected.total()} expected, wrong: {text_of(wrong)}")

    @property
    def _largest_pile(self) -> str:
        return max(self.places, key=lambda place: len(self.places[place]))

    def _sound(self, card: Card) -> bool:
        return card not in self._missing and card not in self._doubles and card not in self._doubles.values()

    def _any_card(self) -> Card:
        """A card where most of them lie, of which none is gone or doubled."""
        return self._random.choice([card for card in self.places[self._largest_pile] if self._sound(card)])

    def _pile_of(self, card: Card) -> list[Card]:
        for pile in self.places.values():
            if card in pile:
                return pile
        raise CardsLost(f"{card} is nowhere")


class Orders:
    """The order each shuffle leaves the cards in: first those of a stack file, then fair ones from a seed."""

    def __init__(self, seed: int | str, stacked: Iterable[list[Card]] = (), decks: int = 1) -> None:
        self._random = random.Random(f"{seed}/deck")
        self._stacked = list(stacked)
        self._coming: list[Card] = []  # what is left of the order that is picked from
        self._decks = decks

    def next(self) -> list[Card]:
        """All cards in their next order, the card dealt first at the front."""
        if self._stacked:
            return self._stacked.pop(0)
        order = list(FULL_DECK) * self._decks
        self._random.shuffle(order)
        return order

    def pick(self, inside: Sequence[Card]) -> Card:
        """The card a machine that shuffles all the time gives next: as in the stack file if it is inside, then any."""
        while self._coming or self._stacked:
            if not self._coming:
                self._coming = list(self._stacked.pop(0))
            if (card := self._coming.pop(0)) in inside:
                return card
        return self._random.choice(inside)


def read_stack(path: Path, decks: int = 1) -> list[list[Card]]:
    """Read a stack file: each line all cards of so many decks, `#` opens a comment. Raises ValueError naming the line.

    A line is the order of one shuffle.
    """
    orders = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            order = [card_from_text(word) for word in words]
        except ValueError as mistake:
            raise ValueError(f"{path}:{number}: {mistake}") from None
        counts = Counter(order)
        missing = [card for card in FULL_DECK for _ in range(decks - counts[card])]
        if len(order) != len(FULL_DECK) * decks or missing:
            raise ValueError(f"{path}:{number}: {len(order)} cards, missing: {text_of(missing) or 'none'}")
        orders.append(order)
    return orders
