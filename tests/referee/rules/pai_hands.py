"""Tiles and pairs of Taiwan-Pai Kao: Table I, what a pair is worth (7.º b), 9.º b)), and its name in Table II."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from .pai_table_ii import TABLE_II

# Table I, the highest first. Of the first eleven there are two each, of every other face one: 32 tiles (1.º a)).
CLASSES = (
    "6-6", "1-1", "4-4", "3-1", "5-5", "3-3", "2-2", "6-5", "6-4", "6-1", "5-1",
    ("5-4", "6-3"), ("5-3", "6-2"), ("4-3", "5-2"), ("4-2",), ("4-1", "3-2"), ("2-1",)
)  # fmt: skip
FACES = [face for row in CLASSES for face in ([row] if isinstance(row, str) else row)]
COPIES = Counter({face: 2 if face in CLASSES else 1 for face in FACES})
HEIGHT = {
    face: len(CLASSES) - number
    for number, row in enumerate(CLASSES)
    for face in ([row] if isinstance(row, str) else row)
}

Pair = tuple[str, str]
Worth = tuple[int, int]  # the kind of pair, the highest kind the largest; what decides inside of it


def dots(tile: str) -> int:
    """How many dots a tile has; 4-2 and 2-1 too are never anything else (9.º b))."""
    return sum(int(end) for end in tile.split("-"))


def ordered(tiles: list[str] | Pair) -> list[str]:
    """The tiles as a message writes those of a pair: the highest of Table I first."""
    return sorted(tiles, key=FACES.index)


@cache
def named(pair: Pair) -> tuple[str, Worth]:
    """What kind of pair it is, and what it is worth: the larger wins, equals are a tie."""
    high, low = ordered(pair)
    if {high, low} == {"4-2", "2-1"}:
        return "chi_chun", (14, 0)
    if HEIGHT[high] == HEIGHT[low]:
        return "pair", (13, HEIGHT[high])
    po = {("6-6", 9): ("tin_kau_vong", 12), ("6-6", 8): ("tin_kong", 11), ("1-1", 8): ("tei_kong", 10)}
    if (high, dots(low)) in po:
        name, kind = po[high, dots(low)]
        return name, (kind, 0)
    points = (dots(high) + dots(low)) % 10
    return f"points_{points}", (points, HEIGHT[high])


def worth(pair: Pair) -> Worth:
    """What a pair is worth."""
    return named(pair)[1]


def _ranks() -> dict[Worth, int]:
    every = {worth(pair) for pair in combinations(FACES, 2)} | {
        worth((face, face)) for face in FACES if COPIES[face] > 1
    }
    return {value: rank for rank, value in enumerate(sorted(every, reverse=True), start=1)}


RANKS = _ranks()


def rank(pair: Pair) -> int:
    """1 is the strongest of 118."""
    return RANKS[worth(pair)]


def _titles() -> dict[int, str]:
    """The printed names by rank. A row that repeats another's tiles means the one rank its neighbours leave."""
    printed = [line.split(" ", 2) for line in TABLE_II.splitlines()]
    at = [rank((tile, other)) for tile, other, _ in printed]
    titles: dict[int, str] = {}
    for number, (place, (_, _, name)) in enumerate(zip(at, printed, strict=True)):
        meant = place
        if place in at[:number]:
            (meant,) = range(at[number - 1] + 1, at[number + 1])
        titles[meant] = name
    return titles


TITLES = _titles()


def as_published(pair: Pair) -> dict[str, object]:
    """A pair as a message has it."""
    known = rank(pair)
    return {"cards": ordered(pair), "name": named(pair)[0], "rank": known, "title": TITLES.get(known)}


# ---- Four tiles of Taiwan-Pai Kao as a front and a rear pair, corrected where they must be; front against front


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
