"""The referee's own reading of Taiwan-Pai Kao: pairs, hands, dice, the limit, and whose turn the bank is."""

import pytest

from tests.referee.film.pai_felt import Asking, Before
from tests.referee.rules.pai_hands import Hand, Pair, named, rank
from tests.referee.rules.pai_kao import Bank, Result, Wager, holders, settle, with_amount


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


HIGH, MIDDLE, LOW = ("6-6", "6-6"), ("5-4", "4-1"), ("5-2", "2-1")


WINS, BETWEEN, LOSES = Hand(HIGH, HIGH), Hand(MIDDLE, MIDDLE), Hand(LOW, LOW)


def by_keys(keys: str, *wagers: tuple[int, str, int], casino: int = 0) -> Result:
    """Place 1 holds the bank with 1000; place 2 wins, 3 loses, and their wagers are settled in that order."""
    hands = {1: BETWEEN, 2: WINS, 3: LOSES, 4: BETWEEN}
    return settle(Bank(1, 1000, casino, 1), [1, 1, 1, 3], hands, [Wager(*wager) for wager in wagers], keys.split())


def moved_in(result: Result) -> list[tuple[int, int]]:
    return [(line.net, line.commission or 0) for place in result.order for line in result.lines[place]]


@pytest.mark.parametrize(
    ("keys", "wagers", "moved", "own"),
    [
        ("", [(2, "A", 2000), (3, "B", 2000)], [(950, 50), (-2000, 100)], 900),
        ("limit_over_the_round", [(2, "A", 2000), (3, "B", 2000)], [(1900, 100), (-2000, 100)], -100),
        ("limit_over_the_round", [(2, "A", 900), (2, "B", 900)], [(855, 45), (95, 5)], -1000),
        ("limit_over_the_round", [(3, "A", 600), (3, "B", 600)], [(-600, 30), (-452, 22)], 1000),
        ("commission_of_players_alone", [(2, "A", 500), (3, "B", 700)], [(475, 25), (-700, 0)], 200),
        ("commission_of_players_alone limit_over_the_round", [(3, "A", 1200)], [(-1000, 0)], 1000),
    ],
)
def test_pai_kao_each_reading_of_the_limit_and_of_the_commission(
    keys: str, wagers: list[tuple[int, str, int]], moved: list[tuple[int, int]], own: int
) -> None:
    result = by_keys(keys, *wagers)
    assert (moved_in(result), result.own, result.left_over()) == (moved, own, 0)


def test_pai_kao_by_the_other_reading_banker_and_casino_share_in_proportion_and_the_joiners_follow() -> None:
    wagers = [(1, "J", 300), (2, "A", 1700)]
    result = by_keys("casino_shares_in_proportion", *wagers, casino=500)
    assert (result.own, result.casino, result.joiners[0].net) == (-1000, -500, -200)
    less = by_keys("casino_shares_in_proportion", (1, "J", 300), (2, "A", 1000), casino=500)
    assert (less.own, less.casino, less.joiners[0].net) == (-667, -333, 0)
    assert by_keys("", *wagers, casino=500).joiners[0].net == -200


def test_pai_kao_who_bet_the_most_has_the_tiles_and_of_equals_who_bet_first() -> None:
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


def test_pai_kao_a_winner_who_continues_keeps_all_on_the_table() -> None:
    assert asked(left(7, 1, 400)).least == 1400
    assert asked(left(7, 1, -400)).least == asked(left(7, 1, 0)).least == 1
    assert asked(left(7, 1, 400), "7 passes").least == 1
    assert asked(left(7, 1, 400), "7 takes").wrong
    assert not asked(left(7, 1, 400), "7 passes", "8 takes").wrong


def test_art_5_e_a_raise_is_a_later_bet_and_a_correction_keeps_its_turn() -> None:
    stakes = with_amount(with_amount([], 1, "A", 1000), 1, "B", 3000)
    assert with_amount(stakes, 1, "A", 4000) == [*stakes, Wager(1, "A", 3000)]
    assert with_amount(stakes, 1, "B", 4000) == [stakes[0], Wager(1, "B", 4000)]
    assert with_amount(stakes, 1, "A", 4000, later=False) == [Wager(1, "A", 4000), stakes[1]]
    assert with_amount([*stakes, Wager(1, "A", 3000)], 1, "A", 1500) == [*stakes, Wager(1, "A", 500)]
    assert with_amount(stakes, 1, "A", 0) == [stakes[1]]
