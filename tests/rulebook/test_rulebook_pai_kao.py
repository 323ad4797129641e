"""The bank of Taiwan-Pai Kao around the table, the places, which one the dice name, and in what order others follow."""

from collections.abc import Sequence
from itertools import permutations, product
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.bank import asked_next
from controller.rulebook.taiwan_pai_kao.pairs import PAIRS, TileHand, arrange, correct_pairs, pair_of, splits
from controller.rulebook.taiwan_pai_kao.places import check_place, check_places, first_place, right_of, settling_order
from controller.rulebook.taiwan_pai_kao.settle import Bank, compare, settle_places, void_places
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement, WagerLine
from controller.rulebook.taiwan_pai_kao.tiles import SET, Tile, in_order, parse_tiles, show_tiles
from controller.rulebook.taiwan_pai_kao.wagers import Wager, check_wager
from tests.rulebook.round_texts import Round, example, refused, settled, worked_answer
from tests.with_words import with_words

ALL = range(1, 9)


def test_pai_kao_art_5_b_without_a_round_before_no_one_is_passed_over() -> None:
    assert asked_next(8, 8, ALL, [1], None) == 2
    assert asked_next(8, 8, ALL, [1], []) is None


def test_pai_kao_art_5_b_asking_on_and_on_goes_around_once() -> None:
    for last_banker, bet in product(ALL, ([2, 5, 7], list(ALL), [])):
        refused: list[int] = []
        while (place := asked_next(last_banker, 8, ALL, refused, bet)) is not None:
            refused.append(place)
        steps = [(place - last_banker) % 8 for place in refused]
        assert steps == sorted(set(steps)) and 0 not in steps
        assert refused[0] == last_banker % 8 + 1 and set(refused[1:]) == set(bet) - {last_banker, refused[0]}


# ---- How many places there are, which one the dice name, and in what order the others follow.


def test_pai_kao_art_2_b_the_sum_of_the_dice_is_counted_to_the_right_from_the_banker_who_is_one() -> None:
    for places in (8, 4):
        for banker in range(1, places + 1):
            for dice in product(range(1, 7), repeat=4):
                place = banker
                for _ in range(sum(dice) - 1):
                    place = right_of(place, places)
                assert first_place(dice, banker, places) == place
    assert first_place([1, 2, 3, 4], 3, 8) == 4


def test_pai_kao_art_2_b_by_the_other_reading_the_place_at_the_banker_s_right_is_the_first_where_he_was_named() -> None:
    for places, banker in ((8, 3), (4, 4)):
        for dice in product(range(1, 7), repeat=4):
            named, first = first_place(dice, banker, places), first_place(dice, banker, places, beside_banker=True)
            assert first == (right_of(banker, places) if named == banker else named)
            assert settling_order(named, banker, places) == settling_order(first, banker, places)


@pytest.mark.parametrize(("places", "named", "decimal"), [(8, 160, "0.1235"), (4, 324, "0.2500")])
def test_pai_kao_art_2_b_erratum_how_often_the_readings_deal_other_hands(places: int, named: int, decimal: str) -> None:
    throws = list(product(range(1, 7), repeat=4))
    assert sum(first_place(dice, 1, places) == 1 for dice in throws) == named
    assert f"{named / len(throws):.4f}" == decimal


def test_pai_kao_art_3_a_there_are_8_or_4_places() -> None:
    assert (check_places(8), check_places(4)) == (8, 4)
    wrong: list[object] = [0, 1, 2, 3, 5, 6, 7, 9, 16, -4, True, None, 8.0, "8", [8]]
    for value in wrong:
        with pytest.raises(Refusal) as refusal:
            check_places(value)
        assert (refusal.value.who, refusal.value.article) == ("places", "3.º a)")


