"""Fortune 8 judged from the camera: bets, deal, odds, shoe and dispenser; and every wrong message caught."""

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.referee.film.fortune_8_message import added_bets
from tests.referee.films.fortune_8 import (
    ALL,
    BETS,
    CARDS,
    EVERY,
    SEATS,
    WAGERS,
    WITH_BETS,
    Film8,
    only,
    published,
    shown,
    voided,
)
from tests.referee.films.written import Message, correction, numbered, seat_in
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
    film.begin(bets=[*BETS, (1, "Eva", "low", 999), (1, "Eva", "high", 1000001)])
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


# ---- The shoe of Fortune 8 and its cut card, the dispenser, decks that are not whole, cards no one read, and slips.


COMPLETE = "policy: complete deck"
OTHERS = ["2h", "8s", "Kc", "Ad", "3h", "9s", "Ts"]
SECOND = dict(enumerate(OTHERS, start=1))
KEYED_IN: Message = {"kind": "keyed_in", "to": "seat 3", "article": "policy: unread cards"}


def first(folder: Path, source: str = "shoe", decks: int = 1) -> Film8:
    """A plain round to its end, and the next is to come."""
    film = Film8(folder, source=source, decks=decks)
    film.begin()
    film.deal()
    film.finish()
    return film


def two(film: Film8, *, shuffle: bool, source: str = "shoe") -> list[str]:
    """What is reported of a second round with other cards."""
    before = published(source=film.source)
    film.source = source
    film.begin(shuffle=shuffle)
    film.deal(OTHERS)
    film.finish()
    return film.judge(before, published(number=2, source=source, cards=SECOND)).differences


NEITHER = "round 2, shoe on the table: expected shuffled, then cut (2.º 1), got neither"


def test_fortune_8_art_2_1_the_shoe_is_kept_until_the_cut_card_comes_out(tmp_path: Path) -> None:
    assert two(first(tmp_path), shuffle=False) == []
    assert two(first(tmp_path), shuffle=True) == []


@pytest.mark.parametrize("at", [4, 12, -1])
def test_fortune_8_art_2_1_after_the_cut_card_the_round_is_finished_and_the_next_is_shuffled(
    tmp_path: Path, at: int
) -> None:
    film = first(tmp_path)
    film.lines.insert(at % len(film.lines), {"round": 1, "event": "cut_card"})
    cut = list(film.lines)
    assert two(film, shuffle=False) == [NEITHER]
    film.lines, film.number = cut, 1
    assert two(film, shuffle=True) == []


def test_fortune_8_art_2_2_the_dispenser_needs_neither_and_a_shoe_after_it_both(tmp_path: Path) -> None:
    film = first(tmp_path, "shuffler")
    assert two(film, shuffle=False, source="shuffler") == []
    film = first(tmp_path, "shuffler")
    assert two(film, shuffle=False) == [NEITHER]
    film = first(tmp_path, "shuffler")
    assert two(film, shuffle=True) == []
    film = first(tmp_path)
    assert two(film, shuffle=False, source="shuffler") == []


def again(film: Film8, card: str) -> Message:
    """A second round in which a card comes again; the right message of it, void as it comes."""
    film.begin()
    cards = [*OTHERS[:4], card, *OTHERS[5:]]
    film.deal(cards)
    film.end()
    void = voided(COMPLETE, dict(enumerate(cards[:5], start=1)))
    return void | numbered(2) | {"source": film.source}


def test_fortune_8_art_1_1_no_card_comes_oftener_than_there_are_decks_since_the_shoe_was_loaded(tmp_path: Path) -> None:
    film = first(tmp_path)
    film.fault("deck", "doubled")
    right = again(film, "8d")
    only(film, right, published())
    assert film.judge(published(), right | {"shown_cards": shown(dict(enumerate(OTHERS[:4], 1)))}).differences == []
    film.lines = [seen for seen in film.lines if seen["event"] != "fault"]
    assert film.judge(published(), right).differences == [
        "round 2, cards: expected 'each card as often as there are decks: 1', got '8d 2 times'"
    ]


def test_fortune_8_a_copy_that_was_perhaps_not_read(tmp_path: Path) -> None:
    film = first(tmp_path)
    film.fault("deck", "doubled")
    film.fault("shoe", "unreadable")
    right = again(film, "8d")
    assert film.judge(published(), right).differences == []
    film.lines = [seen for seen in film.lines if seen["event"] != "round_end" or seen["round"] == 1]
    film.finish()
    keyed_in = KEYED_IN | {"to": "seat 1"}
    cards = SECOND | {5: "8d"}
    assert film.judge(published(), published(keyed_in, number=2, cards=cards)).differences == []


