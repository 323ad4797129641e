"""Rounds settled by hand, article by article, and found right by the referee; and what it says where they are wrong."""

from pathlib import Path

import pytest

from tests.referee.films.poker import Bets, Film, hide_bank, line, seat, settled
from tests.referee.films.written import award
from tests.referee.rules.hands import three_card_hand

BELOW_Q = ("Jd 9c 4h", "high_card", False)
KING_HIGH = ("Kd 9c 4h", "high_card", True)


def one_ante(
    folder: Path, cards: str, dealer: tuple[str, str, bool], decision: str = "play", **bets: int
) -> tuple[Film, Bets]:
    """A table with one seat, played to the end; without a jackpot."""
    film = Film(folder, additional=("six_card_bonus",))
    wagers = {"ante": 10000, **bets}
    film.begin({2: wagers})
    film.deal({2: cards}, dealer[0])
    film.decide(seat_2=decision)
    film.turn(bank=dealer[0])
    if decision == "play" or bets:
        film.turn(seat_2=cards)
    return film, {2: wagers}


def test_the_example_of_the_round_files(tmp_path: Path) -> None:
    film = Film(tmp_path, pot=123456350)
    bets = {1: {"ante": 10000, "pair_plus": 5000, "six_card_bonus": 1000}, 3: {"pair_plus": 5000}}
    film.begin(bets, chips=(1,))
    film.deal({1: "As Ks Qs", 3: "9h 9d 2c"}, "Qd 9c 4h", "Js Ts")
    film.decide(seat_1="play")
    film.turn(bank="Qd 9c 4h", seat_1="As Ks Qs", seat_3="9h 9d 2c", community="Js Ts")
    film.pay(1, ante=10000, play=10000, ante_bonus=50000, pair_plus=200000)
    film.pay(3, pair_plus=5000)
    film.end()
    won = award(1, "royal_flush", 123456700, "16.º 3 1)")
    message = settled(
        1,
        {1: bets[1] | {"jackpot": 500}, 3: bets[3]},
        ("Qd 9c 4h", "high_card", True),
        {
            1: seat(
                "As Ks Qs",
                "straight_flush",
                "play",
                123725200,
                line("ante", 10000, "win", "1:1", 10000, "13.º 3)"),
                line("play", 10000, "win", "1:1", 10000, "13.º 3)"),
                line("ante_bonus", 10000, "win", "5:1", 50000, "13.º 4) (1)"),
                line("pair_plus", 5000, "win", "40:1", 200000, "16.º 1 1)"),
                line("six_card_bonus", 1000, "lose", None, -1000, "14.º", None),
                line("jackpot", 500, "win", None, 123456200, "16.º 3 1)", "royal_flush"),
            ),
            3: seat("9h 9d 2c", "pair", None, 5000, line("pair_plus", 5000, "win", "1:1", 5000, "16.º 1 5)")),
        },
        "Js Ts",
        (123456700, 50000000),
        (won,),
    )
    report = film.judge(message)
    assert report.differences == []
    assert report.notes == []
    assert (report.rounds, report.settled, report.void) == (1, 1, 0)
    assert report.unpaid == [(1, 1, 123456700)]


def test_art_13_1_bank_below_queen_pays_ante_and_returns_the_double(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "8c 5d 2s", BELOW_Q)
    film.pay(2, ante=10000)
    film.end()
    right = seat(
        "8c 5d 2s",
        "high_card",
        "play",
        10000,
        line("ante", 10000, "win", "1:1", 10000, "13.º 1)"),
        line("play", 10000, "push", None, 0, "13.º 1)"),
    )
    assert film.judge(settled(1, wagers, BELOW_Q, {2: right})).differences == []


def test_art_13_3_the_higher_bank_takes_both(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "8c 5d 2s", KING_HIGH)
    film.end()
    right = seat(
        "8c 5d 2s",
        "high_card",
        "play",
        -20000,
        line("ante", 10000, "lose", None, -10000, "13.º 3)"),
        line("play", 10000, "lose", None, -10000, "13.º 3)"),
    )
    assert film.judge(settled(1, wagers, KING_HIGH, {2: right})).differences == []


