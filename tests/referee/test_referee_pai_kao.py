"""Taiwan-Pai Kao judged from the camera: an evening of four and eight places, and every wrong message caught."""

import copy
from collections import Counter
from pathlib import Path

import pytest

from tests.referee.films.pai_kao import (
    EIGHT_HANDS,
    FOUR_HANDS,
    OTHER_HANDS,
    FilmPai,
    bank,
    casino,
    evening,
    first_published,
    first_round,
    holders,
    second_published,
    third_published,
    tiles,
)
from tests.referee.films.written import Message, correction, numbered, why

NO_BANKER = "policy: no one takes the bank"


def first_round_film(folder: Path) -> FilmPai:
    """The first round alone."""
    film = FilmPai(folder)
    first_round(film)
    return film


def changed(film: FilmPai, message: Message, *others: Message, **other: object) -> list[str]:
    """What is reported of a message in which this is different."""
    return film.judge(copy.deepcopy(message) | other, *others).differences


def test_pai_kao_the_evening_is_right_unchanged(tmp_path: Path) -> None:
    film = FilmPai(tmp_path)
    report = film.judge(*evening(film))
    assert (report.differences, report.notes) == ([], [])
    assert (report.rounds, report.settled, report.void) == (3, 2, 1)
    assert report.void_by == Counter({"policy: misdeal": 1})
    assert report.limited == Counter({"paying": 1, "collecting": 1})
    assert not any((report.initial, report.pot, report.contributions, report.awards, report.unpaid))


def test_pai_kao_art_6_b_a_hand_that_was_not_rearranged_is_found(tmp_path: Path) -> None:
    film = first_round_film(tmp_path)
    message = first_published()
    message["seats"][2]["rearranged"] = False
    assert changed(film, message) == ["round 1, seat 3, rearranged: expected True, got False"]
    film.lines = [seen for seen in film.lines if seen["event"] != "rearranged"]
    assert len(changed(film, first_published())) == 1


def test_pai_kao_art_5_e_who_joins_the_bank_has_no_wager_elsewhere(tmp_path: Path) -> None:
    film = first_round_film(tmp_path)
    for seen in film.lines:
        if seen["event"] == "wager" and seen["player"] == "Tia":
            seen["player"] = "Ivo"
    differences = film.judge(first_published()).differences
    assert (
        "round 1, on the table, the wagers: expected none elsewhere of who joins the bank (5.º e)), got ['Ivo']"
        in differences
    )


def test_pai_kao_art_2_d_after_four_places_the_other_sixteen_tiles_are_dealt(tmp_path: Path) -> None:
    film = FilmPai(tmp_path)
    first_round(film)
    film.begin(*(FOUR_HANDS[place] for place in (1, 2, 3, 4)), *OTHER_HANDS.values())
    film.take(2, 10000)
    film.bet((1, "Ana", 1000))
    film.throw(2, 2, 2, 2, 2)
    film.deal(1, 2, 3, 4)
    film.turn(2, 1, 3, 4, hands=FOUR_HANDS)
    differences = film.judge(first_published(), second_published()).differences
    assert (
        "round 2, on the table, the tiles: expected the other sixteen of the round before (2.º d)), got a new stack"
        in differences
    )


def test_pai_kao_art_2_a_after_a_void_round_all_tiles_are_washed(tmp_path: Path) -> None:
    film = FilmPai(tmp_path)
    first_round(film)
    film.begin()
    film.take(2, 10000)
    film.bet((1, "Ana", 1000))
    film.wrong("supervisor_void")
    film.end()
    film.begin()
    film.take(2, 10000)
    film.bet((1, "Ana", 1000))
    film.throw(2, 2, 2, 2, 2)
    film.deal(1)
    differences = film.judge(first_published()).differences
    assert "round 3, on the table, the tiles: expected a stack that was washed (2.º a)), got none" in differences


def test_pai_kao_art_2_f_two_players_at_most_then_the_banker_then_no_one(tmp_path: Path) -> None:
    def moves(*by: str) -> list[str]:
        film = FilmPai(tmp_path)
        first_round(film)
        at = next(at for at, seen in enumerate(film.lines) if seen["event"] == "tiles_moved")
        stack = film.lines[at]["tiles"]
        film.lines[at : at + 2] = [{"round": 1, "event": "tiles_moved", "by": mover, "tiles": stack} for mover in by]
        return changed(film, first_published(), tiles=first_published()["tiles"] | {"moved": list(by)})

    for right in ((), ("bank",), ("seat 1",), ("seat 1", "seat 3"), ("seat 1", "seat 3", "bank")):
        assert moves(*right) == []
    for wrong in (("bank", "seat 1"), ("bank", "bank"), ("seat 1", "seat 3", "seat 4"), ("seat 1", "seat 1")):
        differences = moves(*wrong)
        assert len(differences) == 1 and "any more (2.º f))" in differences[0]


def test_pai_kao_art_2_b_the_banker_alone_throws_and_the_deal_begins_where_the_dice_say(tmp_path: Path) -> None:
    film = first_round_film(tmp_path)
    for seen in film.lines:
        if seen["event"] == "dice":
            seen["by"] = 3
    assert len(film.judge(first_published()).differences) == 1
    film = first_round_film(tmp_path)
    for seen in film.lines:
        if seen["event"] == "dice":
            seen["dice"] = [1, 1, 1, 1]
    assert "round 1, outcome: expected 'void', got 'settled'" in film.judge(first_published()).differences


