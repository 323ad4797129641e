"""What the wagers of a round win and lose: comparison, commission, the bank's limit, those who join the bank."""

from collections.abc import Sequence

import msgspec
import pytest

from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.arrange import TileHand, arrange
from controller.rulebook.taiwan_pai_kao.limit import commission_on, settle_in_order, share_out
from controller.rulebook.taiwan_pai_kao.settle import Bank, compare, settle_places, void_places
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement, WagerLine
from controller.rulebook.taiwan_pai_kao.tiles import parse_tiles
from controller.rulebook.taiwan_pai_kao.wagers import Wager, check_wager, holder_of
from tests.with_words import with_words

# Against the banker at place 1: place 2 wins, place 3 loses, place 4 ties.
TILES = ["3-3 3-3 2-2 2-2", "6-6 6-6 1-1 1-1", "6-4 6-3 5-1 2-1", "4-4 4-4 6-5 5-4"]
HANDS: dict[int, TileHand] = {place: arrange(parse_tiles(text)) for place, text in enumerate(TILES, 1)}
FIRST_2, FIRST_3, FIRST_4, FIRST_1 = [1, 1, 1, 3], [1, 1, 1, 4], [1, 1, 1, 1], [1, 1, 1, 2]


def settled(
    wagers: Sequence[tuple[int, str, int]],
    capital: int = 10**6,
    casino: int = 0,
    dice: Sequence[int] = FIRST_2,
    rules: Sequence[str] = (),
) -> PaiKaoSettlement:
    return settle_places(Bank(1, capital, casino), dice, HANDS, [Wager(*wager) for wager in wagers], rules)


def lines(answer: PaiKaoSettlement, place: int) -> list[WagerLine]:
    found = answer.seats[str(place)].lines
    assert isinstance(found, list)
    return found


def as_row(line: WagerLine) -> tuple[str, int, str, int, int, str]:
    return line.player, line.stake, line.outcome, line.net, line.commission, line.article


def joiners(answer: PaiKaoSettlement) -> list[tuple[str, str, int, str]]:
    found = answer.bank.joiners
    return [(line.player, line.outcome, line.net, line.article) for line in found] if isinstance(found, list) else []


def test_pai_kao_art_6_c_win_lose_and_tie() -> None:
    answer = settled([(2, "A", 1000), (3, "B", 1000), (4, "C", 1000)])
    assert [as_row(line) for place in (2, 3, 4) for line in lines(answer, place)] == [
        ("A", 1000, "win", 950, 50, "6.º c)"),
        ("B", 1000, "lose", -1000, 50, "6.º c)"),
        ("C", 1000, "push", 0, 0, "6.º c)"),
    ]
    assert [answer.seats[place].net for place in "234"] == [950, -1000, 0]
    assert (answer.bank.place, answer.bank.net, answer.bank.limited) == (1, -50, False)


def test_pai_kao_art_6_c_every_place_has_an_outcome_and_the_banker_pairs_alone() -> None:
    answer = msgspec.to_builtins(settled([]))
    assert [answer["seats"][place].get("outcome") for place in "1234"] == [None, "win", "lose", "push"]
    assert set(answer["seats"]["1"]) == {"front", "rear", "rearranged"}
    assert answer["seats"]["3"]["front"] == {"tiles": "5-1 2-1", "name": "points_9", "rank": 29}
    assert answer["seats"]["3"]["rear"] == {"tiles": "6-4 6-3", "name": "points_9", "rank": 28}
    assert answer["seats"]["2"]["lines"] == [] and answer["seats"]["2"]["net"] == 0
    assert answer["banker"] == {"place": 1, "net": 0, "limited": False}


@pytest.mark.parametrize(
    ("won", "commission"), [(1, 0), (19, 0), (20, 1), (39, 1), (40, 2), (99, 4), (100, 5), (10001, 500)]
)
def test_pai_kao_art_8_five_percent_of_each_wager_won_by_either_side_rounded_down(won: int, commission: int) -> None:
    assert commission_on(won) == commission
    answer = settled([(2, "A", won), (3, "B", won)])
    assert (lines(answer, 2)[0].net, lines(answer, 2)[0].commission) == (won - commission, commission)
    assert (lines(answer, 3)[0].net, lines(answer, 3)[0].commission) == (-won, commission)
    assert answer.bank.net == -commission


def test_pai_kao_art_8_the_commission_is_rounded_wager_by_wager() -> None:
    answer = settled([(2, "A", 19)] * 10)
    assert answer.seats["2"].net == 190 and answer.bank.net == -190


