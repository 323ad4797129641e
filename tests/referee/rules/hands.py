"""Hands distinguished by looking them up in the lists of the regulation, articles 6.º and 7.º. No I/O here."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

VALUES = "AKQJT98765432"  # 6.º 1)
SUITS = "cdhs"
THREE_IN_SEQUENCE = ["AKQ", "KQJ", "QJT", "JT9", "T98", "987", "876", "765", "654", "543", "432", "32A"]  # 6.º 2)
FIVE_IN_SEQUENCE = [  # 6.º 3)
    *("AKQJT", "KQJT9", "QJT98", "JT987", "T9876"),
    *("98765", "87654", "76543", "65432", "5432A"),
]
THREE_CARD_HANDS = ["straight_flush", "three_of_a_kind", "straight", "flush", "pair", "high_card"]  # 7.º 1
BEFORE_94_2025 = ["straight_flush", "straight", "flush", "three_of_a_kind", "pair", "high_card"]  # 7.º 1 as published
FIVE_CARD_HANDS = [  # 7.º 2
    *("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")
]
JACKPOT_HANDS = FIVE_CARD_HANDS[:5]  # 7.º 3

PACK = [value + suit for value in VALUES for suit in SUITS]


def _place(cards: list[str], sequences: list[str]) -> int | None:
    """Where the values are in a list of sequences, the highest at 0; None if they are in none of them."""
    values = {card[0] for card in cards}
    return next((place for place, sequence in enumerate(sequences) if set(sequence) == values), None)


def _one_suit(cards: list[str]) -> bool:
    return len({card[1] for card in cards}) == 1


def _alike(cards: list[str]) -> list[int]:
    return sorted(Counter(card[0] for card in cards).values(), reverse=True)


def three_card_hand(cards: list[str]) -> str:
    """The name of a hand of three (7.º 1)."""
    if _place(cards, THREE_IN_SEQUENCE) is not None:
        return "straight_flush" if _one_suit(cards) else "straight"
    if _alike(cards) == [3]:
        return "three_of_a_kind"
    if _one_suit(cards):
        return "flush"
    return "pair" if _alike(cards) == [2, 1] else "high_card"


def order(cards: list[str], grades: Sequence[str] = THREE_CARD_HANDS) -> tuple[int, ...]:
    """Where a hand is among all hands, by grades from the best down: the smaller, the better; equal is a tie."""
    name = three_card_hand(cards)
    grade = grades.index(name)
    sequence = _place(cards, THREE_IN_SEQUENCE)
    if sequence is not None:
        return (grade, sequence)
    many = Counter(card[0] for card in cards)
    by_weight = sorted(many, key=lambda value: (-many[value], VALUES.index(value)))
    return (grade, *(VALUES.index(value) for value in by_weight))


def compare(player: list[str], bank: list[str], grades: Sequence[str] = THREE_CARD_HANDS) -> str:
    """ "higher", "lower" or "equal": the player's three cards against the bank's (7.º 1)."""
    mine, theirs = order(player, grades), order(bank, grades)
    return "equal" if mine == theirs else "higher" if mine < theirs else "lower"


def bank_plays(bank: list[str]) -> bool:
    """Whether the bank's hand is worth Q or more (13.º 1, 2): any combination, or a card of Q, K or A."""
    return three_card_hand(bank) != "high_card" or any(card[0] in "AKQ" for card in bank)


def five_card_hand(cards: list[str]) -> str | None:
    """The name of exactly five cards (7.º 2), None for less than three of a kind."""
    sequence = _place(cards, FIVE_IN_SEQUENCE)
    if _one_suit(cards):
        return "flush" if sequence is None else "royal_flush" if sequence == 0 else "straight_flush"
    if sequence is not None:
        return "straight"
    return {(4, 1): "four_of_a_kind", (3, 2): "full_house", (3, 1, 1): "three_of_a_kind"}.get(tuple(_alike(cards)))


def six_card_hand(player: list[str], bank: list[str]) -> str | None:
    """The best name among all fives of the six cards (14.º)."""
    names = {five_card_hand(list(five)) for five in combinations(player + bank, 5)}
    return next((name for name in FIVE_CARD_HANDS if name in names), None)


def jackpot_hand(player: list[str], community: list[str]) -> str | None:
    """The jackpot's name for the player's three and the two community cards (15.º 1), None below a flush."""
    name = five_card_hand(player + community)
    return name if name in JACKPOT_HANDS else None
