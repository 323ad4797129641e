"""The odds that the statistics know, out of certify: `make odds` writes them, and the tests of certify hold them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from controller.certify.blackjack.by_the_rulebook import BET
from controller.certify.blackjack.dealing import SimulatedSeats
from controller.certify.blackjack.main_game import SEED, estimate
from controller.certify.blackjack.simulation import SimulationTally, simulate_seat
from controller.certify.combinations import certify_six_card_bonus, count_combinations
from controller.certify.fortune_3 import certify_ante, certify_pair_plus
from controller.certify.fortune_8 import certify_boxes
from controller.certify.insurance import certify_every_insurance
from controller.certify.pai_kao import Deals, certify_place
from controller.certify.result import Certified, Unkept, Unwatched
from controller.rulebook.blackjack_21.paytable import GAME as BLACKJACK_21
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025
from controller.rulebook.fortune_8.paytable import BOXES
from controller.rulebook.fortune_8.paytable import GAME as FORTUNE_8
from controller.rulebook.taiwan_pai_kao.articles import GAME as TAIWAN_PAI_KAO
from controller.statistics.odds import Known, known_odds

FILE = Path(__file__).parents[2] / "controller" / "statistics" / "odds.json"
ROUNDS = 8_000_000
PROCESSES = 1
TABLES = (
    SimulatedSeats(source="shuffler", decks=6),
    SimulatedSeats(source="shuffler", decks=4),
    SimulatedSeats(source="shoe", decks=6, seats=7),
    SimulatedSeats(source="shoe", decks=4, seats=7),
)
ALONE = ("low", "eight", "high", "pair_plus")  # cards of their own, and no one else's


def odds() -> Iterator[tuple[str, list[Known]]]:
    """What is known of each game: in some minutes."""
    six = certify_six_card_bonus(RULES_2025, count_combinations(6, Unwatched(), Unkept(), 1))
    yield RULES_2025.game, [*map(exactly, [*certify_ante(RULES_2025), certify_pair_plus(RULES_2025), six])]
    yield RULES_2008.game, [*map(exactly, [*certify_ante(RULES_2008), certify_pair_plus(RULES_2008)])]
    yield FORTUNE_8, [*map(exactly, certify_boxes(BOXES))]
    yield TAIWAN_PAI_KAO, [commission(certify_place(Deals()))]
    insured = [wager for wager in certify_every_insurance() if wager.wager.startswith("insurance")]
    yield BLACKJACK_21, [*_main_games(), *map(exactly, insured)]


def exactly(certified: Certified) -> Known:
    """A wager whose odds are exact."""
    assert certified.method == "exact"
    return Known(
        wager=certified.wager,
        edge=str(certified.house_edge),
        variance=str(certified.variance),
        alone=certified.wager in ALONE,
    )


def commission(found: Sequence[Certified]) -> Known:
    """What the house takes of a stake on a place, whichever side won: commission where the two are not equal."""
    decided = 1 - Fraction(str(found[0].further["tie"]))
    taken = Fraction(str(found[0].further["commission"]))
    return Known(wager="place", edge=str(taken), variance=str(taken**2 / decided - taken**2))


def _main_games() -> Iterator[Known]:
    """By the regulation's readings; those of before where they are of as many rounds, for they take minutes."""
    kept = known_odds().get(BLACKJACK_21, ()) if FILE.exists() else ()
    for table in TABLES:
        same = (row for row in kept if (row.source, row.decks, row.rounds) == (table.source, table.decks, ROUNDS))
        yield next(same, None) or simulated(table, simulate_seat(table, ROUNDS, SEED, Unwatched(), Unkept(), PROCESSES))


def simulated(table: SimulatedSeats, tally: SimulationTally) -> Known:
    """The main game at a table, to the millionth of a first bet."""
    found = estimate(tally)
    mean = Fraction(tally.net, tally.rounds * BET)
    square = sum(Fraction(net, BET) ** 2 * count for net, count in tally.outcomes.items()) / tally.rounds
    edge, low, high, variance = (f"{float(part):.6f}" for part in (-mean, *found.interval, square - mean**2))
    return Known(
        wager="main_game",
        edge=edge,
        variance=variance,
        interval=(low, high),
        rounds=ROUNDS,
        seed=SEED,
        source=table.source,
        decks=table.decks,
    )


def written(found: dict[str, list[Known]]) -> bytes:
    """As the file has it: a line for each wager."""
    games = []
    for game, wagers in found.items():
        lines = ",\n  ".join(msgspec.json.encode(wager).decode() for wager in wagers)
        games.append(f'"{game}": [\n  {lines}\n ]')
    return ("{\n " + ",\n ".join(games) + "\n}\n").encode()


if __name__ == "__main__":
    FILE.write_bytes(written(dict(odds())))
