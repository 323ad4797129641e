"""Round files: the worked example to the byte, and everything that is refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import sentence

EXAMPLE = """
{"game": "fortune-3-card-poker-2025",
 "seats": {"1": {"ante": 10000, "pair_plus": 5000, "six_card_bonus": 1000, "jackpot": 500, "cards": "As Ks Qs", "decision": "play"},
           "3": {"pair_plus": 5000, "cards": "9h 9d 2c"}},
 "dealer": "Qd 9c 4h", "community": "Js Ts",
 "jackpot": {"pot": 123456700, "minimum": 50000000,
             "fixed": {"royal_flush": 5000000, "straight_flush": 1000000, "four_of_a_kind": 150000, "full_house": 50000, "flush": 25000}}}
"""  # noqa: E501
ANSWER = """
{"game": "fortune-3-card-poker-2025", "outcome": "settled", "dealer": {"hand": "high_card", "qualifies": true},
 "seats": {
  "1": {"hand": "straight_flush", "net": 123725200, "lines": [
    {"wager": "ante", "stake": 10000, "outcome": "win", "odds": "1:1", "net": 10000, "article": "13.º 3)"},
    {"wager": "play", "stake": 10000, "outcome": "win", "odds": "1:1", "net": 10000, "article": "13.º 3)"},
    {"wager": "ante_bonus", "stake": 10000, "outcome": "win", "odds": "5:1", "net": 50000, "article": "13.º 4) (1)"},
    {"wager": "pair_plus", "stake": 5000, "outcome": "win", "odds": "40:1", "net": 200000, "article": "16.º 1 1)"},
    {"wager": "six_card_bonus", "stake": 1000, "outcome": "lose", "odds": null, "net": -1000, "combination": null, "article": "14.º"},
    {"wager": "jackpot", "stake": 500, "outcome": "win", "odds": null, "net": 123456200, "combination": "royal_flush", "article": "16.º 3 1)"}]},
  "3": {"hand": "pair", "net": 5000, "lines": [
    {"wager": "pair_plus", "stake": 5000, "outcome": "win", "odds": "1:1", "net": 5000, "article": "16.º 1 5)"}]}},
 "jackpot": {"pot_before": 123456700, "pot_after": 50000000,
   "awards": [{"seat": 1, "tier": "royal_flush", "amount": 123456700, "from_pot": 123456700, "from_house": 0, "article": "16.º 3 1)"}]}}
