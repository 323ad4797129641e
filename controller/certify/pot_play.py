"""Simulates a progressive pot: its height at the hit, the time to it, and the house's funding, with intervals."""

import random
from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import floor, log, sqrt
from statistics import fmean, quantiles, variance

import msgspec
from msgspec import Struct

from controller.certify.pot import E4, PotTerms, Tiers, Winning
from controller.certify.result import Certified, Plain, Progress, ResultCache
from controller.system.processes import spread

SEED = 1
NORMAL_95 = 1.959964  # half the width of a 95 % interval, in standard errors
SHARES = (5, 25, 50, 75, 95)  # percent of the hits


class HitPlayed(Struct, frozen=True, array_like=True):
    """One hit of the whole pot: its height before, rounds since the last one, what house and reserve gave since then.

    `house_e4` and `reserve_e4` are ten-thousandths of a minor unit: restarts and fixed amounts beyond a share, but not
    the tiers that are the house's alone. `overflow_e4` passed the ceiling.
    """

    pot: int
    rounds: int
    house_e4: int
    reserve_e4: int
    overflow_e4: int


class PlayedMeter:
    """A pot and its reserve as the station keeps them, in ten-thousandths of a minor unit."""

    def __init__(self, terms: PotTerms) -> None:
        self._terms = terms
        self.pot_e4 = terms.minimum * E4
        self.reserve_e4 = terms.reserve * E4
        self.house_e4 = self.reserve_used_e4 = self.overflow_e4 = 0

    @property
    def pot(self) -> int:
        """What the sign shows, minor units."""
        return self.pot_e4 // E4

    def take_in(self, chips: int) -> None:
        """Adds the contributions of some chips: to the pot up to the ceiling, the rest as the terms say."""
        terms = self._terms
        increment_e4 = chips * terms.chip * terms.increment_bp
        room_e4 = increment_e4 if terms.ceiling is None else max(0, terms.ceiling * E4 - self.pot_e4)
        to_pot_e4 = min(increment_e4, room_e4)
        self.pot_e4 += to_pot_e4
        self.reserve_e4 += chips * terms.chip * terms.reserve_bp
        if terms.overflow_to == "reserve":
            self.reserve_e4 += increment_e4 - to_pot_e4
        else:
            self.overflow_e4 += increment_e4 - to_pot_e4

    def pay(self, winners: Winning, tiers: Tiers) -> None:
        """Pays the awards of one round by the table's own code; restarts the pot when it has been won."""
        for award in tiers.award(winners, self._terms, self.pot):
            self.pot_e4 -= award.from_pot * E4
            self.house_e4 += award.from_house * E4
        if self.pot == 0:
            minimum_e4 = self._terms.minimum * E4
            from_reserve_e4 = min(self.reserve_e4, minimum_e4)
            self.pot_e4 += minimum_e4
            self.reserve_e4 -= from_reserve_e4
            self.reserve_used_e4 += from_reserve_e4
            self.house_e4 += minimum_e4 - from_reserve_e4


def play_hits(tiers: Tiers, terms: PotTerms, count: int, seed: str) -> list[HitPlayed]:
    """Plays a number of hits in a row, from a pot at its minimum; the same seed gives the same hits.

    Rounds without a prize from the pot are skipped: their number has a geometric distribution.
    """
    chance_of = dict(tiers.winners(terms.chips_per_round))
    no_one = float(chance_of.pop(()))
    events = sorted(chance_of, key=lambda winners: -chance_of[winners])
    up_to = list(accumulate(float(chance_of[winners]) for winners in events))
    dice = random.Random(seed)
    meter, played, rounds = PlayedMeter(terms), list[HitPlayed](), 0
    while len(played) < count:
        passed = floor(log(1 - dice.random()) / log(no_one)) + 1
        meter.take_in(passed * terms.chips_per_round)
        rounds += passed
        winners = events[min(bisect(up_to, dice.random() * up_to[-1]), len(events) - 1)]
        pot = meter.pot
        meter.pay(winners, tiers)
        if any(tier == tiers.whole_pot for _, tier in winners):
            played.append(HitPlayed(pot, rounds, meter.house_e4, meter.reserve_used_e4, meter.overflow_e4))
            meter.house_e4 = meter.reserve_used_e4 = meter.overflow_e4 = rounds = 0
    return played


