"""A progressive pot in closed form: a chip's return, the break-even pot, the time and height of a hit. No I/O here."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, log, log1p
from typing import Literal

from msgspec import Struct

from controller.certify.result import Certified, OutcomeOdds, Plain
from controller.rulebook.jackpot_award import Award

E4 = 10_000  # a rate in basis points of an amount leaves ten-thousandths of a minor unit
MOST_BREAK_EVEN = 10**15  # minor units: where no pot up to here breaks even, none does

POINTS = 40  # of a curve

Winning = tuple[tuple[int, str], ...]  # (seat, tier) of all who win in one round


class PotTerms(Struct, frozen=True, kw_only=True):
    """The parameters of one pot: money in minor units, rates in basis points of a chip.

    `ceiling` is None without a ceiling. `chips_per_round` and `rounds_per_hour` describe the table's pace. `decks` is 0
    for the game's own number.
    """

    game: str
    currency: str
    exponent: int
    chip: int
    pot: int
    reserve: int
    minimum: int
    increment_bp: int
    reserve_bp: int
    ceiling: int | None
    overflow_to: Literal["overflow", "reserve"]
    fixed: Mapping[str, int]
    chips_per_round: int
    rounds_per_hour: Fraction
    decks: int = 0


class Tiers(Struct, frozen=True, kw_only=True):
    """What a chip can win: the chance of each tier, who pays it, and the code of the table that awards it.

    `whole_pot` takes all; `shares` take a part of the pot; `from_pot` takes a number of chips from it; `from_house` is
    paid by the house alone. `winners(chips)` has the chance of every set of winners that touches the pot, the empty one
    included; they sum to 1. `award(winners, terms, pot)` is the rulebook's.
    """

    chances: Mapping[str, Fraction]
    whole_pot: str
    shares: Mapping[str, Fraction]
    from_pot: Mapping[str, int]
    from_house: tuple[str, ...]
    award: Callable[[Winning, PotTerms, int], list[Award]]
    winners: Callable[[int], Mapping[Winning, Fraction]]
    notes: tuple[str, ...]


class Hits(Struct, frozen=True, kw_only=True):
    """When the whole pot is won and how high it is then; rounds, and minor units as exact fractions.

    `growth` is the expected pot after so many rounds without such a hit, from its minimum.
    """

    per_round: Fraction
    rounds: Fraction
    pot: Fraction
    from_now: Fraction
    hours: Fraction
    median_rounds: int
    rounds_95: int
    growth: Callable[[int], float]


def hit_figures(tiers: Tiers, terms: PotTerms) -> Hits:
    """Closed forms for a pot without a ceiling and with unrounded shares: the number of rounds to a hit is geometric.

    A round adds the chips' increments; if no one wins the whole pot, smaller prizes take, on average, a factor and an
    amount off it. Both are exact, since rounds are independent and have the same distribution.
    """
    winners = tiers.winners(terms.chips_per_round)
    takes_all = {won: any(tier == tiers.whole_pot for _, tier in won) for won in winners}
    per_round = sum((chance for won, chance in winners.items() if takes_all[won]), Fraction(0))
    lives = 1 - per_round
    kept, taken = Fraction(0), Fraction(0)
    for won, chance in winners.items():
        if not takes_all[won]:
            kept += chance * (1 - sum((tiers.shares.get(tier, Fraction(0)) for _, tier in won), Fraction(0)))
            taken += chance * sum(tiers.from_pot.get(tier, 0) for _, tier in won) * terms.chip
    kept, taken = kept / lives, taken / lives
    adds = Fraction(terms.chips_per_round * terms.chip * terms.increment_bp, E4)
    survives = per_round / (1 - lives * kept)

    def at_the_hit(start: Fraction) -> Fraction:
        first = start + adds
        if kept == 1:
            return first + (adds - taken) * lives / per_round
        return first * survives + (adds - taken) / (1 - kept) * (1 - survives)

    def growth(rounds: int) -> float:
        left = float(kept) ** rounds
        if kept == 1:
            return float(terms.minimum + (adds - taken) * rounds)
        return terms.minimum * left + float((adds - taken) / (1 - kept)) * (1 - left)

    return Hits(
        per_round=per_round,
        rounds=1 / per_round,
        pot=at_the_hit(Fraction(terms.minimum)),
        from_now=at_the_hit(Fraction(terms.pot)),
        hours=1 / per_round / terms.rounds_per_hour,
        median_rounds=_rounds_until(per_round, 0.5),
        rounds_95=_rounds_until(per_round, 0.95),
        growth=growth,
    )


def _rounds_until(per_round: Fraction, share: float) -> int:
    """The number of rounds after which this share of all pots is won."""
    return ceil(log(1 - share) / log1p(-float(per_round)))


def _growth(expected: Hits) -> list[Plain]:
    """[rounds, expected pot, chance that it is not yet won], from the restart until 95 % of the pots are won."""
    after = [expected.rounds_95 * step // POINTS for step in range(POINTS + 1)]
    alive = 1 - float(expected.per_round)
    return [[rounds, round(expected.growth(rounds), 2), round(alive**rounds, 6)] for rounds in after]


def returned(tiers: Tiers, terms: PotTerms, pot: int) -> Fraction:
    """The average return of one chip at a pot, in chips, if no other chip wins; awards are by the table's own code."""
    return sum(
        (
            chance * Fraction(sum(award.amount for award in tiers.award(((1, tier),), terms, pot)), terms.chip)
            for tier, chance in tiers.chances.items()
        ),
        Fraction(0),
    )


