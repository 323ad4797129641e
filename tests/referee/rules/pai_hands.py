"""Four tiles of Taiwan-Pai Kao as a front and a rear pair, corrected where they must be; front against front (6.º)."""

from dataclasses import dataclass

from .pai_pairs import FACES, Pair, as_published, ordered, worth


@dataclass(frozen=True)
class Hand:
    """What counts of the tiles of a place; `rearranged` where it was not how they were (6.º b))."""

    front: Pair
    rear: Pair
    rearranged: bool = False

    def as_published(self) -> dict[str, object]:
        """As a message reports the hand."""
        return {"front": as_published(self.front), "rear": as_published(self.rear), "rearranged": self.rearranged}


def ways(tiles: list[str]) -> list[Hand]:
    """Every way to place four tiles as two pairs, the higher one behind."""
    first, *others = ordered(tiles)
    found = []
    for at, beside in enumerate(others):
        with_first, without = (first, beside), (others[at - 2], others[at - 1])
        higher_behind = worth(with_first) >= worth(without)
        found.append(Hand(without, with_first) if higher_behind else Hand(with_first, without))
    return found


def best(tiles: list[str]) -> Hand:
    """The highest rear pair that the tiles allow, of equal ones with the better front.

    Where both are equal too, the highest tile goes with the one that Table I names first.
    """

    def how_good(hand: Hand) -> tuple[object, object, int]:
        pair = next(pair for pair in (hand.front, hand.rear) if ordered(tiles)[0] in pair)
        return worth(hand.rear), worth(hand.front), -FACES.index(ordered(pair)[1])

    return max(ways(tiles), key=how_good)


def arrange(front: Pair, rear: Pair) -> Hand:
    """The pairs as a player placed them: they are if no rear pair could be higher, else they are corrected."""
    right = best([*front, *rear])
    if worth(rear) == worth(right.rear):
        return Hand(front, rear)
    return Hand(right.front, right.rear, rearranged=True)


def against(place: Hand, bank: Hand) -> str:
    """What a place has of it: both pairs higher wins, or one and the other equal; else no one (6.º c), 9.º a))."""
    sides = [
        (worth(own) > worth(other)) - (worth(own) < worth(other))
        for own, other in ((place.front, bank.front), (place.rear, bank.rear))
    ]
    return {1: "win", 0: "push", -1: "lose"}[(sum(sides) > 0) - (sum(sides) < 0)]
