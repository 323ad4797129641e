"""The referee's own reading of Taiwan-Pai Kao: pairs, hands, dice, the limit, and whose turn the bank is."""

from itertools import pairwise

import pytest

from tests.referee.film.pai_bank import Asking, Before
from tests.referee.rules.pai_hands import Hand, against, best, lay, ways
from tests.referee.rules.pai_kao import Bank, Wager, around, holders, named_by, settle
from tests.referee.rules.pai_pairs import COPIES, FACES, RANKS, TITLES, Pair, named, rank
from tests.referee.rules.pai_table_ii import TABLE_II


def test_pai_kao_there_are_32_tiles_and_118_ranks() -> None:
    assert (len(FACES), COPIES.total(), len(RANKS)) == (21, 32, 118)
    assert sorted(COPIES.elements(), key=FACES.index)[:4] == ["6-6", "6-6", "1-1", "1-1"]


def test_pai_kao_table_ii_stands_in_the_order_of_the_ranks_but_for_two_misprints() -> None:
    rows = [(rank((one, other)), name) for one, other, name in (line.split(" ", 2) for line in TABLE_II.splitlines())]
    assert len(rows) == 111
    misprinted = [
        number for number, (at, _) in enumerate(rows, start=1) if at in [one for one, _ in rows[: number - 1]]
    ]
    assert misprinted == [37, 53]
    right = [at for number, (at, _) in enumerate(rows, start=1) if number not in misprinted]
    assert all(one < other for one, other in pairwise(right))
    assert [at for at in range(1, 119) if at not in TITLES] == [57, 58, 75, 84, 87, 103, 118]
    assert (TITLES[37], TITLES[53]) == ("Cháp P’ai Pát", "Fu T’au Lôk")


@pytest.mark.parametrize(
    ("tiles", "name", "at"),
    [
        (("2-1", "4-2"), "chi_chun", 1),
        (("6-6", "6-6"), "pair", 2),
        (("3-2", "4-1"), "pair", 16),
        (("6-6", "6-3"), "tin_kau_vong", 17),
        (("4-4", "6-6"), "tin_kong", 18),
        (("1-1", "5-3"), "tei_kong", 19),
        (("6-6", "6-1"), "points_9", 20),
        (("6-6", "2-1"), "points_5", 57),
        (("6-4", "6-6"), "points_2", 92),
        (("5-2", "2-1"), "points_0", 118),
    ],
)
def test_pai_kao_pairs_and_their_ranks(tiles: Pair, name: str, at: int) -> None:
    assert named(tiles)[0] == name
    assert rank(tiles) == rank((tiles[1], tiles[0])) == at


def test_pai_kao_a_hand_is_put_right_only_where_a_higher_rear_pair_can_be_made() -> None:
    stands = lay(("3-3", "2-1"), ("6-6", "6-6"))
    assert not stands.rearranged
    for front, rear in ((("6-6", "3-3"), ("6-6", "2-1")), (("6-6", "6-6"), ("3-3", "2-1"))):
        right = lay(front, rear)
        assert right.rearranged and right.rear == ("6-6", "6-6") and set(right.front) == {"3-3", "2-1"}


def test_pai_kao_of_two_equal_rear_pairs_either_stands_and_the_better_front_is_set() -> None:
    # 6-6 counts nine with 6-1 and with 4-3; 4-2 counts three with either, and 6-1 is the higher tile.
    tiles = ["6-6", "6-1", "4-3", "4-2"]
    assert [set(pair) for pair in (best(tiles).front, best(tiles).rear)] == [{"6-1", "4-2"}, {"6-6", "4-3"}]
    assert not lay(("4-3", "4-2"), ("6-6", "6-1")).rearranged
    assert lay(("6-6", "4-2"), ("6-1", "4-3")).rearranged
    # With 3-1 in its place both fronts are one point of 3-1: the tile first in the order goes with the highest.
    tiles = ["6-6", "6-1", "4-3", "3-1"]
    assert [set(pair) for pair in (best(tiles).front, best(tiles).rear)] == [{"4-3", "3-1"}, {"6-6", "6-1"}]
    assert len(ways(tiles)) == 3 and all(rank(way.rear) <= rank(way.front) for way in ways(tiles))


