"""The regulation of 2008: its own order of the deal, its own articles, and the ante that must be played."""

import copy
from pathlib import Path

import pytest

from tests.referee.film.judge import judge
from tests.referee.films import poker as referee_film
from tests.referee.films.plain_2008 import BANK, BETS, HANDS, SEATS, finish, only, plain, settled, table, voided
from tests.referee.films.poker import GAME_2008, Film, line, seat
from tests.referee.films.written import Message, cannot_be_known, correction, seat_in
from tests.referee.test_referee_mutations import branches, leaves, otherwise, with_change


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_2008_a_plain_round_is_right_as_it_stands(tmp_path: Path, source: str) -> None:
    film = plain(tmp_path, source)
    film.deal(HANDS, BANK)
    finish(film)
    report = film.judge(settled(source=source))
    assert (report.differences, report.notes, report.unpaid) == ([], [], [])
    assert (report.rounds, report.settled, report.void) == (1, 1, 0)
    assert not any((report.initial, report.pot, report.contributions, report.awards))
    only(film, settled(source=source))


def test_2008_art_7_1_from_the_shoe_the_last_card_of_each_pass_is_the_banks(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.old = False  # as 2025 deals: the bank's three at the end
    film.deal(HANDS, BANK)
    film.end()
    only(film, voided("11.º 1)", source="shoe"))


def test_2008_art_7_2_from_the_shuffler_one_card_at_a_time_is_a_broken_deal(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.source = "shoe"
    film.deal(HANDS, BANK)
    film.end()
    only(film, voided("11.º 1)"))


def test_2008_every_changed_value_is_told(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.deal(HANDS, BANK)
    finish(film)
    film.begin(BETS)
    film.card("seat 2", "8c")
    film.wrong("order")
    film.end()
    messages = [settled(source="shoe"), voided("11.º 1)", number=2, source="shoe")]
    assert film.judge(*messages).differences == []
    missed = []
    for at, value in leaves(messages):
        for wrong in otherwise(value):
            if cannot_be_known(at[-1], wrong):
                continue
            if not judge(film.station, film.camera, with_change(messages, at, wrong)).differences:
                missed.append((at, value, wrong))
    assert missed == []
    for at in branches(messages):
        for nonsense in (None, [1], {"x": 1}, "x"):
            if len(at) > 1:
                judge(film.station, film.camera, with_change(messages, at, nonsense))


def test_2008_art_5_1_there_is_neither_jackpot_nor_community(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK)
    finish(film)
    for key in ("jackpot", "community"):
        assert len(film.judge(settled() | {key: None}).differences) == 1


def one_seat(film: Film, bets: dict[str, int], hand: str, bank: str, play: bool = True) -> None:
    """A round of one seat."""
    film.begin({1: bets})
    film.deal({1: hand}, bank)
    if "ante" in bets:
        film.decide(seat_1="play" if play else "fold")
    if play:
        film.turn(bank=bank, seat_1=hand)


def of_one(bets: dict[str, int], dealer: tuple[str | None, str | None, bool | None], place: Message) -> Message:
    """Its message."""
    cards, hand, plays = dealer
    return referee_film.settled(1, {1: bets}, (cards or "", hand, plays), {1: place}, game=GAME_2008)


@pytest.mark.parametrize(
    ("hand", "name", "bank", "tie"),
    [
        ("9h 8h 7h", "straight_flush", "9c 8c 7c", "8.º 1)"),
        ("9h 8c 7h", "straight", "9c 8d 7c", "8.º 3)"),
        ("Kh 8h 3h", "flush", "Kc 8c 3c", "8.º 4)"),
        ("Kh Kd 3h", "pair", "Kc Ks 3c", "8.º 5)"),
        ("Kh 8d 3h", "high_card", "Kc 8s 3c", "8.º 6)"),
    ],
)
def test_2008_art_8_equal_hands_are_a_push_under_their_item(
    tmp_path: Path, hand: str, name: str, bank: str, tie: str
) -> None:
    film = table(tmp_path)
    one_seat(film, {"ante": 10000}, hand, bank)
    bonus = {"straight_flush": ("5:1", 50000, "9.º 8) (1)"), "straight": ("1:1", 10000, "9.º 8) (3)")}.get(name)
    lines = [line(wager, 10000, "push", None, 0, tie) for wager in ("ante", "play")]
    if bonus:
        lines.append(line("ante_bonus", 10000, "win", bonus[0], bonus[1], bonus[2]))
        film.pay(1, ante_bonus=bonus[1])
    film.end()
    right = of_one({"ante": 10000}, (bank, name, True), seat(hand, name, "play", bonus[1] if bonus else 0, *lines))
    assert film.judge(right).differences == []
    right["seats"][0]["lines"][0]["article"] = "9.º 6)"
    assert len(film.judge(right).differences) == 1


@pytest.mark.parametrize(
    ("hand", "name", "times", "article"),
    [
        ("Ah Kh Qh", "straight_flush", 40, "10.º 1)"),
        ("7h 7d 7c", "three_of_a_kind", 25, "10.º 2)"),
        ("3h 2d Ac", "straight", 5, "10.º 3)"),
        ("Th 7h 5h", "flush", 4, "10.º 4)"),
        ("Th Td 6h", "pair", 1, "10.º 5)"),
    ],
)
def test_2008_art_10_pair_plus_alone_is_paid_whatever_the_bank_has(
    tmp_path: Path, hand: str, name: str, times: int, article: str
) -> None:
    film = table(tmp_path)
    one_seat(film, {"pair_plus": 2000}, hand, "Qs Js 2c")
    film.pay(1, pair_plus=2000 * times)
    film.end()
    won = line("pair_plus", 2000, "win", f"{times}:1", 2000 * times, article)
    right = of_one({"pair_plus": 2000}, ("Qs Js 2c", "high_card", True), seat(hand, name, None, 2000 * times, won))
    assert film.judge(right).differences == []


def test_2008_art_9_5_a_bank_below_queen_pays_the_ante_and_art_9_8_the_bonus(tmp_path: Path) -> None:
    film = table(tmp_path)
    one_seat(film, {"ante": 10000}, "7h 7d 7c", "Js 9s 2c")
    film.pay(1, ante=10000, ante_bonus=40000)
    film.end()
    lines = (
        line("ante", 10000, "win", "1:1", 10000, "9.º 5)"),
        line("play", 10000, "push", None, 0, "9.º 5)"),
        line("ante_bonus", 10000, "win", "4:1", 40000, "9.º 8) (2)"),
    )
    place = seat("7h 7d 7c", "three_of_a_kind", "play", 50000, *lines)
    assert film.judge(of_one({"ante": 10000}, ("Js 9s 2c", "high_card", False), place)).differences == []


def test_2008_art_9_2_an_ante_alone_may_be_given_up(tmp_path: Path) -> None:
    film = table(tmp_path)
    one_seat(film, {"ante": 10000}, "7h 6d 2c", "Qs Js 2s", play=False)
    film.end()
    place = seat(None, None, "fold", -10000, line("ante", 10000, "lose", None, -10000, "9.º 2)"))
    right = of_one({"ante": 10000}, (None, None, None), place)
    assert film.judge(right).differences == []
    right["seats"][0]["lines"][0]["article"] = "12.º 2"
    assert len(film.judge(right).differences) == 1


def test_2008_art_9_3_an_ante_beside_pair_plus_is_obliged_to_play(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK)
    film.decide(seat_2="play", seat_3="fold")
    film.turn(bank=BANK, **{f"seat_{at}": cards for at, cards in HANDS.items()})
    film.end()
    fold = seat(
        HANDS[3],
        "pair",
        "fold",
        -15000,
        line("ante", 20000, "lose", None, -20000, "9.º 2)"),
        line("pair_plus", 5000, "win", "1:1", 5000, "10.º 5)"),
    )
    said = film.judge(settled(seats=SEATS | {3: fold})).differences
    assert "round 1, seat 3, decision on the table (9.º 3)): expected 'play', got 'fold'" in said
    assert "round 1, seat 3, net: expected 45000, got -15000" in said


def test_2008_slips_are_put_right_as_in_2025(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.wrong("slip_wager", seat=2, wager="ante")
    film.deal(HANDS, BANK)
    finish(film)
    fix = correction("wager", "seat 2", 1000, 10000, wager="ante")
    assert film.judge(settled(corrections=[fix])).differences == []
    assert film.judge(settled()).differences
    assert film.judge(settled(corrections=[fix | {"amount_after": 20000}])).differences


def test_2008_a_wrong_net_names_round_seat_and_line(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK)
    finish(film)
    wrong = copy.deepcopy(settled())
    seat_in(wrong, 3)["lines"][2]["net"] = 10000
    assert film.judge(wrong).differences == ["round 1, seat 3, line pair_plus, net: expected 5000, got 10000"]
    wrong["seats"].remove(seat_in(wrong, 6))
    seat_in(wrong, 3)["lines"][2]["net"] = 5000
    assert film.judge(wrong).differences
    assert film.judge(settled() | {"game": "fortune-3-card-poker-2025"}).differences


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
@pytest.mark.parametrize("event", ["decision", "turned", "pay", "card", "wager", "cut", "shuffled"])
def test_2008_every_line_missing_from_the_film_is_told(tmp_path: Path, source: str, event: str) -> None:
    film = plain(tmp_path, source)
    film.deal(HANDS, BANK)
    finish(film)
    whole = film.lines
    for at, seen in enumerate(whole):
        if seen["event"] == event:
            film.lines = whole[:at] + whole[at + 1 :]
            assert film.judge(settled(source=source)).differences, seen