def test_pai_kao_art_6_a_the_banker_opens_first(tmp_path: Path) -> None:
    film = first_round_film(tmp_path)
    turned = [at for at, seen in enumerate(film.lines) if seen["event"] == "turned"]
    film.lines[turned[0]], film.lines[turned[2]] = film.lines[turned[2]], film.lines[turned[0]]
    differences = film.judge(first_published()).differences
    assert len(differences) == 1 and "expected the banker to open first (6.º a))" in differences[0]


def test_pai_kao_art_5_c_the_banker_announces_the_form_himself_once_and_before_the_dice(tmp_path: Path) -> None:
    film = first_round_film(tmp_path)
    assert changed(film, first_published(), tiles=first_published()["tiles"] | {"form": "four from the end"}) == [
        "round 1, tiles, form: expected 'four at once', got 'four from the end'"
    ]
    at = next(at for at, seen in enumerate(film.lines) if seen["event"] == "form")
    by_another, lines = {**film.lines[at], "by": 1}, list(film.lines)
    for wrong, expected in (
        ([*lines[:at], by_another, *lines[at + 1 :]], "expected the banker to announce the form (5.º c)), got 1"),
        ([*lines[:at], *lines[at + 1 :]], "expected the form announced before the dice (5.º c))"),
        ([*lines, lines[at]], "expected the form announced once, before the dice (5.º c))"),
    ):
        film.lines = wrong
        assert expected in str(film.judge(first_published()).differences)


def test_pai_kao_no_one_takes_the_bank(tmp_path: Path) -> None:
    film = FilmPai(tmp_path, seats=4)
    film.begin(*EIGHT_HANDS.values())
    for place in (1, 2, 3, 4):
        film.leave(place, absent=place == 2)
    film.end()
    right = third_published(NO_BANKER) | numbered(1) | {"deal": None, "bank": None, "wagers": [], "seats": []}
    right["tiles"] = tiles(4, None, [], form=None)
    assert film.judge(right).differences == []
    assert changed(film, right, void=why("policy: misdeal"))
    assert changed(film, right, bank=bank(1, 3000, 1, 0))


def test_pai_kao_without_a_reader_all_tiles_are_keyed_in(tmp_path: Path) -> None:
    film = FilmPai(tmp_path, reader=False)
    first_round(film)
    keyed_in: list[Message] = [
        {"kind": "keyed_in", "to": f"seat {place}", "article": "policy: unread cards"} for place in (2, 3, 4, 1)
    ]
    assert changed(film, first_published(), irregularities=keyed_in) == []
    assert changed(film, first_published(), irregularities=keyed_in[1:])
    assert changed(first_round_film(tmp_path), first_published(), irregularities=keyed_in[1:])


def test_pai_kao_a_tile_the_reader_could_not_read_is_keyed_in(tmp_path: Path) -> None:
    film = first_round_film(tmp_path)
    at = next(at for at, seen in enumerate(film.lines) if seen["event"] == "card") + 2
    film.lines.insert(at, {"round": 1, "event": "fault", "device": "shoe", "kind": "unreadable", "on": True})
    keyed_in = [{"kind": "keyed_in", "to": "seat 2", "article": "policy: unread cards"}]
    assert changed(film, first_published(), irregularities=keyed_in) == []
    assert changed(film, first_published())


@pytest.mark.parametrize(
    ("kind", "seen", "fix"),
    [
        ("slip_wager", {"seat": 2, "wager": "capital"}, correction("wager", "seat 2", 1, 5000, wager="capital")),
        ("slip_wager", {"seat": 2, "wager": "casino"}, correction("wager", "seat 2", 1, 1000, wager="casino")),
        ("slip_seat", {"seat": 3, "keyed": 4}, correction("seat", "seat 4", "seat 4", "seat 3")),
        ("slip_dice", {}, correction("dice", "seat 2", "otherwise", "1 1 1 2")),
        ("miskey", {"to": "seat 4"}, correction("cards", "seat 4", "otherwise", FOUR_HANDS[4])),
    ],
)
def test_pai_kao_a_slip_is_corrected(tmp_path: Path, kind: str, seen: Message, fix: Message) -> None:
    film = first_round_film(tmp_path)
    film.lines.insert(-3, {"round": 1, "event": "irregularity", "kind": kind, **seen})
    assert changed(film, first_published(), corrections=[fix]) == []
    assert changed(film, first_published())
    for after in ("1 1 1 1", "seat 1", 1):
        assert changed(film, first_published(), corrections=[fix | {"after": after}])


def test_pai_kao_in_a_void_round_an_uncorrected_slip_stays(tmp_path: Path) -> None:
    film = FilmPai(tmp_path)
    film.begin(*EIGHT_HANDS.values(), places=8)
    film.leave(1)
    film.take(2, 3000)
    film.wrong("slip_wager", seat=2, wager="capital")
    film.bet((8, "Ana", 1000))
    film.wrong("supervisor_void")
    film.end()
    right = third_published("policy: supervisor's void") | numbered(1) | {"bank": bank(2, 3100, 1, 0)}
    right["wagers"] = right["wagers"][1:]
    who = holders(**{f"_{at}": "Ana" if at == 8 else None for at in (1, *range(3, 9))})
    right["tiles"] = tiles(8, None, who)
    assert film.judge(right).differences == []
    assert changed(film, right, bank=bank(2, 3100, 1, 0, casino=casino(1, 0, "policy: supervisor's void")))
