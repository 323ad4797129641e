"""Rounds settled by hand, article by article, and found right by the referee; and what it says where they are wrong."""

from pathlib import Path

import pytest

from tests.referee.films.poker import Bets, Film, hide_bank, line, seat, settled

KING_HIGH = ("Kd 9c 4h", "high_card", True)


def one_ante(
    folder: Path, cards: str, dealer: tuple[str, str, bool], decision: str = "play", **bets: int
) -> tuple[Film, Bets]:
    """A table with one seat, played to the end; without a jackpot."""
    film = Film(folder, additional=("six_card_bonus",))
    wagers = {"ante": 10000, **bets}
    film.begin({2: wagers})
    film.deal({2: cards}, dealer[0])
    film.decide(seat_2=decision)
    film.turn(bank=dealer[0])
    if decision == "play" or bets:
        film.turn(seat_2=cards)
    return film, {2: wagers}


def test_art_14_and_16_2_six_cards_with_a_bank_that_does_not_play(tmp_path: Path) -> None:
    bank = ("Jd 9d 3h", "high_card", False)
    film, wagers = one_ante(tmp_path, "Td 8d 7d", bank, six_card_bonus=1000)
    film.pay(2, ante=10000, six_card_bonus=100000)
    film.end()
    right = seat(
        "Td 8d 7d",
        "flush",
        "play",
        110000,
        line("ante", 10000, "win", "1:1", 10000, "13.º 1)"),
        line("play", 10000, "push", None, 0, "13.º 1)"),
        line("six_card_bonus", 1000, "win", "100:1", 100000, "16.º 2 2)", "straight_flush"),
    )
    assert film.judge(settled(1, wagers, bank, {2: right})).differences == []


def test_art_12_2_the_double_on_the_table_is_of_the_antes_value(tmp_path: Path) -> None:
    film, wagers = one_ante(tmp_path, "8c 5d 2s", KING_HIGH)
    film.see("wager", seat=2, player="p2", wager="play", amount=9000)
    lost = [line(wager, 10000, "lose", None, -10000, "13.º 3)") for wager in ("ante", "play")]
    report = film.judge(settled(1, wagers, KING_HIGH, {2: seat("8c 5d 2s", "high_card", "play", -20000, *lost)}))
    assert report.differences == ["round 1, seat 2, double on the table: expected 10000, got 9000"]


@pytest.mark.parametrize(("decision", "six"), [("play", False), ("fold", True)])
def test_a_bank_some_wager_hangs_on_must_be_shown(tmp_path: Path, decision: str, six: bool) -> None:
    film = Film(tmp_path, additional=("six_card_bonus",))
    wagers = {"ante": 10000} | ({"six_card_bonus": 1000} if six else {})
    film.begin({2: wagers})
    film.deal({2: "8c 5d 2s"}, KING_HIGH[0])
    film.decide(seat_2=decision)
    film.turn(seat_2="8c 5d 2s")
    film.end()
    if six:
        lines = [
            line("ante", 10000, "lose", None, -10000, "12.º 2"),
            line("six_card_bonus", 1000, "lose", None, -1000, "14.º", None),
        ]
    else:
        lines = [line(wager, 10000, "lose", None, -10000, "13.º 3)") for wager in ("ante", "play")]
    place = seat("8c 5d 2s", "high_card", decision, sum(row["net"] for row in lines), *lines)
    hidden = settled(1, {2: wagers}, KING_HIGH, {2: place})
    hidden = hide_bank(hidden)
    assert film.judge(hidden).differences == [
        "round 1, bank, cards: expected 'Kd 9c 4h', got None",
        "round 1, bank, hand_name: expected 'high_card', got None",
        "round 1, bank, qualifies: expected True, got None",
        "round 1, bank, turned on the table: expected 'Kd 9c 4h', got 'nothing'",
    ]
