"""The referee's own reading of Taiwan-Pai Kao: pairs, hands, dice, the limit, and whose turn the bank is."""

import pytest

from tests.referee.film.pai_bank import Asking, Before
from tests.referee.rules.pai_hands import Hand
from tests.referee.rules.pai_kao import Bank, Wager, holders, with_amount
from tests.referee.rules.pai_pairs import Pair, named, rank


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


HIGH, LOW = ("6-6", "6-6"), ("5-2", "2-1")


WINS, LOSES = Hand(HIGH, HIGH), Hand(LOW, LOW)


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
