"""One physical deck: where each of its 52 cards is, and the orders a shuffle gives it."""

import random
from collections.abc import Iterable
from pathlib import Path

from simulators.felt.cards import FULL_DECK, Card, card_from_text, text_of


class CardsLost(AssertionError):
    """The deck is not whole any more: a fault of the bench itself."""


class Deck:
    """Cards lie in named places, top card first; every move is checked to conserve the deck."""

    def __init__(self, place: str) -> None:
        self.places: dict[str, list[Card]] = {place: list(FULL_DECK)}

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

    def gather(self, sources: Iterable[str], target: str) -> int:
        """Put everything from `sources` to `target`; how many cards that was."""
        moved = 0
        for source in sources:
            if source != target and (count := self.count(source)):
                moved += len(self.move_top(source, target, count))
        return moved

    def arrange(self, place: str, order: list[Card]) -> None:
        """Put the cards at `place` into `order`, which must be those very cards."""
        if set(order) != set(self.places.get(place, ())):
            raise CardsLost(f"the order given to {place} is not of the cards that lie there")
        self.places[place] = list(order)
        self.check()

    def check(self) -> None:
        """Raise CardsLost unless all 52 cards are there, each once."""
        seen = [card for pile in self.places.values() for card in pile]
        if len(seen) != len(FULL_DECK) or len(set(seen)) != len(FULL_DECK):
            raise CardsLost(f"{len(seen)} cards, {len(set(seen))} different")


class Orders:
    """The order each shuffle leaves the deck in: first those of a stack file, then fair ones from a seed."""

    def __init__(self, seed: int | str, stacked: Iterable[list[Card]] = ()) -> None:
        self._random = random.Random(f"{seed}/deck")
        self._stacked = list(stacked)

    def next(self) -> list[Card]:
        """The whole deck in its next order, the card dealt first at the front."""
        if self._stacked:
            return self._stacked.pop(0)
        order = list(FULL_DECK)
        self._random.shuffle(order)
        return order


def read_stack(path: Path) -> list[list[Card]]:
    """Read a stack file: one line of 52 cards a round, `#` opens a comment. Raises ValueError naming the line."""
    orders = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            order = [card_from_text(word) for word in words]
        except ValueError as mistake:
            raise ValueError(f"{path}:{number}: {mistake}") from None
        missing = [card for card in FULL_DECK if card not in order]
        if len(order) != len(FULL_DECK) or missing:
            raise ValueError(f"{path}:{number}: {len(order)} cards, missing: {text_of(missing) or 'none'}")
        orders.append(order)
    return orders