def play_pot(
    play: Callable[[tuple[int, str]], list[HitPlayed]],
    hits: int,
    in_a_part: int,
    seed: int,
    what: str,
    progress: Progress,
    kept: ResultCache,
    processes: int,
) -> list[HitPlayed]:
    """Plays all hits in parts, each with its own seed; a saved part is not played again.

    `play` takes (count, seed), as play_hits does, and can be pickled.
    """
    parts = [(min(in_a_part, hits - first), f"{seed}:{first}") for first in range(0, hits, in_a_part)]
    played: dict[tuple[int, str], list[HitPlayed]] = {}
    for part in parts:
        before = kept.load(_key(part))
        if before is not None:
            played[part] = msgspec.convert(before, list[HitPlayed])
    progress.advance(len(played), len(parts), what)
    for part, fresh in spread(play, [part for part in parts if part not in played], processes):
        kept.store(_key(part), msgspec.to_builtins(fresh))
        played[part] = fresh
        progress.advance(len(played), len(parts), what)
    return [hit for part in parts for hit in played[part]]


def _key(part: tuple[int, str]) -> str:
    return f"pot played, {part[0]} hits, seed {part[1]}"


def certify_played(played: Sequence[HitPlayed], terms: PotTerms, seed: int) -> Certified:
    """Means over the simulated hits (pot, time, cost to the house), each with its 95 % interval; the seed is in the
    notes.
    """
    pots = [hit.pot for hit in played]
    figures: dict[str, Plain] = {
        "hits": len(played),
        "seed": seed,
        "pot_at_hit": _mean(pots),
        "pot_at_hit_percent": _shares(pots),
        "rounds_to_hit": _mean([hit.rounds for hit in played]),
        "rounds_to_hit_percent": _shares([hit.rounds for hit in played]),
        "house_funds_per_hit": _mean([hit.house_e4 / E4 for hit in played]),
        "from_reserve_per_hit": _mean([hit.reserve_e4 / E4 for hit in played]),
        "overflow_per_hit": _mean([hit.overflow_e4 / E4 for hit in played]),
    }
    rounds = [hit.rounds for hit in played]
    hours = [count / float(terms.rounds_per_hour) for count in rounds]
    figures["hours_to_hit"] = _mean(hours)
    figures["histogram"] = _histogram(pots)
    return Certified(
        wager="jackpot_played",
        method="simulated",
        house_edge=None,
        edge=None,
        notes=(
            f"{len(played)} hits of the whole pot played with the table's own awards, seed {seed}, "
            f"{terms.chips_per_round} chips in a round, {float(terms.rounds_per_hour):g} rounds an hour.",
            "Amounts are minor units. House funds are restarts and fixed amounts beyond a share; the tiers that the "
            "house pays alone are not among them.",
        ),
        further=figures,
    )


def _mean(values: Sequence[float]) -> dict[str, Plain]:
    mean = fmean(values)
    half = NORMAL_95 * sqrt(variance(values) / len(values))
    return {"mean": round(mean, 2), "interval": [round(mean - half, 2), round(mean + half, 2)]}


def _shares(values: Sequence[int]) -> dict[str, Plain]:
    """For each percentage, the value below which that share of the hits is."""
    cuts = quantiles(values, n=100, method="inclusive")
    return {str(share): round(cuts[share - 1]) for share in SHARES}


def _histogram(values: Sequence[int], bars: int = 24) -> list[Plain]:
    """[from, hits] for each of `bars` bars of equal width, from the lowest value to the highest."""
    low, high = min(values), max(values)
    width = max(1, -(-(high - low + 1) // bars))
    counts = [0] * bars
    for value in values:
        counts[(value - low) // width] += 1
    return [[low + width * bar, count] for bar, count in enumerate(counts)]
