"""Fortune 3 Card Poker judged from the camera: the deal, what voids a round, a shuffler that fails."""

from pathlib import Path

import pytest

from tests.referee.films.plain import (
    BANK,
    BETS,
    COMMUNITY,
    HANDS,
    all_lost,
    exposed,
    finish,
    only,
    plain,
    published,
    voided,
)
from tests.referee.films.poker import Film
from tests.referee.films.written import Message, decide


@pytest.mark.parametrize("on_the_felt", [True, False])
def test_art_17_1_1_a_short_packet_voids(tmp_path: Path, on_the_felt: bool) -> None:
    film = plain(tmp_path)
    film.fault("shuffler", "short")
    film.card("seat 2", "8c 5d" if on_the_felt else "")
    film.end()
    only(film, voided("17.º 1 1)"))


def test_art_17_1_3_by_the_other_reading_the_cards_of_each_player_are_counted(tmp_path: Path) -> None:
    film = plain(tmp_path)
    key = "exposed_cards_by_player"
    with film.station.open("a", encoding="utf-8") as station:
        station.write(f"[rules]\n{key} = true\n")
    for seat in (2, 4):
        first, others = HANDS[seat][:2], HANDS[seat][3:]
        film.card(f"seat {seat}", first, "up")
        film.wrong("exposed", to=f"seat {seat}")
        film.card(f"seat {seat}", others)
    seen = [exposed(f"seat {seat}", "17.º 4 1)") for seat in (2, 4)]
    film.card("bank", BANK[0])
    dealt = list(film.lines)
    finish(film)
    right = published(all_lost(1, None), *seen) | {"rules": [key]}
    only(film, right)
    right["rules"] = []
    assert film.judge(right).differences == [f"round 1, rules: expected ['{key}'], got []"]
    film.lines = dealt
    film.wrong("exposed", to="seat 4", count=2)
    film.end()
    twice = exposed("seat 4", "17.º 1 3)", 2)
    assert film.judge(published(voided("17.º 1 3)"), seen[0], twice) | {"rules": [key]}).differences == []


@pytest.mark.parametrize(
    ("seen", "article"),
    [
        ([("bank", 1)], "17.º 1 2)"),
        ([("seat 2", 1), ("seat 4", 1)], "17.º 1 3)"),
        ([("seat 4", 2)], "17.º 1 3)"),
        ([("seat 2", 1)], None),
        ([("community", 2)], None),
        ([("seat 3", 2)], None),
    ],
)
def test_art_17_1_cards_seen_after_the_deal(tmp_path: Path, seen: list[tuple[str, int]], article: str | None) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK[0])
    for place, count in seen:
        film.wrong("exposed", to=place, count=count)
    citation = article or ("policy: community cards seen" if seen[0][0] == "community" else "17.º 4 1)")
    listed = [exposed(place, citation, count) for place, count in seen if place != "seat 3"]
    if article:
        film.end()
        only(film, published(voided(article), *listed))
    else:
        finish(film)
        only(film, published(all_lost(1, None), *listed))


def test_policy_complete_deck_a_copy_that_was_perhaps_not_read(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.fault("deck", "doubled")
    film.fault("shoe", "unreadable")
    film.deal(HANDS, "Kd 9c 8c")
    film.decide(seat_2="play", seat_4="play")
    film.end()
    right = published(voided("policy: complete deck"), source="shoe")
    assert film.judge(right).differences == []
    assert len(film.judge(right).notes) == 1


def test_art_17_1_1_a_count_that_differs_from_the_reports_is_a_breach_or_by_the_other_reading_a_wrong_report(
    tmp_path: Path,
) -> None:
    film, key = plain(tmp_path, "shoe"), "wrong_count_is_unreported_card"
    film.fault("shoe", "doubled")
    film.deal(HANDS, BANK[0])
    film.end()
    assert film.judge(published(voided("17.º 1 1)"), source="shoe")).differences == []
    with film.station.open("a", encoding="utf-8") as station:
        station.write(f"[rules]\n{key} = true\n")
    by_policy = published(voided("policy: every card reported"), source="shoe") | {"rules": [key]}
    assert film.judge(by_policy).differences == []
    assert film.judge(published(voided("17.º 1 1)"), source="shoe") | {"rules": [key]}).differences != []


def test_a_fault_of_the_round_before_excuses_nothing(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.fault("shoe", "lost")
    film.deal(HANDS, BANK[0])
    finish(film)
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    film.end()
    first = published(all_lost(1, None), source="shoe")
    second = published(voided("policy: every card reported", number=2), source="shoe")
    assert "round 2, outcome: expected 'settled', got 'void'" in film.judge(first, second).differences


def test_a_void_round_has_the_decisions_the_camera_saw_or_none(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK[0])
    film.decide(seat_2="play")
    film.wrong("number")
    film.end()
    right = voided("17.º 1 1)")
    decide(right, 2, "play")
    assert film.judge(right).differences == []
    decide(right, 2, "fold")
    assert film.judge(right).differences == ["round 1, seat 2, decision: expected 'play', got 'fold'"]
    film.wrong("slip_decision", seat=2)
    assert film.judge(right).differences == []
    decide(right, 4, "x")
    assert film.judge(right).differences == ["round 1, seat 4, decision: expected None, got 'x'"]


# ---- How bets and cards reach the table: articles 4.º, 10.º and 11.º.


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


# ---- A shuffler that fails in the deal, reported from the camera alone: article 17.º 2.


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
