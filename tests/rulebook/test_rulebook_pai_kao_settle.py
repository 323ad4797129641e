"""Whose wager the bank's limit cuts, also by the other reading; which wager is refused; a void round."""

from collections.abc import Sequence

import msgspec
import pytest

from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.arrange import TileHand, arrange
from controller.rulebook.taiwan_pai_kao.settle import Bank, settle_places, void_places
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement, WagerLine
from controller.rulebook.taiwan_pai_kao.tiles import parse_tiles
from controller.rulebook.taiwan_pai_kao.wagers import Wager, check_wager
from tests.with_words import with_words

# Against the banker at place 1: place 2 wins, place 3 loses, place 4 ties.
TILES = ["3-3 3-3 2-2 2-2", "6-6 6-6 1-1 1-1", "6-4 6-3 5-1 2-1", "4-4 4-4 6-5 5-4"]
HANDS: dict[int, TileHand] = {place: arrange(parse_tiles(text)) for place, text in enumerate(TILES, 1)}
FIRST_2, FIRST_3, FIRST_4 = [1, 1, 1, 3], [1, 1, 1, 4], [1, 1, 1, 1]


def settled(wagers: Sequence[tuple[int, str, int]], capital: int, rules: Sequence[str]) -> PaiKaoSettlement:
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
    answer = settled(wagers, capital=1000, rules=[OVER])
    # 190 are left of what is collected: 1190 are there for 1500.
    assert [as_row(line)[3:] for line in lines(answer, 2)] == [
        (570, 30, "6.º c)"),
        (590 - 29, 29, "5.º c)"),
        (0, 0, "5.º c)"),
    ]
    assert as_row(lines(answer, 3)[0])[3:] == (-200, 10, "6.º c)")
    assert (answer.bank.net, answer.bank.limited) == (-1000, True)


def test_pai_kao_art_5_c_by_the_other_reading_the_gain_is_counted_after_commission() -> None:
    answer = settled([(3, "A", 600), (3, "B", 600), (2, "C", 50), (3, "D", 1)], capital=1000, rules=[OVER])
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
