"""Table II as it is printed, against the order that article 7.º b) gives; every difference is an erratum."""

import itertools
import re

from controller.rulebook.taiwan_pai_kao.pairs import PAIRS, RANKS, Pair, pair_of
from controller.rulebook.taiwan_pai_kao.table_ii import CORRECTED, PRINTED, title_of
from controller.rulebook.taiwan_pai_kao.tiles import Tile, class_of

AS_PRINTED = """
1 — Chi Chün (duque/quadra + ás/duque)
2 — Seong Tin (sena/sena + sena/sena)
3 — Seong Tei (ás/ás + ás/ás)
4 — Seong Ian (quadra/quadra + quadra/quadra)
5 — Seong Ngó (ás/terno + ás/terno)
6 — Seong Mui (quina/quina + quina/quina)
7 — Seong Cheóng-Sám (terno/terno + terno/terno)
8 — Seong Pán Táng (duque/duque + duque/duque)
9 — Seong Fu T’au (quina/sena + quina/sena)
10 — Seong Hông T’au-Sap (quadra/sena + quadra/sena)
11 — Seong Kou-Keók Chat (ás/sena + ás/sena)
12 — Seong Ling Lam Kôk (ás/quina + ás/quina)
13 — Seong Cháp Káu (quadra/quina + terno/sena)
14 — Seong Cháp Pát (duque/sena + terno/quina)
15 — Seong Cháp Ch’at (terno/quadra + duque/quina)
16 — Seong Cháp Ng (ás/quadra + duque/terno)
17 — Tin Káu Vóng (sena/sena + quadra/quina)
18 — Tin Kóng (sena/sena + quadra/quadra)
19 — Tei Kóng (ás/ás + duque/sena)
20 — Tin P’ai Káu (sena/sena + ás/sena)
21 — Tei P’ai Káu (ás/ás + terno/quadra)
22 — Ian P’ai Káu (quadra/quadra + quina/sena)
23 — Ngó P’ai Káu (ás/terno + ás/quadra)
24 — Mui P’ai Káu (quina/quina + terno/sena)
25 — Cheóng P’ai Káu (terno/terno + ás/duque)
26 — Pán Tang P’ai Káu (duque/duque + duque/terno)
27 — Fu T’au Káu (quina/sena + terno/quina)
28 — Hông T’au-Sap Káu (quadra/sena + terno/sena)
29 — Ling Lam Lôk Káu (ás/quina + ás/duque)
30 — Tin P’ai Pát (sena/sena + terno/terno)
31 — Tei P’ai Pát (ás/ás + ás/quina)
32 — Ian P’ai Pát (quadra/quadra + quina/quina)
33 — Ngó P’ai Pát (ás/terno + duque/duque)
34 — Mui P’ai Pát (quina/quina + terno/quina)
35 — Fu T’au Pát (quina/sena + ás/sena)
36 — Hong T’au Pát (quadra/sena + duque/sena)
37 — Cháp P’ai Pát (ás/quina + ás/duque)
38 — Tin P’ai Chat (sena/sena + ás/quadra)
39 — Tei P’ai Chat (ás/ás + duque/terno)
40 — Ian P’ai Chat (quadra/quadra + quadra/quina)
41 — Ngó P’ai Chat (ás/terno + ás/duque)
42 — Mui P’ai Chat (quina/quina + ás/sena)
43 — Cheong P’ai chat (terno/terno + quina/sena)
44 — Pán Táng Chat (duque/duque + ás/duque)
45 — Fu T’au Chat (quina/sena + ás/quina)
46 — Hong T’au Chat (quadra/sena + duque/quina)
47 — Cháp P’ai Chat (terno/sena + duque/sena)
48 — Tin P’ai Lôk (sena/sena + ás/terno)
49 — Tei P’ai Lôk (ás/ás + duque/duque)
50 — Ian P’ai Lôk (quadra/quadra + terno/quina)
51 — Mui P’ai Lôk (quina/quina + duque/quadra)
52 — Cheóng P’ai Lôk (terno/terno + quadra/sena
53 — Fu T’au Lôk (quina/sena + ás/quina)
54 — Hông T’au Lôk (quadra/sena ás/quina)
55 — Kou Keok Chat Lôk (ás/sena + quadra/quina)
56 — Cháp P’ai Lôk (terno/sena + terno/quadra)
57 — Ian P’ai Ng (quadra/quadra + ás/sena)
58 — Ngó P’ai Ng (ás/terno + quina/sena)
59 — Mui P’ai Ng (quina/quina + ás/quadra)
60 — Cheong P’ai Ng (terno/terno + quadra/quina)
61 — Pán Táng Ng (duque/duque + quina/sena)
62 — Hong T’au Ng (quadra/sena + duque/terno)
63 — Kou Keok Chát Ng (ás/sena + duque/sena)
64 — Ling Lam Lôk Ng (ás/quina + terno/sena)
65 — Cháp Káu Ng (quadra/quina + duque/quadra)
66 — Cháp Pát Ng (duque/sena + terno/quadra)
67 — Tin P’ai Sei (sena/sena + ás/ás)
68 — Ian P’ai Sei (quadra/quadra + terno/terno)
69 — Ngó P’ai Sei (ás/terno + quadra/sena)
70 — Mui P’ai Sei (quina/quina + duque/duque)
71 — Cheóng P’ai Sei (terno/terno + duque/sena)
72 — Pán Táng Sei (duque/duque + quadra/sena)
73 — Kou Keók Chat Sei (ás/sena + terno/quadra)
74 — Ling Lam Lôk Sei (ás/quina + terno/quina)
75 — Cháp Káu Sei (quadra/quina + duque/terno)
76 — Cháp Pát Sei (duque/sena + duque/quadra)
77 — Tin P’ai Sám (sena/sena + quina/sena)
78 — Tei P’ai Sám (ás/ás + quina/sena)
79 — Ian P’ai Sám (quadra/quadra + duque/terno)
80 — Ngó P’ai Sám (ás/terno + terno/sena)
81 — Cheóng P’ai Sám (terno/terno + ás/sena)
82 — Pán Táng Sám (duque/duque + quadra/quina)
83 — Kou Keók Chat Sám (ás/sena + duque/quadra)
84 — Ling Lám Lôk Sám (ás/quina + terno/quadra)
85 — Cháp Pát Sám (terno/quina + ás/quadra)
86 — Cháp Chat Sám (duque/quina + duque/quadra)
87 — Tin P’ai I (sena/sena + quina/quina)
88 — Tei P’ai I (ás/ás + quadra/sena)
89 — Ian P’ai I (quadra/quadra + duque/duque)
90 — Ngó P’ai I (ás/terno + terno/quina)
91 — Cheóng P’ai I (terno/terno + ás/quina)
92 — Pán Táng I (duque/duque + duque/sena)
93 — Kou Keók Chat I (ás/sena + ás/quadra)
94 — Ling Lám Lôk I (ás/quina + duque/quadra)
95 — Cháp Káu I (quadra/quina + ás/duque)
96 — Cháp Chat I (duque/terno + terno/quadra)
97 — Tei P’ai Iat (ás/ás + quadra/quina)
98 — Ngó P’ai Iat (ás/terno + ás/sena)
99 — Mui P’ai Iat (quina/quina + quina/sena)
100 — Cheóng P’ai Iat (terno/terno + ás/quadra)
101 — Pán Táng Iat (duque/duque + terno/quadra)
102 — Fu T’au Iat (quina/sena + quadra/sena)
103 — Ling Lám Lôk Iat (ás/quina + duque/terno)
104 — Cháp Pát Iat (duque/sena + ás/duque)
105 — Cháp Ng Iat (ás/quadra + duque/quadra)
106 — Ngó P’ai Mât (ás/terno + terno/terno)
107 — Mui P’ai Mât (quina/quina + quadra/sena)
108 — Cheóng P’ai Mât (terno/terno + duque/duque)
109 — Pán Táng Mât (duque/duque + ás/quina)
110 — Fu T’au Mât (quina/sena + quadra/quina)
111 — Kou Keók Chát Mât (ás/sena + ás/duque)
"""
DOTS = {"ás": 1, "duque": 2, "terno": 3, "quadra": 4, "quina": 5, "sena": 6}
TILES_IN_WORDS = r"(\w+/\w+)"
POINTS = ["mât", "iat", "i", "sám", "sei", "ng", "lôk", "chat", "pát", "káu"]