"""  # noqa: E501

Round = dict[str, Any]


def example() -> Round:
    round_: Round = json.loads(EXAMPLE)
    return round_


def settled(round_: Round) -> Round:
    answer: Round = json.loads(settle_text(json.dumps(round_)))
    return answer


def refused(text: str | bytes) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        settle_text(text)
    line = sentence(refusal.value)
    assert line and len(line.splitlines()) == 1 and len(line) < 400
    line.encode()
    return refusal.value


def test_the_worked_example_is_answered_to_the_letter_and_in_its_order() -> None:
    compact = json.dumps(json.loads(ANSWER), ensure_ascii=False, separators=(",", ":"))
    assert settle_text(EXAMPLE) == settle_text(EXAMPLE.encode()) == compact.encode()


def test_the_answer_has_the_jackpot_exactly_when_the_file_has_it() -> None:
    without_bet = example()
    del without_bet["seats"]["1"]["jackpot"], without_bet["community"]
    assert settled(without_bet)["jackpot"] == {"pot_before": 123456700, "pot_after": 123456700, "awards": []}
    del without_bet["jackpot"]
    assert "jackpot" not in settled(without_bet)


def test_limits_let_pass_what_they_bound() -> None:
    assert settled(example() | {"limits": {"min": 1000, "max": 10000}}) == json.loads(ANSWER)


def test_seats_are_answered_from_the_bank_s_left_whatever_their_order_in_the_file() -> None:
    round_ = example()
    round_["seats"] = dict(reversed(round_["seats"].items()))
    assert settle_text(json.dumps(round_)) == settle_text(EXAMPLE)


def test_art_5_2_seats_are_one_to_seven() -> None:
    for seat in "1234567":
        round_ = example()
        round_["seats"] = {seat: {"pair_plus": 5, "cards": "9h 9d 2c"}}
        del round_["community"]
        assert list(settled(round_)["seats"]) == [seat]


def test_very_large_money_is_settled_exactly() -> None:
    round_ = example()
    stake = 10**900 + 7
    round_["seats"]["1"]["pair_plus"] = stake
    assert settled(round_)["seats"]["1"]["lines"][3]["net"] == 40 * stake


def test_fixed_amounts_may_be_nothing() -> None:
    round_ = example()
    round_["jackpot"]["fixed"] = dict.fromkeys(round_["jackpot"]["fixed"], 0)
    assert settled(round_)["jackpot"]["awards"][0]["amount"] == 123456700


def put(path: str, value: object) -> Callable[[Round], None]:
    def change(round_: Round) -> None:
        *parents, key = path.split(".")
        for parent in parents:
            round_ = round_[parent]
        round_[key] = value

    return change


def drop(*paths: str) -> Callable[[Round], None]:
    def change(round_: Round) -> None:
        for path in paths:
            *parents, key = path.split(".")
            holder = round_
            for parent in parents:
                holder = holder[parent]
            del holder[key]

    return change


def in_turn(*changes: Callable[[Round], None]) -> Callable[[Round], None]:
    def change(round_: Round) -> None:
        for one in changes:
            one(round_)

    return change


NOT_MONEY: list[object] = [0, -1, 100.0, 1e3, True, False, None, "100", [], {}, [100], 0.5, -0.0]
REFUSED: list[tuple[str, Callable[[Round], None], str, str | None]] = [
    ("no game", drop("game"), "game", None),
    ("another game", put("game", "fortune-3-card-poker"), "game", None),
    ("a game in capitals", put("game", "FORTUNE-3-CARD-POKER-2025"), "game", None),
    ("a game that is a number", put("game", 3), "game", None),
    ("a game that is a list", put("game", ["fortune-3-card-poker-2025"]), "game", None),
    ("unknown key", put("dealers", "Qd 9c 4h"), "round", None),
    ("unknown key in a seat", put("seats.1.bonus", 100), "seat 1", None),
    ("play given as a wager", put("seats.1.play", 10000), "seat 1", None),
    ("unknown key in the jackpot", put("jackpot.reserve", 1), "jackpot", None),
    ("unknown tier", put("jackpot.fixed.straight", 1), "jackpot.fixed", None),
    ("unknown key in the limits", put("limits", {"min": 1, "max": 100000, "step": 1}), "limits", None),
    ("no seats", drop("seats"), "round", None),
    ("seats in a list", put("seats", []), "seats", None),
    ("seats null", put("seats", None), "seats", None),
    ("nobody bets", put("seats", {}), "seats", "11.º"),
    ("a seat that is a list", put("seats.1", []), "seat 1", None),
    ("a seat that is null", put("seats.1", None), "seat 1", None),
    ("cards without a bet", put("seats.2", {"cards": "5c 6c 7c"}), "seat 2", "11.º"),
    ("seat 0", put("seats.0", {"ante": 1, "cards": "5c 6c 7c", "decision": "play"}), "seats", "5.º 2"),
    ("seat 8", put("seats.8", {"pair_plus": 1, "cards": "5c 6c 7c"}), "seats", "5.º 2"),
    ("seat 01", put("seats.01", {"pair_plus": 1, "cards": "5c 6c 7c"}), "seats", "5.º 2"),
    ("seat with a space", put("seats.1 ", {"pair_plus": 1, "cards": "5c 6c 7c"}), "seats", "5.º 2"),
    ("seat in other digits", put("seats.\u0661", {"pair_plus": 1, "cards": "5c 6c 7c"}), "seats", "5.º 2"),
    ("no cards", drop("seats.3.cards"), "seat 3", None),
    ("cards null", put("seats.3.cards", None), "seat 3", None),
    ("cards in a list", put("seats.3.cards", ["9h", "9d", "2c"]), "seat 3", None),
    ("two cards", put("seats.3.cards", "9h 9d"), "seat 3", "11.º"),
    ("four cards", put("seats.3.cards", "9h 9d 2c 3c"), "seat 3", "11.º"),
    ("no text", put("seats.3.cards", ""), "seat 3", None),
    ("two spaces", put("seats.3.cards", "9h  9d 2c"), "seat 3", None),
    ("leading space", put("seats.3.cards", " 9h 9d 2c"), "seat 3", None),
    ("trailing space", put("seats.3.cards", "9h 9d 2c "), "seat 3", None),
    ("a tab", put("seats.3.cards", "9h\t9d 2c"), "seat 3", None),
    ("suit in capitals", put("seats.3.cards", "9H 9d 2c"), "seat 3", None),
    ("rank in small", put("dealer", "qd 9c 4h"), "dealer", None),
    ("10 for T", put("community", "Js 10s"), "community", None),
    ("a card of its own seat again", put("seats.3.cards", "9h 9h 2c"), "seat 3", "2.º 1 1)"),
    ("a card of another seat", put("seats.3.cards", "9h 9d As"), "seat 3", "2.º 1 1)"),
    ("a card of a seat at the dealer", put("dealer", "Qd 9c As"), "dealer", "2.º 1 1)"),
    ("a card of the dealer in the middle", put("community", "Js Qd"), "community", "2.º 1 1)"),
    ("the same card twice in the middle", put("community", "Js Js"), "community", "2.º 1 1)"),
    ("no dealer", drop("dealer"), "round", None),
    ("dealer null", put("dealer", None), "dealer", None),
    ("dealer with two cards", put("dealer", "Qd 9c"), "dealer", "11.º"),
    ("community missing", drop("community"), "community", "11.º 3"),
    ("community null", put("community", None), "community", None),
    ("community of three", put("community", "Js Ts 9s"), "community", "11.º 3"),
    ("community without a jackpot bet", drop("seats.1.jackpot"), "community", "15.º 2"),
    (
        "community null without a jackpot bet",
        in_turn(drop("seats.1.jackpot"), put("community", None)),
        "community",
        "15.º 2",
    ),
    ("jackpot missing", drop("jackpot"), "jackpot", "16.º 3"),
    ("jackpot null", put("jackpot", None), "jackpot", None),
    ("no pot", drop("jackpot.pot"), "jackpot", None),
    ("no minimum", drop("jackpot.minimum"), "jackpot", None),
    ("no fixed amounts", drop("jackpot.fixed"), "jackpot", None),
    ("a fixed amount missing", drop("jackpot.fixed.flush"), "jackpot.fixed", None),
    ("a fixed amount below nothing", put("jackpot.fixed.flush", -1), "jackpot.fixed", None),
    ("a fixed amount with a point", put("jackpot.fixed.flush", 0.0), "jackpot.fixed", None),
    ("a fixed amount that is false", put("jackpot.fixed.flush", False), "jackpot.fixed", None),
    (
        "jackpot unread without a bet",
        in_turn(drop("seats.1.jackpot", "community"), put("jackpot", {})),
        "jackpot",
        None,
    ),
    ("limits null", put("limits", None), "limits", None),
    ("limits without max", put("limits", {"min": 1}), "limits", None),
    ("limits the wrong way round", put("limits", {"min": 2, "max": 1}), "limits", None),
    ("ante above the maximum", put("limits", {"min": 1, "max": 9999}), "seat 1", "10.º 1)"),
    ("bonus below the minimum", put("limits", {"min": 1001, "max": 10000}), "seat 1", "10.º 1)"),
    ("bonus alone", in_turn(drop("seats.3.pair_plus"), put("seats.3.six_card_bonus", 1000)), "seat 3", "4.º 3"),
    ("chip alone", in_turn(drop("seats.3.pair_plus"), put("seats.3.jackpot", 500)), "seat 3", "4.º 3"),
    ("unequal chips", put("seats.3.jackpot", 501), "seat 3", "policy: equal chips"),
    ("an ante without decision", drop("seats.1.decision"), "seat 1", "12.º 2"),
    ("a decision without ante", put("seats.3.decision", "play"), "seat 3", "12.º 2"),
    ("a fold without ante", put("seats.3.decision", "fold"), "seat 3", "12.º 2"),
    ("a null decision without ante", put("seats.3.decision", None), "seat 3", "12.º 2"),
    ("a null decision", put("seats.1.decision", None), "seat 1", "12.º 2"),
    ("another decision", put("seats.1.decision", "hit"), "seat 1", "12.º 2"),
    ("a decision in capitals", put("seats.1.decision", "Play"), "seat 1", "12.º 2"),
    ("a decision that is true", put("seats.1.decision", True), "seat 1", "12.º 2"),
    *(
        (f"{path} {value!r}", in_turn(put("limits", {"min": 1, "max": 100000}), put(path, value)), who, None)
        for path, who in {
            "seats.1.ante": "seat 1",
            "seats.3.pair_plus": "seat 3",
            "seats.1.six_card_bonus": "seat 1",
            "seats.1.jackpot": "seat 1",
            "jackpot.pot": "jackpot",
            "jackpot.minimum": "jackpot",
            "limits.min": "limits",
            "limits.max": "limits",
        }.items()
        for value in NOT_MONEY
    ),
]


@pytest.mark.parametrize(("change", "who", "article"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_round_that_cannot_be_is_refused_by_key_or_seat_and_article(
    change: Callable[[Round], None], who: str, article: str | None
) -> None:
    round_ = example()
    change(round_)
    refusal = refused(json.dumps(round_))
    assert (refusal.who, refusal.article) == (who, article)


@pytest.mark.parametrize("key", ["game", "seats", "1", "ante", "cards", "fixed", "flush", "min"])
def test_a_repeated_key_is_refused_at_any_depth(key: str) -> None:
    text = json.dumps(example() | {"limits": {"min": 1, "max": 100000}})
    assert text.count(f'"{key}": ') == (2 if key == "cards" else 1)
    twice = text.replace(f'"{key}": ', f'"{key}": 1, "{key}": ', 1)
    assert refused(twice).who == f'"{key}"'
    escaped = text.replace(f'"{key}": ', f'"\\u{ord(key[0]):04x}{key[1:]}": 1, "{key}": ', 1)
    assert refused(escaped).who == f'"{key}"'


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "null",
        "[]",
        "3",
        '"text"',
        "{'game': 1}",
        EXAMPLE + "{}",
        EXAMPLE.replace("10000", "NaN", 1),
        EXAMPLE.replace("10000", "-Infinity", 1),
        EXAMPLE.replace("10000", "1e3", 1),
        EXAMPLE.replace("10000", "10000.0", 1),
        EXAMPLE.replace("10000", "1e999", 1),
        EXAMPLE.replace("10000", "+1", 1),
        EXAMPLE.replace("10000", "010000", 1),
        EXAMPLE.replace("10000", "1" * 1001, 1),
        EXAMPLE.replace("10000", "9" * 100_000, 1),
        EXAMPLE.replace("10000", "-" + "9" * 900, 1),
        EXAMPLE.replace('"As Ks Qs"', "9" * 5000, 1),
        EXAMPLE.replace('"Qd 9c 4h"', '"\\ud800 9c 4h"'),
        EXAMPLE.replace('"dealer"', '"\\ud800\\n"'),
        EXAMPLE.replace('"dealer"', '"' + "x" * 10_000 + '"'),
        EXAMPLE.replace("Qd", "Q\n"),
        "\ufeff" + EXAMPLE,
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"game":' * 100_000 + "1" + "}" * 100_000,
        EXAMPLE.replace("10000", "[" * 50_000 + "]" * 50_000, 1),
        EXAMPLE.replace("10000", "1" * 900, 1).replace('"play"', '"fold"').replace("Js", "As"),
        b"\xff\xfe",
        EXAMPLE.encode("utf-16"),
        b"\x00",
        EXAMPLE.encode() + b"\xff",
    ],
    ids=range(34),
)
def test_a_text_that_is_no_round_is_refused_in_one_short_line(text: str | bytes) -> None:
    refused(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_answered_or_refused(text: bytes) -> None:
    with pytest.raises(Refusal):
        settle_text(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
PATHS = [
    "game", "seats", "dealer", "community", "jackpot", "limits", "seats.1", "seats.3", "seats.1.ante", "seats.1.cards",
    "seats.1.decision", "seats.1.jackpot", "jackpot.pot", "jackpot.minimum", "jackpot.fixed", "jackpot.fixed.flush",
]  # fmt: skip


@given(st.sampled_from(PATHS), json_values)
def test_any_value_anywhere_is_settled_or_refused(path: str, value: object) -> None:
    round_ = example()
    put(path, value)(round_)
    try:
        json.loads(settle_text(json.dumps(round_)))
    except Refusal as refusal:
        assert len(sentence(refusal).splitlines()) == 1
