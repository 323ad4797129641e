"""Round files of every game: the worked examples to the letter, whatever is no round, and what changes nothing."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.__main__ import main
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.rulebook.settlement import AnySettlement, Settlement
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from controller.words import sentence
from tests.games import FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO
from tests.rounds.form import FOLDER, read_file
from tests.rounds.refusal import settled as by_command
from tests.rulebook.round_texts import WORKED, example, put, refused, settled, turned, worked_answer
from tests.rulebook.test_rulebook_fortune_3 import rounds as rounds_2025
from tests.rulebook.test_rulebook_fortune_8 import rounds as rounds_8
from tests.rulebook.test_rulebook_pai_kao import rounds as rounds_pai_kao
from tests.rulebook.test_rulebook_versions import rounds as rounds_2008

POKER = "fortune-3-card-poker-2025"


# ---- the worked examples


@pytest.mark.parametrize("game", WORKED)
def test_a_worked_example_is_answered_to_the_letter_and_in_its_order(game: str) -> None:
    text = WORKED[game]["round"]
    compact = json.dumps(worked_answer(game), ensure_ascii=False, separators=(",", ":"))
    assert settle_text(text) == settle_text(text.encode()) == compact.encode()


def test_the_answer_has_the_jackpot_exactly_when_the_file_has_it() -> None:
    without_bet = example(POKER)
    del without_bet["seats"]["1"]["jackpot"], without_bet["community"]
    assert settled(without_bet)["jackpot"] == {"pot_before": 123456700, "pot_after": 123456700, "awards": []}
    del without_bet["jackpot"]
    assert "jackpot" not in settled(without_bet)


def test_seats_are_answered_from_the_bank_s_left_whatever_their_order_in_the_file() -> None:
    round_ = example(POKER)
    round_["seats"] = dict(reversed(round_["seats"].items()))
    assert settle_text(json.dumps(round_)) == settle_text(WORKED[POKER]["round"])


def test_art_5_2_seats_are_one_to_seven() -> None:
    for seat in "1234567":
        round_ = example(POKER)
        round_["seats"] = {seat: {"pair_plus": 5, "cards": "9h 9d 2c"}}
        del round_["community"]
        assert list(settled(round_)["seats"]) == [seat]


def test_very_large_money_is_settled_exactly() -> None:
    round_ = example(POKER)
    stake = 10**900 + 7
    round_["seats"]["1"]["pair_plus"] = stake
    assert settled(round_)["seats"]["1"]["lines"][3]["net"] == 40 * stake


# ---- whatever is no round


@pytest.mark.parametrize("key", ["game", "seats", "1", "ante", "cards", "fixed", "flush", "min"])
def test_a_repeated_key_is_refused_at_any_depth(key: str) -> None:
    text = json.dumps(example(POKER) | {"limits": {"min": 1, "max": 100000}})
    assert text.count(f'"{key}": ') == (2 if key == "cards" else 1)
    twice = text.replace(f'"{key}": ', f'"{key}": 1, "{key}": ', 1)
    assert refused(twice).who == f'"{key}"'
    escaped = text.replace(f'"{key}": ', f'"\\u{ord(key[0]):04x}{key[1:]}": 1, "{key}": ', 1)
    assert refused(escaped).who == f'"{key}"'


EXAMPLE = WORKED[POKER]["round"]


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
BETS = st.fixed_dictionaries({"player": st.text(max_size=50) | json_values, "amount": st.integers() | json_values})
VALUES = json_values | st.lists(BETS, max_size=3) | st.lists(st.integers(0, 7), min_size=4, max_size=4)


def places(value: Any, at: str = "") -> Iterator[str]:
    """The path of every value of a round file."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield f"{at}{key}"
        yield from places(item, f"{at}{key}.")


GOOD = {file.game: file.file[0].good for file in map(read_file, sorted((FOLDER / "refused").glob("*.toml")))}
PLACES = {game: st.sampled_from([*places(json.loads(text))]) for game, text in GOOD.items()}


