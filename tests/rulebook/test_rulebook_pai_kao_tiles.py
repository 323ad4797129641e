"""The 32 tiles, Table I, and the 118 ranks of two tiles, computed again by another method."""

import itertools
import re
from functools import cache
from itertools import combinations

import pytest

from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.pairs import NAMES, PAIRS, RANKS, Pair, pair_name, pair_of
from controller.rulebook.taiwan_pai_kao.table_ii import CORRECTED, PRINTED, title_of
from controller.rulebook.taiwan_pai_kao.tiles import (
    FACES,
    SET,
    TABLE_I,
    Tile,
    class_of,
    in_order,
    parse_tiles,
    pips_of,
    refuse_beyond_copies,
    show_tiles,
)
from controller.words import english, sentence

pytestmark = pytest.mark.long

TABLE_I_AS_PRINTED = """
1 — Tin (sena/sena)
2 — Tei (ás/ás)
3 — Ian (quadra/quadra)
4 — Ngó (ás/terno)
5 — Mui (quinta/quinta)
6 — Cheóng-Sám (terno/terno)
7 — Pán Táng (duque/duque)
8 — Fu T’au (quina/sena)
9 — Hông T’au (quadra/sena)
10 — Kou-Keók Ch’at (ás/sena)
11 — Ling Lam Lôk (ás/quina) (Há duas pedras destas em cada baralho)
12 — Cháp Káu (quadra/quina e terno/sena)
13 — Cháp Pát (terno/quina e duque/sena)
14 — Cháp Ch’at (terno/quadra e duque/quina)
15 — Tái-Kái Lôk (duque/quadra)
16 — Cháp Ng (ás/quadra e duque/terno)
17 — Sai Kâi (ás/duque) (Destas pedras há só uma em cada baralho)
"""
DOTS = {"ás": 1, "duque": 2, "terno": 3, "quadra": 4, "quina": 5, "quinta": 5, "sena": 6}


def pair(text: str) -> Pair:
    first, second = parse_tiles(text)
    return pair_of(first, second)


def test_pai_kao_art_1_a_the_set_is_32_tiles_of_21_faces() -> None:
    assert len(SET) == 32 and len(FACES) == len(set(FACES)) == 21
    twice = {tile for tile in SET if SET.count(tile) == 2}
    assert twice == set("6-6 1-1 4-4 3-1 5-5 3-3 2-2 6-5 6-4 6-1 5-1".split())
    assert set(SET) - twice == set("5-4 6-3 5-3 6-2 4-3 5-2 4-2 4-1 3-2 2-1".split())
    assert sum(pips_of(tile) for tile in SET) == 227


def test_pai_kao_art_7_a_table_i_is_kept_as_it_is_printed() -> None:
    for row, line in zip(TABLE_I, TABLE_I_AS_PRINTED.strip().splitlines(), strict=True):
        number, name, tiles = re.findall(r"^(\d+) — (.+?) \((.+?)\)", line)[0]
        assert (TABLE_I.index(row) + 1, row.name) == (int(number), name)
        dots = [sorted((DOTS[word] for word in tile.split("/")), reverse=True) for tile in tiles.split(" e ")]
        assert {"-".join(map(str, tile)) for tile in dots} == set(row.tiles)
        assert all(class_of(tile) == int(number) for tile in row.tiles)


def test_pai_kao_art_1_a_erratum_table_i_says_of_2_1_alone_that_it_is_single_but_4_2_is_too() -> None:
    twice = [row for row in TABLE_I if row.copies == 2]
    assert [row.name for row in TABLE_I if len(row.tiles) == row.copies == 1] == ["Tái-Kái Lôk", "Sai Kâi"]
    others = sum(len(row.tiles) for row in TABLE_I if row not in twice)
    assert 2 * len(twice) + others == 32  # with two of 4-2 it would be 33


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "6",
        "66",
        "6/6",
        "6-6 ",
        " 6-6",
        "6-6  5-4",
        "4-5",
        "1-2",
        "6-7",
        "0-0",
        "6-6\n",
        "6-6,5-4",
        "As",
        "６-６",
        "-",
    ],
)
def test_pai_kao_a_text_that_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_tiles(text, "place 3")
    assert (refusal.value.who, refusal.value.article) == ("place 3", None)
    assert len(sentence(refusal.value).splitlines()) == 1


