"""The prizes from a progressive jackpot, and the pot after them. No I/O here."""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from msgspec import Struct

from controller.rulebook.units import BasisPoints, Minor

TENTHS_IN_TURN = "tenths_one_after_another"
ROYAL_ON_THE_POT = "royal_on_the_pot_as_it_was"
POT_READINGS = (TENTHS_IN_TURN, ROYAL_ON_THE_POT)
"""The keys of the other readings of 15.º 4 and 15.º 5 of 2025."""


class Tier(Struct, frozen=True):
    """A winning combination: the share of the pot in percent (0: a fixed amount alone) and the article."""

    percent: int
    article: str


class JackpotTerms(Struct, frozen=True):
    """Pot and minimum (restart) at least 1, fixed amounts 0 or more for every tier; minor units.

    `pot` is what the sign shows, the contributions of this round included.
    """

    pot: int
    minimum: int
    fixed: dict[str, int]


class Parameters(Struct, frozen=True):
    """The parameters of the meter. Money in minor units, rates in basis points of a chip."""

    chip: Minor
    minimum: Minor
    increment_bp: BasisPoints
    reserve_bp: BasisPoints
    ceiling: Minor
    overflow_to: Literal["overflow", "reserve"]
    unreasonable_chips: int
    fixed: dict[str, Minor]

    def terms(self, pot: int) -> JackpotTerms:
        """The terms of awards while the sign shows `pot`."""
        return JackpotTerms(pot=pot, minimum=self.minimum, fixed=self.fixed)


class Win(Struct, frozen=True, omit_defaults=True):
    """A chip that won: its seat, the combination, and who bets along there if it is his."""

    seat: int
    tier: str
    player: str | None = None


class Award(Struct, frozen=True, omit_defaults=True):
    """One prize in minor units: `amount` = `from_pot` + `from_house`. `player` is the player who bets along there, if
    the chip is his.
    """

    seat: int
    tier: str
    amount: Minor
    from_pot: Minor
    from_house: Minor
    article: str
    player: str | None = None


class SettledJackpot(Struct, frozen=True):
    """The pot before and after the awards, which are in the order they are paid.

    pot_after = pot_before - the sum of from_pot, or the minimum where that leaves nothing (15.º 6).
    """

    pot_before: Minor
    pot_after: Minor
    awards: list[Award]


def award_jackpot(
    winners: Iterable[tuple[int, str]], terms: JackpotTerms, tiers: Mapping[str, Tier], readings: Collection[str] = ()
) -> SettledJackpot:
    """The awards of the (seat, tier) that won (2025: 15.º 3 to 6, 16.º 3).

    Paid from the bank's left, in the order of the seats (15.º 3), but a winner of the whole pot comes after all others
    when there are winners of a share of it (15.º 5). A share is computed, rounded down, on the pot as it was before the
    first payment; the whole pot is what then remains. The larger of share and fixed amount is paid: the pot gives the
    share and the house what is missing, so a tier with no share leaves the pot alone. By other `readings` each share is
    computed on the rest of the pot, or the whole pot is the pot before the first payment.

    >>> terms = JackpotTerms(pot=1_000_000, minimum=500_000, fixed={"straight_flush": 150_000})
    >>> (award,) = award_jackpot([(3, "straight_flush")], terms, {"straight_flush": Tier(10, "15.º 4")}).awards
    >>> award.from_pot, award.from_house
    (100000, 50000)
    """
    in_turn = sorted(winners)
    if any(0 < tiers[tier].percent < 100 for _, tier in in_turn):
        in_turn.sort(key=lambda winner: tiers[winner[1]].percent == 100)
    remaining = terms.pot
    awards = []
    for seat, name in in_turn:
        tier = tiers[name]
        of = remaining if TENTHS_IN_TURN in readings else terms.pot
        share = remaining if tier.percent == 100 else min(of * tier.percent // 100, remaining)
        due = terms.pot if tier.percent == 100 and ROYAL_ON_THE_POT in readings else share
        amount = max(due, terms.fixed[name])
        remaining -= share
        awards.append(Award(seat, name, amount, share, amount - share, tier.article))
    restarts = bool(awards) and remaining == 0
    return SettledJackpot(terms.pot, terms.minimum if restarts else remaining, awards)
