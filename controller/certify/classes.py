"""Classes of card sets that differ only in suits: one set of each, and the number of its sets. No I/O here."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from controller.rulebook.cards import RANKS, SUITS, Card

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
