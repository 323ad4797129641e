"""A hand that hits the jackpot, when one is asked for: cards of the deck are put where it gets them. No I/O here."""

from collections.abc import Sequence

from simulators.felt.cards import Card

HIGHEST = 13


class Luck:
    """Whether the next deal shall give its first hand a straight flush with the community cards."""

    def __init__(self) -> None:
        self.wanted = False

    def take(self) -> bool:
        """Whether it was wanted, which is then over."""
        wanted, self.wanted = self.wanted, False
        return wanted


def straight_flush_at(cards: Sequence[Card], positions: Sequence[int]) -> list[Card]:
    """The same cards, with a straight flush at these positions, which ascend; as they are where none is there.

    >>> deck = [Card(rank, suit) for rank in range(1, 14) for suit in "cd"]
    >>> [str(card) for card in straight_flush_at(deck, (0, 2, 4))[:5]]
    ['Kc', 'Ac', 'Qc', 'Ad', 'Jc']
    """
    there = set(cards)
    for suit in dict.fromkeys(card.suit for card in cards):
        for high in range(HIGHEST, len(positions), -1):
            hand = [Card(high - step, suit) for step in range(len(positions))]
            if there.issuperset(hand):
                others = [card for card in cards if card not in hand]
                for position, card in zip(positions, hand, strict=True):
                    others.insert(position, card)
                return others
    return list(cards)
