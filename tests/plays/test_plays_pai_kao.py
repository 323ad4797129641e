"""Taiwan-Pai Kao, anything in any order: money conserved, no tile named too soon, a way out, one journal."""

import random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.engine.state.table import Table
from controller.rulebook.cards import Card
from controller.rulebook.events import BankLeft
from controller.rulebook.steps import StepKind
from controller.rulebook.taiwan_pai_kao.tiles import SET
from tests.engine.places import Places
from tests.plays.wild_places import MOVES, WildPlaces

Moves = list[tuple[str, int, int]]
OFTEN = ["on", "on", "on and on", "bet", "bet", "bank", "turn", "turn", "correct", "deal", *MOVES]
CHOICE = st.integers(0, 11)
MOMENTS: tuple[StepKind, ...] = (
    "open", "begin", "shuffle", "bank", "form", "wagers", "dice", "deal", "count", "arrange", "reveal", "confirm",
    "claims",
)  # fmt: skip


def shuffled(seed: int, faulty: bool = False) -> list[Card]:
    """The set in some order; a faulty one holds one tile more often than it should, and soon."""
    tiles = [Card(tile) for tile in SET]
    random.Random(seed).shuffle(tiles)
    if faulty:
        tiles[3:10:3] = [tiles[0]] * 3
    return tiles


def played(table: WildPlaces, course: Moves) -> WildPlaces:
    """Whatever comes, then the way out, and one round in which all goes well."""
    for name, a, b in course:
        MOVES[name](table, a, b)
    table.to_rest()
    table.deck = [Card(tile) for tile in SET]
    if not (isinstance(table.table.left, BankLeft) and table.table.left.used):
        table.until("wagers").lay(table.banker % 4 + 1, "Eva", 100).until("begin")
        assert msgspec.json.decode(msgspec.json.encode(table.table), type=Table) == table.table
    return table


@settings(max_examples=16, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(0, 2**32),
    st.booleans(),
    st.booleans(),
    st.sampled_from([4, 8]),
    st.lists(st.tuples(st.sampled_from(OFTEN), CHOICE, CHOICE), min_size=10, max_size=30),
)
def test_pai_kao_whatever_happens_money_is_conserved_no_tile_is_named_too_soon_and_there_is_a_way_out(
    seed: int, reader: bool, faulty: bool, seats: int, course: Moves
) -> None:
    table = WildPlaces(reader=reader, seats=seats, capital=3_000)
    table.deck = shuffled(seed, faulty and seed % 4 == 0)
    played(table, [("on", 0, 2), ("on", 0, 2), *course])


@pytest.mark.parametrize("name", MOVES)
def test_pai_kao_every_move_is_possible_at_every_step(name: str) -> None:
    table = WildPlaces(seats=4)
    for place, moment in enumerate(MOMENTS):
        table.until(moment)
        MOVES[name](table, 3 + place, 3)
    table.to_rest()


def test_pai_kao_tiles_that_are_not_shown_change_nothing_that_anybody_can_read() -> None:
    public = []
    for seed in range(3):
        banker, rest = [Card(tile) for tile in SET[:4]], [Card(tile) for tile in SET[4:]]
        random.Random(seed).shuffle(rest)
        table = Places(seats=4, watched=True, unread=[1, 6])
        table.dice = (1, 1, 1, 2)  # place 1 itself is the first
        table.deck = [*banker, *rest]
        table.until("wagers").lay(2, "Ana", 100).until("reveal")
        table.turn("6-6 1-1 6-6 1-1")
        public.append(table.channels)
    assert public[0] == public[1] == public[2]
    assert any(b'"6-6 1-1 6-6 1-1"' in channel for channel in public[0])
