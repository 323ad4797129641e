"""A period, round by round: the figures of a shift, or of one dealer in it, their curves, and the changes of the pot as
rows to read beside its curve. No I/O here.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from controller.engine.state.applied import Event
from controller.engine.state.jackpot import (
    E4,
    ChipContributed,
    ContributionReturned,
    HitLocked,
    HitWithdrawn,
    MeterAdjusted,
    MeterOpened,
    PotRestarted,
    RestartWithdrawn,
)
from controller.floor.messages import Identity
from controller.rulebook.round import Round
from controller.statistics.day import HOUR_MS, Condition, Day, Tally, ms_of, time_of
from controller.statistics.wagered import Theory, Wagered, square_root

MOST_MOVES = 200  # the newest
PotMoveKind = Literal["contributions", "opened", "hit", "hit_withdrawn", "restart", "restart_withdrawn", "adjusted"]
KINDS: dict[type, PotMoveKind] = {
    ChipContributed: "contributions",
    ContributionReturned: "contributions",
    MeterOpened: "opened",
    HitLocked: "hit",
    HitWithdrawn: "hit_withdrawn",
    PotRestarted: "restart",
    RestartWithdrawn: "restart_withdrawn",
    MeterAdjusted: "adjusted",
}


class PotMove(Struct):
    """A row: `at` in milliseconds since 1970, `moved` and the `pot` after it in minor units.

    Consecutive contributions within an hour are one row, at the time of the last; `chips` is their number of chips,
    without returned ones, and 0 for other rows.
    """

    at: int
    kind: PotMoveKind
    chips: int
    moved: int
    pot: int


def moved_e4(event: Event) -> int | None:
    """The change of the pot by an event, in 1/10 000 of a minor unit; None for an event that does not concern it."""
    match event:
        case MeterOpened():
            return event.pot * E4
        case ChipContributed():
            return event.to_pot_e4
        case ContributionReturned():
            return -event.from_pot_e4
        case HitLocked():
            return -event.from_meter * E4
        case HitWithdrawn():
            return event.from_meter * E4
        case PotRestarted():
            return event.from_reserve_e4 + event.from_house_e4
        case RestartWithdrawn():
            return -event.from_reserve_e4 - event.from_house_e4
        case MeterAdjusted(part="pot"):
            return event.amount * E4
        case _:
            return None


def add_move(moves: list[PotMove], event: Event, at: int, before_e4: int, after_e4: int) -> None:
    """The row of an event that moved the pot, or its amount added to the last row."""
    kind, moved, pot = KINDS[type(event)], after_e4 // E4 - before_e4 // E4, after_e4 // E4
    chips = {ChipContributed: 1, ContributionReturned: -1}.get(type(event), 0)
    last = moves[-1] if moves else None
    if last is not None and kind == last.kind == "contributions" and at // HOUR_MS == last.at // HOUR_MS:
        last.at, last.chips, last.moved, last.pot = at, last.chips + chips, last.moved + moved, pot
    else:
        moves.append(PotMove(at, kind, chips, moved, pot))


MOST_POINTS = 500  # of a curve: a screen has few more across
TOTAL = "total"

Point = TypeVar("Point")


class Lap(NamedTuple):
    """The time from one confirmation to the next: everything in it belongs to the person who confirmed the round."""

    confirmed: int
    dealer: str
    tally: Tally


class MeasuredTime(Day):
    """The figures of a period from `since` on; like a day, it begins with the table at an earlier moment.

    `pot_e4` is what was in the pot at that moment, None at a table without a jackpot.
    """

    def __init__(
        self, identity: Identity, time: str, condition: Condition, seats: int, since: str, pot_e4: int | None
    ) -> None:
        self._start = ms_of(since)
        self._pot_e4 = pot_e4
        super().__init__(identity, time, condition, seats)

    def _begin(self, now: int) -> None:
        super()._begin(now)
        self._laps: list[Lap] = []
        self._pots: list[tuple[int, int]] = []
        self._moves: list[PotMove] = []
        self._mark_pot()

    def _ends(self) -> int | None:
        return self._start if self._now < self._start else None

    def receive(self, time: str, event: Event) -> None:
        """Takes the next event, in the order of the journal."""
        super().receive(time, event)
        moved = moved_e4(event)
        if moved is not None and self._pot_e4 is not None:
            before, self._pot_e4 = self._pot_e4, self._pot_e4 + moved
            if isinstance(event, MeterOpened):
                self._pots.clear()
            add_move(self._moves, event, max(self._now, self._start), before, self._pot_e4)
            self._mark_pot()

    def _mark_pot(self) -> None:
        if self._pot_e4 is not None:
            self._pots.append((max(self._now, self._start), self._pot_e4 // E4))

    def _confirm(self, round: Round, actor: str) -> None:
        super()._confirm(round, actor)
        self._laps.append(Lap(self._now, actor, self._tally))
        self._tally = Tally()

    def figures(self, until: str, dealer: str | None = None) -> dict[str, Any]:
        """The figures until a moment, of all dealers or of one `dealer`; the curves have milliseconds since 1970.

        `total` is over all wagers whose odds are known. Wagers of a round are not independent, so the deviation is the
        sum of theirs, which is never too small. `course` has win, theoretical win and deviation after each round.
        """
        self._proceed(ms_of(until))
        laps = [lap for lap in self._laps if dealer in (None, lap.dealer)]
        whole = Tally()
        for lap in laps:
            whole.add(lap.tally)
        if dealer is None:
            whole.add(self._tally)
            self._mark_pot()
        whole_day = msgspec.to_builtins(whole.statistics(self._identity, time_of(self._since), 0, self._seats))
        for name in ("schema", "as_of"):
            del whole_day[name]
        total = together(whole.wagered.values())
        return {
            **whole_day,
            "until": until,
            "dealers": sorted({lap.dealer for lap in self._laps}),
            "total": None if total is None else total.published(TOTAL),
            "hours": _hours(laps),
            "pot": thinned(self._pots),
            "pot_moves": self._moves[-MOST_MOVES:],
            "course": thinned(list(_course(laps))),
        }


def together(wagered: Iterable[Wagered]) -> Wagered | None:
    """The sums of all wagers whose odds are known; None if there are none."""
    known = [sums for sums in wagered if sums.theory is not None and sums.staked]
    if not known:
        return None
    theory = Theory(Fraction(0), Fraction(0), Fraction(0))
    for sums in known:
        theory = theory.plus(sums.theory or theory)
    return Wagered(
        bets=sum(sums.bets for sums in known),
        staked=sum(sums.staked for sums in known),
        handle=sum(sums.handle for sums in known),
        win=sum(sums.win for sums in known),
        theory=theory,
        variance=sum((square_root(sums.variance) for sums in known), Fraction(0)) ** 2,
    )


def _hours(laps: Sequence[Lap]) -> list[tuple[int, int]]:
    """The number of rounds confirmed in each hour from the first to the last."""
    counted: dict[int, int] = {}
    for lap in laps:
        counted[lap.confirmed // HOUR_MS] = counted.get(lap.confirmed // HOUR_MS, 0) + 1
    hours = range(min(counted, default=0), max(counted, default=-1) + 1)
    return [(hour * HOUR_MS, counted.get(hour, 0)) for hour in hours]


def _course(laps: Sequence[Lap]) -> Iterable[tuple[int, int, int, int]]:
    win, theory, variances = 0, Fraction(0), dict[str, Fraction]()
    for lap in laps:
        for wager, sums in lap.tally.wagered.items():
            if sums.theory is not None:
                win, theory = win + sums.win, theory + sums.theory.win
                variances[wager] = variances.get(wager, Fraction(0)) + sums.variance
        yield lap.confirmed, win, round(theory), round(sum(square_root(variance) for variance in variances.values()))


def thinned(points: Sequence[Point]) -> list[Point]:
    """At most as many of them as are drawn, including the first and the last."""
    step = -(-len(points) // MOST_POINTS)
    return [*points[: -1 : step or 1], *points[-1:]]
