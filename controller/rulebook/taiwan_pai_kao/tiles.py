"""The 32 tiles of Chinese dominoes: their text, copies and order by themselves (Table I). No I/O here."""

from collections import Counter
from collections.abc import Iterable
from typing import NewType

from msgspec import Struct

from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.taiwan_pai_kao.articles import MATERIAL
from controller.rulebook.taiwan_pai_kao.reasons import PaiKaoReason

Tile = NewType("Tile", str)


class TileClass(Struct, frozen=True):
    """One row of Table I: its printed name, its tiles with the larger number first, and the copies of each."""

    name: str
    tiles: tuple[Tile, ...]
    copies: int


def _row(name: str, tiles: str, copies: int) -> TileClass:
    return TileClass(name, tuple(Tile(tile) for tile in tiles.split(" ")), copies)


TABLE_I = (
    _row("Tin", "6-6", 2),
    _row("Tei", "1-1", 2),
    _row("Ian", "4-4", 2),
    _row("Ngó", "3-1", 2),
    _row("Mui", "5-5", 2),
    _row("Cheóng-Sám", "3-3", 2),
    _row("Pán Táng", "2-2", 2),
    _row("Fu T’au", "6-5", 2),
    _row("Hông T’au", "6-4", 2),
    _row("Kou-Keók Ch’at", "6-1", 2),
    _row("Ling Lam Lôk", "5-1", 2),
    _row("Cháp Káu", "5-4 6-3", 1),
    _row("Cháp Pát", "5-3 6-2", 1),
    _row("Cháp Ch’at", "4-3 5-2", 1),
    _row("Tái-Kái Lôk", "4-2", 1),
    _row("Cháp Ng", "4-1 3-2", 1),
    _row("Sai Kâi", "2-1", 1),
)
FACES: tuple[Tile, ...] = tuple(tile for row in TABLE_I for tile in row.tiles)
COPIES = {tile: row.copies for row in TABLE_I for tile in row.tiles}
SET: tuple[Tile, ...] = tuple(tile for tile in FACES for _ in range(COPIES[tile]))

_CLASS_OF = {tile: number for number, row in enumerate(TABLE_I, 1) for tile in row.tiles}
_PLACE_IN_ORDER = {tile: place for place, tile in enumerate(FACES)}


def class_of(tile: Tile) -> int:
    """The tile's number in Table I, 1 (6-6) to 17 (2-1); a lower number is the higher tile.

    >>> class_of("6-6"), class_of("5-4"), class_of("6-3"), class_of("2-1")
    (1, 12, 12, 17)
    """
    return _CLASS_OF[tile]


def pips_of(tile: Tile) -> int:
    """The number of dots on the tile, 2 to 12; 4-2 is always 6 and 2-1 always 3 (9.º b).

    >>> pips_of("6-5")
    11
    """
    return int(tile[0]) + int(tile[2])


def in_order(tiles: Iterable[Tile]) -> list[Tile]:
    """The tiles from 6-6 down to 2-1; of two in one class of Table I, as that row is written here.

    >>> in_order(["2-1", "5-5", "1-1", "6-6"])
    ['6-6', '1-1', '5-5', '2-1']
    """
    return sorted(tiles, key=_PLACE_IN_ORDER.__getitem__)


def parse_tiles(text: str, who: str = "tiles") -> tuple[Tile, ...]:
    """The tiles of a text such as "6-6 5-4": one space between two tiles, larger number first, at least one tile.

    Raises Refusal, blaming `who`, for any other text. Copies are not counted here.

    >>> parse_tiles("6-6 5-4")
    ('6-6', '5-4')
    >>> parse_tiles("6-6 4-5", "place 3")
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('place 3', 'no_such_tile', {'tile': '"4-5"'}, None)
    """
    tiles = tuple(Tile(word) for word in text.split(" "))
    for tile in tiles:
        if tile not in _CLASS_OF:
            raise Refusal(who, PaiKaoReason.NO_SUCH_TILE, tile=quoted(str(tile)))
    return tiles


def show_tiles(tiles: Iterable[Tile]) -> str:
    """The text that parse_tiles reads."""
    return " ".join(tiles)


def refuse_beyond_copies(hands: Iterable[tuple[str, Iterable[Tile]]]) -> None:
    """Raises Refusal, blaming the place where it shows, for more copies of a tile than the set has (1.º a).

    >>> refuse_beyond_copies([("place 1", ["4-2"]), ("place 2", ["4-2"])])
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('place 2', 'second_of_one', {'tile': '4-2'}, '1.º a)')
    """
    seen: Counter[Tile] = Counter()
    for place, tiles in hands:
        for tile in tiles:
            seen[tile] += 1
            if seen[tile] > COPIES[tile]:
                code = PaiKaoReason.SECOND_OF_ONE if COPIES[tile] == 1 else PaiKaoReason.THIRD_OF_TWO
                raise Refusal(place, code, MATERIAL, tile=tile)