def test_pai_kao_art_3_a_the_banker_has_one_of_them() -> None:
    assert (check_place("banker", 1, 4), check_place("banker", 4, 4), check_place("banker", 8, 8)) == (1, 4, 8)
    for place, places in ((0, 8), (9, 8), (5, 4), (True, 8), ("1", 8), (1.0, 8), (None, 8)):
        with pytest.raises(Refusal) as refusal:
            check_place("banker", place, places)
        assert (refusal.value.who, refusal.value.article) == ("banker", "3.º a)")


# ---- Whose wager the bank's limit cuts, also by the other reading; which wager is refused; a void round


# Against the banker at place 1: place 2 wins, place 3 loses, place 4 ties.
TILES = ["3-3 3-3 2-2 2-2", "6-6 6-6 1-1 1-1", "6-4 6-3 5-1 2-1", "4-4 4-4 6-5 5-4"]
HANDS: dict[int, TileHand] = {place: arrange(parse_tiles(text)) for place, text in enumerate(TILES, 1)}
FIRST_2, FIRST_3, FIRST_4 = [1, 1, 1, 3], [1, 1, 1, 4], [1, 1, 1, 1]


def settled_against(wagers: Sequence[tuple[int, str, int]], capital: int, rules: Sequence[str]) -> PaiKaoSettlement:
    return settle_places(Bank(1, capital), FIRST_2, HANDS, [Wager(*wager) for wager in wagers], rules)


def lines(answer: PaiKaoSettlement, place: int) -> list[WagerLine]:
    found = answer.seats[str(place)].lines
    assert isinstance(found, list)
    return found


def as_row(line: WagerLine) -> tuple[str, int, str, int, int, str]:
    return line.player, line.stake, line.outcome, line.net, line.commission, line.article


def test_pai_kao_art_2_b_the_order_of_the_dice_decides_whose_wager_is_cut() -> None:
    hands = HANDS | {4: HANDS[2]}  # places 2 and 4 win, not 3
    wagers = [Wager(4, "D", 1000), Wager(2, "A", 1000)]
    for dice, paid in ((FIRST_2, {"2": 950, "4": 0}), (FIRST_3, {"2": 0, "4": 950}), (FIRST_4, {"2": 0, "4": 950})):
        seats = settle_places(Bank(1, 1000), dice, hands, wagers).seats
        assert {place: seats[place].net for place in paid} == paid


def test_pai_kao_art_3_a_a_wager_is_on_a_place_of_the_table() -> None:
    for place in (0, 5, -1):
        with pytest.raises(Refusal) as refusal:
            check_wager(Wager(place, "A", 1), 4, 1)
        assert (refusal.value.who, refusal.value.article) == (f"place {place}", "3.º a)")


def test_pai_kao_art_5_e_who_joins_the_bank_has_no_wager_elsewhere() -> None:
    check_wager(Wager(1, "A", 1), 4, 1, [Wager(1, "A", 5), Wager(2, "B", 5)])
    for wager, wagers, reason in [
        (Wager(1, "A", 1), Wager(2, "A", 5), "has a wager on another place"),
        (Wager(2, "A", 1), Wager(1, "A", 5), "has joined the bank"),
    ]:
        with pytest.raises(Refusal, check=with_words(reason)) as refusal:
            check_wager(wager, 4, 1, [Wager(3, "B", 1), wagers])
        assert (refusal.value.who, refusal.value.article) == (f"place {wager.place}", "5.º e)")


OVER = "limit_over_the_round"


def test_pai_kao_art_5_c_by_the_other_reading_what_was_won_last_in_the_order_of_the_dice_is_cut() -> None:
    wagers = [(2, "A", 600), (2, "B", 600), (3, "C", 200), (2, "D", 300)]
    answer = settled_against(wagers, capital=1000, rules=[OVER])
    # 190 are left of what is collected: 1190 are there for 1500.
    assert [as_row(line)[3:] for line in lines(answer, 2)] == [
        (570, 30, "6.º c)"),
        (590 - 29, 29, "5.º c)"),
        (0, 0, "5.º c)"),
    ]
    assert as_row(lines(answer, 3)[0])[3:] == (-200, 10, "6.º c)")
    assert (answer.bank.net, answer.bank.limited) == (-1000, True)