HIGH, LOW = ("6-6", "6-6"), ("5-2", "2-1")


@pytest.mark.parametrize(
    ("place", "bank", "outcome"),
    [
        ((HIGH, HIGH), (LOW, LOW), "win"),
        ((HIGH, LOW), (LOW, LOW), "win"),
        ((LOW, HIGH), (LOW, LOW), "win"),
        ((HIGH, LOW), (LOW, HIGH), "push"),
        ((LOW, LOW), (LOW, LOW), "push"),
        ((LOW, LOW), (LOW, HIGH), "lose"),
        ((LOW, LOW), (HIGH, HIGH), "lose"),
    ],
)
def test_pai_kao_front_against_front_and_rear_against_rear(
    place: tuple[Pair, Pair], bank: tuple[Pair, Pair], outcome: str
) -> None:
    assert against(Hand(*place), Hand(*bank)) == outcome


def test_pai_kao_the_dice_name_the_first_place_counted_from_the_banker() -> None:
    assert around(3, 4) == [3, 4, 1, 2]
    named = [named_by([1, 1, 1, total - 3], 3, 8) for total in range(4, 10)]
    assert named == [6, 7, 8, 1, 2, 3]
    assert named_by([6, 6, 6, 6], 3, 4) == 2


WINS, LOSES = Hand(HIGH, HIGH), Hand(LOW, LOW)
BANKS = Hand(("5-5", "4-4"), ("5-5", "4-4"))


def money(bank: Bank, *laid: tuple[int, int], joiners: tuple[int, ...] = ()) -> tuple[list[tuple[int, int]], list[int]]:
    """Place 3 wins, place 4 loses: net and commission of each wager, and the shares of the bank."""
    wagers = [Wager(place, f"P{number}", amount) for number, (place, amount) in enumerate(laid)]
    wagers += [Wager(2, f"J{number}", amount) for number, amount in enumerate(joiners)]
    hands = {1: BANKS, 2: BANKS, 3: WINS, 4: LOSES}
    result = settle(bank, [1, 1, 1, 1 + 2], hands, wagers)  # six from place 2 is place 3
    assert result.order == [3, 4, 1] and not result.left_over()
    lines = [line for here in result.lines.values() for line in here]
    shares = [result.own, result.casino, *(one.net for one in result.joiners)]
    return [(line.net, line.commission) for line in lines], shares


def test_pai_kao_the_bank_neither_wins_nor_loses_more_than_its_capital() -> None:
    bank = Bank(2, 1000, 0, 1)
    assert money(bank, (3, 1000)) == ([(950, 50)], [-1000, 0])
    assert money(bank, (3, 1001)) == ([(950, 50)], [-1000, 0])
    assert money(bank, (4, 1001), (4, 500)) == ([(-1000, 50), (0, 0)], [950, 0])
    assert money(bank, (3, 1500), (4, 2500)) == ([(950, 50), (-2000, 100)], [900, 0])
    assert money(bank, (3, 300), (4, 700)) == ([(285, 15), (-700, 35)], [365, 0])
    assert money(bank, (3, 19)) == ([(19, 0)], [-19, 0])


def test_pai_kao_who_stands_behind_the_bank_shares_in_turn() -> None:
    bank = Bank(2, 1000, 500, 1)
    assert money(bank, (3, 5000), joiners=(200, 300)) == ([(1900, 100)], [-1000, -500, -200, -300])
    assert money(bank, (3, 1600), joiners=(200, 300)) == ([(1520, 80)], [-1000, -500, -100, 0])
    assert money(bank, (4, 1200), joiners=(200,)) == ([(-1200, 60)], [1000, 140, 0])


