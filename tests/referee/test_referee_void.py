"""What voids a round and what does not, told from the camera alone: article 17.º and the policies."""

from pathlib import Path

import pytest

from tests.referee.films.plain import BANK, BETS, HANDS, all_lost, exposed, finish, only, plain, told, voided
from tests.referee.films.poker import Film
from tests.referee.films.written import decide, show


@pytest.mark.parametrize("kind", ["order", "number"])
@pytest.mark.parametrize("when", ["deal", "decisions", "turned"])
def test_art_17_1_1_a_deal_in_a_wrong_order_or_number_voids_until_the_round_is_confirmed(
    tmp_path: Path, kind: str, when: str
) -> None:
    film = plain(tmp_path)
    film.card("seat 2", HANDS[2])
    if when != "deal":
        film.card("seat 4", HANDS[4])
        film.card("bank", BANK[0])
        film.decide(seat_2="play", seat_4="play")
    if when == "turned":
        film.turn(bank=BANK[0])
    film.wrong(kind)
    film.end()
    only(film, voided("17.º 1 1)"))


def test_art_17_1_1_cards_in_a_wrong_order_void_whether_the_hands_noticed_or_not(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card("seat 4", HANDS[4])
    film.card("seat 2", HANDS[2])
    film.card("bank", BANK[0])
    film.end()
    only(film, voided("17.º 1 1)"))


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_art_17_1_1_a_card_too_many_voids(tmp_path: Path, source: str) -> None:
    film = plain(tmp_path, source)
    film.deal(HANDS, BANK[0])
    film.card("bank", "Ah")
    film.end()
    only(film, told(voided("17.º 1 1)"), source=source))


@pytest.mark.parametrize("on_the_felt", [True, False])
def test_art_17_1_1_a_short_packet_voids(tmp_path: Path, on_the_felt: bool) -> None:
    film = plain(tmp_path)
    film.fault("shuffler", "short")
    film.card("seat 2", "8c 5d" if on_the_felt else "")
    film.end()
    only(film, voided("17.º 1 1)"))


def test_art_17_1_2_an_exposed_bank_card_voids(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, "")
    film.card("bank", "Kd", "up")
    film.wrong("exposed", to="bank")
    film.card("bank", "9c 4h")
    film.end()
    right = told(voided("17.º 1 2)"), exposed("bank", "17.º 1 2)"))
    only(film, right)
    show(right, "bank", "Kd")
    assert film.judge(right).differences == []
    show(right, "bank", "9c")
    assert film.judge(right).differences == ["round 1, void, cards: expected 'no card that was not shown', got '9c'"]


def test_art_17_1_3_two_exposed_player_cards_void_over_the_whole_deal_and_one_does_not(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card("seat 2", "8c", "up")
    film.wrong("exposed", to="seat 2")
    film.card("seat 2", "5d 2s")
    one = told(all_lost(1, None), exposed("seat 2", "17.º 4 1)"))
    two = told(voided("17.º 1 3)"), exposed("seat 2", "17.º 1 3)"), exposed("seat 4", "17.º 1 3)"))
    start = list(film.lines)
    film.card("seat 4", HANDS[4])
    film.card("bank", BANK[0])
    finish(film)
    only(film, one)
    film.lines = start
    film.card("seat 4", "Tc", "up")
    film.wrong("exposed", to="seat 4")
    film.end()
    only(film, two)
    show(two, "seat 2", "8c")
    assert film.judge(two).differences == []
    show(two, "seat 2", "8c 5d 2s")
    assert film.judge(two).differences == ["round 1, void, cards: expected 'no card that was not shown', got '5d 2s'"]


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
    right = told(all_lost(1, None), *seen) | {"rules": [key]}
    only(film, right)
    right["rules"] = []
    assert film.judge(right).differences == [f"round 1, rules: expected ['{key}'], got []"]
    film.lines = dealt
    film.wrong("exposed", to="seat 4", count=2)
    film.end()
    twice = exposed("seat 4", "17.º 1 3)", 2)
    assert film.judge(told(voided("17.º 1 3)"), seen[0], twice) | {"rules": [key]}).differences == []


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
def test_art_17_1_cards_seen_after_they_lay(tmp_path: Path, seen: list[tuple[str, int]], article: str | None) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK[0])
    for place, count in seen:
        film.wrong("exposed", to=place, count=count)
    citation = article or ("policy: community cards seen" if seen[0][0] == "community" else "17.º 4 1)")
    listed = [exposed(place, citation, count) for place, count in seen if place != "seat 3"]
    if article:
        film.end()
        only(film, told(voided(article), *listed))
    else:
        finish(film)
        only(film, told(all_lost(1, None), *listed))


def test_a_card_seen_once_the_hands_are_turned_is_no_exposure(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK[0])
    film.decide(seat_2="play", seat_4="play")
    film.turn(bank=BANK[0])
    film.wrong("exposed", to="bank")
    film.turn(seat_2=HANDS[2], seat_4=HANDS[4])
    film.end()
    only(film, all_lost(1, None))


def test_the_first_irregularity_decides(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card("seat 2", HANDS[2])
    film.wrong("order")
    film.wrong("exposed", to="bank")
    film.fault("shuffler", "jam")
    film.wrong("supervisor_void")
    film.end()
    only(film, voided("17.º 1 1)"))


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_policy_complete_deck_both_copies_of_a_card_void_when_the_first_hand_is_to_be_shown(
    tmp_path: Path, source: str
) -> None:
    film = plain(tmp_path, source)
    film.fault("deck", "doubled")
    film.deal(HANDS, "Kd 9c 8c")
    film.decide(seat_2="play", seat_4="fold")
    film.turn(bank="Kd 9c 8c")
    film.fault("deck", "doubled", on=False)
    film.end()
    right = told(voided("policy: complete deck"), source=source)
    decide(right, 2, "play")
    decide(right, 4, "fold")
    only(film, right)
    film.wrong("supervisor_void")
    only(film, right)
    film.lines = [line for line in film.lines if line["event"] != "fault"]
    assert film.judge(right).differences == ["round 1, cards: expected 'each card once', got 'twice on the table: 8c'"]


def test_policy_complete_deck_an_earlier_void_comes_first(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.fault("deck", "doubled")
    film.deal(HANDS, "Kd 9c 8c")
    film.decide(seat_2="play")
    film.wrong("supervisor_void")
    film.end()
    only(film, voided("policy: supervisor's void"))


def test_policy_complete_deck_the_shuffler_may_find_out_in_the_deal(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.fault("deck", "missing")
    film.deal(HANDS, BANK[0])
    found = list(film.lines)
    film.end()
    assert film.judge(voided("policy: complete deck")).differences == []
    film.lines = found
    finish(film)
    assert film.judge(voided("policy: complete deck")).differences
    assert film.judge(all_lost(1, None)).differences == []


def test_policy_complete_deck_a_copy_that_perhaps_nobody_read(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.fault("deck", "doubled")
    film.fault("shoe", "unreadable")
    film.deal(HANDS, "Kd 9c 8c")
    film.decide(seat_2="play", seat_4="play")
    film.end()
    right = told(voided("policy: complete deck"), source="shoe")
    assert film.judge(right).differences == []
    assert len(film.judge(right).notes) == 1


@pytest.mark.parametrize("kind", ["lost", "late", "mute", "restart"])
@pytest.mark.parametrize("cards", [0, 3, 9])
def test_policy_every_card_heard_may_void_after_a_fault_of_the_shoe(tmp_path: Path, kind: str, cards: int) -> None:
    film = plain(tmp_path, "shoe")
    film.fault("shoe", kind)
    begun = list(film.lines)
    film.deal(HANDS, BANK[0])
    film.lines = film.lines[: len(begun) + cards]
    film.end()
    right = told(voided("policy: every card heard"), source="shoe")
    report = film.judge(right)
    assert report.differences == []
    assert len(report.notes) == (1 if cards == 9 else 0)
    assert film.judge(right | voided("17.º 2") | {"source": "shoe"}).differences


@pytest.mark.parametrize(
    ("source", "device", "kind"),
    [("shoe", "shoe", "unreadable"), ("shoe", "slots", "lost"), ("shuffler", "shoe", "lost")],
)
def test_policy_every_card_heard_needs_a_fault_by_which_a_card_is_not_heard(
    tmp_path: Path, source: str, device: str, kind: str
) -> None:
    film = plain(tmp_path, source)
    film.fault(device, kind)
    film.deal(HANDS, BANK[0])
    film.end()
    said = film.judge(told(voided("policy: every card heard"), source=source)).differences
    assert "round 1, outcome: expected 'settled', got 'void'" in said


def test_a_fault_of_the_round_before_excuses_nothing(tmp_path: Path) -> None:
    film = plain(tmp_path, "shoe")
    film.fault("shoe", "lost")
    film.deal(HANDS, BANK[0])
    finish(film)
    film.begin(BETS)
    film.deal(HANDS, BANK[0])
    film.end()
    first = told(all_lost(1, None), source="shoe")
    second = told(voided("policy: every card heard", number=2), source="shoe")
    assert "round 2, outcome: expected 'settled', got 'void'" in film.judge(first, second).differences


@pytest.mark.parametrize("when", ["wagers", "deal", "turned"])
def test_policy_supervisors_void(tmp_path: Path, when: str) -> None:
    film = Film(tmp_path, additional=())
    film.open(BETS)
    if when != "wagers":
        film.see("lock_in")
        film.card("seat 2", HANDS[2])
    if when == "turned":
        film.card("seat 4", HANDS[4])
        film.card("bank", BANK[0])
        film.decide(seat_2="play", seat_4="play")
        film.turn(bank=BANK[0])
    film.wrong("supervisor_void")
    film.end()
    right = voided("policy: supervisor's void")
    if when == "turned":
        show(right, "bank", BANK[0])
        decide(right, 2, "play")
    only(film, right)
    if when == "wagers":
        right |= {"wagers": [], "seats": []}
        assert film.judge(right).differences == []


def test_a_policy_without_its_cause_is_told(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(HANDS, BANK[0])
    finish(film)
    only(film, all_lost(1, None))


def test_a_deal_that_stops_without_a_reason_is_told(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card("seat 2", HANDS[2])
    film.end()
    said = film.judge(voided("17.º 2")).differences
    assert said == ["round 1: the camera saw no complete deal and no reason why"]


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
