"""The regulation of 2008: its own order of the deal, its own articles, and the ante that must be played."""

from pathlib import Path

from tests.referee.films.plain_2008 import BANK, HANDS, SEATS, finish, plain, settled
from tests.referee.films.poker import line, seat
from tests.referee.films.written import correction


def test_2008_slips_are_corrected_as_in_2025(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.wrong("slip_wager", seat=2, wager="ante")
    film.deal(HANDS, BANK)
    finish(film)
    fix = correction("wager", "seat 2", 1000, 10000, wager="ante")
    assert film.judge(settled(corrections=[fix])).differences == []
    assert film.judge(settled()).differences
    assert film.judge(settled(corrections=[fix | {"amount_after": 20000}])).differences


def test_2008_art_9_2_and_9_3_a_player_who_refuses_his_duty_loses_the_ante_and_keeps_pair_plus(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK)
    film.decide(seat_2="play", seat_3="refused")
    film.turn(bank=BANK, **{f"seat_{at}": cards for at, cards in HANDS.items()})
    film.pay(3, pair_plus=5000)
    film.end()
    lines = (
        line("ante", 20000, "lose", None, -20000, "9.º 2)"),
        line("pair_plus", 5000, "win", "1:1", 5000, "10.º 5)"),
    )
    right = settled(seats=SEATS | {3: seat(HANDS[3], "pair", "refused", -15000, *lines)})
    assert film.judge(right).differences == []
    assert film.judge(settled()).differences != []
