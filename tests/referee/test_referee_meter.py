"""The progressive meter computed by hand, and chips carried, late or doubtful: 4.º 3, 10.º 3), 15.º to 17.º."""

from pathlib import Path

import pytest

from tests.referee.films.plain import BANK, BETS, COMMUNITY, HANDS, all_lost, finish, lost, voided
from tests.referee.films.poker import Film, hide_bank, line, seat, settled
from tests.referee.films.written import Message, award, pots
from tests.referee.rules.hands import jackpot_hand
from tests.referee.rules.meter import Meter

KING_HIGH = ("Kd 9c 4h", "high_card", True)
BET = {"pair_plus": 1000, "jackpot": 500}


def pair_plus_round(film: Film, hands: dict[int, str], community: str) -> None:
    """A round in which every seat has Pair Plus and a chip."""
    film.begin({at: {"pair_plus": 1000} for at in hands}, chips=tuple(hands))
    film.deal(hands, KING_HIGH[0], community)
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
        KING_HIGH,
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
    message = hide_bank(settled(1, {6: BET}, KING_HIGH, {6: place}, "7h 8h", (60000350,) * 2, won))
    assert film.judge(message).differences == differences


# ---- Jackpot chips that are carried, handed back, late, doubtful or unreported: articles 4.º 3, 10.º 3) and 17.º 3.


POT = 60000000


def broken_deal(film: Film) -> None:
    """Seat 4 is served before seat 2."""
    film.card("seat 4", HANDS[4])
    film.wrong("order")


def played(film: Film, chips: bool) -> None:
    """A round dealt and played to its end."""
    film.deal(HANDS, BANK[0], COMMUNITY if chips else "")
    finish(film, community=COMMUNITY if chips else "")


def carried_over(folder: Path) -> tuple[Film, Message]:
    """The chip of seat 2 comes over from a void round."""
    film = Film(folder)
    film.begin(BETS, chips=(2,))
    broken_deal(film)
    film.end()
    return film, voided("17.º 1 1)", (2,), (POT + 350, POT + 350))


def test_art_4_3_a_carried_chip_without_a_basic_bet_goes_back_with_its_contribution(tmp_path: Path) -> None:
    film, first = carried_over(tmp_path)
    film.begin({4: BETS[4]})
    film.back(2)
    film.deal({4: HANDS[4]}, BANK[0])
    finish(film, {4: HANDS[4]})
    second = settled(2, {4: BETS[4]}, BANK, {4: lost(HANDS[4], False)}, None, (POT, POT))
    report = film.judge(first, second)
    assert report.differences == []
    assert [report.pot, report.reserve, report.returned] == [POT, 0, 400]
    kept = second | {"jackpot": pots(POT + 350, POT + 350)}
    assert film.judge(first, kept).differences
    film.lines = [seen for seen in film.lines if seen["event"] != "chip_back"]
    assert film.judge(first, second).differences == [
        "round 2, seat 2, chips handed back on the table: expected 1, got 0"
    ]


@pytest.mark.parametrize("handed_back", [True, False])
def test_carried_chips_go_back_when_the_table_closes(tmp_path: Path, handed_back: bool) -> None:
    film, first = carried_over(tmp_path)
    film.see("table_closed")
    if handed_back:
        film.back(2)
    report = film.judge(first)
    assert (report.differences == []) is handed_back
    assert [report.pot, report.returned, len(report.carried)] == [POT, 400, 0]
    film.begin(BETS)
    played(film, False)
    assert (film.judge(first, all_lost(2, POT)).differences == []) is handed_back


@pytest.mark.parametrize("article", ["17.º 1 1)", "policy: supervisor's void"])
def test_a_round_void_before_betting_closed(tmp_path: Path, article: str) -> None:
    film, first = carried_over(tmp_path)
    film.open(BETS)
    carried = article == "17.º 1 1)"
    film.wrong("number" if carried else "supervisor_void")
    film.back(*(() if carried else (2,)))
    film.end()
    after = POT + 350 if carried else POT
    report = film.judge(first, voided(article, (), (POT + 350, after), number=2))
    assert report.differences == []
    assert report.carried == ({2} if carried else set())