def test_art_7_a_tie_with_a_bank_that_plays_is_a_push(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "Kc 9s 4d", KING_HIGH)
    film.end()
    right = seat(
        "Kc 9s 4d",
        "high_card",
        "play",
        0,
        line("ante", 10000, "push", None, 0, "7.º 1 6)"),
        line("play", 10000, "push", None, 0, "7.º 1 6)"),
    )
    assert film.judge(settled(1, wagers, KING_HIGH, {2: right})).differences == []
    right["lines"][0]["article"] = "13.º 3)"
    assert "seat 2, line ante, article" in film.judge(settled(1, wagers, KING_HIGH, {2: right})).differences[0]


def test_art_13_4_the_bonus_is_paid_even_if_the_bank_wins(tmp_path: Path) -> None:
    bank = ("Ad Kd Qd", "straight_flush", True)
    film, wagers = one_ante(tmp_path, "7c 7d 7s", bank)
    film.pay(2, ante_bonus=40000)
    film.end()
    right = seat(
        "7c 7d 7s",
        "three_of_a_kind",
        "play",
        20000,
        line("ante", 10000, "lose", None, -10000, "13.º 3)"),
        line("play", 10000, "lose", None, -10000, "13.º 3)"),
        line("ante_bonus", 10000, "win", "4:1", 40000, "13.º 4) (2)"),
    )
    assert film.judge(settled(1, wagers, bank, {2: right})).differences == []


def test_art_12_2_and_3_a_fold_alone_is_lost_and_never_shown(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "As Ks Qs", KING_HIGH, "fold")
    film.end()
    right = seat(None, None, "fold", -10000, line("ante", 10000, "lose", None, -10000, "12.º 2"))
    assert film.judge(settled(1, wagers, KING_HIGH, {2: right})).differences == []
    shown = seat("As Ks Qs", "straight_flush", "fold", -10000, *right["lines"])
    said = film.judge(settled(1, wagers, KING_HIGH, {2: shown})).differences
    assert said == [
        "round 1, seat 2, cards: expected None, got 'As Ks Qs'",
        "round 1, seat 2, hand_name: expected None, got 'straight_flush'",
    ]


