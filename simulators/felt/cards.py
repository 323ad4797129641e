"""Playing cards as objects, and the text people write for them. No I/O here."""

from typing import NamedTuple

RANKS = "A23456789TJQK"  # position + 1 is the number both card-reading machines send: ace 1 … king 13
SUITS = "cdhs"


class Card(NamedTuple):
    """One physical card: rank 1 (ace) to 13 (king), suit one of `cdhs`. A tuple: they are counted at every move."""

    rank: int
    suit: str

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + self.suit

    @property
    def height(self) -> int:
        """Rank for comparing high cards: 2 to 14, the ace highest."""
        return 14 if self.rank == 1 else self.rank


FULL_DECK = tuple(Card(rank, suit) for suit in SUITS for rank in range(1, 14))


def card_from_text(text: str) -> Card:
    """Read `As`, `Td`, … Raises ValueError."""
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(f"not a card: {text!r}")
    return Card(RANKS.index(text[0]) + 1, text[1])


def text_of(cards: list[Card]) -> str:
    """Cards separated by one space: `As Ks Qs`."""
    return " ".join(str(card) for card in cards)
