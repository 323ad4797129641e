"""Three-card poker hands, ranked from 1 (A-K-Q of one suit) to 741 (5-3-2 of mixed suits). No I/O here.

The ace is the highest card, so A-K-Q is the highest sequence; it also is below the 2, so 3-2-A is the lowest
sequence, and there the high card is the 3: 3-2-A loses to 4-3-2. A sequence beats a flush; whether a trio beats both
depends on the version of 7.º 1.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Literal

from msgspec import Struct

from controller.rulebook.cards import Card, rank_of

ThreeCardName = Literal["straight_flush", "three_of_a_kind", "straight", "flush", "pair", "high_card"]

STRONGEST_FIRST: tuple[ThreeCardName, ...] = (
    "straight_flush",
    "three_of_a_kind",
    "straight",
    "flush",
    "pair",
    "high_card",
)

FIRST_ORDER: tuple[ThreeCardName, ...] = (
    "straight_flush",
    "straight",
    "flush",
    "three_of_a_kind",
    "pair",
    "high_card",
)
"""The order of article 7.º 1 of 89/2025 before 94/2025: its 2), 3), 4) are now 3), 4), 2)."""


class ThreeCardHand(Struct, frozen=True):
    """The value of three cards: the class and the rank among 741. A lower rank is stronger, and equal ranks tie."""

    name: ThreeCardName
    rank: int


def rank_three(cards: Sequence[Card], order: tuple[ThreeCardName, ...] = STRONGEST_FIRST) -> ThreeCardHand:
    """The value of three different cards (2025: 6.º 1) and 2), 7.º 1); `order` is that of the classes, strongest first.

    >>> rank_three("As Ks Qs".split())
    ThreeCardHand(name='straight_flush', rank=1)
    >>> rank_three("4d 3c 2s".split()).rank < rank_three("3d 2c As".split()).rank
    True
    """
    first, second, third = cards
    ranks = tuple(sorted((rank_of(first), rank_of(second), rank_of(third)), reverse=True))
    return _HANDS[order][first[1] == second[1] == third[1], ranks]


def _weigh(one_suit: bool, ranks: tuple[int, ...]) -> tuple[ThreeCardName, tuple[int, ...]]:
    """The class of three ranks (descending), and the ranks that decide within it, highest first (7.º 1)."""
    high, middle, low = ranks
    if ranks == (14, 3, 2):
        return "straight_flush" if one_suit else "straight", (3,)
    if high - 1 == middle == low + 1:
        return "straight_flush" if one_suit else "straight", (high,)
    if high == middle == low:
        return "three_of_a_kind", (high,)
    if one_suit:
        return "flush", ranks
    if middle in (high, low):
        return "pair", (middle, low if middle == high else high)
    return "high_card", ranks


def _all_hands(order: tuple[ThreeCardName, ...]) -> dict[tuple[bool, tuple[int, ...]], ThreeCardHand]:
    weights = {}
    for ranks in combinations_with_replacement(range(14, 1, -1), 3):
        weights[False, ranks] = _weigh(False, ranks)
        if len(set(ranks)) == 3:
            weights[True, ranks] = _weigh(True, ranks)

    def place(name: ThreeCardName, deciding: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        return order.index(name), tuple(-rank for rank in deciding)

    ranked = sorted(weights, key=lambda hand: place(*weights[hand]))
    return {hand: ThreeCardHand(weights[hand][0], rank) for rank, hand in enumerate(ranked, 1)}


_HANDS = {order: _all_hands(order) for order in (STRONGEST_FIRST, FIRST_ORDER)}
