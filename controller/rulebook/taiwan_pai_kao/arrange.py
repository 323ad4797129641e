"""Four tiles as a front and a rear pair: the best split, and whether a player's split may remain. No I/O here."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from controller.rulebook.taiwan_pai_kao.pairs import Pair, pair_of
from controller.rulebook.taiwan_pai_kao.tiles import Tile, in_order


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
