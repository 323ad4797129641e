"""Fortune 8 judged from the camera: bets, deal and odds; and every wrong message caught."""

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.referee.film.fortune_8_message import AgainstSpaces, added_bets
from tests.referee.film.judge import judge
from tests.referee.films.fortune_8 import ALL, BETS, CARDS, EVERY, SEATS, WITH_BETS, Film8, only, shown, told, voided
from tests.referee.films.written import Message, a_wager, cannot_be_known, correction, line, seat_in, show
from tests.referee.rules.fortune_8 import settle
from tests.referee.test_referee_mutations import branches, leaves, otherwise, with_change


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


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_fortune_8_a_plain_round_is_right_as_it_stands(tmp_path: Path, source: str) -> None:
    film = played(tmp_path, source)
    report = film.judge(told(source=source))
    assert (report.differences, report.notes, report.unpaid, report.carried) == ([], [], [], set())
    assert (report.rounds, report.settled, report.void) == (1, 1, 0)
    assert not any((report.initial, report.pot, report.contributions, report.awards))
    only(film, told(source=source))


def test_fortune_8_every_changed_value_is_told(tmp_path: Path) -> None:
    film = played(tmp_path)
    film.begin(WITH_BETS)
    film.card(2, "8c")
    film.wrong("order")
    film.end()
    fix = correction("wager", "seat 2", 1, 5000, wager="eight", player="Rui")
    film.lines.insert(8, {"round": 1, "event": "irregularity", "kind": "slip_wager", "seat": 2, "wager": "eight"})
    film.lines.insert(
        9, {"round": 1, "event": "irregularity", "kind": "error_corrected", "to": "seat 3", "what": "place"}
    )
    error = {"kind": "error_corrected", "to": "seat 3", "article": "5.º", "what": "place"}
    messages = [
        told(error, corrections=[fix]),
        voided("5.º", {2: "8c"}, number=2, deal=WITH_BETS),
    ]
    assert film.judge(*messages).differences == []
    missed = []
    tried = 0
    for at, value in leaves(messages):
        for wrong in otherwise(value):
            # What stood there before is not filmed.
            if cannot_be_known(at[-1], wrong) or ("corrections" in at and at[-1] in ("before", "amount_before")):
                continue
            tried += 1
            if not judge(film.station, film.camera, with_change(messages, at, wrong)).differences:
                missed.append((at, value, wrong))
    assert missed == []
    assert tried > 300


def test_fortune_8_nothing_in_a_message_stops_the_referee(tmp_path: Path) -> None:
    film = played(tmp_path)
    film.begin()
    film.fault("shoe", "unreadable")
    film.card(1, "2d")
    film.wrong("number")
    film.end()
    keyed_in = {"kind": "keyed_in", "to": "seat 1", "article": "policy: unread cards"}
    messages = [told(), voided("5.º", {1: "2d"}, keyed_in, number=2)]
    assert film.judge(*messages).differences == []
    for at in branches(messages):
        strange: list[Any] = [None, [1], {"x": 1}, "x", [{}], [{"seat": 1, "wager": "low", "player": [], "amount": 1}]]
        for nonsense in strange:
            if len(at) > 1:
                judge(film.station, film.camera, with_change(messages, at, nonsense))


@pytest.mark.parametrize("key", sorted(told()))
def test_fortune_8_every_missing_part_is_told(tmp_path: Path, key: str) -> None:
    film = played(tmp_path)
    message = told()
    del message[key]
    assert film.judge(message).differences
    assert film.judge(told() | {"jackpot": None}).differences


@pytest.mark.parametrize("event", ["card", "wager", "pay", "announce", "shuffled", "cut"])
def test_fortune_8_every_line_missing_from_the_film_is_told(tmp_path: Path, event: str) -> None:
    film = played(tmp_path)
    whole = film.lines
    found = 0
    for at, seen in enumerate(whole):
        if seen["event"] == event:
            found += 1
            film.lines = whole[:at] + whole[at + 1 :]
            assert film.judge(told()).differences, seen
    assert found


