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
