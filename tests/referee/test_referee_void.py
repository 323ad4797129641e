"""What voids a round and what does not, reported from the camera alone: article 17.º and the policies."""

from pathlib import Path

import pytest

from tests.referee.films.plain import BANK, BETS, HANDS, all_lost, exposed, finish, only, plain, published, voided
from tests.referee.films.written import decide


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