def test_fortune_8_missing_and_strange_bets_are_told(tmp_path: Path) -> None:
    film = played(tmp_path)

    def changed(change: Any) -> list[str]:
        message = copy.deepcopy(told())
        change(message)
        return film.judge(message).differences

    assert changed(lambda told: told["seats"].pop(1))
    assert changed(lambda told: told["seats"][0]["lines"].pop(1))
    assert changed(lambda told: told["seats"][0]["lines"].reverse())
    assert changed(lambda told: told["wagers"].insert(1, told["wagers"].pop(2)))
    assert changed(lambda told: told["wagers"][3].update(seat=5))
    assert changed(lambda told: told["seats"].insert(2, seat_in(told, 4) | {"seat": 5}))
    assert changed(lambda told: told["seats"][0]["lines"][1].pop("player"))
    assert changed(lambda told: show(told, "seat 2", "8h")) == ["round 1, seat 2, cards: expected '8d', got '8h'"]
    assert changed(lambda told: told["seats"][0]["lines"][2].update(net=5000)) == [
        "round 1, seat 2, line eight of Rui, net: expected 55000, got 5000"
    ]


@pytest.mark.parametrize("card", ["Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h", "7h", "6h", "5h", "4h", "3h", "2h"])
def test_fortune_8_art_7_and_8_each_value_wins_in_one_box(tmp_path: Path, card: str) -> None:
    film = Film8(tmp_path)
    film.begin(WITH_BETS, [(5, "Ana", wager, 1000) for wager in ("high", "low", "eight")])
    film.card(5, card)
    box = "low" if card[0] in "234567" else "eight" if card[0] == "8" else "high"
    times, article = (11, "8.º 2") if box == "eight" else (1, "8.º 1")
    film.see("pay", seat=5, wager=box, amount=1000 * times)
    film.end()
    lines = [
        line(name, 1000, "win", f"{times}:1", 1000 * times, article, player="Ana")
        if name == box
        else line(name, 1000, "lose", None, -1000, "6.º 1", player="Ana")
        for name in ("low", "eight", "high")
    ]
    wagers = [a_wager(5, name, "Ana", 1000) for name in ("low", "eight", "high")]
    seats = [{"seat": 5, "net": 1000 * times - 2000, "lines": lines}]
    right = told(deal=WITH_BETS, cards={5: card}, wagers=wagers, seats=seats)
    assert film.judge(right).differences == []


def test_fortune_8_art_4_6_only_spaces_with_bets_get_a_card(tmp_path: Path) -> None:
    film = plain(tmp_path, deal=WITH_BETS)
    film.deal(["8d", "As", "Td"], [2, 4, 7])
    film.finish()
    right = told(deal=WITH_BETS, cards={2: "8d", 4: "As", 7: "Td"})
    assert film.judge(right).differences == []
    assert film.judge(right | {"deal": EVERY}).differences
    for seen in film.lines:
        if seen["event"] == "announce":
            seen["deal"] = EVERY
    assert film.judge(right).differences


