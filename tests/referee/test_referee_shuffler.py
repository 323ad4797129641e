"""A shuffler that fails in the deal, told from the camera alone: article 17.º 2."""

from pathlib import Path

import pytest

from tests.referee.films.plain import BANK, BETS, HANDS, all_lost, finish, only, plain, told, voided
from tests.referee.films.poker import Film
from tests.referee.films.written import Message


@pytest.mark.parametrize("kind", ["jam", "restart"])
def test_art_17_2_a_shuffler_that_stops_in_the_deal_voids_at_once(tmp_path: Path, kind: str) -> None:
    film = plain(tmp_path)
    film.fault("shuffler", kind)
    film.deal(HANDS, BANK[0])
    finish(film)
    only(film, voided("17.º 2"))


@pytest.mark.parametrize("kind", ["mute", "unplug", "jam"])
def test_art_17_2_a_shuffler_that_gives_no_more_cards(tmp_path: Path, kind: str) -> None:
    film = Film(tmp_path, additional=())
    film.open(BETS)
    film.fault("shuffler", kind)
    film.see("lock_in")
    film.card("seat 2", HANDS[2])
    film.fault("shuffler", kind, on=False)
    film.end()
    only(film, voided("17.º 2"))


@pytest.mark.parametrize("kind", ["mute", "unplug"])
def test_a_silence_that_ended_in_time_voids_nothing(tmp_path: Path, kind: str) -> None:
    film = plain(tmp_path)
    film.fault("shuffler", kind)
    film.card("seat 2", HANDS[2])
    film.fault("shuffler", kind, on=False)
    film.card("seat 4", HANDS[4])
    film.card("bank", "")
    unfinished = list(film.lines)
    film.card("bank", BANK[0])
    finish(film)
    only(film, all_lost(1, None))
    film.lines = unfinished
    film.card("bank", "Kd")
    film.end()
    said = film.judge(voided("17.º 2")).differences
    assert said == ["round 1: the camera saw no complete deal and no reason why"]


@pytest.mark.parametrize("kind", ["jam", "restart", "mute"])
def test_art_17_2_with_the_last_packet_on_its_way_the_message_says_which_was_first(tmp_path: Path, kind: str) -> None:
    film = plain(tmp_path)
    film.card("seat 2", HANDS[2])
    film.card("seat 4", HANDS[4])
    film.fault("shuffler", kind)
    film.card("bank", BANK[0])
    film.fault("shuffler", kind, on=False)
    laid = list(film.lines)
    film.end()
    report = film.judge(voided("17.º 2"))
    assert report.differences == []
    assert len(report.notes) == 1 and report.notes[0].startswith("round 1: void by 17.º 2, as may be: the shuffler")
    assert film.judge(voided("17.º 1 1)")).differences
    film.lines = laid
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


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


@pytest.mark.parametrize(
    ("device", "kind", "source"),
    [("shuffler", "babble", "shuffler"), ("shoe", "restart", "shuffler"), ("sign", "restart", "shuffler"),
     ("shuffler", "lid_open", "shuffler"), ("shuffler", "misread", "shuffler"), ("shuffler", "jam", "shoe"),
     ("shuffler", "restart", "shoe"), ("shuffler", "unplug", "shoe")],
)  # fmt: skip
def test_art_17_2_only_the_shuffler_in_use_that_stops_voids_the_round(
    tmp_path: Path, device: str, kind: str, source: str
) -> None:
    film = plain(tmp_path, source)
    film.card("seat 2", HANDS[2] if source == "shuffler" else "8c")
    film.fault(device, kind)
    if source == "shuffler":
        film.card("seat 4", HANDS[4])
    else:
        for place, card in zip(["4", "2", "4", "2", "4"], ["Tc", "5d", "6d", "2s", "3s"], strict=True):
            film.card(f"seat {place}", card)
    film.card("bank", BANK[0])
    finish(film)
    read = [{"kind": "keyed_in", "to": "seat 4", "article": "policy: unread cards"}] if kind == "misread" else []
    only(film, told(all_lost(1, None), *read, source=source))


@pytest.mark.parametrize("before", [True, False])
def test_a_shuffler_that_stops_outside_the_deal_voids_nothing(tmp_path: Path, before: bool) -> None:
    film = Film(tmp_path, additional=())
    film.open(BETS)
    if before:
        film.fault("shuffler", "restart")
        film.fault("shuffler", "jam")
        film.fault("shuffler", "jam", on=False)
    film.see("lock_in")
    film.deal(HANDS, BANK[0])
    if not before:
        film.fault("shuffler", "restart")
        film.fault("shuffler", "jam")
    finish(film)
    only(film, all_lost(1, None))


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
    return film, [*messages, told(all_lost(3, None), source=then)]


def test_art_17_2_after_two_failures_the_cards_come_from_a_shoe(tmp_path: Path) -> None:
    film, messages = failures(tmp_path, "shoe")
    assert film.judge(*messages).differences == []
    film, messages = failures(tmp_path, "shuffler")
    assert film.judge(*messages).differences == [
        "round 3, source on the table: expected 'shoe' (17.º 2), got 'shuffler'"
    ]


def test_art_17_2_a_complete_deal_between_two_failures_begins_the_count_again(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    messages = []
    for number in range(1, 5):
        film.begin(BETS)
        if number % 2:
            film.fault("shuffler", "restart")
            film.end()
            messages.append(voided("17.º 2", number=number))
        else:
            film.deal(HANDS, BANK[0])
            finish(film)
            messages.append(all_lost(number, None))
    assert film.judge(*messages).differences == []


def test_a_restart_before_betting_closed_is_no_reason_for_a_deal_that_stops(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.open(BETS)
    film.fault("shuffler", "restart")
    film.see("lock_in")
    film.card("seat 2", HANDS[2])
    film.end()
    said = film.judge(voided("17.º 2")).differences
    assert said == ["round 1: the camera saw no complete deal and no reason why"]