def test_pai_kao_who_laid_the_most_holds_the_tiles_and_of_equals_who_laid_first() -> None:
    wagers = [Wager(1, "Ana", 5), Wager(1, "Rui", 7), Wager(3, "Eva", 5), Wager(3, "Ivo", 5), Wager(2, "Leo", 1)]
    assert holders(wagers, Bank(2, 1, 0, 1), 4) == [
        {"seat": 1, "player": "Rui"},
        {"seat": 3, "player": "Eva"},
        {"seat": 4, "player": None},
    ]


def asked(before: Before, *answers: str, places: int = 8) -> Asking:
    """The bank offered: "3 passes", "4 absent", "5 takes"."""
    asking = Asking(before, places)
    for answer in answers:
        place, what = answer.split(" ")
        if what == "takes":
            asking.taken(int(place), 1000, 0, [])
        else:
            asking.passed(int(place), absent=what == "absent")
    return asking


def left(place: int, rounds: int, net: int, *bets: int) -> Before:
    """What a round with a capital of 1000 left."""
    return Before(Bank(place, 1000, 0, rounds), net, set(bets))


def test_pai_kao_by_the_other_reading_the_next_place_is_the_first_where_the_dice_name_the_banker() -> None:
    named = [named_by([1, 1, 1, total - 3], 3, 4, beside=True) for total in range(4, 10)]
    assert named == [2, 4, 4, 1, 2, 4]


def test_pai_kao_at_first_place_1_is_asked_and_nobody_is_passed_over() -> None:
    assert asked(Before()).asked == 1
    assert asked(Before(), "1 passes").asked == 2
    asking = asked(Before(), "1 passes", "2 absent", "3 takes")
    assert not asking.wrong and asking.bank == Bank(3, 1000, 0, 1)
    assert asked(Before(), "2 takes").wrong


def test_pai_kao_the_holder_is_asked_first_and_his_passing_is_the_end_of_his_turn() -> None:
    before = left(7, 1, -300, 2, 4)
    assert asked(before).asked == 7
    assert asked(before, "7 passes").asked == 8
    assert asked(before, "7 absent").asked == 8
    going_on = asked(before, "7 takes")
    assert not going_on.wrong and going_on.bank == Bank(7, 1000, 0, 2)


def test_pai_kao_a_refused_bank_passes_only_to_who_bet_in_the_round_before() -> None:
    before = left(7, 1, -300, 2, 4)
    assert asked(before, "7 passes", "8 absent").asked == 1
    assert asked(before, "7 passes", "8 passes").asked == 2
    assert asked(before, "7 passes", "8 passes", "2 absent").asked == 4
    assert asked(before, "7 passes", "8 passes", "2 absent", "4 passes").over
    assert asked(before, "7 passes", "8 passes", "1 takes").wrong


def test_pai_kao_a_third_round_needs_all_others() -> None:
    before = left(7, 2, -300, 2, 4, 7)
    assert len(asked(before, "7 takes").wrong) == 1
    for agreed, right in (([2], False), ([2, 4], True), ([2, 4, 5], True)):
        asking = Asking(before, 8)
        asking.taken(7, 1000, 0, agreed)
        assert (not asking.wrong) is right
        assert asking.bank == Bank(7, 1000, 0, 3)
    assert not asked(before, "7 passes", "8 takes").wrong


def test_pai_kao_a_winner_who_goes_on_keeps_all_on_the_table() -> None:
    assert asked(left(7, 1, 400)).least == 1400
    assert asked(left(7, 1, -400)).least == asked(left(7, 1, 0)).least == 1
    assert asked(left(7, 1, 400), "7 passes").least == 1
    assert asked(left(7, 1, 400), "7 takes").wrong
    assert not asked(left(7, 1, 400), "7 passes", "8 takes").wrong


def test_pai_kao_a_holder_whose_place_is_gone_has_place_1_at_his_right() -> None:
    before = left(6, 1, 400, 2, 3)
    assert asked(before, places=4).asked == 1
    assert asked(before, "1 passes", places=4).asked == 2
    assert asked(before, "1 absent", "2 absent", "3 absent", "4 absent", places=4).over
