"""Fortune 8 judged from the camera: bets, deal and odds; and every wrong message caught."""

from pathlib import Path
from typing import Any

import pytest

from tests.referee.film.fortune_8_message import added_bets
from tests.referee.films.fortune_8 import ALL, BETS, CARDS, EVERY, WITH_BETS, Film8, only, published, shown, voided
from tests.referee.films.written import Message
from tests.referee.rules.fortune_8 import settle


def plain(folder: Path, source: str = "shoe", deal: str = EVERY) -> Film8:
    """The plain round, announced."""
    film = Film8(folder, source=source)
    film.begin(deal)
    return film


def played(folder: Path, source: str = "shoe") -> Film8:
    """The plain round to its end."""
    film = plain(folder, source)
    film.deal()
    film.finish()
    return film


def test_fortune_8_art_4_6_only_spaces_with_bets_get_a_card(tmp_path: Path) -> None:
    film = plain(tmp_path, deal=WITH_BETS)
    film.deal(["8d", "As", "Td"], [2, 4, 7])
    film.finish()
    right = published(deal=WITH_BETS, cards={2: "8d", 4: "As", 7: "Td"})
    assert film.judge(right).differences == []
    assert film.judge(right | {"deal": EVERY}).differences
    for seen in film.lines:
        if seen["event"] == "announce":
            seen["deal"] = EVERY
    assert film.judge(right).differences


def test_fortune_8_art_4_3_each_bet_keeps_the_limits_and_one_taken_back_is_none(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.begin(bets=[*BETS, (1, "Eva", "low", 999), (1, "Eva", "high", 1000001), (3, "Eva", "low", 1000)][:-1])
    film.lines.insert(4, {"round": 1, "event": "wager", "seat": 3, "player": "Eva", "wager": "low", "amount": 1000})
    film.lines.insert(5, {"round": 1, "event": "wager", "seat": 3, "player": "Eva", "wager": "low", "amount": 0})
    film.deal()
    film.finish()
    assert film.judge(published()).differences == []


EARLY: Message = {"kind": "early_card", "to": "seat 1", "article": "3.º"}


def test_fortune_8_nothing_invented_is_let_through(tmp_path: Path) -> None:
    film = played(tmp_path)
    for kind, article in (("exposed", "3.º"), ("keyed_in", "policy: unread cards"), ("error_corrected", "5.º")):
        assert film.judge(published({"kind": kind, "to": "seat 1", "article": article, "what": "place"})).differences
    assert film.judge(published(EARLY)).differences


def corrected(what: str, to: int) -> Message:
    """An error corrected among the irregularities of a message."""
    return {"kind": "error_corrected", "what": what, "to": f"seat {to}", "article": "5.º"}


def test_fortune_8_art_5_two_cards_in_the_wrong_order_are_corrected_or_void(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card(2, "2c")
    film.card(1, "8d")
    wrong = list(film.lines)
    film.moved(2, 1, "2c")
    film.moved(1, 2, "8d")
    film.wrong("error_corrected", what="order", to="seat 1")
    film.deal(CARDS[2:], [3, 4, 5, 6, 7])
    film.finish()
    only(film, published(corrected("order", 1)))
    film.lines = list(wrong)
    film.wrong("order")
    film.card("discard", "Kh")
    film.end()
    only(film, voided("5.º", {1: "2c", 2: "8d"}))
    film.lines = list(wrong)
    film.deal(CARDS[2:], [3, 4, 5, 6, 7])
    film.end()
    only(film, voided("5.º", ALL))


@pytest.mark.parametrize("on_the_space", [True, False])
def test_fortune_8_art_5_a_card_too_many_is_put_aside(tmp_path: Path, on_the_space: bool) -> None:
    film = plain(tmp_path)
    film.deal()
    if on_the_space:
        film.card(7, "5h")
        film.moved(7, "discard", "5h")
    else:
        film.card("discard", "5h")
    film.wrong("error_corrected", what="number", to="seat 7")
    film.finish()
    only(film, published(corrected("number", 7)))


def test_fortune_8_a_supervisor_may_break_a_round_off_before_the_announcement(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.open()
    film.wrong("supervisor_void")
    film.end()
    right = voided("policy: supervisor's void", {}, deal=None)
    only(film, right)
    assert film.judge(right | {"wagers": [], "seats": []}).differences == []
    assert film.judge(right | {"deal": EVERY}).differences
    assert film.judge(right | {"cards": shown({1: "2c"})}).differences


def test_fortune_8_the_last_round_may_still_be_played(tmp_path: Path) -> None:
    film = played(tmp_path)
    film.begin()
    film.card(1, "2d")
    assert film.judge(published()).differences == []
    film.end()
    assert film.judge(published()).differences
    assert film.judge().differences
    assert film.judge(published(), published()).differences


ADDED: dict[str, Any] = {
    "name": "red eight",
    "pays": [{"cards": "8h 8d", "to_one": 20}, {"ranks": "8A", "suits": "h", "to_one": 2}],
    "reference": "DICJ 8/2026",
    "date": "2026-03-01",
}
OFFERED: dict[str, Any] = {"table": {"wagers": {"bet": [ADDED]}, "decks": 8}}


def test_fortune_8_art_9_1_an_authorised_bet_is_worth_what_its_first_set_pays() -> None:
    valid: dict[tuple[int, str, str | None], int] = {(seat, "red eight", None): 100 for seat in (1, 2, 3)}
    valid[1, "low", None] = 50
    worth = settle(valid, {"seat 1": "8h", "seat 2": "Ah", "seat 3": "8c"}, added_bets(OFFERED))
    assert [(seat, line.wager, line.odds, line.net, line.article) for seat, line in worth] == [
        (1, "low", None, -50, "6.º 1"),
        (1, "red eight", "20:1", 2000, "9.º 1"),
        (2, "red eight", "2:1", 200, "9.º 1"),
        (3, "red eight", None, -100, "9.º 1"),
    ]
