"""Chinese dominoes as objects, their text, and the value of two of them. No I/O here."""

from collections.abc import Sequence
from typing import NamedTuple

# Table I, the highest class first; a class of one text has two such tiles, 4-2 and 2-1 excepted.
CLASSES = (
    ("6-6",), ("1-1",), ("4-4",), ("3-1",), ("5-5",), ("3-3",), ("2-2",), ("6-5",), ("6-4",), ("6-1",), ("5-1",),
    ("5-4", "6-3"), ("5-3", "6-2"), ("4-3", "5-2"), ("4-2",), ("4-1", "3-2"), ("2-1",),
)  # fmt: skip
ALONE = ("4-2", "2-1")
CHI_CHUN, ALIKE, NINE_WITH_TIN, EIGHT_WITH_TIN, EIGHT_WITH_TEI = 1000, 900, 800, 799, 798


class Tile(NamedTuple):
    """One physical tile: the dots of its two halves, the larger number first. A tuple: counted at every move."""

    high: int
    low: int

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"

    @property
    def dots(self) -> int:
        """The number of dots on it."""
        return self.high + self.low

    @property
    def height(self) -> int:
        """Its place in Table I, the highest class 17 and the lowest 1."""
        return _HEIGHT[str(self)]


_HEIGHT = {text: len(CLASSES) - at for at, texts in enumerate(CLASSES) for text in texts}


def tile_from_text(text: str) -> Tile:
    """Read `6-5`. Raises ValueError."""
    if text not in _HEIGHT:
        raise ValueError(f"not a tile: {text!r}")
    return Tile(int(text[0]), int(text[2]))


TILE_SET = tuple(
    tile_from_text(text)
    for texts in CLASSES
    for text in texts * (2 if len(texts) == 1 and texts[0] not in ALONE else 1)
)


def worth(pair: Sequence[Tile]) -> tuple[int, int]:
    """The value of two tiles: the greater beats the lesser, and equal ones tie (7.º, Table II)."""
    first, second = sorted(pair, key=lambda tile: -tile.height)
    if {str(first), str(second)} == set(ALONE):
        return CHI_CHUN, 0
    if first.height == second.height:
        return ALIKE, first.height
    match str(first), second.dots:
        case "6-6", 9:
            return NINE_WITH_TIN, 0
        case "6-6", 8:
            return EIGHT_WITH_TIN, 0
        case "1-1", 8:
            return EIGHT_WITH_TEI, 0
    return (first.dots + second.dots) % 10, first.height


class ArrangedTiles(NamedTuple):
    """The tiles of a place as they were arranged: the front pair and the rear pair."""

    front: tuple[Tile, ...]
    rear: tuple[Tile, ...]

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All four, the front pair first."""
        return self.front + self.rear

    @property
    def value(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The values of the rear pair and of the front pair."""
        return worth(self.rear), worth(self.front)


def ways(tiles: Sequence[Tile]) -> list[ArrangedTiles]:
    """The six ways to place four tiles as two pairs, the best first: the highest rear, of those the highest front."""
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    arranged = [
        ArrangedTiles(
            tuple(tile for at, tile in enumerate(tiles) if at not in behind),
            tuple(tile for at, tile in enumerate(tiles) if at in behind),
        )
        for behind in pairs
    ]
    return sorted(arranged, key=lambda way: way.value, reverse=True)


def is_right(arranged: ArrangedTiles) -> bool:
    """Whether no rear pair could be higher (6.º b)."""
    return worth(arranged.rear) == worth(ways(arranged.tiles)[0].rear)
