"""A referee that cannot fail is worthless: every value of every message is changed in turn, and each must be told."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.referee.film.judge import judge
from tests.referee.film.message import KEYS
from tests.referee.films.poker import Film, line, seat, settled, void
from tests.referee.films.written import Message, award, cannot_be_known, seat_in, show

BETS = {
    1: {"ante": 10000, "pair_plus": 5000, "six_card_bonus": 1000},
    2: {"ante": 20000},
    3: {"ante": 10000, "pair_plus": 5000},
    6: {"ante": 30000},
}
HANDS = {1: "As Ks Qs", 2: "7c 6d 4s", 3: "9h 8h 7h", 6: "Qc 9s 4c"}
BANK = ("Qd 9c 4h", "high_card", True)
CHIPS = (1, 3)
WAGERS = {at: BETS[at] | ({"jackpot": 500} if at in CHIPS else {}) for at in BETS}
AWARDS: tuple[Message, ...] = (award(1, "royal_flush", 60000700, "16.º 3 1)"),)
SEATS = {
    1: seat(
        "As Ks Qs",
        "straight_flush",
        "play",
        10000 + 10000 + 50000 + 200000 - 1000 + 60000200,
        line("ante", 10000, "win", "1:1", 10000, "13.º 3)"),
        line("play", 10000, "win", "1:1", 10000, "13.º 3)"),
        line("ante_bonus", 10000, "win", "5:1", 50000, "13.º 4) (1)"),
        line("pair_plus", 5000, "win", "40:1", 200000, "16.º 1 1)"),
        line("six_card_bonus", 1000, "lose", None, -1000, "14.º", None),
        line("jackpot", 500, "win", None, 60000200, "16.º 3 1)", "royal_flush"),
    ),
    2: seat(None, None, "fold", -20000, line("ante", 20000, "lose", None, -20000, "12.º 2")),
    3: seat(
        "9h 8h 7h",
        "straight_flush",
        "fold",
        -10000 + 200000 - 500,
        line("ante", 10000, "lose", None, -10000, "12.º 2"),
        line("pair_plus", 5000, "win", "40:1", 200000, "16.º 1 1)"),
        line("jackpot", 500, "lose", None, -500, "15.º 1", None),
    ),
    6: seat(
        "Qc 9s 4c",
        "high_card",
        "play",
        0,
        line("ante", 30000, "push", None, 0, "7.º 1 6)"),
        line("play", 30000, "push", None, 0, "7.º 1 6)"),
    ),
}


def filmed(folder: Path) -> tuple[Film, list[Message]]:
    """A void round whose chips go on, a royal, a round without a jackpot bet."""
    film = Film(folder)
    film.see("lamp", lamp="lock", on=False)  # before the first round
    film.begin(BETS, chips=CHIPS)
    film.card("seat 2", "2c 2d 3h")
    film.end()
    film.begin(BETS)
    film.deal(HANDS, BANK[0], "Js Ts")
    film.decide(seat_1="play", seat_2="fold", seat_3="fold", seat_6="play")
    film.turn(bank=BANK[0], seat_1=HANDS[1], seat_3=HANDS[3], seat_6=HANDS[6], community="Js Ts")
    film.pay(1, ante=10000, play=10000, ante_bonus=50000, pair_plus=200000)
    film.pay(3, pair_plus=200000)
    film.end()
    film.begin({2: {"ante": 20000}})
    film.deal({2: "9h 8h 7h"}, "Jd 9c 4h")
    film.decide(seat_2="play")
    film.turn(bank="Jd 9c 4h", seat_2="9h 8h 7h")
    film.pay(2, ante=20000, ante_bonus=100000)
    film.pay(1, jackpot=60000700)
    film.end()
    won = seat(
        "9h 8h 7h",
        "straight_flush",
        "play",
        120000,
        line("ante", 20000, "win", "1:1", 20000, "13.º 1)"),
        line("play", 20000, "push", None, 0, "13.º 1)"),
        line("ante_bonus", 20000, "win", "5:1", 100000, "13.º 4) (1)"),
    )
    messages = [
        void(1, WAGERS, "17.º 1 1)", (60000700, 60000700), carried=True),
        settled(2, WAGERS, BANK, SEATS, "Js Ts", (60000700, 50000000), AWARDS),
        settled(
            3,
            {2: {"ante": 20000}},
            ("Jd 9c 4h", "high_card", False),
            {2: won},
            jackpot=(50000000, 50000000),
        ),
    ]
    return film, copy.deepcopy(messages)


Path_ = tuple[str | int, ...]


def leaves(value: Any, at: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value of a message that holds no others."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*at, key))
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from leaves(inner, (*at, place))
    else:
        yield at, value


def otherwise(value: Any) -> list[Any]:
    """What could stand there wrongly."""
    if isinstance(value, bool):
        return [not value, None, int(value)]
    if isinstance(value, int):
        return [value + 1, -value - 1, float(value), str(value), None]
    if isinstance(value, str):
        return [value + "x", "", None, 1]
    if isinstance(value, list):
        return [[{}], None]
    return ["As Ks Qs", "1:1", True, 0]


def with_change(messages: list[Message], at: Path_, value: Any) -> list[Message]:
    """A copy with one value changed."""
    changed: Any = copy.deepcopy(messages)
    inner = changed
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return list(changed)


def is_open(at: Path_, wrong: Any, messages: list[Message]) -> bool:
    """Whether another value is as good there: what the camera cannot know, some citations of bets lost or pushed."""
    if cannot_be_known(at[-1], wrong):
        return True
    if not (isinstance(wrong, str) and wrong and at[-1] == "article" and "lines" in at):
        return False
    if messages[int(at[0])]["outcome"] == "void":
        return False
    told = messages[int(at[0])]["seats"][int(at[2])]["lines"][int(at[4])]
    return (told["wager"], told["outcome"]) == ("jackpot", "lose") or told["outcome"] == "push"


def test_the_evening_is_right_as_it_stands(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    report = film.judge(*messages)
    assert (report.differences, report.notes, report.unpaid) == ([], [], [])
    assert (report.rounds, report.settled, report.void) == (3, 2, 1)
    assert report.house_funded == 50000000 - 100
    paid_out = report.initial + report.contributions - report.returned + report.house_funded - report.awards
    assert paid_out == report.pot + report.reserve + report.overflow


def test_every_changed_value_is_told(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    film.judge()
    missed = []
    tried = 0
    for at, value in leaves(messages):
        for wrong in otherwise(value):
            if not is_open(at, wrong, messages):
                tried += 1
                if not judge(film.station, film.camera, with_change(messages, at, wrong)).differences:
                    missed.append((at, value, wrong))
    assert missed == []
    assert tried > 1000


def branches(value: Any, at: Path_ = ()) -> Iterator[Path_]:
    """Every place in a message, with what is below it."""
    if at:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield from branches(below, (*at, key))


def test_nothing_in_a_message_stops_the_referee(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    film.judge()
    for at in branches(messages):
        for nonsense in (None, [1], {"x": 1}, "x"):
            if len(at) > 1:
                judge(film.station, film.camera, with_change(messages, at, nonsense))


@pytest.mark.parametrize("key", sorted(KEYS | {"jackpot"}))
def test_every_missing_part_is_told(tmp_path: Path, key: str) -> None:
    film, messages = filmed(tmp_path)
    del messages[1][key]
    assert film.judge(*messages).differences


def test_a_swapped_card_is_told_by_seat(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    show(messages[1], "seat 3", "9h 8h 6h")
    assert film.judge(*messages).differences == ["round 2, seat 3, cards: expected '9h 8h 7h', got '9h 8h 6h'"]


def test_a_hidden_hand_shown_is_told(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    show(messages[1], "seat 2", HANDS[2])
    assert film.judge(*messages).differences == ["round 2, seat 2, cards: expected None, got '7c 6d 4s'"]


def test_a_wrong_net_names_round_seat_and_line(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    seat_in(messages[1], 3)["lines"][1]["net"] = 125000
    assert film.judge(*messages).differences == ["round 2, seat 3, line pair_plus, net: expected 200000, got 125000"]


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_dropped_round_is_told(tmp_path: Path, gone: int) -> None:
    film, messages = filmed(tmp_path)
    del messages[gone]
    assert f"round {gone + 1}: expected a message, got none" in film.judge(*messages).differences


def test_a_doubled_round_is_told(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    assert film.judge(*messages, messages[1]).differences == ["round 2: expected one message, got another"]


def test_rounds_out_of_order_are_told(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    said = film.judge(messages[0], messages[2], messages[1]).differences
    assert said[0] == "round 2: expected before round 3, got after it"
    assert [one.split(":")[0] for one in said[1:]] == ["round 2, sequence", "round 2, began"]


def test_a_round_counted_or_begun_before_the_end_of_the_one_before_it_is_told(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    first = messages[0]
    for key, value in (("sequence", first["sequence"]), ("began", first["began"])):
        said = film.judge(first, messages[1] | {key: value}, messages[2]).differences
        assert len(said) == 1 and said[0].startswith(f"round 2, {key}: expected"), key
    assert film.judge(first, messages[1] | {"began": first["confirmed"]}, messages[2]).differences == []


def test_a_round_nobody_filmed_is_told(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    assert len(film.judge(*messages, messages[2] | {"round": 4}).differences) == 1


def test_an_extra_seat_and_an_extra_line_are_told(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    extra = copy.deepcopy(messages)
    extra[1]["seats"].insert(3, seat_in(extra[1], 2) | {"seat": 5})
    assert film.judge(*extra).differences
    extra = copy.deepcopy(messages)
    seat_in(extra[1], 1)["lines"] *= 2
    assert film.judge(*extra).differences
    extra = copy.deepcopy(messages)
    extra[1]["jackpot"]["awards"] *= 2
    assert film.judge(*extra).differences


def test_a_card_twice_on_the_table_is_told(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    for seen in film.lines:
        if seen["round"] == 2 and seen.get("card") == "6d":
            seen["card"] = "7h"
    said = film.judge(*messages).differences
    assert "round 2, cards: expected 'each card once', got 'twice on the table: 7h'" in said
    assert "round 2, outcome: expected 'void', got 'settled'" in said


@pytest.mark.parametrize("event", ["decision", "turned", "pay", "card", "wager", "chip", "lock_in"])
def test_every_line_missing_from_the_film_is_told(tmp_path: Path, event: str) -> None:
    film, messages = filmed(tmp_path)
    whole = film.lines
    for at, seen in enumerate(whole):
        if seen["event"] != event or seen.get("decision") == "fold":
            continue  # not doubling is giving up (12.º 2)
        if seen.get("to") == "discard" or (seen["event"] == "card" and seen["round"] == 1):
            continue
        if seen["event"] == "pay" and seen["wager"] == "jackpot":
            continue  # it may still be handed over
        film.lines = whole[:at] + whole[at + 1 :]
        assert film.judge(*messages).differences, seen


def test_the_last_round_may_still_be_played_and_its_last_line_cut_off(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    film.begin({2: {"ante": 20000}}, chips=(2,))
    film.card("seat 2", "9h")
    report = film.judge(*messages)
    assert report.differences == []
    assert report.pot == 50000350
    with film.camera.open("a", encoding="utf-8") as camera:
        camera.write('{"round": 4, "ev')
    report = judge(film.station, film.camera, messages)
    assert report.differences == []
    assert len(report.notes) == 1


def test_on_the_command_line(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    film.judge(*messages)
    told = tmp_path / "rounds.jsonl"
    command = [sys.executable, "-m", "tests.referee", "film", str(film.station), str(film.camera), str(told)]
    told.write_text("".join(json.dumps({"specversion": "1.0", "data": one}) + "\n" for one in messages))
    right = subprocess.run(command, capture_output=True, text=True, check=False)
    assert right.returncode == 0
    assert "3 rounds, 2 settled, 1 void" in right.stdout
    told.write_text("".join(json.dumps(one) + "\n" for one in messages[:2]))
    wrong = subprocess.run(command, capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "round 3: expected a message, got none" in wrong.stdout