def test_pai_kao_art_8_a_tie_bears_no_commission() -> None:
    assert [as_row(line)[3:5] for line in lines(settled([(4, "C", 10**6)]), 4)] == [(0, 0)]


def test_pai_kao_art_5_c_the_bank_pays_no_more_than_its_capital() -> None:
    answer = settled([(2, "A", 600), (2, "B", 600), (2, "C", 600)], capital=1000)
    assert [as_row(line) for line in lines(answer, 2)] == [
        ("A", 600, "win", 570, 30, "6.º c)"),
        ("B", 600, "win", 380, 20, "5.º c)"),
        ("C", 600, "win", 0, 0, "5.º c)"),
    ]
    assert (answer.bank.net, answer.bank.limited, answer.seats["2"].net) == (-1000, True, 950)


def test_pai_kao_art_5_c_the_bank_collects_no_more_than_its_capital_before_commission() -> None:
    answer = settled([(3, "A", 600), (3, "B", 600), (3, "C", 600)], capital=1000)
    assert [as_row(line) for line in lines(answer, 3)] == [
        ("A", 600, "lose", -600, 30, "6.º c)"),
        ("B", 600, "lose", -400, 20, "5.º c)"),
        ("C", 600, "lose", 0, 0, "5.º c)"),
    ]
    assert (answer.bank.net, answer.bank.limited) == (950, True)


def test_pai_kao_art_5_c_exactly_the_capital_is_not_cut() -> None:
    for place, net in ((2, -1000), (3, 950)):
        answer = settled([(place, "A", 1000)], capital=1000)
        assert (answer.bank.net, answer.bank.limited) == (net, False)
        assert settled([(place, "A", 1001)], capital=1000).bank.limited


def test_pai_kao_art_5_c_what_was_collected_pays_a_later_place_after_its_commission() -> None:
    wagers = [(2, "A", 5000), (3, "B", 1000)]
    first_collected = settled(wagers, capital=1000, dice=FIRST_3)
    assert first_collected.order == (3, 4, 2)
    assert [as_row(line)[2:5] for line in lines(first_collected, 2)] == [("win", 1950 - 97, 97)]
    assert first_collected.bank.net == -1000
    first_paid = settled(wagers, capital=1000, dice=FIRST_2)
    assert [as_row(line)[2:5] for line in lines(first_paid, 2)] == [("win", 950, 50)]
    assert [as_row(line)[2:5] for line in lines(first_paid, 3)] == [("lose", -1000, 50)]
    assert first_paid.bank.net == -50


def test_pai_kao_art_5_c_a_bank_that_paid_may_collect_again_what_it_paid_and_its_capital() -> None:
    answer = settled([(2, "A", 400), (3, "B", 5000)], capital=1000, dice=FIRST_2)
    assert [as_row(line)[3] for line in lines(answer, 3)] == [-1400]
    assert answer.bank.net == -400 + 1400 - 70 and answer.bank.limited


def test_pai_kao_art_5_c_a_tie_is_never_cut() -> None:
    answer = settled([(2, "A", 1000), (4, "B", 10**9)], capital=1000)
    assert as_row(lines(answer, 4)[0]) == ("B", 10**9, "push", 0, 0, "6.º c)")
    assert not answer.bank.limited


def test_pai_kao_art_2_b_the_order_of_the_dice_decides_whose_wager_is_cut() -> None:
    hands = HANDS | {4: HANDS[2]}  # places 2 and 4 win, not 3
    wagers = [Wager(4, "D", 1000), Wager(2, "A", 1000)]
    for dice, paid in ((FIRST_2, {"2": 950, "4": 0}), (FIRST_3, {"2": 0, "4": 950}), (FIRST_4, {"2": 0, "4": 950})):
        seats = settle_places(Bank(1, 1000), dice, hands, wagers).seats
        assert {place: seats[place].net for place in paid} == paid


def test_pai_kao_art_2_b_a_first_place_at_the_banker_is_reported_and_the_order_begins_at_his_right() -> None:
    answer = settled([], dice=FIRST_1)
    assert (answer.first_place, answer.order) == (1, (2, 3, 4))
    assert (settled([], dice=FIRST_4).first_place, settled([], dice=FIRST_4).order) == (4, (4, 2, 3))


