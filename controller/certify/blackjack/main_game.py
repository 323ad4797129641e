"""The main game of black-jack/21 certified: simulated at tables as they are, exact on an infinite deck."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from msgspec import Struct
from msgspec.structs import replace

from controller.certify.blackjack.by_the_rulebook import BET
from controller.certify.blackjack.dealing import SimulatedSeats
from controller.certify.blackjack.infinite_deck import InfiniteDeck
from controller.certify.blackjack.simulation import COMPARED_EVERY, SimulationTally, best_strategy, simulate_seat
from controller.certify.blackjack.strategy import Strategy
from controller.certify.blackjack.variation import REGULATION, Variation
from controller.certify.reasons import CertifyReason
from controller.certify.result import Certified, Job, OutcomeOdds, Plain, Progress, ResultCache
from controller.rulebook.refusal import Refusal

ROUNDS = 10_000_000
LEAST_ROUNDS = 1000
SEED = 1
CONFIDENCE = 0.95

MAIN_TABLE = SimulatedSeats(source="shuffler", decks=6)
OTHER_TABLES = (
    SimulatedSeats(source="shuffler", decks=4),
    SimulatedSeats(source="shoe", decks=6, seats=7),
    SimulatedSeats(source="shoe", decks=4, seats=7),
    SimulatedSeats(source="shoe", decks=6),
    SimulatedSeats(source="endless"),
)

PLAYED = (
    "The bank's second card is not looked at before the players have played: its black-jack takes doubled and split "
    "bets whole (17, 20, 23)."
)


class Estimate(Struct, frozen=True):
    """A simulation's estimate of the house edge, in first bets, and half the width of its confidence interval."""

    edge: float
    within: float

    @property
    def interval(self) -> tuple[float, float]:
        """The two ends of the interval."""
        return (self.edge - self.within, self.edge + self.within)


def estimate(tally: SimulationTally) -> Estimate:
    """The edge per round of a seat; dependent rounds count as one observation, else the interval is too narrow."""
    ratio = Fraction(tally.net, tally.rounds)
    squares = tally.net_by_net - 2 * ratio * tally.net_by_rounds + ratio**2 * tally.rounds_by_rounds
    observed = squares * tally.stretches / (tally.stretches - 1)
    deviations = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return Estimate(-float(ratio) / BET, deviations * sqrt(observed) / tally.rounds / BET)


def certify_main_game(
    rounds: int = ROUNDS,
    seed: int = SEED,
    others: Sequence[SimulatedSeats] = OTHER_TABLES,
    read: Variation = REGULATION,
) -> Job:
    """The job: simulates `rounds` of a seat at the main table and at each of the others, then computes the exact
    figures.

    Raises Refusal for fewer than LEAST_ROUNDS; the job raises Disagreement where quick play and rulebook differ.
    """
    if rounds < LEAST_ROUNDS:
        raise Refusal("rounds", CertifyReason.TOO_FEW_ROUNDS, least=LEAST_ROUNDS, rounds=rounds)

    def job(progress: Progress, kept: ResultCache, processes: int) -> Sequence[Certified]:
        tables = (MAIN_TABLE, *others)
        tallies = {table: simulate_seat(table, rounds, seed, progress, kept, processes, read) for table in tables}
        return (_simulated(tallies, seed, best_strategy(read)), infinite_deck(read, beside_simulated=True))

    return job


def infinite_deck(read: Variation = REGULATION, *, beside_simulated: bool = False) -> Certified:
    """The exact edge if every card comes from a whole deck, and the part of the special prize in it.

    It omits the strategy, which is printed with the simulated main game.
    """
    strategy, no_prize = best_strategy(read), replace(read, special_prize=False)
    edge = InfiniteDeck(read, follows=strategy).edge()
    without = InfiniteDeck(no_prize, follows=strategy).edge()
    never = InfiniteDeck(no_prize).edge()
    return Certified(
        wager="main_game_infinite_deck",
        method="exact",
        house_edge=edge,
        edge=float(edge),
        notes=(
            "Every card comes from a whole deck, whatever came before; the strategy is the best there.",
            f"The special prize (35) gives back {_percent(float(without - edge))} of it; if there were none, "
            f"the best play would leave the house {_percent(float(never))}.",
            *(() if beside_simulated else _strategy_notes(strategy)),
        ),
        further={
            "special_prize": str(without - edge),
            "without_special_prize": str(never),
            **({} if beside_simulated else _strategy(strategy)),
        },
    )


def _simulated(tallies: dict[SimulatedSeats, SimulationTally], seed: int, strategy: Strategy) -> Certified:
    tally = tallies[MAIN_TABLE]
    found = estimate(tally)
    counts = sorted(tally.outcomes.items(), reverse=True)
    mean = Fraction(tally.net, tally.rounds * BET)
    square = sum(Fraction(net, BET) ** 2 * count for net, count in counts) / tally.rounds
    return Certified(
        wager="main_game",
        method="simulated",
        house_edge=None,
        edge=found.edge,
        interval=found.interval,
        variance=float(square - mean**2),
        odds=tuple(_odds(net, count, tally.rounds) for net, count in counts),
        notes=tuple(_notes(tallies, found, seed, strategy)),
        further={
            "rounds": tally.rounds,
            "seed": seed,
            "confidence": CONFIDENCE,
            "special_prize": tally.special / BET / tally.rounds,
            "tables": {table.name: _table(of) for table, of in tallies.items()},
            **_strategy(strategy),
        },
    )


def _odds(net: int, count: int, rounds: int) -> OutcomeOdds:
    bets = Fraction(net, BET)
    return OutcomeOdds(outcome=f"{float(bets):+g}" if bets else "0", chance=Fraction(count, rounds), net=bets)


def _table(tally: SimulationTally) -> dict[str, Plain]:
    found = estimate(tally)
    return {
        "rounds": tally.rounds,
        "edge": found.edge,
        "interval": list(found.interval),
        "special_prize": tally.special / BET / tally.rounds,
        "special_prizes": tally.special_prizes,
        "compared": tally.compared,
        "void": tally.void,
    }


def _notes(tallies: dict[SimulatedSeats, SimulationTally], found: Estimate, seed: int, strategy: Strategy) -> list[str]:
    tally = tallies[MAIN_TABLE]
    notes = [
        f"{_spaced(tally.rounds)} rounds at a {MAIN_TABLE.name}, seed {seed}; {CONFIDENCE * 100:g} % confidence: "
        f"{_percent(found.edge)} ± {_percent(found.within)}.",
        f"{_spaced(tally.compared)} rounds, one in {COMPARED_EVERY} and the first of each class of outcome, were "
        "played again and settled by the rulebook, all alike; the others take the rulebook's result of their class.",
    ]
    for table, played in tallies.items():
        if table != MAIN_TABLE:
            other = estimate(played)
            notes.append(f"{table.name.capitalize()}: {_percent(other.edge)} ± {_percent(other.within)}.")
    return [*notes, *_strategy_notes(strategy)]


def _strategy_notes(strategy: Strategy) -> tuple[str, ...]:
    return PLAYED, f"Strategy against the bank's open card:\n{strategy.printed()}"


def _strategy(strategy: Strategy) -> dict[str, Plain]:
    return {"strategy": {name: list(letters) for name, letters in strategy.rows().items()}}


def _spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _percent(part: float) -> str:
    return f"{100 * part:.4f} %"
