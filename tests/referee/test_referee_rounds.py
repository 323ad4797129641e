"""Rounds settled by hand, article by article; and what is null, exposed, unread or corrected, as the camera has it."""

import copy
from pathlib import Path

import pytest

from tests.referee.film.message import replaced_in
from tests.referee.films.plain import BANK, BETS, HANDS, all_lost, exposed, finish, lost, plain, published, voided
from tests.referee.films.poker import Bets, Film, hide_bank, line, seat, settled
from tests.referee.films.written import Message, correction, decide, show, wager_in

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


EMPTY_SEAT: Message = {"kind": "empty_seat", "to": "seat 3", "article": "17.º 4 2)"}
KEYED_IN: Message = {"kind": "keyed_in", "to": "seat 2", "article": "policy: unread cards"}


def dealt(film: Film) -> None:
    """A faultless round to its end."""
    film.deal(HANDS, BANK[0])
    finish(film)


def test_nothing_is_published_that_did_not_happen(tmp_path: Path) -> None:
    film = plain(tmp_path)
    dealt(film)
    base = all_lost(1, None)
    assert film.judge(base).differences == []
    for invented in (EMPTY_SEAT, KEYED_IN, exposed("seat 2", "17.º 4 1)"), {"kind": "other"}, {"article": "17.º"}):
        assert film.judge(published(base, invented)).differences, invented
    fix = correction("decision", "seat 2", "fold", "play")
    assert film.judge(published(base, corrections=(fix,))).differences == [
        "round 1, corrections: expected [], got ['decision']"
    ]
    for key in ("irregularities", "corrections", "source"):
        assert film.judge({name: part for name, part in base.items() if name != key}).differences, key


@pytest.mark.parametrize(("source", "kind"), [("shuffler", "misread"), ("shoe", "unreadable")])
def test_a_card_that_was_not_read_is_keyed_in_and_the_real_one_is_published(
    tmp_path: Path, source: str, kind: str
) -> None:
    film = plain(tmp_path, source)
    film.fault(source, kind)
    film.deal(HANDS, BANK[0])
    finish(film)
    base = all_lost(1, None) | {"source": source}
    assert film.judge(published(base, KEYED_IN, source=source)).differences == []
    assert film.judge(base).differences == ["round 1, irregularities, keyed_in: expected 'keyed_in', got 'nothing'"]
    show(base, "seat 2", "8c 5d 2d")
    assert film.judge(published(base, KEYED_IN, source=source)).differences


