"""Values of cards: totals, black-jack, when the bank draws, 6-7-8 and 7-7-7. No I/O here."""

from collections.abc import Sequence

from controller.rulebook.cards import Card

MOST_POINTS = 21
BANK_STANDS_FROM = 17  # rules 6 and 19

_POINTS = {rank: 10 if rank in "TJQK" else "A23456789".index(rank) + 1 for rank in "A23456789TJQK"}


def value_of(card: Card) -> int:
    """The value of a card, 1 to 10: an ace is 1, figures are 10 (6).

    >>> value_of("As"), value_of("Kd"), value_of("7c")
    (1, 10, 7)
    """
    return _POINTS[card[0]]


def is_ace(card: Card) -> bool:
    """Whether the card is an ace."""
    return card[0] == "A"


def total_of(cards: Sequence[Card], low: int = 0) -> int:
    """The points of the cards, with one ace as 11 unless that passes 21 (6).

    Aces among the first `low` cards stay 1: those of a doubled hand (32).

    >>> total_of(["As", "7d"]), total_of(["As", "7d", "9c"])
    (18, 17)
    >>> total_of(["As", "7d", "2c"], low=2)
    10
    """
    total = sum(map(value_of, cards))
    return total + 10 if total + 10 <= MOST_POINTS and any(map(is_ace, cards[low:])) else total


def is_black_jack(cards: Sequence[Card]) -> bool:
    """Whether two cards are an ace and a ten or figure (1 a)); a split hand never is one (20).

    >>> is_black_jack(["As", "Kd"]), is_black_jack(["7s", "7d", "7c"])
    (True, False)
    """
    return len(cards) == 2 and total_of(cards) == MOST_POINTS


def may_make_black_jack(card: Card) -> bool:
    """Whether a bank with this open card may have a black-jack (21).

    >>> may_make_black_jack("As"), may_make_black_jack("Kd"), may_make_black_jack("9c")
    (True, True, False)
    """
    return value_of(card) in (1, 10)


def bank_draws(cards: Sequence[Card]) -> bool:
    """Whether the bank must draw: at 16 or less. It stands on 17, soft or hard (6, 19).

    >>> bank_draws(["As", "5d"]), bank_draws(["As", "6d"])
    (True, False)
    """
    return total_of(cards) < BANK_STANDS_FROM


def is_special(cards: Sequence[Card]) -> bool:
    """Whether three cards are 6-7-8 of one suit, in any order, or three sevens of any suits (35).

    >>> is_special(["8h", "6h", "7h"]), is_special(["8h", "6h", "7d"]), is_special(["7h", "7d", "7c"])
    (True, False, True)
    """
    ranks = sorted(card[0] for card in cards)
    return ranks == ["7", "7", "7"] or (ranks == ["6", "7", "8"] and len({card[1] for card in cards}) == 1)
