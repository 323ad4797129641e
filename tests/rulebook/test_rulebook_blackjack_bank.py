"""How often the bank passes 21 on each open card: its rule compared with published figures and a count from points."""

from fractions import Fraction
from functools import cache

import pytest

from controller.rulebook.blackjack_21.points import bank_draws, total_of
from controller.rulebook.cards import RANKS, Card

# Wizard of Odds, blackjack appendix 2B: one deck, the bank stands on every 17, black-jacks not looked for.
ONE_DECK = {
    "A": 0.11654, "2": 0.352973, "3": 0.375588, "4": 0.402803, "5": 0.428905,
    "6": 0.420823, "7": 0.259854, "8": 0.238627,
}  # fmt: skip
VALUES = range(1, 11)


def bust_by_the_rule(open_card: str, decks: int) -> Fraction:
    """The exact chance that a bank with this open card passes 21, drawing as the rulebook says from so many decks."""

    @cache
    def of(cards: str) -> Fraction:
        hand = [Card(rank + "s") for rank in cards]
        if len(cards) > 1 and not bank_draws(hand):
            return Fraction(total_of(hand) > 21)
        left = {rank: 4 * decks - cards.count(rank) for rank in RANKS}
        return sum(
            (
                Fraction(count, 52 * decks - len(cards)) * of("".join(sorted(cards + rank)))
                for rank, count in left.items()
            ),
            Fraction(0),
        )

    return of(open_card)


def bust_by_points(open_value: int, decks: int) -> Fraction:
    """The same from points alone: hard total, whether an ace is in it, what is left of each value."""

    def of(hard: int, ace: bool, left: tuple[int, ...], drawn: int) -> Fraction:
        total = hard + 10 if ace and hard <= 11 else hard
        if drawn > 1 and total > 16:
            return Fraction(total > 21)
        chance = Fraction(0)
        for value, count in zip(VALUES, left, strict=True):
            if count:
                rest = tuple(other - (value == at) for at, other in zip(VALUES, left, strict=True))
                chance += Fraction(count, sum(left)) * counted(hard + value, ace or value == 1, rest, min(drawn + 1, 2))
        return chance

    counted = cache(of)
    full = tuple((16 if value == 10 else 4) * decks - (value == open_value) for value in VALUES)
    return counted(open_value, open_value == 1, full, 1)


@pytest.mark.parametrize("open_card", ONE_DECK)
def test_blackjack_rule_19_the_bank_passes_21_as_often_as_published_for_one_deck(open_card: str) -> None:
    assert float(bust_by_the_rule(open_card, 1)) == pytest.approx(ONE_DECK[open_card], abs=6e-7)


@pytest.mark.parametrize("decks", [4, 6])
@pytest.mark.parametrize("open_card", ["A", "2", "6", "7", "K"])
def test_blackjack_rule_19_the_bank_passes_21_as_often_as_counted_from_points(open_card: str, decks: int) -> None:
    value = {"A": 1, "K": 10}.get(open_card) or int(open_card)
    assert bust_by_the_rule(open_card, decks) == bust_by_points(value, decks)
