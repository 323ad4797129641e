"""Five-card combinations, found in five or six cards. Sequences run from A-K-Q-J-10 to 5-4-3-2-A. No I/O here."""

from collections.abc import Sequence
from typing import Literal

from controller.rulebook.cards import SUITS, Card

FiveCardName = Literal[
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind"
]

STRONGEST_FIRST: tuple[FiveCardName, ...] = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
)

SEQUENCES = tuple(map(frozenset, "AKQJT KQJT9 QJT98 JT987 T9876 98765 87654 76543 65432 5432A".split()))  # 6.º 3)
ROYAL = SEQUENCES[0]


def best_combination(cards: Sequence[Card]) -> FiveCardName | None:
    """The highest combination that five of these five or six different cards make (2025: 6.º 3), 7.º 2 and 3).

    None where they make less than three of a kind: no Macau paytable asks for more.

    >>> best_combination("Kc 9h 9s 9d Kd".split())
    'full_house'
    >>> best_combination("5h 4d 3c 2s Ah Kh".split())
    'straight'
    >>> best_combination("9c 9h 4s 4d Kd".split()) is None
    True
    """
    faces = [card[0] for card in cards]
    suits = [card[1] for card in cards]
    suit = max(SUITS, key=suits.count)
    flush = suits.count(suit) >= 5
    if flush:
        in_suit = {card[0] for card in cards if card[1] == suit}
        if in_suit >= ROYAL:
            return "royal_flush"
        if _in_sequence(in_suit):
            return "straight_flush"
    different = set(faces)
    most = max(map(faces.count, faces))
    if most == 4:
        return "four_of_a_kind"
    if most == 3 and len(different) <= len(cards) - 3:
        return "full_house"
    if flush:
        return "flush"
    if len(different) >= 5 and _in_sequence(different):
        return "straight"
    return "three_of_a_kind" if most == 3 else None


def _in_sequence(faces: set[str]) -> bool:
    return any(map(faces.issuperset, SEQUENCES))