def test_fortune_8_a_miskeyed_card_is_corrected(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.begin()
    film.fault("shoe", "unreadable")
    film.deal()
    film.wrong("miskey", to="seat 3")
    film.finish()
    fix = correction("cards", "seat 3", "Kd", "Kh")
    assert film.judge(published(KEYED_IN, corrections=[fix])).differences == []
    assert film.judge(published(KEYED_IN)).differences
    assert film.judge(published(KEYED_IN, corrections=[fix | {"after": "Ks"}])).differences
    assert film.judge(published(corrections=[fix])).differences


SLIPS: list[tuple[Message, Message]] = [
    (
        {"kind": "slip_wager", "seat": 2, "wager": "eight", "player": "Rui"},
        correction("wager", "seat 2", 1000, 5000, wager="eight", player="Rui"),
    ),
    ({"kind": "slip_seat", "seat": 4, "keyed": 5}, correction("seat", "seat 5", "seat 5", "seat 4")),
]


@pytest.mark.parametrize(("slip", "fix"), SLIPS)
def test_fortune_8_a_slip_is_corrected(tmp_path: Path, slip: Message, fix: Message) -> None:
    film = Film8(tmp_path)
    film.begin()
    film.wrong(slip["kind"], **{key: value for key, value in slip.items() if key != "kind"})
    film.deal()
    film.finish()
    assert film.judge(published(corrections=[fix])).differences == []
    assert film.judge(published()).differences
    assert film.judge(
        published(corrections=[fix | ({"after": "seat 6"} if fix["what"] == "seat" else {"amount_after": 6000})])
    ).differences


def test_fortune_8_a_void_round_has_the_bets_as_they_were_entered(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.begin()
    film.wrong("slip_wager", seat=2, wager="eight", player="Rui")
    film.wrong("slip_seat", seat=4, keyed=5)
    film.card(1, "2c")
    film.wrong("number")
    film.end()
    entered = copy.deepcopy(voided("5.º", {1: "2c"}))
    entered["wagers"][3]["seat"] = entered["seats"][1]["seat"] = 5
    entered["wagers"][2]["amount"] = entered["seats"][0]["lines"][2]["stake"] = 7000
    assert film.judge(entered).differences == []
    assert film.judge(voided("5.º", {1: "2c"})).differences
    seat_in(entered, 7)["lines"][0]["stake"] = 5000
    assert film.judge(entered).differences
    assert WAGERS[2]["amount"] == 5000 and SEATS[0]["net"] == 64000


@pytest.mark.parametrize("kind", ["jam", "restart", "mute", "unplug"])
def test_fortune_8_the_dispenser_that_stops_is_waited_for_or_given_up(tmp_path: Path, kind: str) -> None:
    film = Film8(tmp_path, source="shuffler")
    film.begin()
    film.card(1, "2c")
    film.fault("shuffler", kind)
    stopped = list(film.lines)
    film.end()
    right = voided("5.º", {1: "2c"}, source="shuffler")
    assert film.judge(right).differences == []
    assert film.judge(published(source="shuffler")).differences
    film.lines = stopped
    if kind != "restart":
        film.fault("shuffler", kind, on=False)
    film.deal(CARDS[1:], [2, 3, 4, 5, 6, 7])
    film.finish()
    assert film.judge(published(source="shuffler")).differences == []
    assert film.judge(voided("5.º", ALL, source="shuffler")).differences


def test_fortune_8_where_cards_follow_bets_a_wrong_space_is_published_until_it_is_corrected(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.begin(WITH_BETS)
    film.wrong("slip_seat", seat=4, keyed=5)
    film.card(2, "8d")
    film.card(7, "As")
    film.moved(7, 4, "As")
    film.wrong("error_corrected", what="order", to="seat 4")
    stakes = list(film.lines)
    film.card(7, "Td")
    film.finish()
    error = {"kind": "error_corrected", "what": "order", "article": "5.º"}
    fix = SLIPS[1][1]
    cards = {2: "8d", 4: "As", 7: "Td"}
    for place in ("seat 4", "seat 5"):
        right = published(error | {"to": place}, deal=WITH_BETS, cards=cards, corrections=[fix])
        assert film.judge(right).differences == []
    assert film.judge(published(error | {"to": "seat 7"}, deal=WITH_BETS, cards=cards, corrections=[fix])).differences
    film.lines = stakes
    film.wrong("order")
    film.end()
    void = copy.deepcopy(voided("5.º", {2: "8d", 5: "As"}, error | {"to": "seat 5"}, deal=WITH_BETS))
    void["wagers"][3]["seat"] = void["seats"][1]["seat"] = 5
    assert film.judge(void).differences == []
    assert film.judge(void | {"shown_cards": shown({2: "8d", 4: "As"})}).differences
