"""A hand that hits the jackpot, on request: cards of the deck are put where a seat gets them. No I/O here."""

from collections import Counter
from collections.abc import Sequence

from simulators.felt.cards import Card

ACE, HIGHEST = 1, 13


class Luck:
    """Whether the next deal should give a hand that wins from the pot."""

    def __init__(self) -> None:
        self.wanted = False

    def take(self) -> bool:
        """Whether it was wanted; then the wish is over."""
        wanted, self.wanted = self.wanted, False
        return wanted


def straight_flush_at(cards: Sequence[Card], positions: Sequence[int]) -> list[Card]:
    """The same cards, with a straight flush at these ascending positions; unchanged if the cards have none.

    >>> deck = [Card(rank, suit) for rank in range(1, 14) for suit in "cd"]
    >>> [str(card) for card in straight_flush_at(deck, (0, 2, 4))[:5]]
    ['Kc', 'Ac', 'Qc', 'Ad', 'Jc']
    """
    there = set(cards)
    for suit in dict.fromkeys(card.suit for card in cards):
        for high in range(HIGHEST, len(positions), -1):
            hand = [Card(high - step, suit) for step in range(len(positions))]
            if there.issuperset(hand):
                return _with(cards, positions, hand)
    return list(cards)


def aces_at(cards: Sequence[Card], positions: Sequence[int]) -> list[Card]:
    """The same cards, with aces at these ascending positions, of one suit if there are enough.

    >>> deck = [Card(rank, suit) for _ in range(2) for rank in (2, 1, 3) for suit in "cd"]
    >>> [str(card) for card in aces_at(deck, (0, 3))[:4]]
    ['Ac', '2c', '2d', 'Ac']
    """
    aces = Counter(card for card in cards if card.rank == ACE)
    hand = [card for card, count in aces.most_common() for _ in range(count)][: len(positions)]
    return _with(cards, positions, hand)


def _with(cards: Sequence[Card], positions: Sequence[int], hand: Sequence[Card]) -> list[Card]:
    others = list(cards)
    for card in hand:
        others.remove(card)
    for position, card in zip(positions, hand, strict=False):
        others.insert(position, card)
    return others
