"""Table II as it is printed, its two rows corrected, and the names it gives to pairs. No I/O here.

Article 7.º b) is the rule and the table its illustration: nothing is ranked by it.
"""

from msgspec import Struct

from controller.rulebook.taiwan_pai_kao.pairs import pair_of
from controller.rulebook.taiwan_pai_kao.tiles import Tile


class PrintedRow(Struct, frozen=True):
    """A printed row: its number, its name, its two tiles in the order printed, each with the larger number first."""

    number: int
    name: str
    tiles: tuple[Tile, Tile]


def _row(number: int, name: str, tiles: str) -> PrintedRow:
    first, second = tiles.split(" ")
    return PrintedRow(number, name, (Tile(first), Tile(second)))


PRINTED = (
    _row(1, "Chi Chün", "4-2 2-1"),
    _row(2, "Seong Tin", "6-6 6-6"),
    _row(3, "Seong Tei", "1-1 1-1"),
    _row(4, "Seong Ian", "4-4 4-4"),
    _row(5, "Seong Ngó", "3-1 3-1"),
    _row(6, "Seong Mui", "5-5 5-5"),
    _row(7, "Seong Cheóng-Sám", "3-3 3-3"),
    _row(8, "Seong Pán Táng", "2-2 2-2"),
    _row(9, "Seong Fu T’au", "6-5 6-5"),
    _row(10, "Seong Hông T’au-Sap", "6-4 6-4"),
    _row(11, "Seong Kou-Keók Chat", "6-1 6-1"),
    _row(12, "Seong Ling Lam Kôk", "5-1 5-1"),
    _row(13, "Seong Cháp Káu", "5-4 6-3"),
    _row(14, "Seong Cháp Pát", "6-2 5-3"),
    _row(15, "Seong Cháp Ch’at", "4-3 5-2"),
    _row(16, "Seong Cháp Ng", "4-1 3-2"),
    _row(17, "Tin Káu Vóng", "6-6 5-4"),
    _row(18, "Tin Kóng", "6-6 4-4"),
    _row(19, "Tei Kóng", "1-1 6-2"),
    _row(20, "Tin P’ai Káu", "6-6 6-1"),
    _row(21, "Tei P’ai Káu", "1-1 4-3"),
    _row(22, "Ian P’ai Káu", "4-4 6-5"),
    _row(23, "Ngó P’ai Káu", "3-1 4-1"),
    _row(24, "Mui P’ai Káu", "5-5 6-3"),
    _row(25, "Cheóng P’ai Káu", "3-3 2-1"),
    _row(26, "Pán Tang P’ai Káu", "2-2 3-2"),
    _row(27, "Fu T’au Káu", "6-5 5-3"),
    _row(28, "Hông T’au-Sap Káu", "6-4 6-3"),
    _row(29, "Ling Lam Lôk Káu", "5-1 2-1"),
    _row(30, "Tin P’ai Pát", "6-6 3-3"),
    _row(31, "Tei P’ai Pát", "1-1 5-1"),
    _row(32, "Ian P’ai Pát", "4-4 5-5"),
    _row(33, "Ngó P’ai Pát", "3-1 2-2"),
    _row(34, "Mui P’ai Pát", "5-5 5-3"),
    _row(35, "Fu T’au Pát", "6-5 6-1"),
    _row(36, "Hong T’au Pát", "6-4 6-2"),
    _row(37, "Cháp P’ai Pát", "5-1 2-1"),
    _row(38, "Tin P’ai Chat", "6-6 4-1"),
    _row(39, "Tei P’ai Chat", "1-1 3-2"),
    _row(40, "Ian P’ai Chat", "4-4 5-4"),
    _row(41, "Ngó P’ai Chat", "3-1 2-1"),
    _row(42, "Mui P’ai Chat", "5-5 6-1"),
    _row(43, "Cheong P’ai chat", "3-3 6-5"),
    _row(44, "Pán Táng Chat", "2-2 2-1"),
    _row(45, "Fu T’au Chat", "6-5 5-1"),
    _row(46, "Hong T’au Chat", "6-4 5-2"),
    _row(47, "Cháp P’ai Chat", "6-3 6-2"),
    _row(48, "Tin P’ai Lôk", "6-6 3-1"),
    _row(49, "Tei P’ai Lôk", "1-1 2-2"),
    _row(50, "Ian P’ai Lôk", "4-4 5-3"),
    _row(51, "Mui P’ai Lôk", "5-5 4-2"),
    _row(52, "Cheóng P’ai Lôk", "3-3 6-4"),
    _row(53, "Fu T’au Lôk", "6-5 5-1"),
    _row(54, "Hông T’au Lôk", "6-4 5-1"),
    _row(55, "Kou Keok Chat Lôk", "6-1 5-4"),
    _row(56, "Cháp P’ai Lôk", "6-3 4-3"),
    _row(57, "Ian P’ai Ng", "4-4 6-1"),
    _row(58, "Ngó P’ai Ng", "3-1 6-5"),
    _row(59, "Mui P’ai Ng", "5-5 4-1"),
    _row(60, "Cheong P’ai Ng", "3-3 5-4"),
    _row(61, "Pán Táng Ng", "2-2 6-5"),
    _row(62, "Hong T’au Ng", "6-4 3-2"),
    _row(63, "Kou Keok Chát Ng", "6-1 6-2"),
    _row(64, "Ling Lam Lôk Ng", "5-1 6-3"),
    _row(65, "Cháp Káu Ng", "5-4 4-2"),
    _row(66, "Cháp Pát Ng", "6-2 4-3"),
    _row(67, "Tin P’ai Sei", "6-6 1-1"),
    _row(68, "Ian P’ai Sei", "4-4 3-3"),
    _row(69, "Ngó P’ai Sei", "3-1 6-4"),
    _row(70, "Mui P’ai Sei", "5-5 2-2"),
    _row(71, "Cheóng P’ai Sei", "3-3 6-2"),
    _row(72, "Pán Táng Sei", "2-2 6-4"),
    _row(73, "Kou Keók Chat Sei", "6-1 4-3"),
    _row(74, "Ling Lam Lôk Sei", "5-1 5-3"),
    _row(75, "Cháp Káu Sei", "5-4 3-2"),
    _row(76, "Cháp Pát Sei", "6-2 4-2"),
    _row(77, "Tin P’ai Sám", "6-6 6-5"),
    _row(78, "Tei P’ai Sám", "1-1 6-5"),
    _row(79, "Ian P’ai Sám", "4-4 3-2"),
    _row(80, "Ngó P’ai Sám", "3-1 6-3"),
    _row(81, "Cheóng P’ai Sám", "3-3 6-1"),
    _row(82, "Pán Táng Sám", "2-2 5-4"),
    _row(83, "Kou Keók Chat Sám", "6-1 4-2"),
    _row(84, "Ling Lám Lôk Sám", "5-1 4-3"),
    _row(85, "Cháp Pát Sám", "5-3 4-1"),
    _row(86, "Cháp Chat Sám", "5-2 4-2"),
    _row(87, "Tin P’ai I", "6-6 5-5"),
    _row(88, "Tei P’ai I", "1-1 6-4"),
    _row(89, "Ian P’ai I", "4-4 2-2"),
    _row(90, "Ngó P’ai I", "3-1 5-3"),
    _row(91, "Cheóng P’ai I", "3-3 5-1"),
    _row(92, "Pán Táng I", "2-2 6-2"),
    _row(93, "Kou Keók Chat I", "6-1 4-1"),
    _row(94, "Ling Lám Lôk I", "5-1 4-2"),
    _row(95, "Cháp Káu I", "5-4 2-1"),
    _row(96, "Cháp Chat I", "3-2 4-3"),
    _row(97, "Tei P’ai Iat", "1-1 5-4"),
    _row(98, "Ngó P’ai Iat", "3-1 6-1"),
    _row(99, "Mui P’ai Iat", "5-5 6-5"),
    _row(100, "Cheóng P’ai Iat", "3-3 4-1"),
    _row(101, "Pán Táng Iat", "2-2 4-3"),
    _row(102, "Fu T’au Iat", "6-5 6-4"),
    _row(103, "Ling Lám Lôk Iat", "5-1 3-2"),
    _row(104, "Cháp Pát Iat", "6-2 2-1"),
    _row(105, "Cháp Ng Iat", "4-1 4-2"),
    _row(106, "Ngó P’ai Mât", "3-1 3-3"),
    _row(107, "Mui P’ai Mât", "5-5 6-4"),
    _row(108, "Cheóng P’ai Mât", "3-3 2-2"),
    _row(109, "Pán Táng Mât", "2-2 5-1"),
    _row(110, "Fu T’au Mât", "6-5 5-4"),
    _row(111, "Kou Keók Chát Mât", "6-1 2-1"),
)

# By their names and places both rows mean other tiles: as printed they repeat rows 29 and 45.
CORRECTED: dict[int, tuple[Tile, Tile]] = {
    37: (Tile("4-1"), Tile("2-1")),
    53: (Tile("6-5"), Tile("4-1")),
}

_TITLES = {pair_of(*CORRECTED.get(row.number, row.tiles)).rank: row.name for row in PRINTED}


def title_of(rank: int) -> str | None:
    """The name that Table II gives to the pairs of a rank, in its spelling; None for the seven that it does not
    print.
    """
    return _TITLES.get(rank)
