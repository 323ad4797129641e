"""The 32 tiles, Table I, and the 118 ranks of two tiles, computed again by another method."""

import re
from functools import cache
from itertools import combinations

import pytest

from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.pairs import NAMES, PAIRS, RANKS, Pair, pair_name, pair_of
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
