"""The accumulated prize of black-jack/21: odds of its tiers over all aces of a fresh shoe (42 to 50). No I/O here."""

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import product
from math import factorial, prod

from controller.certify.pot import PotTerms, Tiers, Winning
from controller.rulebook.blackjack_21.paytable import (
    FOUR_ACES_ONE_COLOUR,
    THREE_ACES,
    THREE_ACES_ONE_SUIT,
    TWO_ACES,
    TWO_ACES_ONE_SUIT,
    PrizeTier,
)
from controller.rulebook.blackjack_21.prize import Winner, award_prize, tier_of
from controller.rulebook.cards import SUITS, Card
from controller.rulebook.jackpot_award import Award, JackpotTerms

TIERS = (FOUR_ACES_ONE_COLOUR, THREE_ACES_ONE_SUIT, THREE_ACES, TWO_ACES_ONE_SUIT, TWO_ACES)
BY_NAME: dict[str, PrizeTier] = {tier.name: tier for tier in TIERS}
MOST_CARDS = 4
OTHER = Card("2c")  # any card that is no ace: it ends the combination

ASSUMED = (
    "Assumed: a seat whose cards are all aces gets its third and fourth card, as it does where they are split (26) or "
    "drawn to: the best play of the main game is one or the other. A seat that stands on them gives up the higher "
    "tiers: with no card beyond the second only those of two aces can be won.",
)


def tier_chances(decks: int, cards: int = MOST_CARDS, rules: Collection[str] = ()) -> dict[str, Fraction]:
    """The chance of each tier for one chip, strongest first, where a seat with nothing but aces gets `cards` cards.

    Exact for a fresh shoe: the cards that other seats draw in between do not change the chances.
    """
    found: dict[str, Fraction] = {}
    for dealt, chance in dealt_aces(decks, cards):
        tier = tier_of(dealt, rules)
        if tier is not None:
            found[tier.name] = found.get(tier.name, Fraction(0)) + chance
    return {tier.name: found[tier.name] for tier in TIERS if tier.name in found}


def dealt_aces(decks: int, cards: int) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """Every run of aces by suit at the beginning of a seat's cards, ended by another card or by the number of cards."""
    shoe = 52 * decks
    for aces in range(cards + 1):
        for suits in product(SUITS, repeat=aces):
            chance = Fraction(1)
            left = dict.fromkeys(SUITS, decks)
            for drawn, suit in enumerate(suits):
                chance *= Fraction(left[suit], shoe - drawn)
                left[suit] -= 1
            dealt = tuple(Card("A" + suit) for suit in suits)
            if aces < cards:
                chance *= Fraction(shoe - aces - sum(left.values()), shoe - aces)
                dealt += (OTHER,)
            if chance:
                yield dealt, chance


def tiers_of_the_prize(decks: int, rules: Collection[str] = ()) -> Tiers:
    """The tiers of a shoe of `decks` decks under the readings of these keys."""
    chances = tier_chances(decks, rules=rules)
    two_cards = tier_chances(decks, 2)

    def award(winners: Winning, terms: PotTerms, pot: int) -> list[Award]:
        won = [Winner(seat, BY_NAME[tier]) for seat, tier in winners]
        return award_prize(won, terms.chip, JackpotTerms(pot=pot, minimum=terms.minimum, fixed={})).awards

    shown = ", ".join(f"{name} {chance}" for name, chance in two_cards.items())
    return Tiers(
        chances=chances,
        whole_pot=FOUR_ACES_ONE_COLOUR.name,
        shares={},
        from_pot={tier.name: tier.times for tier in TIERS if tier.times is not None},
        from_house=(),
        award=award,
        winners=lambda chips: _winners(chances, chips),
        notes=(
            f"A fresh shoe of {decks} decks, exact for one chip.",
            *ASSUMED,
            f"With no card beyond the second: {shown}.",
            "Several winners in one round are computed as if their seats drew from shoes of their own: approximate.",
        ),
    )


def _winners(chances: dict[str, Fraction], chips: int) -> dict[Winning, Fraction]:
    """The chance of each set of winners among this number of seats, which win independently."""
    lost = 1 - sum(chances.values(), Fraction(0))
    found: dict[Winning, Fraction] = {}
    for counts in product(range(chips + 1), repeat=len(chances)):
        others = chips - sum(counts)
        if others < 0:
            continue
        ways = factorial(chips) // prod(map(factorial, (*counts, others)))
        chance = ways * lost**others
        for each, count in zip(chances.values(), counts, strict=True):
            chance *= each**count
        in_turn = [name for name, count in zip(chances, counts, strict=True) for _ in range(count)]
        found[tuple(enumerate(in_turn, 1))] = chance
    return found
