"""Four tiles as two pairs: the highest rear, the dealer's correction, the comparison with the banker."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rulebook.taiwan_pai_kao.arrange import TileHand, arrange, correct_pairs, splits
from controller.rulebook.taiwan_pai_kao.pairs import PAIRS, pair_of
from controller.rulebook.taiwan_pai_kao.settle import compare
from controller.rulebook.taiwan_pai_kao.tiles import SET, Tile, in_order, parse_tiles, show_tiles

pytestmark = pytest.mark.long

steady = settings(max_examples=settings().max_examples * 4)
four_tiles = st.lists(st.integers(0, 31), min_size=4, max_size=4, unique=True).map(
    lambda found: tuple(SET[place] for place in found)
)


def shown(hand: TileHand) -> tuple[str, str, bool]:
    return show_tiles(hand.front.tiles), show_tiles(hand.rear.tiles), hand.rearranged


def hand(front: str, rear: str) -> TileHand:
    (first, second), (third, fourth) = parse_tiles(front), parse_tiles(rear)
    return TileHand(pair_of(first, second), pair_of(third, fourth))


@steady
@given(four_tiles)
def test_pai_kao_art_6_b_the_best_arrangement_is_the_best_of_all_ways_to_arrange_four_tiles(
    tiles: tuple[Tile, ...],
) -> None:
    best = arrange(tiles)
    arrangements = [(pair_of(a, b).rank, pair_of(c, d).rank) for a, b, c, d in permutations(tiles)]  # rear first
    assert (best.rear.rank, best.front.rank) == min(arrangements)
    assert in_order((*best.front.tiles, *best.rear.tiles)) == in_order(tiles)
    assert best.rear.rank <= best.front.rank and not best.rearranged


@steady
@given(four_tiles)
def test_pai_kao_art_6_a_four_tiles_part_in_three_ways_into_two_pairs(tiles: tuple[Tile, ...]) -> None:
    found = splits(tiles)
    assert len(found) == 3
    for split in found:
        assert in_order((*split.front.tiles, *split.rear.tiles)) == in_order(tiles)
        assert split.rear.rank <= split.front.rank
    ways = {frozenset((pair_of(a, b).tiles, pair_of(c, d).tiles)) for a, b, c, d in permutations(tiles)}
    assert {frozenset((split.front.tiles, split.rear.tiles)) for split in found} == ways


@steady
@given(four_tiles)
def test_pai_kao_art_6_b_an_arrangement_is_valid_exactly_where_no_rear_pair_is_higher(tiles: tuple[Tile, ...]) -> None:
    a, b, c, d = tiles
    ways = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
    highest = min(pair_of(*pair).rank for way in ways for pair in way)
    for pair, other in ways:
        for front, rear in ((pair, other), (other, pair)):
            given_ = correct_pairs(front, rear)
            is_valid = pair_of(*rear).rank == highest
            assert given_.rearranged is not is_valid
            assert given_.rear.rank == highest
            expected = (pair_of(*front), pair_of(*rear)) if is_valid else (arrange(tiles).front, arrange(tiles).rear)
            assert (given_.front, given_.rear) == expected


def test_pai_kao_art_6_b_the_dealer_corrects_a_rear_pair_that_is_not_the_highest() -> None:
    a, b, c, d = parse_tiles("6-6 5-4 3-1 2-1")
    assert shown(correct_pairs((c, d), (a, b))) == ("3-1 2-1", "6-6 5-4", False)
    assert shown(correct_pairs((a, b), (c, d))) == ("3-1 2-1", "6-6 5-4", True)  # the higher pair in front
    assert shown(correct_pairs((b, d), (a, c))) == ("3-1 2-1", "6-6 5-4", True)


def test_pai_kao_art_6_b_even_where_a_lower_rear_pair_would_leave_two_good_ones() -> None:
    """Tin Káu Vóng behind Tin Kóng is a strong hand; but the two 6-6 are the highest, with seven points before them."""
    a, b, c, d = parse_tiles("6-6 6-6 5-4 6-2")
    assert shown(correct_pairs((b, d), (a, c))) == ("5-4 6-2", "6-6 6-6", True)


def test_pai_kao_art_6_b_of_two_equal_rear_pairs_the_station_sets_the_better_front_and_accepts_the_other() -> None:
    a, b, c, d = parse_tiles("6-6 4-4 5-3 5-1")
    assert pair_of(a, b).rank == pair_of(a, c).rank
    assert shown(arrange((a, b, c, d))) == ("4-4 5-1", "6-6 5-3", False)
    assert shown(correct_pairs((c, d), (a, b))) == ("5-1 5-3", "6-6 4-4", False)


def test_pai_kao_art_6_b_where_both_pairs_are_equal_the_highest_tile_takes_the_one_first_in_order() -> None:
    a, b, c, d = parse_tiles("1-1 2-2 5-1 4-2")
    assert pair_of(a, c).rank == pair_of(a, d).rank and pair_of(b, d).rank == pair_of(b, c).rank
    assert shown(arrange((a, b, c, d))) == shown(arrange((d, c, b, a))) == ("2-2 4-2", "1-1 5-1", False)
    assert shown(correct_pairs((b, c), (a, d))) == ("2-2 5-1", "1-1 4-2", False)


HIGH, MIDDLE, LOW = hand("6-4 6-4", "6-6 6-6"), hand("6-1 6-1", "1-1 1-1"), hand("5-1 5-1", "4-4 4-4")


def mixed(front: TileHand, rear: TileHand) -> TileHand:
    return TileHand(front.front, rear.rear)


def test_pai_kao_art_6_c_the_nine_outcomes_of_two_comparisons() -> None:
    outcomes = {
        (front, rear): compare(mixed(front_hand, rear_hand), MIDDLE)
        for front, front_hand in (("above", HIGH), ("equal", MIDDLE), ("below", LOW))
        for rear, rear_hand in (("above", HIGH), ("equal", MIDDLE), ("below", LOW))
    }
    assert outcomes == {
        ("above", "above"): "win",
        ("above", "equal"): "win",
        ("equal", "above"): "win",
        ("below", "below"): "lose",
        ("below", "equal"): "lose",
        ("equal", "below"): "lose",
        ("above", "below"): "push",
        ("below", "above"): "push",
        ("equal", "equal"): "push",
    }


PAIRS_ONLY = st.sampled_from(list(PAIRS.values()))
hands = st.builds(TileHand, PAIRS_ONLY, PAIRS_ONLY)


@steady
@given(hands, hands)
def test_pai_kao_art_9_a_equal_pairs_favour_no_one_and_sides_can_be_changed(hand: TileHand, other: TileHand) -> None:
    turned = {"win": "lose", "lose": "win", "push": "push"}
    assert compare(hand, other) == turned[compare(other, hand)]
    assert compare(hand, hand) == "push"
    assert (
        compare(TileHand(hand.front, other.rear), other)
        == {True: "win", False: "lose", None: "push"}[
            None if hand.front.rank == other.front.rank else hand.front.rank < other.front.rank
        ]
    )
