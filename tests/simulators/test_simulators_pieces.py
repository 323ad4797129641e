"""Cards of several decks, and tiles: every copy is conserved, lost and doubled ones are made good."""

import asyncio
import random
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from controller.rulebook.taiwan_pai_kao.pairs import arrange, correct_pairs, pair_of
from controller.rulebook.taiwan_pai_kao.tiles import SET
from controller.rulebook.taiwan_pai_kao.tiles import Tile as LawTile
from simulators.devices.shoe import UNREADABLE, TileReader
from simulators.felt.cards import FULL_DECK, Card, card_from_text, text_of
from simulators.felt.deck import SHOE, TILES, CardsLost, OrdersOf, Pieces, card_material, read_stack
from simulators.felt.tiles import TILE_SET, Tile, is_right, tile_from_text, ways, worth
from simulators.pace import pace_from_text
from tests.simulators.decks import Deck, Orders

ACE = card_from_text("As")
WHOLE = Counter(dict.fromkeys(FULL_DECK, 6))


def counts(deck: Deck) -> Counter[Card]:
    return Counter(card for pile in deck.places.values() for card in pile)


def test_one_deck_unless_more_are_given() -> None:
    assert Deck("shoe").count("shoe") == 52
    deck = Deck("shoe", 6)
    assert deck.count("shoe") == 312
    deck.check()


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_a_card_too_many_or_too_few_is_found(decks: int) -> None:
    deck = Deck("shoe", decks)
    deck.move_top("shoe", "seat 1")
    deck.places["shoe"][0], right = ACE, deck.places["shoe"][0]
    assert right != ACE
    with pytest.raises(CardsLost, match="wrong: "):
        deck.move_top("shoe", "seat 2")
    deck = Deck("shoe", decks)
    deck.places["shoe"].pop()
    with pytest.raises(CardsLost, match=f"{52 * decks - 1} cards, {52 * decks} expected"):
        deck.check()


def test_one_copy_of_a_card_is_taken_from_where_it_is() -> None:
    deck = Deck("machine", 6)
    for _ in range(6):
        deck.move_card(ACE, "machine", "seat 1")
    assert deck.at("seat 1") == [ACE] * 6
    with pytest.raises(CardsLost, match="As wanted from machine"):
        deck.move_card(ACE, "machine", "seat 1")
    deck.move_card(ACE, "seat 1", "seat 2")
    assert (deck.count("seat 1"), deck.count("seat 2")) == (5, 1)


def test_a_lost_copy_is_known_and_brought_back() -> None:
    deck = Deck("shoe", 6)
    deck.lose_one(ACE)
    lost = deck.lose_one()
    assert (deck.faulty, lost == ACE) == (True, False)
    assert counts(deck) == WHOLE - Counter([ACE, lost])
    deck.move_top("shoe", "seat 1", 7)
    deck.arrange("shoe", Orders(2, decks=6).next())
    deck.repair()
    assert (deck.faulty, counts(deck)) == (False, WHOLE)
    deck.gather(["seat 1"], "shoe")
    assert deck.count("shoe") == 312


def test_a_double_is_one_copy_too_many_of_one_card_and_one_too_few_of_another() -> None:
    deck = Deck("shoe", 6)
    gone, double = deck.double_one()
    assert (counts(deck)[gone], counts(deck)[double]) == (5, 7)
    again, another = deck.double_one()
    assert len({gone, double, again, another}) == 4
    deck.check()
    deck.repair()
    assert counts(deck) == WHOLE


@pytest.mark.parametrize("seed", range(20))
def test_an_order_is_kept_but_for_the_copy_that_is_another_card(seed: int) -> None:
    deck = Deck("shoe", 6)
    gone, double = deck.double_one()
    order = Orders(seed, decks=6).next()
    deck.arrange("shoe", order)
    wrong = [(due, there) for due, there in zip(order, deck.at("shoe"), strict=True) if due != there]
    assert wrong == [(gone, double)]
    deck.move_top("shoe", "seat 1", 150)
    deck.arrange("shoe", Orders(seed + 1, decks=6).next())
    assert deck.count("shoe") == 162
    deck.gather(["seat 1"], "shoe")
    deck.repair()
    assert counts(deck) == WHOLE


def test_an_order_with_too_few_copies_is_not_of_these_cards() -> None:
    with pytest.raises(CardsLost, match="the order given to shoe"):
        Deck("shoe", 2).arrange("shoe", list(FULL_DECK))


def test_orders_name_every_card_of_every_deck_and_the_stack_comes_first(tmp_path: Path) -> None:
    sorted_cards = list(FULL_DECK) * 2
    stack = tmp_path / "stack.txt"
    stack.write_text(f"# sorted\n{text_of(sorted_cards)}  # one round\n\n")
    orders = Orders(3, read_stack(stack, card_material(2)), 2)
    assert orders.next() == sorted_cards
    shuffled = orders.next()
    assert shuffled == Orders(3, decks=2).next() != sorted_cards
    assert Counter(shuffled) == Counter(sorted_cards)
    assert Orders(3).next() != Orders(4).next()


def test_a_stack_that_was_begun_card_by_card_is_no_order_any_more() -> None:
    orders = Orders(3, [list(FULL_DECK), [*FULL_DECK[1:], FULL_DECK[0]]])
    assert orders.pick(FULL_DECK) == FULL_DECK[0]
    assert orders.next() == [*FULL_DECK[1:], FULL_DECK[0]]
    assert orders.pick(FULL_DECK) == FULL_DECK[1]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (list(FULL_DECK), "52 cards, missing: Ac"),
        ([*FULL_DECK, *FULL_DECK[:-1], ACE], "104 cards, missing: Ks"),
        (list(FULL_DECK) * 3, "156 cards, missing: none"),
    ],
)
def test_a_stack_line_has_every_card_of_every_deck(tmp_path: Path, cards: list[Card], expected: str) -> None:
    stack = tmp_path / "stack.txt"
    stack.write_text(text_of(cards) + "\n")
    with pytest.raises(ValueError, match=rf"stack\.txt:1: {expected}"):
        read_stack(stack, card_material(2))


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
