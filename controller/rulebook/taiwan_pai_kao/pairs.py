"""The value of two tiles, the 118 ranks of a pair from article 7.º and the order of Table II; and four tiles as a front
and a rear pair. No I/O here.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Literal, get_args

from msgspec import Struct

from controller.rulebook.taiwan_pai_kao.tiles import SET, Tile, class_of, in_order, pips_of

PairName = Literal[
    "chi_chun",
    "pair",
    "tin_kau_vong",
    "tin_kong",
    "tei_kong",
    "points_9",
    "points_8",
    "points_7",
    "points_6",
    "points_5",
    "points_4",
    "points_3",
    "points_2",
    "points_1",
    "points_0",
]
NAMES: tuple[PairName, ...] = get_args(PairName)

_NINE_POINTS = NAMES.index("points_9")
_PO: dict[tuple[str, int], PairName] = {
    ("6-6", 9): "tin_kau_vong",
    ("6-6", 8): "tin_kong",
    ("1-1", 8): "tei_kong",
}


class Pair(Struct, frozen=True):
    """Two tiles, the higher first, their name and their rank: 1 is the strongest of 118, and equal ranks tie."""

    tiles: tuple[Tile, Tile]
    name: PairName
    rank: int


def pair_name(higher: Tile, lower: Tile) -> PairName:
    """The name of a pair whose higher tile is given first (7.º b, Table II).

    4-2 with 2-1 is Chi Chün and two tiles of one class are a pair. Then "Po": 6-6 with a 9 or an 8, 1-1 with an 8.
    Whatever is none of these counts the last digit of its dots.

    >>> pair_name("4-2", "2-1"), pair_name("6-6", "5-4"), pair_name("6-6", "1-1")
    ('chi_chun', 'tin_kau_vong', 'points_4')
    """
    if (higher, lower) == ("4-2", "2-1"):
        return "chi_chun"
    if class_of(higher) == class_of(lower):
        return "pair"
    points = (pips_of(higher) + pips_of(lower)) % 10
    return _PO.get((higher, pips_of(lower)), NAMES[_NINE_POINTS + 9 - points])


def _value(tiles: tuple[Tile, Tile]) -> tuple[int, int]:
    """The rank of a pair: by its name, then by its higher tile, which decides between pairs and equal points."""
    name = pair_name(*tiles)
    decides = name == "pair" or name.startswith("points_")
    return NAMES.index(name), class_of(tiles[0]) if decides else 0


def _all_pairs() -> dict[tuple[Tile, Tile], Pair]:
    every = list(dict.fromkeys((first, second) for first, second in combinations(SET, 2)))
    ranks = {value: rank for rank, value in enumerate(sorted({_value(tiles) for tiles in every}), 1)}
    return {tiles: Pair(tiles, pair_name(*tiles), ranks[_value(tiles)]) for tiles in every}


# SET runs from the highest tile to the lowest, so that combinations of it name the higher tile first.
PAIRS = _all_pairs()
RANKS = max(pair.rank for pair in PAIRS.values())


def pair_of(first: Tile, second: Tile) -> Pair:
    """The pair of two tiles of the set, in any order; KeyError for two copies of a tile that the set has once.

    >>> pair_of("2-1", "4-2")
    Pair(tiles=('4-2', '2-1'), name='chi_chun', rank=1)
    >>> pair_of("5-4", "6-3").name
    'pair'
    """
    higher, lower = in_order((first, second))
    return PAIRS[higher, lower]


class TileHand(Struct, frozen=True):
    """The two pairs of a place; `rearranged` if the dealer had to correct them (6.º b)."""

    front: Pair
    rear: Pair
    rearranged: bool = False


def splits(tiles: Collection[Tile]) -> list[TileHand]:
    """The three ways to split four tiles into two pairs, the higher pair at the rear (6.º b)."""
    first, *others = in_order(tiles)
    hands = []
    for beside in range(3):
        pair = pair_of(first, others[beside])
        other = pair_of(*(tile for place, tile in enumerate(others) if place != beside))
        # min and max of two equal pairs would name the same one twice.
        front, rear = (other, pair) if pair.rank <= other.rank else (pair, other)
        hands.append(TileHand(front, rear))
    return hands


def arrange(tiles: Collection[Tile]) -> TileHand:
    """The four tiles with the highest rear pair, and of equal ones the better front (6.º b).

    If both are equal, the split whose highest tile is in the higher pair; the order of `tiles` does not matter.

    >>> hand = arrange(["6-6", "6-6", "4-2", "2-1"])
    >>> hand.rear.name, hand.front.name
    ('chi_chun', 'pair')
    """
    return min(splits(tiles), key=lambda hand: (hand.rear.rank, hand.front.rank))


def correct_pairs(front: Sequence[Tile], rear: Sequence[Tile]) -> TileHand:
    """The same pairs if no rear pair could be higher, else the pairs of `arrange` (6.º b).

    >>> correct_pairs(["4-2", "2-1"], ["6-6", "6-6"]).rearranged
    True
    """
    best = arrange((*front, *rear))
    made = TileHand(pair_of(*front), pair_of(*rear))
    if made.rear.rank == best.rear.rank:
        return made
    return TileHand(best.front, best.rear, rearranged=True)