def test_pai_kao_art_5_c_by_the_other_reading_the_gain_is_counted_after_commission() -> None:
    answer = settled_against([(3, "A", 600), (3, "B", 600), (2, "C", 50), (3, "D", 1)], capital=1000, rules=[OVER])
    # 50 are paid, so that 1050 may be collected after commission: 570 of A, and 480 of B, which are 505 less 25.
    assert [as_row(line)[3:] for line in lines(answer, 3)] == [
        (-600, 30, "6.º c)"),
        (-505, 25, "5.º c)"),
        (0, 0, "5.º c)"),
    ]
    assert (answer.bank.net, answer.bank.limited) == (1000, True)


def test_pai_kao_a_void_round_takes_every_wager_back() -> None:
    wagers = [Wager(3, "B", 5), Wager(2, "A", 7), Wager(1, "J", 9), Wager(3, "A", 2)]
    answer = msgspec.to_builtins(void_places(Bank(1, 100, 50), wagers, "policy: supervisor's void"))
    assert list(answer) == ["game", "outcome", "seats", "banker"] and answer["outcome"] == "void"
    assert {place: [line["player"] for line in seat["lines"]] for place, seat in answer["seats"].items()} == {
        "2": ["A"],
        "3": ["B", "A"],
    }
    every = [line for seat in answer["seats"].values() for line in seat["lines"]] + answer["banker"]["joiners"]
    assert {(line["outcome"], line["net"], line["commission"], line["article"]) for line in every} == {
        ("void", 0, 0, "policy: supervisor's void")
    }
    assert (answer["banker"]["net"], answer["banker"]["casino"]["net"]) == (0, 0)


# ---- Four tiles as two pairs: the highest rear, the dealer's correction, the comparison with the banker


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


# ---- Round files of Taiwan-Pai Kao: the worked round changed, and random files computed again


GAME = "taiwan-pai-kao"


def test_pai_kao_art_2_b_by_the_other_reading_the_first_place_of_a_round_file_is_at_the_banker_s_right() -> None:
    named = example(GAME) | {"dice": [1, 1, 1, 2]}  # the banker's own place
    assert settled(named)["first_place"] == 3
    other = settled(named | {"rules": ["deal_begins_beside_banker"]})
    assert other["first_place"] == 4 and other == settled(named) | {"first_place": 4}
    assert settled(example(GAME) | {"rules": []}) == settled(example(GAME))
    for rules in ("deal_begins_beside_banker", ["other"], ["deal_begins_beside_banker"] * 2, [1], None):
        assert refused(example(GAME) | {"rules": rules}).who == "rules"


def test_pai_kao_art_5_c_a_capital_that_is_too_small_cuts_the_wagers_that_pass_it() -> None:
    answer = settled(example(GAME) | {"capital": 1000})
    reported = [
        (place, line["stake"], line["outcome"], line["net"], line["commission"], line["article"])
        for place in "412"
        for line in answer["seats"][place]["lines"]
    ]
    assert reported == [
        ("4", 3000, "lose", -1000, 50, "5.º c)"),
        ("4", 9, "lose", 0, 0, "5.º c)"),
        ("1", 5010, "win", 1853, 97, "5.º c)"),
        ("2", 9000, "push", 0, 0, "6.º c)"),
    ]
    assert answer["banker"] == {"place": 3, "net": -1000, "limited": True}


def test_pai_kao_art_6_b_the_banker_s_hand_is_corrected_too() -> None:
    arranged = {"3": {"front": "6-5 6-2", "rear": "5-5 4-3"}}
    answer = settled(example(GAME) | {"arranged": arranged})
    assert answer["seats"]["3"] == worked_answer(GAME)["seats"]["3"] | {"rearranged": True}
    assert [seat["rearranged"] for seat in answer["seats"].values()] == [False, False, True, False]


def wager(player: object, amount: object) -> Round:
    return {"player": player, "amount": amount}


