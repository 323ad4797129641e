"""The progressive meter computed by hand: shares, fixed amounts, fractions, ceiling, new start (15.º, 16.º 3)."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.referee.films.poker import Film, hide_bank, line, seat, settled
from tests.referee.films.written import Message, award, show

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


def loser(cards: str) -> Message:
    """A seat that lost Pair Plus and the chip."""
    return seat(
        cards,
        "high_card",
        None,
        -1500,
        line("pair_plus", 1000, "lose", None, -1000, "13.º 5)"),
        line("jackpot", 500, "lose", None, -500, "15.º 1", None),
    )


def test_art_15_4_each_straight_flush_takes_a_tenth_of_the_pot_as_payment_begins(tmp_path: Path) -> None:
    film = Film(tmp_path, pot=1000003, straight=1000)
    hands = {1: "Qs Js Ts", 5: "7s 6s 5s"}
    pair_plus_round(film, hands, "9s 8s")
    film.pay(1, pair_plus=40000)
    film.pay(5, pair_plus=40000)
    film.end()
    message = settled(
        1,
        {1: BET, 5: BET},
        BANK,
        {at: winner(hands[at], "straight_flush", 40, 100070, "16.º 3 2)", "straight_flush") for at in hands},
        "9s 8s",
        (1000703, 800563),  # it stays where it is, far below the minimum (15.º 6)
        tuple(award(at, "straight_flush", 100070, "16.º 3 2)") for at in hands),
    )
    report = film.judge(hide_bank(message))
    assert report.differences == []
    assert report.pot == 800563
    assert report.reserve == 100
    assert report.unpaid == [(1, 1, 100070), (1, 5, 100070)]


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


def test_art_15_5_the_royal_takes_what_the_straight_flush_leaves_and_the_pot_begins_again(tmp_path: Path) -> None:
    film = Film(tmp_path, reserve=20000000)
    hands = {1: "As Ks Qs", 3: "9s 8s 7s"}
    pair_plus_round(film, hands, "Js Ts")
    for at in hands:
        film.pay(at, pair_plus=40000)
    film.end()
    message = settled(
        1,
        {1: BET, 3: BET},
        BANK,
        {
            1: winner(hands[1], "straight_flush", 40, 54000630, "16.º 3 1)", "royal_flush"),
            3: winner(hands[3], "straight_flush", 40, 6000070, "16.º 3 2)", "straight_flush"),
        },
        "Js Ts",
        (60000700, 50000000),
        (award(3, "straight_flush", 6000070, "16.º 3 2)"), award(1, "royal_flush", 54000630, "16.º 3 1)")),
    )
    report = film.judge(hide_bank(message))
    assert report.differences == []
    assert report.reserve == 0
    assert report.house_funded == 50000000 - 20000100
    film.pay(1, jackpot=54000630)
    film.pay(3, jackpot=6000070)
    said = "round 1, seat 1, line jackpot, pushed on the table: expected after the 6000070 of seat 3 (15.º 3, 15.º 5)"
    assert film.judge(hide_bank(message)).differences == [f"{said}, got 54000630"]
    film.lines[-2:] = reversed(film.lines[-2:])
    assert film.judge(hide_bank(message)).differences == []
    message["jackpot"]["awards"].reverse()
    assert film.judge(hide_bank(message)).differences != []


@pytest.mark.parametrize(
    ("cards", "community", "hand", "odds", "tier", "paid", "article"),
    [
        ("7c 7d 7h", "7s 2c", "three_of_a_kind", 25, "four_of_a_kind", 150000, "16.º 3 3)"),
        ("7c 7d 7h", "2s 2c", "three_of_a_kind", 25, "full_house", 50000, "16.º 3 4)"),
        ("Ac 9h 4c", "2c Jc", "high_card", 0, None, 0, ""),
        ("Ah Jh 2h", "7h 8h", "flush", 4, "flush", 25000, "16.º 3 5)"),
    ],
)
def test_art_16_3_fixed_amounts_leave_the_pot_as_it_is(
    tmp_path: Path, cards: str, community: str, hand: str, odds: int, tier: str | None, paid: int, article: str
) -> None:
    film = Film(tmp_path)
    pair_plus_round(film, {6: cards}, community)
    if odds:
        film.pay(6, pair_plus=1000 * odds)
    film.end()
    place = winner(cards, hand, odds, paid, article, tier) if tier else loser(cards)
    awards = (award(6, tier, paid, article, from_house=paid),) if tier else ()
    message = settled(1, {6: BET}, BANK, {6: place}, community, (60000350, 60000350), awards)
    report = film.judge(hide_bank(message))
    assert report.differences == []
    assert report.house_funded == paid


def test_a_fraction_of_a_minor_unit_is_kept_and_not_shown(tmp_path: Path) -> None:
    film = Film(tmp_path, increment_bp=3333, pot=60000000)
    messages = []
    for number, (before, after) in enumerate([(60000166,) * 2, (60000333,) * 2, (60000499,) * 2], start=1):
        pair_plus_round(film, {6: "Ac 9h 4c"}, "2c Jc")
        film.end()
        message = settled(number, {6: BET}, BANK, {6: loser("Ac 9h 4c")}, "2c Jc", (before, after))
        messages.append(hide_bank(message))
    report = film.judge(*messages)
    assert report.differences == []
    assert report.pot == 60000000 + 3 * Fraction(16665, 100)
    assert report.contributions == 3 * (Fraction(16665, 100) + 50)


@pytest.mark.parametrize(("goes_to", "reserve", "overflow"), [("overflow", 100, 350), ("reserve", 450, 0)])
def test_what_passes_the_ceiling_goes_where_the_table_says(
    tmp_path: Path, goes_to: str, reserve: int, overflow: int
) -> None:
    film = Film(tmp_path, pot=60000000, ceiling=60000350, overflow_to=goes_to)
    hands = {4: "8c 5d 2s", 6: "Ac 9h 4c"}
    pair_plus_round(film, hands, "2c Jc")
    film.end()
    message = settled(
        1,
        {4: BET, 6: BET},
        BANK,
        {at: loser(hands[at]) for at in hands},
        "2c Jc",
        (60000350, 60000350),
    )
    report = film.judge(hide_bank(message))
    assert report.differences == []
    assert [report.pot, report.reserve, report.overflow] == [60000350, reserve, overflow]


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


def test_a_jackpot_may_be_handed_over_later_but_only_once(tmp_path: Path) -> None:
    film = Film(tmp_path)
    messages = []
    pair_plus_round(film, {6: "Ah Jh 2h"}, "7h 8h")
    film.pay(6, pair_plus=4000)
    film.end()
    place = winner("Ah Jh 2h", "flush", 4, 25000, "16.º 3 5)", "flush")
    won = (award(6, "flush", 25000, "16.º 3 5)", from_house=25000),)
    messages.append(hide_bank(settled(1, {6: BET}, BANK, {6: place}, "7h 8h", (60000350,) * 2, won)))
    pair_plus_round(film, {6: "Ac 9h 4c"}, "2c Jc")
    film.pay(6, jackpot=25000)
    film.end()
    messages.append(hide_bank(settled(2, {6: BET}, BANK, {6: loser("Ac 9h 4c")}, "2c Jc", (60000700,) * 2)))
    assert film.judge(*messages).differences == []
    assert film.judge(*messages).unpaid == []
    film.pay(6, jackpot=25000)
    assert film.judge(*messages).differences == [
        "round 2, seat 6, line jackpot, pushed on the table: expected nothing, got 25000"
    ]


def test_art_15_2_without_a_jackpot_bet_the_community_cards_stay_unseen(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin({6: {"pair_plus": 1000}})
    film.deal({6: "Ac 9h 4c"}, BANK[0], "2c Jc")
    film.turn(seat_6="Ac 9h 4c")
    film.end()
    lost = seat("Ac 9h 4c", "high_card", None, -1000, line("pair_plus", 1000, "lose", None, -1000, "13.º 5)"))
    message = hide_bank(settled(1, {6: {"pair_plus": 1000}}, BANK, {6: lost}, None, (60000000, 60000000)))
    assert film.judge(message).differences == []
    show(message, "community", "2c Jc")
    assert film.judge(message).differences != []
