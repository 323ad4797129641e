"""Tiles as things: never lost, worth what the law says, and reported by a reader on the shoe's wire."""

import asyncio
import random
from itertools import combinations
from pathlib import Path

import pytest

from controller.rulebook.taiwan_pai_kao.arrange import arrange, correct_pairs
from controller.rulebook.taiwan_pai_kao.pairs import pair_of
from controller.rulebook.taiwan_pai_kao.tiles import SET
from controller.rulebook.taiwan_pai_kao.tiles import Tile as LawTile
from simulators.devices.shoe import UNREADABLE, TileReader
from simulators.felt.deck import SHOE, TILES, CardsLost, OrdersOf, Pieces, read_stack
from simulators.felt.tiles import TILE_SET, Tile, is_right, tile_from_text, ways, worth
from simulators.pace import pace_from_text

START = bytes.fromhex("05 43 53 03 31 33")
SIX_FIVE = bytes.fromhex("05 31 44 e1 e5 03 37 32")
TWO_ONE = bytes.fromhex("05 32 44 e2 a1 03 33 36")
CANNOT_READ = bytes.fromhex("05 33 45 c1 03 42 34")


def law(tile: Tile) -> LawTile:
    return LawTile(str(tile))


def tiles(text: str) -> list[Tile]:
    return [tile_from_text(word) for word in text.split()]


def test_the_set_is_that_of_the_law() -> None:
    assert sorted(map(str, TILE_SET)) == sorted(SET)
    assert [tile_from_text(str(tile)) for tile in TILE_SET] == list(TILE_SET)


@pytest.mark.parametrize("text", ["", "5-6", "6-6 ", "1-1-1", "4-4x", "7-1", "As"])
def test_what_is_no_tile_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="not a tile"):
        tile_from_text(text)


def test_every_two_pairs_compare_as_the_law_has_it() -> None:
    pairs = list(combinations(TILE_SET, 2))
    by_rank: dict[int, set[tuple[int, int]]] = {}
    for pair in pairs:
        by_rank.setdefault(pair_of(*map(law, pair)).rank, set()).add(worth(pair))
    assert all(len(values) == 1 for values in by_rank.values())
    in_order = [values.pop() for _, values in sorted(by_rank.items())]
    assert len(in_order) == 118 and in_order == sorted(in_order, reverse=True)


def test_the_best_way_to_arrange_four_tiles_and_which_ones_are_right() -> None:
    chance = random.Random(5)
    for _ in range(150):
        four = chance.sample(TILE_SET, 4)
        best = arrange([law(tile) for tile in four])
        first = ways(four)[0]
        assert pair_of(*map(law, first.front)).rank == best.front.rank
        assert pair_of(*map(law, first.rear)).rank == best.rear.rank
        for way in ways(four):
            assert is_right(way) != correct_pairs(list(map(law, way.front)), list(map(law, way.rear))).rearranged


def test_tiles_are_conserved_at_every_move() -> None:
    there = Pieces("stack", TILES)
    assert there.size == there.count("stack") == 32
    there.move_top("stack", "seat 1", 4)
    there.move_card(there.at("seat 1")[0], "seat 1", "seat 2")
    assert (there.count("seat 1"), there.count("seat 2"), there.count("stack")) == (3, 1, 28)
    with pytest.raises(CardsLost, match="5 tiles wanted from seat 1, 3 there"):
        there.move_top("seat 1", "stack", 5)
    there.places["seat 2"].append(tile_from_text("6-6"))
    with pytest.raises(CardsLost, match="33 tiles, 32 expected, wrong: 6-6"):
        there.check()


def test_a_tile_of_two_that_is_missing_or_doubled_is_corrected() -> None:
    there = Pieces("stack", TILES)
    assert there.lose_one(tile_from_text("6-6")) == tile_from_text("6-6")
    assert there.count("stack") == 31 and there.at("stack").count(tile_from_text("6-6")) == 1
    gone, double = there.double_one()
    assert gone != double
    there.repair()
    assert not there.faulty
    assert sorted(there.at("stack")) == sorted(TILE_SET)


def test_a_stack_file_of_tiles_gives_the_first_washes(tmp_path: Path) -> None:
    order = random.Random(1).sample(TILE_SET, 32)
    stack = tmp_path / "stack"
    stack.write_text("# the first wash\n" + " ".join(map(str, order)) + "\n")
    stacked = read_stack(stack, TILES)
    orders, again = OrdersOf(3, TILES, stacked), OrdersOf(3, TILES)
    assert orders.next() == order
    assert orders.next() == again.next() and sorted(orders.next()) == sorted(TILE_SET)
    stack.write_text(" ".join(map(str, order[1:])))
    with pytest.raises(ValueError, match=f"31 tiles, missing: {order[0]}"):
        read_stack(stack, TILES)
    stack.write_text("6-6 As")
    with pytest.raises(ValueError, match=":1: not a tile: 'As'"):
        read_stack(stack, TILES)


async def test_a_reader_reports_tiles_as_the_shoe_reports_cards() -> None:
    sent: list[bytes] = []
    stack = Pieces(SHOE, TILES)
    reader = TileReader(stack, pace_from_text("max"), sent.append, lambda: None)
    first = tiles("6-5 2-1 5-4")
    rest = list(TILE_SET)
    for tile in first:
        rest.remove(tile)
    reader.load([*first, *rest])
    task = asyncio.create_task(reader.run())
    assert [await reader.draw("seat 1") for _ in range(2)] == first[:2]
    reader.spoil(UNREADABLE)
    assert await reader.draw("seat 1") == first[2]
    for _ in range(4):
        await asyncio.sleep(0)
    task.cancel()
    assert sent == [frame for frame in (START, SIX_FIVE, TWO_ONE, CANNOT_READ) for _ in range(3)]
    assert stack.at("seat 1") == first