@pytest.mark.parametrize("game", GOOD)
@given(data=st.data(), value=VALUES)
def test_any_value_anywhere_is_settled_or_refused(game: str, data: st.DataObject, value: object) -> None:
    round_ = json.loads(GOOD[game])
    put(round_, data.draw(PLACES[game]), value)
    try:
        settled(round_)
    except Refusal as refusal:
        assert len(sentence(refusal).splitlines()) == 1


NO_ROUND: dict[str, Callable[[str], str]] = {
    "an empty file": lambda _: "",
    "no JSON": lambda good: good.rstrip()[:-1],
    "more than one value": lambda good: good * 2,
    "a list of rounds": lambda good: f"[{good}]",
    "a number that is none": lambda good: good.replace('"game": ', '"limits": NaN, "game": '),
    "brackets without end": lambda _: "[" * 100_000,
}


@pytest.mark.parametrize("name", NO_ROUND)
def test_what_is_no_round_file_is_refused_in_one_line(name: str) -> None:
    code, out, err = by_command(NO_ROUND[name](GOOD[POKER]))
    assert (code, out) == (2, "") and err.startswith("dealer-station: file: ")
    assert err.count("\n") == 1 and not err.endswith(")\n")


def test_other_bytes_than_utf_8_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "round.json"
    path.write_bytes(GOOD["fortune-8"].encode("utf-16"))
    assert main(["settle", str(path)]) == 2
    assert capsys.readouterr().err.startswith("dealer-station: file: ")


def test_the_command_as_a_process_reads_standard_input_and_refuses_alike() -> None:
    text = json.dumps(json.loads(GOOD["blackjack-21"]) | {"dealers": 1})
    ran = subprocess.run(
        [sys.executable, "-m", "controller", "settle", "-"],
        input=text.encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout.decode(), ran.stderr.decode()) == by_command(text)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        assert main(["settle", str(path)]) == 2
        printed = capsys.readouterr()
        assert (
            printed.out == "" and printed.err.startswith(f"dealer-station: {path}: ") and printed.err.count("\n") == 1
        )


# ---- what changes nothing, or as many times as the bets


ROUNDS = {FORTUNE_3_2025: rounds_2025(), FORTUNE_3_2008: rounds_2008(), FORTUNE_8: rounds_8()}
ROUNDS |= {TAIWAN_PAI_KAO: rounds_pai_kao()}
every_game = pytest.mark.parametrize("game", ROUNDS)


def times(value: Any, factor: int) -> Any:
    """The round with every amount of money, and nothing else, so many times as large."""
    if isinstance(value, Mapping):
        return {key: inner if key in ("decks", "seat") else times(inner, factor) for key, inner in value.items()}
    if isinstance(value, list):
        return [times(inner, factor) for inner in value]
    return value * factor if type(value) is int else value


@pytest.mark.parametrize("game", sorted({*ROUNDS} - {TAIWAN_PAI_KAO}))  # whose commission is rounded down
@given(data=st.data(), factor=st.integers(2, 10**6))
def test_bets_so_many_times_as_large_change_the_money_as_many_times(
    game: str, data: st.DataObject, factor: int
) -> None:
    round_ = data.draw(ROUNDS[game])
    if "jackpot" in round_:
        round_["jackpot"]["pot"] *= 10  # so that a tenth is whole
    small, large = settled(round_), settled(times(round_, factor))
    assert large == times(small, factor)


@every_game
@given(data=st.data())
def test_a_round_written_otherwise_and_an_answer_read_back_are_the_same(game: str, data: st.DataObject) -> None:
    round_ = data.draw(ROUNDS[game])
    answer = settle_text(json.dumps(round_))
    for text in (
        msgspec.json.encode(round_),
        json.dumps(turned(round_)),
        json.dumps(round_, indent="\t", sort_keys=True),
        json.dumps(json.loads(json.dumps(round_, separators=(",", ":"))), ensure_ascii=False).encode(),
    ):
        assert settle_text(text) == answer
    kind: type[AnySettlement] = PaiKaoSettlement if game == TAIWAN_PAI_KAO else Settlement
    assert msgspec.json.encode(msgspec.json.decode(answer, type=kind)) == answer
    assert answer == json.dumps(json.loads(answer), ensure_ascii=False, separators=(",", ":")).encode()
