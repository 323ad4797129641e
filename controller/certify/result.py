"""The results of `certify` for a wager, and how a long job reports progress and saves results. No I/O here.

A job is a function `job(progress, kept, processes) -> Sequence[Certified]`. It does its work in parts, and for every
part it first calls `kept.load(key)`: a result that an earlier run stored is not computed again. It may use `processes`
processes (1: only its own), and stores results and reports progress in the calling process only. Ctrl-C raises
KeyboardInterrupt, which a job does not catch: stored results are used by the next run.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, Protocol

from msgspec import Struct

Method = Literal["exact", "simulated"]
Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]  # what JSON can say


class OutcomeOdds(Struct, frozen=True, kw_only=True):
    """One class of outcome: its chance, and the change in the player's money, in first stakes.

    `net` is None where it is not a fixed multiple of the stake, such as a share of the pot. A simulation's chances are
    the rounds counted over the rounds played.
    """

    outcome: str
    chance: Fraction
    net: Fraction | None


class Certified(Struct, frozen=True, kw_only=True):
    """The certified figures of one wager, in first stakes: the ante without its double, the bet before splits and
    doubles.

    `house_edge` is the exact edge, positive where the house gains, and None for a simulation or where the edge depends
    on the pot. `edge` is the same as a decimal, or a simulation's estimate, and None where there is no edge; `interval`
    is the simulation's confidence interval of `edge`. `variance` is that of the net of one round, an exact fraction or
    an estimate. `odds` is strongest first, its chances sum to 1. `notes` are whole sentences, such as the strategy
    assumed. `further` goes into the JSON beside the fixed keys and into the report: names to plain values, an exact
    number as text such as "1/13".
    """

    wager: str
    method: Method
    house_edge: Fraction | None
    edge: float | None
    interval: tuple[float, float] | None = None
    variance: Fraction | float | None = None
    odds: tuple[OutcomeOdds, ...] = ()
    notes: tuple[str, ...] = ()
    further: Mapping[str, Plain] = {}


class Progress(Protocol):
    """Receives the progress of a long job."""

    def advance(self, done: int, total: int, what: str) -> None:
        """`done` of `total` parts of `what` are computed; may be called at any time."""


class ResultCache(Protocol):
    """Saved results of a job's parts by key; only results of the same game, code and paytables are ever returned."""

    def load(self, key: str) -> Plain:
        """The result stored under the key, or None."""

    def store(self, key: str, value: Plain) -> None:
        """Save a value other than None durably; a Fraction is written as text, `str(fraction)`."""


Job = Callable[[Progress, ResultCache, int], Sequence[Certified]]


class Unwatched:
    """A progress report that no one reads."""

    def advance(self, done: int, total: int, what: str) -> None:
        return


class Unkept:
    """A cache for this run alone."""

    def __init__(self) -> None:
        self._values: dict[str, Plain] = {}

    def load(self, key: str) -> Plain:
        return self._values.get(key)

    def store(self, key: str, value: Plain) -> None:
        self._values[key] = value


def exact(
    wager: str, odds: Sequence[OutcomeOdds], notes: Sequence[str] = (), further: Mapping[str, Plain] | None = None
) -> Certified:
    """The result of a wager from all its classes of outcome, each with its chance and net; the chances sum to 1."""
    if sum(outcome.chance for outcome in odds) != 1:
        raise ValueError(f"{wager}: the chances sum to {sum(outcome.chance for outcome in odds)}, not to 1")
    mean, square = Fraction(0), Fraction(0)
    for outcome in odds:
        if outcome.net is None:
            raise ValueError(f"{wager}: {outcome.outcome} has no fixed net, so no edge")
        mean += outcome.chance * outcome.net
        square += outcome.chance * outcome.net**2
    return Certified(
        wager=wager,
        method="exact",
        house_edge=-mean,
        edge=float(-mean),
        variance=square - mean**2,
        odds=tuple(odds),
        notes=tuple(notes),
        further=further or {},
    )