def pairs(front: object, rear: object) -> Round:
    return {"front": front, "rear": rear}


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round file that must be settled; some hands are arranged, well or badly."""
    places = draw(st.sampled_from([8, 4]))
    every = [str(place) for place in range(1, places + 1)]
    banker = draw(st.sampled_from(every))
    deck = Random(draw(st.integers(0, 2**32))).sample(SET, 4 * places)
    hands = {place: deck[4 * number : 4 * number + 4] for number, place in enumerate(every)}
    wager_of = st.builds(wager, st.sampled_from(["Ana", "Rui"]), st.integers(1, 5000))
    others = [place for place in every if place != banker]
    arranged = {
        place: pairs(" ".join(tiles[:2]), " ".join(tiles[2:])) for place, tiles in hands.items() if draw(st.booleans())
    }
    return {
        "game": GAME,
        "places": places,
        "banker": int(banker),
        "capital": draw(st.integers(1, 20000)),
        "dice": draw(st.lists(st.integers(1, 6), min_size=4, max_size=4)),
        "tiles": {place: " ".join(tiles) for place, tiles in hands.items()},
        "wagers": draw(
            st.dictionaries(st.sampled_from(others), st.lists(wager_of, min_size=1, max_size=3), min_size=1)
        ),
        "arranged": arranged,
    }


def ranks(pair: str) -> int:
    first, second = pair.split(" ")
    return pair_of(Tile(first), Tile(second)).rank


@given(rounds())
def test_pai_kao_art_6_to_8_a_round_is_settled_as_the_words_of_the_regulation_compute_it(round_: Round) -> None:
    answer = settled(round_)
    hands = {}
    for place, text in round_["tiles"].items():
        ways = [(ranks(f"{c} {d}"), ranks(f"{a} {b}")) for a, b, c, d in permutations(text.split(" "))]  # rear first
        rear, front = min(ways)
        own = round_["arranged"].get(place)
        corrected = own is not None and ranks(own["rear"]) != rear
        if own is not None and not corrected:
            front = ranks(own["front"])
        hands[place] = (front, rear)
        seat = answer["seats"][place]
        assert (seat["front"]["rank"], seat["rear"]["rank"], seat["rearranged"]) == (front, rear, corrected)
    bank = hands[str(round_["banker"])]
    gain = commission = 0
    for place in answer["order"]:
        seat = answer["seats"][str(place)]
        wins = sum(own < its for own, its in zip(hands[str(place)], bank, strict=True))
        loses = sum(own > its for own, its in zip(hands[str(place)], bank, strict=True))
        assert seat["outcome"] == ("win" if wins > loses else "lose" if wins < loses else "push")
        bets = round_["wagers"].get(str(place), [])
        assert [(line["player"], line["stake"]) for line in seat["lines"]] == [(w["player"], w["amount"]) for w in bets]
        for line in seat["lines"]:
            if seat["outcome"] == "win":
                amount = min(line["stake"], round_["capital"] + gain - commission)
                gain -= amount
                expected = amount - amount // 20
            else:
                amount = min(line["stake"], round_["capital"] - gain) if seat["outcome"] == "lose" else 0
                gain += amount
                commission += amount // 20
                expected = -amount
            assert (line["net"], line["commission"]) == (expected, amount // 20)
    assert answer["banker"]["net"] == gain - commission


@given(rounds(), st.integers(1, 7))
def test_pai_kao_art_2_b_the_table_may_be_turned_with_its_banker(round_: Round, by: int) -> None:
    def moved(place: str | int) -> int:
        return (int(place) - 1 + by) % int(round_["places"]) + 1

    turned_table = round_ | {
        key: {str(moved(place)): inner for place, inner in round_[key].items()}
        for key in ("tiles", "wagers", "arranged")
    }
    here, there = settled(round_), settled(turned_table | {"banker": moved(round_["banker"])})
    assert {str(moved(place)): seat for place, seat in here["seats"].items()} == there["seats"]
    assert [moved(place) for place in here["order"]] == there["order"]
    assert here["banker"] | {"place": moved(here["banker"]["place"])} == there["banker"]
