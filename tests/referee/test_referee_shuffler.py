"""A shuffler that fails in the deal, reported from the camera alone: article 17.º 2."""

from pathlib import Path

from tests.referee.films.plain import BANK, BETS, HANDS, all_lost, finish, only, published, voided
from tests.referee.films.poker import Film
from tests.referee.films.written import Message


def test_art_17_2_a_shuffler_that_stops_as_betting_closes(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.fault("shuffler", "restart")
    film.see("lamp", lamp="lock", on=True)
    closed = list(film.lines)
    film.end()
    only(film, voided("17.º 2"))
    film.lines = closed
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []
    assert film.judge(voided("17.º 2")).differences != []  # the hands were turned


def failures(folder: Path, then: str) -> tuple[Film, list[Message]]:
    """Two rounds stopped by the shuffler, and a third one from this source."""
    film = Film(folder, additional=())
    messages = []
    for number in (1, 2):
        film.begin(BETS)
        film.card("seat 2", HANDS[2])
        film.fault("shuffler", "jam")
        film.fault("shuffler", "jam", on=False)
        film.end()
        messages.append(voided("17.º 2", number=number))
    film.source = then
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    finish(film)
    return film, [*messages, published(all_lost(3, None), source=then)]


def test_art_17_2_after_two_failures_the_cards_come_from_a_shoe(tmp_path: Path) -> None:
    film, messages = failures(tmp_path, "shoe")
    assert film.judge(*messages).differences == []
    film, messages = failures(tmp_path, "shuffler")
    assert film.judge(*messages).differences == [
        "round 3, source on the table: expected 'shoe' (17.º 2), got 'shuffler'"
    ]


def test_a_restart_before_betting_closed_is_no_reason_for_a_deal_that_stops(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.open(BETS)
    film.fault("shuffler", "restart")
    film.see("lock_in")
    film.card("seat 2", HANDS[2])
    film.end()
    differences = film.judge(voided("17.º 2")).differences
    assert differences == ["round 1: the camera saw no complete deal and no reason why"]
