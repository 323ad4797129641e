"""One deck of cards or several, and their orders, as a bench has them."""

from collections.abc import Iterable

from simulators.felt.cards import Card
from simulators.felt.deck import OrdersOf, Pieces, card_material


class Deck(Pieces[Card]):
    """The cards, at a place."""

    def __init__(self, place: str, decks: int = 1) -> None:
        super().__init__(place, card_material(decks))


class Orders(OrdersOf[Card]):
    """The orders of their shuffles."""

    def __init__(self, seed: int | str, stacked: Iterable[list[Card]] = (), decks: int = 1) -> None:
        super().__init__(seed, card_material(decks), stacked)
