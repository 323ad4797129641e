"""The chances of the bank's last hands after its open card, on an infinite deck. No I/O here."""

from fractions import Fraction
from functools import cache

from controller.certify.blackjack.strategy import ONE_SUIT, is_soft
from controller.certify.blackjack.variation import Variation
from controller.rulebook.blackjack_21.points import (
    BANK_STANDS_FROM,
    MOST_POINTS,
    bank_draws,
    is_ace,
    is_black_jack,
    total_of,
    value_of,
)
from controller.rulebook.cards import Card

Ends = dict[tuple[Card, ...], Fraction]  # cards that stand for all hands of the bank which fare alike, and their chance


def bank_ends(open_card: Card, variation: Variation) -> Ends:
    """The bank's last hands: a black-jack, 17 to 21, above 21; the chances sum to 1.

    If the bank looks at its second card first, the hands without a black-jack.
    """
    ends = _ends(variation.bank_draws_on_soft_17).after((open_card,))
    if not variation.bank_looks:
        return ends
    others = {cards: chance for cards, chance in ends.items() if not is_black_jack(cards)}
    return {cards: chance / sum(others.values()) for cards, chance in others.items()}


def black_jack_chance(open_card: Card) -> Fraction:
    """The chance that the second card makes a black-jack."""
    return Fraction(sum(is_black_jack((open_card, card)) for card in ONE_SUIT), len(ONE_SUIT))


class _Ends:
    def __init__(self, draws_on_soft_17: bool) -> None:
        self._draws_on_soft_17 = draws_on_soft_17
        self._after: dict[tuple[int, bool, int], Ends] = {}
        self._stands_for: dict[tuple[int, bool], tuple[Card, ...]] = {}

    def after(self, cards: tuple[Card, ...]) -> Ends:
        """The chance of each way in which a bank with these cards ends."""
        kind = (sum(map(value_of, cards)), any(map(is_ace, cards)), min(len(cards), 3))
        if kind not in self._after:
            self._after[kind] = self._computed(cards)
        return self._after[kind]

    def _computed(self, cards: tuple[Card, ...]) -> Ends:
        if len(cards) > 1 and not self._draws(cards):
            alike = (min(total_of(cards), MOST_POINTS + 1), is_black_jack(cards))
            return {self._stands_for.setdefault(alike, cards): Fraction(1)}
        ends: Ends = {}
        for card in ONE_SUIT:
            for last, chance in self.after((*cards, card)).items():
                ends[last] = ends.get(last, Fraction(0)) + chance / len(ONE_SUIT)
        return ends

    def _draws(self, cards: tuple[Card, ...]) -> bool:
        soft_17 = is_soft(cards) and total_of(cards) == BANK_STANDS_FROM
        return bank_draws(cards) or (self._draws_on_soft_17 and soft_17)


@cache
def _ends(draws_on_soft_17: bool) -> _Ends:
    return _Ends(draws_on_soft_17)
