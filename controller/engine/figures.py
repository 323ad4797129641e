"""What the floor asks of the last rounds: rounds per hour, occupancy, and what each wager held; exact. No I/O here."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from controller.engine.history import Played

HOUR_NS = 3600 * 10**9


class Hold(msgspec.Struct, frozen=True):
    """What was staked on a wager and what was kept of it (negative: more was paid), minor units.

    A jackpot chip is staked, and what its hits paid is paid, whether it came out of the pot or from the house.

    `percent` is held / staked with two decimals, rounded half up; null where nothing was staked.
    """

    staked: int
    held: int
    percent: str | None


class Figures(msgspec.Struct, frozen=True):
    """`per_hour` over the time between confirmations while the table was open; `occupancy` in percent.

    Null where there is nothing to compute from. Void rounds count as played and hold nothing.
    """

    rounds: int
    void: int
    per_hour: str | None
    occupancy: str | None
    hold: dict[str, Hold]
    total: Hold


def figures(rounds: Sequence[Played]) -> Figures:
    """The figures of rounds in any order."""
    ordered = sorted(rounds, key=lambda one: one.round.id)
    wagers = _wagers(ordered)
    seats = sum(one.round.terms.seats for one in ordered)
    taken = sum(len(one.round.seats_in_play) for one in ordered)
    return Figures(
        rounds=len(ordered),
        void=sum(one.round.void is not None for one in ordered),
        per_hour=_per_hour(ordered),
        occupancy=None if not seats else decimals(Fraction(100 * taken, seats), 1),
        hold={wager: _hold(staked, held) for wager, (staked, held) in sorted(wagers.items())},
        total=_hold(*(sum(part) for part in zip(*wagers.values(), strict=True))) if wagers else _hold(0, 0),
    )


def _wagers(rounds: Sequence[Played]) -> dict[str, tuple[int, int]]:
    """Staked and held by wager."""
    found: dict[str, tuple[int, int]] = {}
    for one in rounds:
        if one.round.settled is None:
            continue
        for wager, stake, kept in one.round.settled.kept():
            staked, held = found.get(wager, (0, 0))
            found[wager] = (staked + stake, held + kept)
    return found


def _hold(staked: int = 0, held: int = 0) -> Hold:
    return Hold(staked, held, decimals(Fraction(100 * held, staked), 2) if staked else None)


def _per_hour(rounds: Sequence[Played]) -> str | None:
    intervals = [
        after.confirmed.monotonic_ns - before.confirmed.monotonic_ns
        for before, after in zip(rounds, rounds[1:], strict=False)
        if before.confirmed.boot == after.confirmed.boot and before.session == after.session
    ]
    spent = sum(intervals)
    return decimals(Fraction(len(intervals) * HOUR_NS, spent), 1) if spent > 0 else None


def decimals(value: Fraction, places: int) -> str:
    """A fraction with so many decimals, rounded half up, away from zero: 2/3 with one is ``0.7``."""
    scaled = abs(value) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{whole // 10**places}.{whole % 10**places:0{places}d}"
