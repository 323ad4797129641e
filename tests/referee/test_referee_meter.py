"""The progressive meter computed by hand: shares, fixed amounts, fractions, ceiling, new start (15.º, 16.º 3)."""

from pathlib import Path

import pytest

from tests.referee.films.poker import Film, hide_bank, line, seat, settled
from tests.referee.films.written import Message, award
from tests.referee.rules.hands import jackpot_hand
from tests.referee.rules.meter import Meter

BANK = ("Kd 9c 4h", "high_card", True)
BET = {"pair_plus": 1000, "jackpot": 500}


def pair_plus_round(film: Film, hands: dict[int, str], community: str) -> None:
    """A round in which every seat has Pair Plus and a chip."""
    film.begin({at: {"pair_plus": 1000} for at in hands}, chips=tuple(hands))
    film.deal(hands, BANK[0], community)
    for at, cards in hands.items():
        film.see("turned", to=f"seat {at}", cards=cards)
    film.turn(community=community)


def winner(cards: str, hand: str, odds: int, paid: int, article: str, tier: str) -> Message:
    """A seat with Pair Plus won at these odds, and a jackpot."""
    place = {40: "16.º 1 1)", 25: "16.º 1 2)", 5: "16.º 1 3)", 4: "16.º 1 4)", 1: "16.º 1 5)"}[odds]
    return seat(
        cards,
        hand,
        None,
        1000 * odds + paid - 500,
        line("pair_plus", 1000, "win", f"{odds}:1", 1000 * odds, place),
        line("jackpot", 500, "win", None, paid - 500, article, tier),
    )


def test_a_fixed_amount_above_the_share_is_made_up_by_the_house(tmp_path: Path) -> None:
    film = Film(tmp_path, pot=1000003)
    pair_plus_round(film, {1: "Qs Js Ts"}, "9s 8s")
    film.pay(1, pair_plus=40000)
    film.pay(1, jackpot=1000000)
    film.end()
    message = settled(
        1,
        {1: BET},
        BANK,
        {1: winner("Qs Js Ts", "straight_flush", 40, 1000000, "16.º 3 2)", "straight_flush")},
        "9s 8s",
        (1000353, 900318),
        (award(1, "straight_flush", 1000000, "16.º 3 2)", from_house=899965),),
    )
    report = film.judge(hide_bank(message))
    assert report.differences == []
    assert report.house_funded == 899965
    assert report.awards == 1000000
    assert report.unpaid == []


TWO_OF_ONE = {1: "Qs Js Ts", 3: "7s 6s 5s"}  # beside 9s 8s


@pytest.mark.parametrize(
    ("keys", "hands", "community", "paid"),
    [
        ([], TWO_OF_ONE, "9s 8s", [(1, 100000, 100000), (3, 100000, 100000)]),
        (["tenths_one_after_another"], TWO_OF_ONE, "9s 8s", [(1, 100000, 100000), (3, 90000, 90000)]),
        ([], {1: "As Ks 2d", 3: "9s 8s 7s"}, "Js Ts", [(3, 100000, 100000)]),
        ([], {1: "As Ks Qs", 3: "9s 8s 7s"}, "Js Ts", [(3, 100000, 100000), (1, 900005, 900005)]),
        (
            ["royal_on_the_pot_as_it_was"],
            {1: "As Ks Qs", 3: "9s 8s 7s"},
            "Js Ts",
            [(3, 100000, 100000), (1, 1000005, 900005)],
        ),
    ],
)
def test_each_reading_of_what_several_winners_have_of_the_pot(
    keys: list[str], hands: dict[int, str], community: str, paid: list[tuple[int, int, int]]
) -> None:
    fixed = {"royal_flush": 50000, "straight_flush": 10000, "four_of_a_kind": 1500, "full_house": 500, "flush": 250}
    meter = Meter({"chip": 500, "initial_pot": 1000005, "minimum": 500000, "fixed": fixed})
    winners = {seat: jackpot_hand(cards.split(), community.split()) for seat, cards in hands.items()}
    won = {seat: hand for seat, hand in winners.items() if hand in fixed}
    awards = meter.pay(won, keys)
    assert [(prize["seat"], prize["amount"], prize["from_pot"]) for prize in awards] == paid
    assert all(prize["amount"] == prize["from_pot"] + prize["from_house"] for prize in awards)


GONE = "expected there until the prize is paid or two persons have seen them (8.º 6)), got gone"


@pytest.mark.parametrize(
    ("done", "differences"),
    [
        ("cleared", [f"round 1, cards of seat 6 on the table: {GONE}"]),
        ("cleared paid", [f"round 1, cards of seat 6 on the table: {GONE}"]),
        ("paid cleared", []),
        ("seen cleared", []),
        ("seen cleared paid", []),
        ("other cleared", [f"round 1, cards of seat 6 on the table: {GONE}"]),
    ],
)
def test_art_8_6_winning_cards_that_leave_the_table_unpaid_and_unseen_are_found(
    tmp_path: Path, done: str, differences: list[str]
) -> None:
    film = Film(tmp_path)
    pair_plus_round(film, {6: "Ah Jh 2h"}, "7h 8h")
    film.pay(6, pair_plus=4000)
    for act in done.split():
        if act == "paid":
            film.pay(6, jackpot=25000)
        elif act == "cleared":
            film.see("cleared")
        else:
            film.see("cards_seen", seats=[6] if act == "seen" else [5])
    film.end()
    place = winner("Ah Jh 2h", "flush", 4, 25000, "16.º 3 5)", "flush")
    won = (award(6, "flush", 25000, "16.º 3 5)", from_house=25000),)
    message = hide_bank(settled(1, {6: BET}, BANK, {6: place}, "7h 8h", (60000350,) * 2, won))
    assert film.judge(message).differences == differences
