"""How bets and cards reach the table: articles 4.º, 10.º and 11.º."""

from pathlib import Path

import pytest

from tests.referee.films.plain import BANK, BETS, COMMUNITY, HANDS, all_lost, finish
from tests.referee.films.poker import Film, line, seat, settled


def test_art_11_1_from_a_shoe_one_card_at_a_time(tmp_path: Path) -> None:
    film = Film(tmp_path, source="shoe", additional=())
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None) | {"source": "shoe"}).differences == []
    assert film.judge(all_lost(1, None)).differences == ["round 1, source: expected 'shoe', got 'shuffler'"]


def test_art_9_the_dealer_may_change_the_source_before_the_cards_are_shuffled(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS)
    film.see("source", source="shoe")
    film.source = "shoe"
    film.deal(HANDS, BANK[0])
    film.see("source", source="shuffler")
    finish(film)
    assert film.judge(all_lost(1, None) | {"source": "shoe"}).differences == []


def test_art_11_1_three_at_a_time_from_a_shoe_is_a_broken_deal(tmp_path: Path) -> None:
    film = Film(tmp_path, source="shoe", additional=())
    film.begin(BETS)
    film.source = "shuffler"
    film.deal(HANDS, BANK[0])
    finish(film)
    assert "round 1, outcome: expected 'void', got 'settled'" in film.judge(all_lost(1, None)).differences


@pytest.mark.parametrize("packets", [(3,), (2, 3)])
def test_art_11_3_and_4_the_community_cards_come_last(tmp_path: Path, packets: tuple[int, ...]) -> None:
    film = Film(tmp_path, packets=packets)
    film.begin(BETS, chips=(2,))
    film.deal(HANDS, BANK[0], COMMUNITY)
    finish(film, community=COMMUNITY)
    report = film.judge(all_lost(1, 60000350, (2,)))
    assert report.differences == []
    assert report.notes == []


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


def test_art_4_3_a_chip_without_a_basic_bet_and_art_10_3_a_late_chip_never_reach_the_meter(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(3,))
    film.see("chip", seat=4)
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, 60000000)).differences == []
    film.lines.insert(1, {"round": 1, "event": "wager", "seat": 3, "wager": "six_card_bonus", "amount": 1000})
    assert film.judge(all_lost(1, 60000000)).differences == []


def test_art_10_1_a_bet_beyond_the_limits_does_not_stand(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin(BETS | {5: {"ante": 999}, 6: {"pair_plus": 1000001}})
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(1, None)).differences == []


def test_a_press_nobody_heard_closes_nothing(tmp_path: Path) -> None:
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


def test_art_10_1_a_bet_of_exactly_the_limit_stands(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.begin({2: {"ante": 1000000}})
    film.deal({2: HANDS[2]}, BANK[0])
    finish(film, {2: HANDS[2]})
    lines = [line(wager, 1000000, "lose", None, -1000000, "13.º 3)") for wager in ("ante", "play")]
    right = settled(
        1, {2: {"ante": 1000000}}, BANK, {2: seat(HANDS[2], "high_card", "play", -2000000, *lines)}, None, None
    )
    assert film.judge(right).differences == []


def test_a_round_missing_from_the_film_is_told(tmp_path: Path) -> None:
    film = Film(tmp_path, additional=())
    film.number = 1
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    finish(film)
    assert film.judge(all_lost(2, None)).differences == ["camera: expected rounds 1 to 1, got [2]"]