REPEATED = {37: "repeats row 29", 53: "repeats row 45"}
NOT_PRINTED = {
    37: "4-1 2-1",
    53: "6-5 4-1",
    57: "6-6 2-1",
    58: "1-1 2-1",
    75: "6-5 2-1",
    84: "5-5 2-1",
    87: "6-4 2-1",
    103: "4-4 2-1",
    118: "4-3 2-1",
}


def pair(text: str) -> Pair:
    first, second = text.split(" ")
    return pair_of(Tile(first), Tile(second))


def tile_of(words: str) -> str:
    return "-".join(str(dots) for dots in sorted((DOTS[word] for word in words.split("/")), reverse=True))


def test_pai_kao_art_7_a_table_ii_is_kept_as_it_is_printed_all_111_rows() -> None:
    lines = AS_PRINTED.strip().splitlines()
    assert len(lines) == len(PRINTED) == 111
    for row, line in zip(PRINTED, lines, strict=True):
        number, name = re.findall(r"^(\d+) — (.+?) \(", line)[0]
        first, second = re.findall(TILES_IN_WORDS, line)
        assert (row.number, row.name, row.tiles) == (int(number), name, (tile_of(first), tile_of(second)))


def test_pai_kao_art_7_a_erratum_two_rows_repeat_the_tiles_of_an_earlier_one() -> None:
    seen: dict[int, int] = {}
    repeated = {}
    for row in PRINTED:
        rank = pair_of(*row.tiles).rank
        if rank in seen:
            repeated[row.number] = f"repeats row {seen[rank]}"
        seen.setdefault(rank, row.number)
    assert repeated == REPEATED