def test_a_bank_nothing_hangs_on_may_stay_face_down(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin({2: {"ante": 10000}})
    film.deal({2: "8c 5d 2s"}, "Kd 9c 4h")
    film.decide(seat_2="fold")
    film.end()
    lost = {2: seat(None, None, "fold", -10000, line("ante", 10000, "lose", None, -10000, "12.º 2"))}
    hidden = settled(1, {2: {"ante": 10000}}, KING_HIGH, lost)
    hidden = hide_bank(hidden)
    assert film.judge(hidden).differences == []
    assert film.judge(settled(1, {2: {"ante": 10000}}, KING_HIGH, lost)).differences != []


def test_art_12_3_and_4_the_other_bets_survive_a_fold(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "6c 5d 4s", KING_HIGH, "fold", pair_plus=2000, six_card_bonus=1000)
    film.pay(2, pair_plus=10000)
    film.end()
    right = seat(
        "6c 5d 4s",
        "straight",
        "fold",
        -1000,
        line("ante", 10000, "lose", None, -10000, "12.º 2"),
        line("pair_plus", 2000, "win", "5:1", 10000, "16.º 1 3)"),
        line("six_card_bonus", 1000, "lose", None, -1000, "14.º", None),
    )
    assert film.judge(settled(1, wagers, KING_HIGH, {2: right})).differences == []


def test_art_14_and_16_2_six_cards_with_a_bank_that_does_not_play(tmp_path: Path) -> None:
    bank = ("Jd 9d 3h", "high_card", False)
    film, wagers = one_ante(tmp_path, "Td 8d 7d", bank, six_card_bonus=1000)
    film.pay(2, ante=10000, six_card_bonus=100000)
    film.end()
    right = seat(
        "Td 8d 7d",
        "flush",
        "play",
        110000,
        line("ante", 10000, "win", "1:1", 10000, "13.º 1)"),
        line("play", 10000, "push", None, 0, "13.º 1)"),
        line("six_card_bonus", 1000, "win", "100:1", 100000, "16.º 2 2)", "straight_flush"),
    )
    assert film.judge(settled(1, wagers, bank, {2: right})).differences == []


def test_art_13_5_pair_plus_lost_on_three_odd_cards(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "8c 5d 2s", BELOW_Q, pair_plus=2000)
    film.pay(2, ante=10000)
    film.end()
    right = seat(
        "8c 5d 2s",
        "high_card",
        "play",
        8000,
        line("ante", 10000, "win", "1:1", 10000, "13.º 1)"),
        line("play", 10000, "push", None, 0, "13.º 1)"),
        line("pair_plus", 2000, "lose", None, -2000, "13.º 5)"),
    )
    assert film.judge(settled(1, wagers, BELOW_Q, {2: right})).differences == []


def test_the_last_decision_and_the_last_amount_count_and_a_bet_taken_back_does_not(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin({2: {"ante": 5000}, 4: {"ante": 5000}})
    lock = film.lines.pop()
    film.see("wager", seat=2, player="p2", wager="ante", amount=10000)
    film.see("wager", seat=4, player="p4", wager="ante", amount=0)
    film.lines.append(lock)
    film.see("wager", seat=5, player="p5", wager="ante", amount=10000)  # 10.º 3: late
    film.deal({2: "8c 5d 2s"}, "Kd 9c 4h")
    film.decide(seat_2="fold")
    film.decide(seat_2="play")
    film.see("wager", seat=2, player="p2", wager="play", amount=10000)
    film.turn(bank="Kd 9c 4h", seat_2="8c 5d 2s")
    film.end()
    lost = [line(wager, 10000, "lose", None, -10000, "13.º 3)") for wager in ("ante", "play")]
    right = settled(1, {2: {"ante": 10000}}, KING_HIGH, {2: seat("8c 5d 2s", "high_card", "play", -20000, *lost)})
    assert film.judge(right).differences == []


def test_art_12_2_the_double_on_the_table_is_of_the_antes_value(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "8c 5d 2s", KING_HIGH)
    film.see("wager", seat=2, player="p2", wager="play", amount=9000)
    lost = [line(wager, 10000, "lose", None, -10000, "13.º 3)") for wager in ("ante", "play")]
    said = film.judge(settled(1, wagers, KING_HIGH, {2: seat("8c 5d 2s", "high_card", "play", -20000, *lost)}))
    assert said.differences == ["round 1, seat 2, double laid on the table: expected 10000, got 9000"]


def test_a_dealer_who_pays_wrong_or_turns_a_hidden_hand_is_told(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "8c 5d 2s", KING_HIGH, "fold")
    film.turn(seat_2="8c 5d 2s")
    film.pay(2, ante=10000)
    film.end()
    right = seat(None, None, "fold", -10000, line("ante", 10000, "lose", None, -10000, "12.º 2"))
    assert film.judge(settled(1, wagers, KING_HIGH, {2: right})).differences == [
        "round 1, seat 2, turned on the table: expected 'nothing: the rules do not show it', got '8c 5d 2s'",
        "round 1, seat 2, line ante, pushed on the table: expected 0, got 10000",
    ]


@pytest.mark.parametrize(
    ("cards", "bank", "times", "article", "combination"),
    [
        ("As Ks 2c", "Qs Js Ts", 500, "16.º 2 1)", "royal_flush"),
        ("9s 8s 7s", "Qc Js Ts", 100, "16.º 2 2)", "straight_flush"),
        ("7c 7d 7h", "7s Qd 2c", 50, "16.º 2 3)", "four_of_a_kind"),
        ("7c 7d 2h", "7s Qd 2c", 20, "16.º 2 4)", "full_house"),
        ("Ac 9c 2h", "7c Qc 3c", 15, "16.º 2 5)", "flush"),
        ("Ac 2d 3h", "4c 5c Qd", 10, "16.º 2 6)", "straight"),
        ("7c 7d 2h", "7s Qd 3c", 7, "16.º 2 7)", "three_of_a_kind"),
        ("7c 7d 2h", "2s Qd 3c", None, "14.º", None),
    ],
)
def test_art_16_2_every_prize_of_the_six_card_bonus(
    tmp_path: Path, cards: str, bank: str, times: int | None, article: str, combination: str | None
) -> None:
    film = Film(tmp_path, additional=("six_card_bonus",))
    wagers = {"ante": 10000, "six_card_bonus": 1000}
    film.begin({2: wagers})
    film.deal({2: cards}, bank)
    film.decide(seat_2="fold")
    film.turn(bank=bank, seat_2=cards)
    if times:
        film.pay(2, six_card_bonus=1000 * times)
    film.end()
    net = 1000 * times if times else -1000
    right = seat(
        cards,
        three_card_hand(cards.split()),
        "fold",
        net - 10000,
        line("ante", 10000, "lose", None, -10000, "12.º 2"),
        line(
            *("six_card_bonus", 1000, "win" if times else "lose", f"{times}:1" if times else None, net, article),
            combination,
        ),
    )
    dealer = (bank, three_card_hand(bank.split()), True)
    assert film.judge(settled(1, {2: wagers}, dealer, {2: right})).differences == []


@pytest.mark.parametrize(
    ("cards", "hand", "bonus", "pair_plus"),
    [
        ("6c 5c 4c", "straight_flush", (5, "13.º 4) (1)"), (40, "16.º 1 1)")),
        ("7c 7d 7s", "three_of_a_kind", (4, "13.º 4) (2)"), (25, "16.º 1 2)")),
        ("3c 2d Ah", "straight", (1, "13.º 4) (3)"), (5, "16.º 1 3)")),
        ("Kc Jc 2c", "flush", None, (4, "16.º 1 4)")),
        ("2c 2d Ah", "pair", None, (1, "16.º 1 5)")),
    ],
)
def test_art_13_4_and_16_1_every_bonus_and_every_prize_of_pair_plus(
    tmp_path: Path, cards: str, hand: str, bonus: tuple[int, str] | None, pair_plus: tuple[int, str]
) -> None:
    film, wagers = one_ante(tmp_path, cards, KING_HIGH, pair_plus=2000)
    times, article = pair_plus
    film.pay(2, ante=10000, play=10000, pair_plus=2000 * times)
    lines = [line(wager, 10000, "win", "1:1", 10000, "13.º 3)") for wager in ("ante", "play")]
    if bonus:
        film.pay(2, ante_bonus=10000 * bonus[0])
        lines.append(line("ante_bonus", 10000, "win", f"{bonus[0]}:1", 10000 * bonus[0], bonus[1]))
    lines.append(line("pair_plus", 2000, "win", f"{times}:1", 2000 * times, article))
    film.end()
    right = seat(cards, hand, "play", sum(one["net"] for one in lines), *lines)
    assert film.judge(settled(1, wagers, KING_HIGH, {2: right})).differences == []


@pytest.mark.parametrize(("decision", "six"), [("play", False), ("fold", True)])
def test_a_bank_some_wager_hangs_on_must_be_shown(tmp_path: Path, decision: str, six: bool) -> None:
    film = Film(tmp_path, additional=("six_card_bonus",))
    wagers = {"ante": 10000} | ({"six_card_bonus": 1000} if six else {})
    film.begin({2: wagers})
    film.deal({2: "8c 5d 2s"}, KING_HIGH[0])
    film.decide(seat_2=decision)
    film.turn(seat_2="8c 5d 2s")
    film.end()
    if six:
        lines = [
            line("ante", 10000, "lose", None, -10000, "12.º 2"),
            line("six_card_bonus", 1000, "lose", None, -1000, "14.º", None),
        ]
    else:
        lines = [line(wager, 10000, "lose", None, -10000, "13.º 3)") for wager in ("ante", "play")]
    place = seat("8c 5d 2s", "high_card", decision, sum(one["net"] for one in lines), *lines)
    hidden = settled(1, {2: wagers}, KING_HIGH, {2: place})
    hidden = hide_bank(hidden)
    assert film.judge(hidden).differences == [
        "round 1, bank, cards: expected 'Kd 9c 4h', got None",
        "round 1, bank, hand_name: expected 'high_card', got None",
        "round 1, bank, qualifies: expected True, got None",
        "round 1, bank, turned on the table: expected 'Kd 9c 4h', got 'nothing'",
    ]