def test_pai_kao_art_2_h_wagers_are_settled_where_they_are_and_in_the_order_placed() -> None:
    answer = settled([(3, "A", 10), (2, "B", 20), (3, "C", 30), (2, "A", 40), (3, "A", 50)])
    assert [(line.player, line.stake) for line in lines(answer, 3)] == [("A", 10), ("C", 30), ("A", 50)]
    assert [(line.player, line.stake) for line in lines(answer, 2)] == [("B", 20), ("A", 40)]
    assert (answer.seats["2"].net, answer.seats["3"].net, answer.bank.net) == (57, -90, 27)


def test_pai_kao_art_3_b_a_player_may_wager_on_several_places_and_several_on_one() -> None:
    wagers = [Wager(2, "A", 1), Wager(3, "A", 1), Wager(2, "B", 1), Wager(2, "A", 5)]
    for wager in wagers:
        check_wager(wager, 4, 1, wagers)


def test_pai_kao_art_3_b_who_placed_the_most_on_a_place_may_hold_its_tiles() -> None:
    wagers = [Wager(2, "A", 5), Wager(2, "B", 7), Wager(3, "A", 90), Wager(2, "A", 2)]
    assert (holder_of(2, wagers), holder_of(2, [*wagers, Wager(2, "B", 1)]), holder_of(3, wagers)) == ("A", "B", "A")
    assert holder_of(4, wagers) is None


def test_pai_kao_art_3_a_a_wager_is_on_a_place_of_the_table() -> None:
    for place in (0, 5, -1):
        with pytest.raises(Refusal) as refusal:
            check_wager(Wager(place, "A", 1), 4, 1)
        assert (refusal.value.who, refusal.value.article) == (f"place {place}", "3.º a)")


@pytest.mark.parametrize("wager", [Wager(2, "A", 0), Wager(2, "A", -1), Wager(2, " ", 1), Wager(2, "x" * 41, 1)])
def test_pai_kao_a_wager_has_a_name_and_an_amount(wager: Wager) -> None:
    with pytest.raises(Refusal) as refusal:
        check_wager(wager, 4, 1)
    assert (refusal.value.who, refusal.value.article) == ("place 2", None)


def test_pai_kao_art_5_e_who_joins_the_bank_has_no_wager_elsewhere() -> None:
    check_wager(Wager(1, "A", 1), 4, 1, [Wager(1, "A", 5), Wager(2, "B", 5)])
    for wager, wagers, reason in [
        (Wager(1, "A", 1), Wager(2, "A", 5), "has a wager on another place"),
        (Wager(2, "A", 1), Wager(1, "A", 5), "has joined the bank"),
    ]:
        with pytest.raises(Refusal, check=with_words(reason)) as refusal:
            check_wager(wager, 4, 1, [Wager(3, "B", 1), wagers])
        assert (refusal.value.who, refusal.value.article) == (f"place {wager.place}", "5.º e)")


JOINED = [(1, "J", 300), (1, "K", 200)]


def test_pai_kao_art_5_e_a_loss_falls_on_the_banker_then_on_the_casino_then_on_joiners_in_order() -> None:
    answer = settled([*JOINED, (2, "A", 1700)], capital=1000, casino=500)
    assert answer.bank.net == -1000 and not answer.bank.limited
    assert msgspec.to_builtins(answer.bank)["casino"] == {"share": 500, "net": -500, "article": "5.º e)"}
    assert joiners(answer) == [("J", "lose", -200, "5.º e)"), ("K", "push", 0, "5.º e)")]


def test_pai_kao_art_5_e_a_win_falls_the_same_way_after_commission() -> None:
    answer = settled([*JOINED, (3, "A", 2000)], capital=1000, casino=500)
    # 2000 are collected and 100 are commission: 1000, 500, 300 and what is left.
    assert answer.bank.net == 1000
    assert joiners(answer) == [("J", "win", 300, "5.º e)"), ("K", "win", 100, "5.º e)")]


def test_pai_kao_art_5_e_the_limit_is_all_that_is_behind_the_bank() -> None:
    for place, total in ((2, -2000), (3, 2000)):
        answer = settled([*JOINED, (place, "A", 2000)], capital=1000, casino=500)
        assert not answer.bank.limited
        answer = settled([*JOINED, (place, "A", 2001)], capital=1000, casino=500)
        assert answer.bank.limited
        assert lines(answer, place)[0].net + lines(answer, place)[0].commission == (
            -total if place == 2 else 100 - total
        )


def test_pai_kao_art_5_e_the_place_of_the_banker_has_no_lines_and_no_one_behind_him_no_keys() -> None:
    answer = msgspec.to_builtins(settled([*JOINED, (2, "A", 100)]))
    assert "lines" not in answer["seats"]["1"]
    assert set(answer["banker"]) == {"place", "net", "limited", "joiners"}
    assert [line["wager"] for line in answer["banker"]["joiners"]] == ["bank", "bank"]
    assert set(msgspec.to_builtins(settled([], casino=5))["banker"]) == {"place", "net", "limited", "casino"}


