"""How bets and cards reach the table: articles 4.º, 10.º and 11.º."""

from pathlib import Path

from tests.referee.films.plain import BANK, BETS, COMMUNITY, HANDS, all_lost, finish
from tests.referee.films.poker import Film


def test_art_11_4_a_discard_out_of_turn_is_noted_and_breaks_nothing(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(2,))
    film.packets = (2, 3)
    film.deal(HANDS, BANK[0], COMMUNITY)
    film.card("discard", "2h")
    finish(film, community=COMMUNITY)
    report = film.judge(all_lost(1, 60000350, (2,)))
    assert report.differences == []
    assert len(report.notes) == 2
    assert all("11.º 4" in note for note in report.notes)


def test_art_10_1_a_bet_beyond_the_limits_does_not_count(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS | {5: {"ante": 999}, 6: {"pair_plus": 1000001}})
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_a_press_that_was_not_received_closes_nothing(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin({2: BETS[2]})
    film.see("wager", seat=4, player="p4", wager="ante", amount=10000)
    film.see("lock_in")
    film.see("lamp", lamp="lock", on=True)
    film.see("wager", seat=5, player="p5", wager="ante", amount=10000)
    film.see("lock_in")
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_a_round_missing_from_the_film_is_found(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.number = 1
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(2, None)).differences == ["camera: expected rounds 1 to 1, got [2]"]