def test_fortune_8_art_4_3_each_bet_keeps_the_limits_and_one_taken_back_is_none(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.begin(bets=[*BETS, (1, "Eva", "low", 999), (1, "Eva", "high", 1000001), (3, "Eva", "low", 1000)][:-1])
    film.lines.insert(4, {"round": 1, "event": "wager", "seat": 3, "player": "Eva", "wager": "low", "amount": 1000})
    film.lines.insert(5, {"round": 1, "event": "wager", "seat": 3, "player": "Eva", "wager": "low", "amount": 0})
    film.deal()
    film.finish()
    assert film.judge(told()).differences == []


def test_fortune_8_art_4_5_a_bet_after_the_lock_in_does_not_count(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.open()
    film.see("lock_in")
    film.see("wager", seat=5, player="Eva", wager="low", amount=1000)
    film.see("announce", deal=EVERY)
    film.deal()
    film.finish()
    assert film.judge(told()).differences == []


def test_fortune_8_a_bet_changed_keeps_its_place_in_the_box(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.open([(2, "Ana", "eight", 2000), *BETS[1:]])
    film.see("wager", seat=2, player="Ana", wager="eight", amount=1000)
    film.see("lock_in")
    film.see("announce", deal=EVERY)
    film.deal()
    film.finish()
    assert film.judge(told()).differences == []


EARLY: Message = {"kind": "early_card", "to": "seat 1", "article": "3.º"}


@pytest.mark.parametrize("locked", [True, False])
@pytest.mark.parametrize("configured", [None, EVERY, WITH_BETS])
def test_fortune_8_art_3_an_early_card_is_valid_and_closes_the_betting(
    tmp_path: Path, locked: bool, configured: str | None
) -> None:
    film = Film8(tmp_path, configured=configured)
    film.open()
    if locked:
        film.see("lock_in")
    spaces = [2, 4, 7] if configured == WITH_BETS else list(range(1, 8))
    film.card(spaces[0], CARDS[spaces[0] - 1])
    film.wrong("early_card", to=f"seat {spaces[0]}")
    film.see("wager", seat=5, player="Eva", wager="low", amount=1000)
    film.see("announce", deal=EVERY)  # too late
    film.deal([CARDS[space - 1] for space in spaces[1:]], spaces[1:])
    film.finish()
    early = EARLY | {"to": f"seat {spaces[0]}"}
    cards = {space: CARDS[space - 1] for space in spaces}
    right = told(early, deal=configured or EVERY, cards=cards)
    only(film, right)
    assert film.judge(right | {"irregularities": []}).differences
    assert film.judge(right | {"irregularities": [early | {"to": "seat 4"}]}).differences
    assert film.judge(right | {"deal": WITH_BETS if right["deal"] == EVERY else EVERY}).differences


def test_fortune_8_a_card_before_any_bet_is_laid_aside(tmp_path: Path) -> None:
    film = Film8(tmp_path)
    film.open([])
    film.card("discard", "Qs")
    film.card(1, "Qd")
    film.moved(1, "discard", "Qd")
    for seat, player, wager, amount in BETS:
        film.see("wager", seat=seat, player=player, wager=wager, amount=amount)
    film.see("lock_in")
    film.see("announce", deal=EVERY)
    film.deal()
    film.finish()
    only(film, told())
    assert film.judge(told(EARLY)).differences


def test_fortune_8_nothing_invented_is_let_through(tmp_path: Path) -> None:
    film = played(tmp_path)
    for kind, article in (("exposed", "3.º"), ("keyed_in", "policy: unread cards"), ("error_corrected", "5.º")):
        assert film.judge(told({"kind": kind, "to": "seat 1", "article": article, "what": "place"})).differences
    assert film.judge(told(EARLY)).differences


def corrected(what: str, to: int) -> Message:
    """An error put right among the irregularities of a message."""
    return {"kind": "error_corrected", "what": what, "to": f"seat {to}", "article": "5.º"}


def test_fortune_8_art_5_a_card_at_the_wrong_place_is_put_right(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.deal(CARDS[:2], [1, 2])
    film.card(4, "Kh")
    film.moved(4, 3, "Kh")
    film.wrong("error_corrected", what="place", to="seat 3")
    film.deal(CARDS[3:], [4, 5, 6, 7])
    film.finish()
    right = told(corrected("place", 3))
    only(film, right)
    assert film.judge(told()).differences
    assert film.judge(told(corrected("order", 3))).differences
    assert film.judge(told(corrected("place", 4))).differences
    assert film.judge(told(corrected("place", 3), corrected("place", 3))).differences
    film.lines = [seen for seen in film.lines if seen["event"] != "moved"]
    assert film.judge(right).differences  # it still lies wrongly: 5.º


def test_fortune_8_art_5_two_cards_in_the_wrong_order_are_put_right_or_void(tmp_path: Path) -> None:
    film = plain(tmp_path)
    film.card(2, "2c")
    film.card(1, "8d")
    wrong = list(film.lines)
    film.moved(2, 1, "2c")
    film.moved(1, 2, "8d")
    film.wrong("error_corrected", what="order", to="seat 1")
    film.deal(CARDS[2:], [3, 4, 5, 6, 7])
    film.finish()
    only(film, told(corrected("order", 1)))
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
def test_fortune_8_art_5_a_card_too_many_is_laid_aside(tmp_path: Path, on_the_space: bool) -> None:
    film = plain(tmp_path)
    film.deal()
    if on_the_space:
        film.card(7, "5h")
        film.moved(7, "discard", "5h")
    else:
        film.card("discard", "5h")
    film.wrong("error_corrected", what="number", to="seat 7")
    film.finish()
    only(film, told(corrected("number", 7)))


@pytest.mark.parametrize("kind", ["order", "number"])
def test_fortune_8_art_5_what_cannot_be_put_right_voids(tmp_path: Path, kind: str) -> None:
    film = plain(tmp_path)
    film.deal()
    film.wrong(kind)
    film.end()
    right = voided("5.º", ALL)
    only(film, right)
    assert film.judge(voided("5.º", ALL | {3: "Kd"})).differences
    assert film.judge(voided("5.º", {1: "2c"})).differences
    film.see("pay", seat=4, wager="high", amount=3000)
    assert film.judge(right).differences == ["round 1, seat 4, line high, pushed on the table: expected 0, got 3000"]


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


def test_fortune_8_wins_are_pushed_to_the_player_whose_they_are(tmp_path: Path) -> None:
    film = played(tmp_path)
    for seen in film.lines:
        if seen["event"] == "pay" and seen["seat"] == 4:
            seen["player"] = "Eva"
            film.lines[6]["player"] = "Eva"  # the bet
    wagers = copy.deepcopy(told()["wagers"])
    wagers[3]["player"] = "Eva"
    seats: Any = copy.deepcopy(SEATS)
    seats[1]["lines"][0]["player"] = "Eva"
    right = told(wagers=wagers, seats=seats)
    assert film.judge(right).differences == []
    for seen in film.lines:
        if seen["event"] == "pay" and seen.get("player") == "Rui":
            seen["player"] = "Ana"
    assert len(film.judge(right).differences) == 2


def test_fortune_8_the_last_round_may_still_be_played(tmp_path: Path) -> None:
    film = played(tmp_path)
    film.begin()
    film.card(1, "2d")
    assert film.judge(told()).differences == []
    film.end()
    assert film.judge(told()).differences
    assert film.judge().differences
    assert film.judge(told(), told()).differences


ADDED: dict[str, Any] = {
    "name": "red eight",
    "pays": [{"cards": "8h 8d", "to_one": 20}, {"ranks": "8A", "suits": "h", "to_one": 2}],
    "reference": "DICJ 8/2026",
    "date": "2026-03-01",
}
OFFERED: dict[str, Any] = {"table": {"wagers": {"bet": [ADDED]}, "decks": 8}}


def test_fortune_8_art_9_1_an_authorised_bet_is_worth_what_its_first_set_pays() -> None:
    stand: dict[tuple[int, str, str | None], int] = {(seat, "red eight", None): 100 for seat in (1, 2, 3)}
    stand[1, "low", None] = 50
    worth = settle(stand, {"seat 1": "8h", "seat 2": "Ah", "seat 3": "8c"}, added_bets(OFFERED))
    assert [(seat, one.wager, one.odds, one.net, one.article) for seat, one in worth] == [
        (1, "low", None, -50, "6.º 1"),
        (1, "red eight", "20:1", 2000, "9.º 1"),
        (2, "red eight", "2:1", 200, "9.º 1"),
        (3, "red eight", None, -100, "9.º 1"),
    ]


def test_fortune_8_art_9_1_another_reference_or_other_odds_are_told() -> None:
    due = added_bets(OFFERED)
    told = [{**due[0], "pays": [{"cards": ["8d", "8h"], "to_one": 20}, {"cards": ["8h", "Ah"], "to_one": 2}]}]

    def differences(message: Any) -> list[str]:
        against = AgainstSpaces(1, {"added_bets": message})
        against.values("added_bets", due, message)
        return against.differences

    assert differences(told) == []
    assert differences([]) and differences([{**told[0], "reference": "DICJ 9/2026"}])
    assert differences([{**told[0], "pays": told[0]["pays"][:1]}])