def test_a_chip_taken_out_again_never_counts(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.open(BETS, chips=(2, 4, 4))
    film.wrong("in_and_out", seat=2)
    film.wrong("in_and_out", seat=4)
    film.see("lock_in")
    played(film, True)
    assert film.judge(all_lost(1, POT + 350, (4,))).differences == []
    assert film.judge(all_lost(1, POT + 700, (2, 4))).differences
    assert film.judge(all_lost(1, POT + 350, (2,))).differences


def test_a_chip_placed_after_a_round_counts_in_the_next(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS)
    played(film, False)
    film.see("chip", seat=2)
    film.begin(BETS)
    played(film, True)
    first = all_lost(1, POT)
    assert film.judge(first, all_lost(2, POT + 350, (2,))).differences == []
    assert film.judge(first, all_lost(2, POT)).differences
    assert film.judge(first, all_lost(2, POT + 350, (4,))).differences


def counted(film: Film, before: int = POT) -> dict[tuple[int, ...], list[str]]:
    """What the referee notes, by the seats it accepts, of chips at seats 2 and 4 that the station counts or not."""
    accepted = {}
    dealt = list(film.lines)
    for chips in [(), (2,), (4,), (2, 4)]:
        film.lines = list(dealt)
        played(film, bool(chips))
        report = film.judge(all_lost(1, before + 350 * len(chips), chips))
        if not report.differences:
            accepted[chips] = report.notes
    return accepted


@pytest.mark.parametrize("kind", ["stuck", "storm"])
@pytest.mark.parametrize("device", ["slots", "sign"])
def test_a_sensor_at_fault_costs_its_seat_the_chip(tmp_path: Path, kind: str, device: str) -> None:
    film = Film(tmp_path)
    film.open(BETS)
    film.fault(device, kind, value=2)
    for at in (2, 4):
        film.see("chip", seat=at)
    film.see("lock_in")
    assert counted(film) == {(4,) if device == "slots" else (2, 4): []}


def test_a_chip_that_cannot_count_leaves_the_decision_on_a_doubtful_one_to_the_message(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.open(BETS)
    film.fault("slots", "stuck", value=4)
    film.fault("slots", "passing", value=2)
    for at in (2, 4):
        film.see("chip", seat=at)
    film.see("lock_in")
    played(film, True)
    assert film.judge(all_lost(1, POT + 350, (2,))).differences == []
    report = film.judge(all_lost(1, POT + 700, (2, 4)))
    assert report.differences
    assert report.notes == ["round 1: a sensor was at fault: of the chips at seats [2] count [2]"]


@pytest.mark.parametrize(
    ("kind", "begins", "ends", "seats"),
    [
        ("stuck", "before the chip", "before the chip", {(2, 4)}),
        ("stuck", "before the chip", "before the lock", {(4,), (2, 4)}),
        ("stuck", "before the chip", "before the lamp", {(4,), (2, 4)}),
        ("stuck", "before the chip", "never", {(4,)}),
        ("stuck", "before the lock", "never", {(2, 4)}),
        ("storm", "before the bets", "before the bets", {(4,), (2, 4)}),
        ("storm", "before the bets", "before the chip", {(4,)}),
        ("storm", "before the lock", "never", {(4,)}),
        ("storm", "before the lamp", "never", {(4,), (2, 4)}),
        ("storm", "before the cards", "never", {(2, 4)}),
        ("bounce", "before the bets", "never", {(4,), (2, 4)}),
        ("bounce", "before the bets", "before the chip", {(4,), (2, 4)}),
        ("bounce", "before the chip", "never", {(4,)}),
        ("bounce", "before the chip", "before the lock", {(4,)}),
        ("passing", "before the chip", "never", {(4,), (2, 4)}),
        ("watchdog", "before the lock", "never", {(2, 4)}),
    ],
)
def test_when_a_sensors_fault_begins_and_ends(
    tmp_path: Path, kind: str, begins: str, ends: str, seats: set[tuple[int, ...]]
) -> None:
    film = Film(tmp_path)
    film.number = 1
    film.see("round_begin", source="shuffler")

    def now(when: str) -> None:
        if begins == when:
            film.fault("slots", kind, value="2")
        if ends == when:
            film.fault("slots", kind, on=False, value="2")

    now("before the bets")
    for at in BETS:
        film.see("wager", seat=at, player=f"p{at}", wager="ante", amount=10000)
    now("before the chip")
    film.see("chip", seat=2)
    film.see("chip", seat=4)
    now("before the lock")
    film.see("lock_in")
    now("before the lamp")
    film.see("lamp", lamp="lock", on=True)
    now("before the cards")
    accepted = counted(film)
    assert set(accepted) == seats
    assert all(len(notes) == (len(seats) > 1) for notes in accepted.values())


def test_while_simulators_were_stopped_all_new_chips_count_or_none(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.open(BETS, chips=(2, 4))
    film.see("stalled", seconds=2.9, t=16.0)
    film.see("lock_in")
    assert counted(film).keys() == {(), (2, 4)}


@pytest.mark.parametrize(
    ("board", "away", "seats"),
    [("numato", True, {(4,), (2, 4)}), ("numato", False, {(2, 4)}), ("adu218", True, {(2, 4)})],
)
def test_a_chip_that_was_exchanged_while_the_station_was_away_is_not_known_without_counters(
    tmp_path: Path, board: str, away: bool, seats: set[tuple[int, ...]]
) -> None:
    film = Film(tmp_path)
    film.station.write_text(f'{film.station.read_text()}\n[devices.slots]\ndriver = "{board}"\n')
    film.begin(BETS, chips=(2,))
    played(film, True)
    film.begin(BETS, chips=(2, 4))
    dealt, accepted = list(film.lines), set()
    for chips in [(), (2,), (4,), (2, 4)]:
        film.lines = list(dealt)
        played(film, bool(chips))
        second = all_lost(2, POT + 350 * (1 + len(chips)), chips)
        if not film.judge(all_lost(1, POT + 350, (2,)), second, away=away).differences:
            accepted.add(chips)
    assert accepted == seats


@pytest.mark.parametrize(("reasonable", "seats"), [(3, {(2, 4)}), (2, {(), (2, 4)}), (1, {()})])
def test_more_chips_than_are_reasonable_count_for_nothing(
    tmp_path: Path, reasonable: int, seats: set[tuple[int, ...]]
) -> None:
    film = Film(tmp_path, unreasonable=reasonable)
    film.begin(BETS, chips=(2, 4, 6))
    assert counted(film).keys() == seats


def test_the_end_of_a_fault_is_that_of_its_own_seat(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.open(BETS)
    film.fault("slots", "stuck", value="4")
    film.fault("slots", "stuck", value="2")
    film.fault("slots", "stuck", on=False, value="4")
    for at in (2, 4):
        film.see("chip", seat=at)
    film.see("lock_in")
    assert counted(film) == {(4,): []}
