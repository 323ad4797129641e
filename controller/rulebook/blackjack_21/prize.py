"""The accumulated prize: the prizes of a seat's first cards, and how the pot pays and restarts (42 to 50). No I/O
here.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile

from msgspec import Struct

from controller.rulebook.blackjack_21.paytable import (
    FOUR_ACES_ONE_COLOUR,
    THREE_ACES,
    THREE_ACES_ONE_SUIT,
    THREE_SUITS,
    TWO_ACES,
    TWO_ACES_ONE_SUIT,
    PrizeTier,
)
from controller.rulebook.blackjack_21.points import is_ace
from controller.rulebook.cards import Card
from controller.rulebook.jackpot_award import Award, JackpotTerms, SettledJackpot

ASCENDING = "50 a)"
DIVIDED = "50 b)"
RED = "dh"
ACES_OF: dict[str, int] = {
    FOUR_ACES_ONE_COLOUR.name: 4,
    THREE_ACES_ONE_SUIT.name: 3,
    THREE_ACES.name: 3,
    TWO_ACES_ONE_SUIT.name: 2,
    TWO_ACES.name: 2,
}


class Winner(Struct, frozen=True):
    """A chip that won: its seat, its prize, and the player who bets along there if it is his."""

    seat: int
    tier: PrizeTier
    player: str | None = None


def tier_of(cards: Sequence[Card], rules: Collection[str] = ()) -> PrizeTier | None:
    """The highest combination of a seat's first two, three or four cards, in the order dealt (42, 43), or None.

    Three aces of two suits are those of 43 c); by its other reading, among the `rules`, their first two win alone.

    >>> tier_of(["Ah", "Ad", "9c"]).name
    'two_aces'
    >>> tier_of(["9c", "Ah", "Ad"]) is None
    True
    """
    suits = [ace[1] for ace in takewhile(is_ace, cards[:4])]
    if len(suits) == 4 and len({suit in RED for suit in suits}) == 1:
        return FOUR_ACES_ONE_COLOUR
    if len(suits) >= 3 and (len(set(suits[:3])) != 2 or THREE_SUITS not in rules):
        return THREE_ACES_ONE_SUIT if len(set(suits[:3])) == 1 else THREE_ACES
    if len(suits) >= 2:
        return TWO_ACES_ONE_SUIT if len(set(suits[:2])) == 1 else TWO_ACES
    return None


def winning_cards(cards: Sequence[Card], rules: Collection[str] = ()) -> tuple[Card, ...]:
    """The aces of the highest combination among a seat's cards, in the order dealt; empty if nothing is won.

    >>> winning_cards(["Ah", "Ad", "As", "9c"])
    ('Ah', 'Ad', 'As')
    """
    tier = tier_of(cards, rules)
    return tuple(cards[: ACES_OF[tier.name]]) if tier is not None else ()


def award_prize(winners: Iterable[Winner], chip: int, terms: JackpotTerms) -> SettledJackpot:
    """The awards of the chips that won, each player's own, and the pot after them; minor units.

    Smaller prizes come first, in ascending order, then by seat, at one seat the decider's and then the backers' as they
    are given (50 a)); the house pays what the pot cannot. The rest goes to the highest combination: its winners divide
    it equally, and the first of them gets the indivisible rest (50 b)). A pot that is used up starts again at its
    minimum (44).

    >>> terms = JackpotTerms(pot=1_000_000, minimum=500_000, fixed={})
    >>> paid = award_prize([Winner(2, FOUR_ACES_ONE_COLOUR), Winner(5, FOUR_ACES_ONE_COLOUR)], 500, terms)
    >>> [award.amount for award in paid.awards], paid.pot_after
    ([500000, 500000], 500000)
    """
    by_seat = sorted(winners, key=lambda winner: winner.seat)
    smaller = [(winner.tier.times * chip, winner) for winner in by_seat if winner.tier.times is not None]
    highest = [winner for winner in by_seat if winner.tier.times is None]
    remaining = terms.pot
    awards = []
    for amount, winner in sorted(smaller, key=lambda prize: prize[0]):
        from_pot = min(amount, remaining)
        remaining -= from_pot
        awards.append(_award(winner, amount, from_pot, winner.tier.article))
    if highest:
        share, odd = divmod(remaining, len(highest))
        article = FOUR_ACES_ONE_COLOUR.article if len(highest) == 1 else DIVIDED
        for number, winner in enumerate(highest):
            amount = share if number else share + odd
            awards.append(_award(winner, amount, amount, article))
        remaining = 0
    return SettledJackpot(terms.pot, remaining or terms.minimum, awards)


def _award(winner: Winner, amount: int, from_pot: int, article: str) -> Award:
    return Award(winner.seat, winner.tier.name, amount, from_pot, amount - from_pot, article, winner.player)
