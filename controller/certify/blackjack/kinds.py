"""Kinds of hands: hands of one kind have the same future, and a strategy treats them alike. No I/O here."""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from controller.rulebook.blackjack_21.points import is_ace, total_of, value_of
from controller.rulebook.blackjack_21.state import Hand
from controller.rulebook.cards import RANKS, Card

OPEN_CARDS = tuple(Card(rank + "s") for rank in "23456789TA")  # one for each value of an open card
ONE_SUIT = tuple(Card(rank + "s") for rank in RANKS)
SPECIAL_RANKS = "678"  # rule 35


def chances_of(open_card: Card) -> int:
    """How many of 13 cards give the value of the open card: four for ten."""
    return 4 if value_of(open_card) == 10 else 1


def is_pair(cards: Sequence[Card]) -> bool:
    """Whether these are two cards of equal value (26)."""
    return len(cards) == 2 and value_of(cards[0]) == value_of(cards[1])


def is_soft(cards: Sequence[Card]) -> bool:
    """Whether an ace counts as 11 (6)."""
    return total_of(cards) != sum(map(value_of, cards))


def suit_towards_special(cards: Sequence[Card]) -> str:
    """The suit of two cards that a third could complete to a 6-7-8 of one suit; empty if none could (35)."""
    ranks = {card[0] for card in cards}
    suits = {card[1] for card in cards}
    near = len(cards) == 2 and len(ranks) == 2 and ranks <= set(SPECIAL_RANKS) and len(suits) == 1
    return cards[0][1] if near else ""


class HandKind(Struct, frozen=True):
    """What a hand's future depends on while cards come independently of each other; `cards` is 3 for three and more.

    `early_ace`: a split hand of three or more cards has an ace among its first two; it counts 1 if the hand is doubled
    (32).

    Two kinds with equal points differ where one may be split, doubled, or win the special prize.
    """

    points: int
    ace: bool
    cards: int
    pair: bool
    near_special: bool
    special: bool
    split: bool
    split_ace: bool
    early_ace: bool


@cache
def hand_kind(hand: Hand) -> HandKind:
    """The kind of a hand that is not doubled."""
    cards = hand.cards
    return HandKind(
        sum(map(value_of, cards)),
        any(map(is_ace, cards)),
        min(len(cards), 3),
        is_pair(cards),
        bool(suit_towards_special(cards)),
        hand.special,
        hand.split,
        hand.split_ace,
        hand.split and len(cards) > 2 and any(map(is_ace, cards[:2])),
    )
