"""Classes of card sets that differ only in suits; how many sets of five or six cards make each combination, and one of
each; Six Card Bonus exactly.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb

import msgspec
from msgspec import Struct

from controller.certify.result import Certified, OutcomeOdds, Progress, ResultCache, exact
from controller.rulebook.cards import DECK, RANKS, SUITS, Card, parse_cards, show_cards
from controller.rulebook.five_card import STRONGEST_FIRST, best_combination
from controller.rulebook.fortune_3_card_poker.paytables import Rules
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.system.processes import spread

_Found = Iterator[tuple[tuple[Card, ...], int]]


def classes_of_sets(size: int, part: int = 0, parts: int = 1) -> _Found:
    """One set of `size` cards of a deck for each class that differs by more than the names of the suits, and its size.

    No suit is higher than another in Macau's pokers, so all sets of a class have the same result. The parts 0 to parts
    - 1 are disjoint and together everything; the sizes of all classes sum to C(52, size).
    """
    first_of, in_suit = _of_one_suit(size)

    def extend(depth: int, before: int, run: int, same: int, left: int, hand: tuple[Card, ...]) -> _Found:
        # The subsets of the four suits never grow; `same` counts the ways to swap equal ones.
        room = 4 - depth
        last = len(in_suit[0]) if room > 1 else first_of.get(left - 1, len(in_suit[0]))
        for index in range(max(before, first_of[left]), last):
            if depth == 0 and index % parts != part:
                continue
            cards = in_suit[depth][index]
            if len(cards) * room < left:
                return
            again = run + 1 if index == before else 1
            if room > 1:
                yield from extend(depth + 1, index, again, same * again, left - len(cards), hand + cards)
            else:
                yield hand + cards, 24 // (same * again)

    return extend(0, 0, 0, 1, size, ())


@lru_cache(maxsize=1)
def _of_one_suit(size: int) -> tuple[dict[int, int], list[list[tuple[Card, ...]]]]:
    """The sets of at most `size` cards of each suit, the largest first, and at which place those of a size begin."""
    subsets = [ranks for count in range(size, -1, -1) for ranks in combinations(RANKS, count)]
    first_of = {len(ranks): index for index, ranks in reversed(list(enumerate(subsets)))}
    return first_of, [[tuple(Card(rank + suit) for rank in ranks) for ranks in subsets] for suit in SUITS]


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