def test_pai_kao_art_5_c_and_e_shares_are_filled_one_after_another() -> None:
    assert share_out(0, [10, 5]) == [0, 0]
    assert share_out(7, [10, 5]) == [7, 0]
    assert share_out(12, [10, 0, 5]) == [10, 0, 2]
    assert share_out(-15, [10, 0, 5]) == [-10, 0, -5]


def test_pai_kao_art_5_c_the_limit_is_kept_after_every_wager() -> None:
    done, net = settle_in_order([(50, "lose"), (60, "lose"), (500, "win"), (500, "lose"), (1, "push")], 100)
    assert [wager.amount for wager in done] == [50, 50, 196, 196, 0]
    assert [wager.commission for wager in done] == [2, 2, 9, 9, 0]
    assert net == 100 - 4 - 196 + 196 - 9


OVER, SHARES, ALONE = "limit_over_the_round", "casino_shares_in_proportion", "commission_of_players_alone"


def test_pai_kao_art_5_c_by_the_other_reading_the_limit_is_of_the_round_and_no_wager_is_cut_below_it() -> None:
    wagers = [(2, "A", 20_000), (3, "B", 20_000)]
    assert settled(wagers, capital=10_000).bank.net == 10_000 - 1000, "place 2 gets 9 500 of 19 000"
    answer = settled(wagers, capital=10_000, rules=[OVER])
    assert [answer.seats[place].net for place in "23"] == [19_000, -20_000]
    assert (answer.bank.net, answer.bank.limited) == (-1000, False)


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


def test_pai_kao_art_5_e_by_the_other_reading_the_casino_shares_in_proportion_before_the_joiners() -> None:
    for place, shares in ((2, (-667, -333)), (3, (634, 316))):
        answer = settled([*JOINED, (place, "A", 1000)], capital=1000, casino=500, rules=[SHARES])
        casino = answer.bank.casino
        assert casino and (answer.bank.net, casino.net) == shares
        assert [net for _, _, net, _ in joiners(answer)] == [0, 0]
    answer = settled([*JOINED, (2, "A", 1700)], capital=1000, casino=500, rules=[SHARES])
    assert (answer.bank.net, [net for _, _, net, _ in joiners(answer)]) == (-1000, [-200, 0])
    plain = [settled([(2, "A", 700)], capital=1000, rules=rules) for rules in ((), [SHARES])]
    assert plain[0] == plain[1], "without the casino nothing differs"


def test_pai_kao_art_8_by_the_other_reading_only_what_players_win_bears_commission() -> None:
    wagers = [(2, "A", 1000), (3, "B", 1000), (4, "C", 1000)]
    answer = settled(wagers, rules=[ALONE])
    assert [as_row(line)[3:5] for place in (2, 3, 4) for line in lines(answer, place)] == [
        (950, 50),
        (-1000, 0),
        (0, 0),
    ]
    assert answer.bank.net == 0
    for rules in ([ALONE], [ALONE, OVER]):
        cut = settled([(3, "A", 600), (3, "B", 600)], capital=1000, rules=rules)
        assert [as_row(line)[3:5] for line in lines(cut, 3)] == [(-600, 0), (-400, 0)] and cut.bank.net == 1000


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


@pytest.mark.parametrize(
    ("place", "banker", "outcome"),
    [
        ("3-2 5-5 1-1 2-2", "1-1 6-4 2-1 5-1", "win"),  # the front pairs are equal, the rear pair decides
        ("6-6 3-1 5-2 2-2", "5-5 4-1 6-6 6-1", "win"),  # the rear pairs are equal, the front pair decides
        ("6-4 2-2 3-1 5-1", "6-6 4-2 5-3 6-4", "lose"),
        ("1-1 4-4 6-1 6-3", "5-3 6-4 1-1 5-1", "lose"),
    ],
)
def test_pai_kao_art_6_c_one_equal_pair_and_one_higher_decide(place: str, banker: str, outcome: str) -> None:
    hands = [arrange(list(parse_tiles(tiles, "place"))) for tiles in (place, banker)]
    ranks = [(hand.front.rank, hand.rear.rank) for hand in hands]
    assert sum(rank == other for rank, other in zip(*ranks, strict=True)) == 1
    assert compare(*hands) == outcome