def test_pai_kao_tiles_are_read_as_they_are_written() -> None:
    assert parse_tiles("6-6 5-4 2-1") == ("6-6", "5-4", "2-1")
    assert show_tiles(parse_tiles("3-2 6-6")) == "3-2 6-6"
    assert show_tiles(in_order(reversed(SET))) == show_tiles(SET)


def test_pai_kao_art_1_a_a_tile_beyond_its_copies_is_refused_where_it_shows() -> None:
    refuse_beyond_copies([("place 1", SET[:16]), ("place 2", SET[16:])])
    for tile in FACES:
        with pytest.raises(Refusal) as refusal:
            refuse_beyond_copies([("place 1", SET), ("place 2", [tile])])
        assert (refusal.value.who, refusal.value.article) == ("place 2", "1.º a)")
        assert tile in english(refusal.value.reason) and f"has {['one', 'two'][SET.count(tile) - 1]}" in english(
            refusal.value.reason
        )


GROUPS = [frozenset(row.tiles) for row in TABLE_I]


@cache
def group_of_higher(pair: tuple[Tile, Tile]) -> int:
    return min(number for number, group in enumerate(GROUPS) if group & set(pair))


@cache
def points(pair: tuple[Tile, Tile]) -> int:
    total = sum(int(dots) for tile in pair for dots in tile.split("-"))
    return total - 20 if total >= 20 else total - 10 if total >= 10 else total


def counts(tile: Tile) -> int:
    return sum(map(int, tile.split("-")))


@cache
def before_points(pair: tuple[Tile, Tile]) -> list[bool]:
    """Whether the pair is one of the combinations that are before the points, in their order."""
    left, right = pair
    return [
        set(pair) == {"4-2", "2-1"},
        any(set(pair) <= group for group in GROUPS),
        *(
            (left == with_ and counts(right) == dots) or (right == with_ and counts(left) == dots)
            for with_, dots in (("6-6", 9), ("6-6", 8), ("1-1", 8))
        ),
    ]


def beats(pair: tuple[Tile, Tile], other: tuple[Tile, Tile]) -> bool:
    """Whether one pair is the higher, by the words of 7.º and Table II taken one after another."""
    for number, (this, that) in enumerate(zip(before_points(pair), before_points(other), strict=True)):
        if this and that:
            return number == 1 and group_of_higher(pair) < group_of_higher(other)
        if this or that:
            return this
    if points(pair) != points(other):
        return points(pair) > points(other)
    return group_of_higher(pair) < group_of_higher(other)


def test_pai_kao_art_7_b_the_118_ranks_are_those_of_a_tournament_of_all_pairs() -> None:
    every = sorted({(SET[b], SET[a]) for a, b in combinations(range(32), 2)})
    assert len(every) == 221 == len(PAIRS)
    beaten_by = {pair: {other for other in every if beats(other, pair)} for pair in every}
    levels = sorted({len(stronger) for stronger in beaten_by.values()})
    assert len(levels) == 118 == RANKS
    for tiles in every:
        assert pair_of(*tiles).rank == levels.index(len(beaten_by[tiles])) + 1
        for other in every:  # a total preorder: who is not beaten either way ties
            tie = not beats(tiles, other) and not beats(other, tiles)
            assert tie == (len(beaten_by[tiles]) == len(beaten_by[other]))
            assert (pair_of(*tiles).rank < pair_of(*other).rank) == beats(tiles, other)


def test_pai_kao_art_7_b_how_many_ranks_each_name_has() -> None:
    ranks = {name: sorted({pair.rank for pair in PAIRS.values() if pair.name == name}) for name in NAMES}
    counts = [len(found) for found in ranks.values()]
    assert counts == [1, 15, 1, 1, 1, 10, 8, 10, 9, 12, 11, 12, 10, 10, 7]
    assert [rank for found in ranks.values() for rank in found] == list(range(1, 119))


