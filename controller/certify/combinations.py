"""How many sets of five or six cards make each combination, and one of each; Six Card Bonus exactly."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb

import msgspec
from msgspec import Struct

from controller.certify.classes import classes_of_sets
from controller.certify.result import Certified, OutcomeOdds, Progress, ResultCache, exact
from controller.rulebook.cards import DECK, Card, parse_cards, show_cards
from controller.rulebook.five_card import STRONGEST_FIRST, best_combination
from controller.rulebook.fortune_3_card_poker.paytables import Rules
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.system.processes import spread

NOTHING = "nothing"
PARTS = 16
ORDER = (*STRONGEST_FIRST, NOTHING)


class CombinationCount(Struct, frozen=True):
    """The number of sets that make a combination, and an example of its cards as text."""

    sets: int
    example: str


def count_combinations(size: int, progress: Progress, kept: ResultCache, processes: int) -> dict[str, CombinationCount]:
    """Every combination that sets of five or six cards make, strongest first; the counts sum to C(52, size)."""
    found: dict[str, CombinationCount] = {}
    missing = []
    for part in range(PARTS):
        before = kept.load(_key(size, part))
        if before is None:
            missing.append((size, part))
        else:
            _add(found, msgspec.convert(before, dict[str, CombinationCount]))
    what = f"sets of {size} cards"
    progress.advance(PARTS - len(missing), PARTS, what)
    for done, ((_, part), counted) in enumerate(spread(count_part, missing, processes), PARTS - len(missing) + 1):
        kept.store(_key(size, part), msgspec.to_builtins(counted))
        _add(found, counted)
        progress.advance(done, PARTS, what)
    if sum(count.sets for count in found.values()) != comb(len(DECK), size):
        raise AssertionError(f"the sets of {size} cards are {sum(count.sets for count in found.values())}")
    return {name: found[name] for name in ORDER if name in found}


def _key(size: int, part: int) -> str:
    return f"combinations in {size} cards, part {part} of {PARTS}"


def _add(found: dict[str, CombinationCount], more: Mapping[str, CombinationCount]) -> None:
    for name, count in more.items():
        before = found.get(name)
        found[name] = (
            CombinationCount(before.sets + count.sets, min(before.example, count.example)) if before else count
        )


def count_part(size_and_part: tuple[int, int]) -> dict[str, CombinationCount]:
    """One part of the sets, ranked one by one."""
    size, part = size_and_part
    sets: dict[str | None, int] = {}
    ones: dict[str | None, tuple[Card, ...]] = {}
    for hand, ways in classes_of_sets(size, part, PARTS):
        name = best_combination(hand)
        if name in sets:
            sets[name] += ways
        else:
            sets[name] = ways
            ones[name] = hand
    return {name or NOTHING: CombinationCount(count, show_cards(ones[name])) for name, count in sets.items()}


def certify_six_card_bonus(rules: Rules, counted: Mapping[str, CombinationCount]) -> Certified:
    """Six Card Bonus from the combinations in six cards: one set of each is settled, the player's three first."""
    sets = sum(combination.sets for combination in counted.values())
    odds = []
    for name, combination in counted.items():
        six = parse_cards(combination.example)
        seat = SeatRound({"pair_plus": 1, "six_card_bonus": 1}, None, six[:3])
        lines = settle({1: seat}, six[3:], None, None, rules).seats["1"].lines
        net = next(line.net for line in lines if line.wager == "six_card_bonus")
        odds.append(OutcomeOdds(outcome=name, chance=Fraction(combination.sets, sets), net=Fraction(net)))
    return exact("six_card_bonus", odds, [f"The player's three cards and the bank's: {sets} sets of six."])