def test_pai_kao_art_7_a_the_other_109_rows_are_in_the_computed_order() -> None:
    ranks = [pair_of(*row.tiles).rank for row in PRINTED if row.number not in REPEATED]
    assert len(ranks) == 109 and all(higher < lower for higher, lower in itertools.pairwise(ranks))


def test_pai_kao_art_7_a_erratum_nine_of_the_118_ranks_are_not_printed_all_but_one_with_2_1() -> None:
    printed = {pair_of(*row.tiles).rank for row in PRINTED}
    assert set(range(1, RANKS + 1)) - printed == set(NOT_PRINTED)
    assert {rank: pair(text).rank for rank, text in NOT_PRINTED.items()} == {rank: rank for rank in NOT_PRINTED}
    with_2_1 = {rank for rank in NOT_PRINTED if all("2-1" in found.tiles for found in of_rank(rank))}
    assert set(NOT_PRINTED) - with_2_1 == {53}


def of_rank(rank: int) -> list[Pair]:
    return [found for found in PAIRS.values() if found.rank == rank]


def test_pai_kao_art_7_a_erratum_the_names_of_both_rows_say_which_tiles_were_meant() -> None:
    """Row 37 is an eight of "Cháp", and 5-1 is none; row 53 is a six of Fu T'au (6-5), and 6-5 5-1 is a seven."""
    assert set(CORRECTED) == set(REPEATED)
    for number, meant in CORRECTED.items():
        before, after = (pair_of(*PRINTED[beside - 1].tiles).rank for beside in (number - 1, number + 1))
        assert (before, pair_of(*meant).rank, after) == (number - 1, number, number + 1)
        assert pair_of(*meant).name == f"points_{points_in(PRINTED[number - 1].name)}"
    assert pair("5-1 2-1").name == "points_9" and points_in("Cháp P’ai Pát") == 8
    assert pair("6-5 5-1").name == "points_7" and points_in("Fu T’au Lôk") == 6
    assert {found.tiles for found in of_rank(37)} == {("4-1", "2-1"), ("3-2", "2-1")}
    assert {found.tiles for found in of_rank(53)} == {("6-5", "4-1"), ("6-5", "3-2")}


def points_in(name: str) -> int:
    """The points that the last word of a printed name says."""
    return POINTS.index(name.split()[-1].lower())


def test_pai_kao_art_7_a_every_other_name_says_the_points_of_its_tiles() -> None:
    wrong = [
        row.number for row in PRINTED if row.number > 19 and pair_of(*row.tiles).name != f"points_{points_in(row.name)}"
    ]
    assert wrong == [37, 53]


def test_pai_kao_art_7_a_erratum_row_105_is_named_for_its_lower_tile() -> None:
    """By Table I 4-2 (15) is above Cháp Ng (16); the order of Table II is the same either way."""
    assert (PRINTED[104].name, PRINTED[104].tiles) == ("Cháp Ng Iat", ("4-1", "4-2"))
    assert pair("4-1 4-2").tiles == ("4-2", "4-1")
    led_by_4_2 = {found.tiles: found.rank for found in PAIRS.values() if found.tiles[0] == "4-2"}
    assert led_by_4_2 == {("4-2", "2-1"): 1, ("4-2", "4-1"): 111, ("4-2", "3-2"): 111}
    # With Cháp Ng the higher they would still be the lowest of one point, and one rank of their own.
    ones = sorted({found.rank for found in PAIRS.values() if found.name == "points_1"})
    assert ones[-1] == 111 and {found.tiles for found in of_rank(111)} == {("4-2", "4-1"), ("4-2", "3-2")}


def test_pai_kao_art_7_a_the_higher_tile_is_printed_first_but_in_two_rows() -> None:
    other_way = [row.number for row in PRINTED if class_numbers(row.tiles) != sorted(class_numbers(row.tiles))]
    assert other_way == [96, 105]


def class_numbers(tiles: tuple[Tile, Tile]) -> list[int]:
    return [class_of(tile) for tile in tiles]


def test_pai_kao_art_7_a_the_screens_have_the_printed_name_of_111_ranks() -> None:
    titles = {rank: title_of(rank) for rank in range(1, RANKS + 1)}
    assert [rank for rank, title in titles.items() if title is None] == [57, 58, 75, 84, 87, 103, 118]
    assert [title for title in titles.values() if title] == [row.name for row in PRINTED]
    assert (title_of(1), title_of(2), title_of(20)) == ("Chi Chün", "Seong Tin", "Tin P’ai Káu")
    assert (title_of(37), title_of(53)) == ("Cháp P’ai Pát", "Fu T’au Lôk")
    assert title_of(0) is None and title_of(119) is None
