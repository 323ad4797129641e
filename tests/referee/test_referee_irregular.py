"""Null, exposed, unread and corrected: what goes on, told from the camera; and every wrong message about it caught."""

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.referee.film.judge import judge
from tests.referee.film.message import replaced_in
from tests.referee.films.plain import BANK, BETS, COMMUNITY, HANDS, all_lost, exposed, finish, lost, plain, told, voided
from tests.referee.films.poker import Film, line, seat, settled
from tests.referee.films.written import Message, cannot_be_known, correction, decide, show, wager_in
from tests.referee.test_referee_mutations import leaves, otherwise, with_change

EMPTY_SEAT: Message = {"kind": "empty_seat", "to": "seat 3", "article": "17.º 4 2)"}
KEYED_IN: Message = {"kind": "keyed_in", "to": "seat 2", "article": "policy: unread cards"}


def dealt(film: Film) -> None:
    """A faultless round to its end."""
    film.deal(HANDS, BANK[0])
    finish(film)


def test_art_17_4_2_and_5_cards_to_a_seat_without_a_bet_are_null_and_the_next_move_up(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card("seat 2", HANDS[2])
    film.card("seat 3", "As Ad Ah", "up")
    film.wrong("empty_seat", seat=3, meant_for="seat 4")
    film.card("seat 4", HANDS[4])
    film.card("bank", BANK[0])
    finish(film)
    right = told(all_lost(1, None), EMPTY_SEAT)
    assert film.judge(right).differences == []
    assert film.judge(told(all_lost(1, None), EMPTY_SEAT, exposed("seat 3", "17.º 4 1)"))).differences == []
    assert film.judge(all_lost(1, None)).differences == [
        "round 1, irregularities, empty_seat: expected ['seat 3'], got []"
    ]
    assert film.judge(told(all_lost(1, None), EMPTY_SEAT | {"to": "seat 5"})).differences
    assert film.judge(told(all_lost(1, None), EMPTY_SEAT | {"article": "17.º 1 1)"})).differences
    counted = copy.deepcopy(right)
    show(counted, "seat 4", "As Ad Ah")
    assert film.judge(counted).differences
    assert film.judge(voided("17.º 1 1)")).differences


def test_art_17_4_2_from_a_shoe_single_cards_are_null(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.card("seat 2", "8c")
    film.card("seat 5", "As")
    film.wrong("empty_seat", seat=5, meant_for="seat 4")
    for place, card in zip("424244", ["Tc", "5d", "6d", "2s", "3s", ""], strict=True):
        film.card(f"seat {place}", card)
    film.card("bank", BANK[0])
    finish(film)
    right = told(all_lost(1, None), EMPTY_SEAT | {"to": "seat 5"}, source="shoe")
    assert film.judge(right).differences == []


def test_art_17_4_1_one_exposed_player_card_and_any_community_card_go_on_and_are_told(tmp_path: Path) -> None:
    film = Film(tmp_path)
    film.begin(BETS, chips=(2,))
    film.deal(HANDS, BANK[0])
    film.card("discard", "2h")
    film.card("community", COMMUNITY, "up")
    film.wrong("exposed", to="community", count=2)
    film.wrong("exposed", to="seat 4")
    finish(film, community=COMMUNITY)
    both = (exposed("community", "policy: community cards seen", 2), exposed("seat 4", "17.º 4 1)"))
    base = all_lost(1, 60000350, (2,))
    assert film.judge(told(base, *both)).differences == []
    for wrong in [(), both[:1], both[1:], (*both, both[1]), (both[0], both[1] | {"to": "seat 2"})]:
        assert film.judge(told(base, *wrong)).differences, wrong
    assert film.judge(told(base, both[0], both[1] | {"article": "17.º 1 2)"})).differences


def test_nothing_is_told_that_did_not_happen(tmp_path: Path) -> None:
    film = plain(tmp_path)
    dealt(film)
    base = all_lost(1, None)
    assert film.judge(base).differences == []
    for invented in (EMPTY_SEAT, KEYED_IN, exposed("seat 2", "17.º 4 1)"), {"kind": "other"}, {"article": "17.º"}):
        assert film.judge(told(base, invented)).differences, invented
    fix = correction("decision", "seat 2", "fold", "play")
    assert film.judge(told(base, corrections=(fix,))).differences == [
        "round 1, corrections: expected [], got ['decision']"
    ]
    for key in ("irregularities", "corrections", "source"):
        assert film.judge({name: part for name, part in base.items() if name != key}).differences, key


def test_a_void_round_may_have_ended_before_an_irregularity_was_told(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card("seat 2", "8c", "up")
    film.card("seat 2", "5d 2s")
    film.fault("shuffler", "jam")
    film.end()
    base = voided("17.º 2")
    assert film.judge(base).differences == []
    assert film.judge(told(base, exposed("seat 2", "17.º 4 1)"))).differences == []
    assert film.judge(told(base, exposed("seat 4", "17.º 4 1)"))).differences
    assert film.judge(told(base, EMPTY_SEAT)).differences


@pytest.mark.parametrize(("source", "kind"), [("shuffler", "misread"), ("shoe", "unreadable")])
def test_a_card_that_was_not_read_is_keyed_in_and_the_real_one_is_told(tmp_path: Path, source: str, kind: str) -> None:
    film = plain(tmp_path, source)
    film.fault(source, kind)
    film.deal(HANDS, BANK[0])
    finish(film)
    base = all_lost(1, None) | {"source": source}
    assert film.judge(told(base, KEYED_IN, source=source)).differences == []
    assert film.judge(base).differences == ["round 1, irregularities, keyed_in: expected 'keyed_in', got 'nothing'"]
    show(base, "seat 2", "8c 5d 2d")
    assert film.judge(told(base, KEYED_IN, source=source)).differences


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
    assert film.judge(told(base, KEYED_IN | {"to": "seat 4"})).differences == []
    assert film.judge(told(base, KEYED_IN)).differences


def test_a_miskeyed_card_is_corrected(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.fault("shuffler", "misread")
    film.deal(HANDS, BANK[0])
    film.wrong("miskey", to="seat 2")
    finish(film)
    base = all_lost(1, None)
    fix = correction("cards", "seat 2", "8c 5d 2d", HANDS[2])
    assert film.judge(told(base, KEYED_IN, corrections=(fix,))).differences == []
    assert film.judge(told(base, KEYED_IN)).differences == ["round 1, corrections: expected ['cards'], got []"]
    wrong = correction("cards", "seat 2", HANDS[2], "8c 5d 2d")
    assert film.judge(told(base, KEYED_IN, corrections=(wrong,))).differences


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
    assert film.judge(told(all_lost(1, None), corrections=(fix,))).differences == []
    assert film.judge(told(all_lost(1, None), corrections=(fix | {"change": None},))).differences == []
    assert film.judge(told(all_lost(1, None), corrections=(fix | wrong,))).differences


@pytest.mark.parametrize(("slip", "filmed", "fix"), SLIPPED)
def test_a_slip_is_corrected_and_the_message_tells_the_truth(
    tmp_path: Path, slip: str, filmed: dict[str, object], fix: Message
) -> None:
    film = plain(tmp_path)
    film.wrong(slip, **filmed)
    dealt(film)
    base = all_lost(1, None)
    right = told(base, corrections=(fix,))
    assert film.judge(right).differences == []
    assert film.judge(base).differences == [f"round 1, corrections: expected ['{fix['what']}'], got []"]
    for other, _, another in SLIPPED:
        if other != slip:
            assert film.judge(told(base, corrections=(another,))).differences
    before, after = replaced_in(fix)
    for key, wrong in [("actor", ""), ("reason", None), (before, fix[after])]:
        assert film.judge(told(base, corrections=(fix | {key: wrong},))).differences, key
    back = fix | {before: fix[after], after: fix[before]}
    assert film.judge(told(base, corrections=(back,))).differences
    entered = copy.deepcopy(right)
    wager_in(entered, 2, "ante")["amount"] = 1000
    assert film.judge(entered).differences
    entered = copy.deepcopy(right)
    decide(entered, 4, "fold")
    assert film.judge(entered).differences


def test_a_wager_entered_wrongly_stands_in_a_round_that_was_void_before_it_was_put_right(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card("seat 4", HANDS[4])
    film.end()
    entered = voided("17.º 1 1)")
    wager_in(entered, 2, "ante")["amount"] = 1000
    entered["seats"][0]["lines"][0]["stake"] = 1000
    assert film.judge(entered).differences
    film.wrong("slip_wager", seat=2, wager="ante")
    assert film.judge(entered).differences == []
    assert film.judge(voided("17.º 1 1)")).differences == []
    fix = correction("wager", "seat 2", 1000, 10000, wager="ante")
    assert film.judge(told(voided("17.º 1 1)"), corrections=(fix,))).differences == []
    assert film.judge(told(entered, corrections=(fix,))).differences
    entered["seats"][1]["lines"][0]["stake"] = 1000
    assert film.judge(entered).differences


def test_a_seat_entered_wrongly_stands_in_a_round_that_was_void_before_it_was_put_right(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.wrong("slip_seat", seat=2, keyed=1)
    film.card("seat 2", "8c", "up")
    film.card("seat 2", "5d 2s")
    film.card("seat 4", "Tc", "up")
    film.end()
    seen = (exposed("seat 1", "17.º 1 3)"), exposed("seat 4", "17.º 1 3)"))
    entered = told(voided("17.º 1 3)"), *seen)
    for part in ("wagers", "seats"):
        entered[part][0]["seat"] = 1
    assert film.judge(entered).differences == []
    assert film.judge(told(voided("17.º 1 3)"), *seen)).differences
    fix = correction("seat", "seat 1", "seat 1", "seat 2")
    assert film.judge(told(entered, *seen, corrections=(fix,))).differences


def evening(folder: Path) -> tuple[Film, list[Message]]:
    """A slip and an unread card; a chip carried after a jam and taken back after an exposed card."""
    film = Film(folder)
    film.begin(BETS)
    film.see("lamp", lamp="lock", on=True)
    film.wrong("slip_decision", seat=4)
    film.fault("shuffler", "misread")
    film.card("seat 2", "8c", "up")
    film.card("seat 2", "5d 2s")
    film.card("seat 3", "As Ad Ah")
    film.card("seat 4", HANDS[4])
    film.card("bank", BANK[0])
    finish(film)
    film.begin(BETS, chips=(2,))
    film.see("lamp", lamp="lock", on=True)
    film.fault("shuffler", "jam")
    film.fault("shuffler", "jam", on=False)
    film.end()
    film.begin(BETS)
    film.card("seat 2", HANDS[2])
    film.card("seat 4", HANDS[4])
    film.card("bank", "Kd", "up")
    film.back(2)
    film.end()
    fix = correction("decision", "seat 4", "fold", "play")
    first = told(all_lost(1, 60000000), EMPTY_SEAT, KEYED_IN, exposed("seat 2", "17.º 4 1)"), corrections=(fix,))
    second = voided("17.º 2", (2,), (60000350, 60000350), number=2)
    third = told(voided("17.º 1 2)", (2,), (60000350, 60000000), number=3), exposed("bank", "17.º 1 2)"))
    return film, copy.deepcopy([first, second, third])


def is_open(at: tuple[str | int, ...], wrong: Any, messages: list[Message]) -> bool:
    """Whether another value is as good there."""
    return cannot_be_known(at[-1], wrong) or (at[1] == "corrections" and at[-1] in ("before", "amount_before"))


def test_every_changed_value_is_told(tmp_path: Path) -> None:
    film, messages = evening(tmp_path)
    report = film.judge(*messages)
    assert (report.differences, report.notes) == ([], [])
    assert dict(report.void_by) == {"17.º 2": 1, "17.º 1 2)": 1}
    missed = []
    tried = 0
    for at, value in leaves(messages):
        for wrong in otherwise(value):
            if not is_open(at, wrong, messages):
                tried += 1
                if not judge(film.station, film.camera, with_change(messages, at, wrong)).differences:
                    missed.append((at, value, wrong))
    assert missed == []
    assert tried > 400


def test_nothing_in_a_message_stops_the_referee(tmp_path: Path) -> None:
    film, messages = evening(tmp_path)
    film.judge()
    for at, _ in leaves(messages):
        for nonsense in (None, [1], {"x": 1}, "x", -1):
            for length in range(2, len(at) + 1):
                judge(film.station, film.camera, with_change(messages, at[:length], nonsense))


@pytest.mark.parametrize("event", ["irregularity", "fault", "chip_back", "card", "chip"])
def test_every_line_missing_from_the_film_is_told(tmp_path: Path, event: str) -> None:
    film, messages = evening(tmp_path)
    whole = film.lines
    for at, seen in enumerate(whole):
        if seen["event"] != event or seen.get("on") is False or (seen["round"] == 3 and event == "card"):
            continue
        if seen["round"] == 1 and seen.get("to") == "seat 3" and seen["card"] != "As":
            continue
        film.lines = whole[:at] + whole[at + 1 :]
        if seen["round"] == 1 and seen.get("to") == "seat 3":
            film.lines = [one for one in film.lines if one.get("to") != "seat 3"]
        assert film.judge(*messages).differences, seen