def test_a_card_of_a_hidden_hand_need_not_be_keyed_in(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.fault("shuffler", "misread")
    film.deal(HANDS, BANK[0])
    film.decide(seat_2="fold", seat_4="play")
    film.turn(bank=BANK[0], seat_4=HANDS[4])
    film.end()
    fold = seat(None, None, "fold", -10000, line("ante", 10000, "lose", None, -10000, "12.º 2"))
    wagers = {2: BETS[2], 4: BETS[4]}
    base = settled(1, wagers, BANK, {2: fold, 4: lost(HANDS[4], False)})
    assert film.judge(base).differences == []
    assert film.judge(published(base, KEYED_IN | {"to": "seat 4"})).differences == []
    assert film.judge(published(base, KEYED_IN)).differences


def test_a_miskeyed_card_is_corrected(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.fault("shuffler", "misread")
    film.deal(HANDS, BANK[0])
    film.wrong("miskey", to="seat 2")
    finish(film)
    base = all_lost(1, None)
    fix = correction("cards", "seat 2", "8c 5d 2d", HANDS[2])
    assert film.judge(published(base, KEYED_IN, corrections=(fix,))).differences == []
    assert film.judge(published(base, KEYED_IN)).differences == ["round 1, corrections: expected ['cards'], got []"]
    wrong = correction("cards", "seat 2", HANDS[2], "8c 5d 2d")
    assert film.judge(published(base, KEYED_IN, corrections=(wrong,))).differences


SLIPPED = [
    ("slip_wager", {"seat": 2, "wager": "ante"}, correction("wager", "seat 2", 1000, 10000, wager="ante")),
    ("slip_seat", {"seat": 2, "keyed": 3}, correction("seat", "seat 3", "seat 3", "seat 2")),
    ("slip_decision", {"seat": 4}, correction("decision", "seat 4", "fold", "play")),
]


LATE = {"change": 1, "after_result": True, "approved_by": ["rui", "ana"]}
MOVED = {"net_before": -41000, "net_after": -40000, "net_difference": 1000}


@pytest.mark.parametrize(
    "wrong",
    [
        *({"approved_by": []}, {"after_result": False}, {"approved_by": [""]}, {"approved_by": "rui"}, {"change": 0}),
        *({"net_difference": 999}, {"net_after": None}, {"net_after": -39000, "net_difference": 2000}),
        {"after_result": False, "approved_by": []},
    ],
)
def test_a_correction_after_the_result_has_who_answers_for_it_and_what_it_moved(tmp_path: Path, wrong: Message) -> None:
    film = plain(tmp_path)
    film.wrong("slip_decision", seat=4)
    dealt(film)
    fix = correction("decision", "seat 4", "fold", "play") | LATE | MOVED
    assert film.judge(published(all_lost(1, None), corrections=(fix,))).differences == []
    assert film.judge(published(all_lost(1, None), corrections=(fix | {"change": None},))).differences == []
    unknown = {"net_after": None, "net_difference": None}  # the cards of who plays after all were not shown yet
    assert film.judge(published(all_lost(1, None), corrections=(fix | unknown,))).differences == []
    assert film.judge(published(all_lost(1, None), corrections=(fix | wrong,))).differences


def test_a_corrected_wager_moves_a_settlement_that_remains(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.wrong("slip_wager", seat=2, wager="ante")
    dealt(film)
    fix = correction("wager", "seat 2", 1000, 10000, wager="ante") | LATE | MOVED
    assert film.judge(published(all_lost(1, None), corrections=(fix,))).differences == []
    unknown = {"net_after": None, "net_difference": None}
    [difference] = film.judge(published(all_lost(1, None), corrections=(fix | unknown,))).differences
    assert "corrections, net_difference" in difference


@pytest.mark.parametrize(("slip", "filmed", "fix"), SLIPPED)
def test_a_slip_is_corrected_and_the_message_is_right(
    tmp_path: Path, slip: str, filmed: dict[str, object], fix: Message
) -> None:
    film = plain(tmp_path)
    film.wrong(slip, **filmed)
    dealt(film)
    base = all_lost(1, None)
    right = published(base, corrections=(fix,))
    assert film.judge(right).differences == []
    assert film.judge(base).differences == [f"round 1, corrections: expected ['{fix['what']}'], got []"]
    for other, _, another in SLIPPED:
        if other != slip:
            assert film.judge(published(base, corrections=(another,))).differences
    before, after = replaced_in(fix)
    for key, wrong in [("actor", ""), ("reason", None), (before, fix[after])]:
        assert film.judge(published(base, corrections=(fix | {key: wrong},))).differences, key
    back = fix | {before: fix[after], after: fix[before]}
    assert film.judge(published(base, corrections=(back,))).differences
    entered = copy.deepcopy(right)
    wager_in(entered, 2, "ante")["amount"] = 1000
    assert film.judge(entered).differences
    entered = copy.deepcopy(right)
    decide(entered, 4, "fold")
    assert film.judge(entered).differences


def test_a_seat_entered_wrongly_stays_in_a_round_that_was_void_before_it_was_corrected(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.wrong("slip_seat", seat=2, keyed=1)
    film.card("seat 2", "8c", "up")
    film.card("seat 2", "5d 2s")
    film.card("seat 4", "Tc", "up")
    film.end()
    seen = (exposed("seat 1", "17.º 1 3)"), exposed("seat 4", "17.º 1 3)"))
    entered = published(voided("17.º 1 3)"), *seen)
    for part in ("wagers", "seats"):
        entered[part][0]["seat"] = 1
    assert film.judge(entered).differences == []
    assert film.judge(published(voided("17.º 1 3)"), *seen)).differences
    fix = correction("seat", "seat 1", "seat 1", "seat 2")
    assert film.judge(published(entered, *seen, corrections=(fix,))).differences