def break_even(tiers: Tiers, terms: PotTerms) -> int | None:
    """The smallest pot, minor units, at which a chip returns its own value on average; None if no pot does."""
    low, high = 1, MOST_BREAK_EVEN
    if returned(tiers, terms, high) < 1:
        return None
    while low < high:
        middle = (low + high) // 2
        if returned(tiers, terms, middle) >= 1:
            high = middle
        else:
            low = middle + 1
    return low


def certify_pot(tiers: Tiers, terms: PotTerms | None, wager: str = "jackpot") -> Certified:
    """The odds of each tier; with the terms of a pot also its return, break-even pot and time to a hit.

    With terms the edge is that of the long run: the part of stakes that is never paid out. Without them there is none.
    """
    lost = OutcomeOdds(outcome="lose", chance=1 - sum(tiers.chances.values(), Fraction(0)), net=Fraction(-1))
    if terms is not None:
        return _with_terms(tiers, terms, wager, lost)
    net = {tier: Fraction(chips - 1) for tier, chips in tiers.from_pot.items()}
    odds = [OutcomeOdds(outcome=tier, chance=chance, net=net.get(tier)) for tier, chance in tiers.chances.items()]
    return Certified(
        wager=wager,
        method="exact",
        house_edge=None,
        edge=None,
        odds=(*odds, lost),
        notes=(*tiers.notes, "The edge depends on the pot: --jackpot FILE gives its terms."),
        further={"fixed_part_returned": str(_fixed_from_pot(tiers))} if tiers.from_pot else {},
    )


def _with_terms(tiers: Tiers, terms: PotTerms, wager: str, lost: OutcomeOdds) -> Certified:
    odds = []
    for tier, chance in tiers.chances.items():
        amount = sum(award.amount for award in tiers.award(((1, tier),), terms, terms.pot))
        odds.append(OutcomeOdds(outcome=tier, chance=chance, net=Fraction(amount, terms.chip) - 1))
    expected = hit_figures(tiers, terms)
    own = sum((tiers.chances[tier] * Fraction(terms.fixed[tier], terms.chip) for tier in tiers.from_house), Fraction(0))
    increment = Fraction(terms.increment_bp, E4)
    restarts = Fraction(terms.minimum, terms.chip) * expected.per_round / terms.chips_per_round
    reserve = Fraction(terms.reserve_bp, E4)
    long_run: dict[str, Plain] = {
        "fixed_part_returned": str(own + _fixed_from_pot(tiers)),
        "increment": str(increment),
        "restarts": str(restarts),
        "reserve": str(reserve),
        "house_funds_of_restarts": str(max(Fraction(0), restarts - reserve)),
    }
    notes = (
        *tiers.notes,
        f"In the long run a chip returns {float(own):.6f} of itself in fixed amounts of the house, "
        f"{float(increment):.6f} through the pot and {float(restarts):.6f} through the restarts; the rest is the edge.",
        "The net of each tier is for a chip that wins alone, at the pot given.",
        "Long run and hits are exact where the pot stays below its ceiling, its shares reach their fixed amounts and "
        "it covers its prizes; the simulation has all of these, and the rounding.",
    )
    edge = 1 - own - increment - restarts
    return Certified(
        wager=wager,
        method="exact",
        house_edge=edge,
        edge=float(edge),
        odds=(*odds, lost),
        notes=notes,
        further=long_run | _at_this_pot(tiers, terms) | _hit(expected),
    )


def _fixed_from_pot(tiers: Tiers) -> Fraction:
    """What a chip returns in prizes of so many chips, in chips."""
    return sum((tiers.chances[tier] * chips for tier, chips in tiers.from_pot.items()), Fraction(0))


def _at_this_pot(tiers: Tiers, terms: PotTerms) -> dict[str, Plain]:
    edge = 1 - returned(tiers, terms, terms.pot)
    return {
        "break_even_pot": break_even(tiers, terms),
        "pot": terms.pot,
        "edge_at_this_pot": str(edge),
        "edge_at_this_pot_decimal": round(float(edge), 6),
    }


def _hit(expected: Hits) -> dict[str, Plain]:
    return {
        "hit_per_round": str(expected.per_round),
        "mean_rounds_to_hit": str(expected.rounds),
        "median_rounds_to_hit": expected.median_rounds,
        "rounds_to_hit_95": expected.rounds_95,
        "mean_hours_to_hit": round(float(expected.hours), 2),
        "mean_pot_at_hit": round(float(expected.pot), 2),
        "mean_pot_at_next_hit": round(float(expected.from_now), 2),
        "growth": _growth(expected),
    }