@pytest.mark.parametrize(
    ("text", "name", "rank"),
    [
        ("4-2 2-1", "chi_chun", 1),
        ("6-6 6-6", "pair", 2),
        ("1-1 1-1", "pair", 3),
        ("5-4 6-3", "pair", 13),
        ("5-3 6-2", "pair", 14),
        ("4-3 5-2", "pair", 15),
        ("4-1 3-2", "pair", 16),
        ("6-6 5-4", "tin_kau_vong", 17),
        ("6-6 6-3", "tin_kau_vong", 17),
        ("6-6 4-4", "tin_kong", 18),
        ("6-6 5-3", "tin_kong", 18),
        ("6-6 6-2", "tin_kong", 18),
        ("1-1 4-4", "tei_kong", 19),
        ("1-1 5-3", "tei_kong", 19),
        ("1-1 6-2", "tei_kong", 19),
        ("6-6 6-1", "points_9", 20),
        ("1-1 5-4", "points_1", 102),
        ("6-6 1-1", "points_4", 69),
        ("5-5 6-4", "points_0", 113),
        ("5-2 2-1", "points_0", 118),
        ("4-3 2-1", "points_0", 118),
    ],
)
def test_pai_kao_art_7_b_a_pair_has_its_name_and_rank_in_any_order(text: str, name: str, rank: int) -> None:
    for written in (text, " ".join(reversed(text.split()))):
        assert (pair(written).name, pair(written).rank, show_tiles(pair(written).tiles)) == (name, rank, text)


def test_pai_kao_art_7_b_equal_points_are_decided_by_the_higher_tile_at_nothing_too() -> None:
    assert pair("6-4 6-3").rank < pair("5-1 2-1").rank
    zero = ["3-1 3-3", "5-5 6-4", "3-3 2-2", "2-2 5-1", "6-5 5-4", "6-1 2-1", "5-2 2-1"]
    ranks = [pair(text).rank for text in zero]
    assert ranks == sorted(ranks) == list(range(112, 119))


def test_pai_kao_art_7_b_the_lower_tile_decides_nothing() -> None:
    assert pair("6-5 4-1").rank == pair("6-5 3-2").rank
    assert pair("5-4 2-1").rank == pair("6-3 2-1").rank


def test_pai_kao_art_7_b_erratum_to_the_letter_two_equal_tiles_would_count_points() -> None:
    """7.º b) lets all that is no "Po" count its dots; by Table II, which 7.º a) names, the sixteen come first."""
    by_points = {pair(f"{tile} {tile}").tiles: 2 * pips_of(tile) % 10 for tile in FACES if SET.count(tile) == 2}
    assert by_points[Tile("5-5"), Tile("5-5")] == 0
    assert all(PAIRS[tiles].rank <= 16 for tiles in by_points)


def test_pai_kao_art_9_b_4_2_counts_6_and_2_1_counts_3_in_every_pair() -> None:
    assert (pips_of(Tile("4-2")), pips_of(Tile("2-1"))) == (6, 3)
    for tile in FACES:
        for single, counts in (("4-2", 6), ("2-1", 3)):
            if tile not in ("4-2", "2-1"):
                points = (sum(map(int, tile.split("-"))) + counts) % 10
                assert pair(f"{tile} {single}").name == f"points_{points}"
    # Were they convertible, 4-2 with 6-6 would count 5 and 2-1 with 1-1 eight.
    assert (pair("6-6 4-2").name, pair("1-1 2-1").name) == ("points_8", "points_5")


def test_pai_kao_art_9_b_chi_chun_is_the_two_together_and_nothing_else() -> None:
    assert [tiles for tiles, found in PAIRS.items() if found.name == "chi_chun"] == [("4-2", "2-1")]
    assert pair_name(Tile("4-2"), Tile("4-1")) == "points_1"


def test_pai_kao_art_1_a_two_of_a_single_tile_are_no_pair() -> None:
    for tile in FACES:
        if SET.count(tile) == 1:
            with pytest.raises(KeyError):
                pair_of(tile, tile)


# ---- Table II as it is printed, against the order that article 7.º b) gives; every difference is an erratum


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
