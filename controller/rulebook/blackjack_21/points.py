"""What cards count: values, totals, black-jack, when the bank draws, 6-7-8 and 7-7-7. No I/O here."""

from collections.abc import Sequence

from controller.rulebook.cards import Card

MOST_POINTS = 21
BANK_STANDS_FROM = 17  # rules 6 and 19

_POINTS = {rank: 10 if rank in "TJQK" else "A23456789".index(rank) + 1 for rank in "A23456789TJQK"}


def value_of(card: Card) -> int:
    """1 to 10: the ace is 1, figures are 10 (6)."""
    return _POINTS[card[0]]


def is_ace(card: Card) -> bool:
    """Whether the card is an ace."""
    return card[0] == "A"


def total_of(cards: Sequence[Card], low: int = 0) -> int:
    """The points of the cards, one ace as 11 where that does not pass 21 (6).

    Aces among the first `low` cards stay 1: those of a doubled hand (32).
    """
    total = sum(map(value_of, cards))
    return total + 10 if total + 10 <= MOST_POINTS and any(map(is_ace, cards[low:])) else total


def is_black_jack(cards: Sequence[Card]) -> bool:
    """Whether two cards are an ace and a ten or figure (1 a)); what comes of a split is none (20)."""
    return len(cards) == 2 and total_of(cards) == MOST_POINTS


def may_make_black_jack(card: Card) -> bool:
    """Whether a bank with this open card may have a black-jack (21)."""
    return value_of(card) in (1, 10)


def bank_draws(cards: Sequence[Card]) -> bool:
    """Whether the bank must draw: at 16 or less. It stands on 17, soft or hard (6, 19)."""
    return total_of(cards) < BANK_STANDS_FROM


def is_special(cards: Sequence[Card]) -> bool:
    """Whether three cards are 6-7-8 of one suit, in any order, or three sevens of whatever suits (35)."""
    ranks = sorted(card[0] for card in cards)
    return ranks == ["7", "7", "7"] or (ranks == ["6", "7", "8"] and len({card[1] for card in cards}) == 1)
