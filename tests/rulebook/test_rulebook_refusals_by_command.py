"""What `dealer-station settle` refuses, game by game through the command itself: exit 2, no answer, one line."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main

Round = dict[str, Any]
Change = Callable[[Round], str | bytes]
# A name, the file made of the game's good round, whom the line on stderr blames, and the article it ends with.
Row = tuple[str, Change, str, str | None]

GOOD: dict[str, Round] = {
    "fortune-3-card-poker-2025": {
        "game": "fortune-3-card-poker-2025",
        "limits": {"min": 100, "max": 10000},
        "seats": {
            "1": {
                "ante": 10000, "pair_plus": 5000, "six_card_bonus": 1000, "jackpot": 500,
                "cards": "As Ks Qs", "decision": "play",
            },
            "3": {"pair_plus": 5000, "cards": "9h 9d 2c"},
        },
        "dealer": "Qd 9c 4h",
        "community": "Js Ts",
        "jackpot": {
            "pot": 123456700, "minimum": 50000000,
            "fixed": {"royal_flush": 5, "straight_flush": 4, "four_of_a_kind": 3, "full_house": 2, "flush": 1},
        },
    },
    "fortune-3-card-poker-2008": {
        "game": "fortune-3-card-poker-2008",
        "limits": {"min": 100, "max": 10000},
        "seats": {
            "1": {"ante": 10000, "pair_plus": 5000, "cards": "As Ks Qs", "decision": "play"},
            "3": {"pair_plus": 5000, "cards": "9h 9d 2c"},
            "7": {"ante": 700, "cards": "5h 3d 2s", "decision": "fold"},
        },
        "dealer": "Qd 9c 4h",
    },
    "fortune-8": {
        "game": "fortune-8",
        "decks": 1,
        "deal": "spaces_with_bets",
        "limits": {"min": 10, "max": 1000},
        "boxes": {"1": {"low": 100, "eight": [{"player": "Ana", "amount": 50}, {"player": "Rui", "amount": 60}]},
                  "4": {"high": 70}},
        "cards": {"1": "8d", "4": "Kc"},
    },
}  # fmt: skip


NOT_MONEY: list[object] = [-1, 100.0, 1e3, True, False, None, "100", {}, [100]]


def put(*changes: tuple[str, object]) -> Change:
    """The round with other values at these paths."""

    def change(round_: Round) -> str:
        for path, value in changes:
            *parents, last = path.split(".")
            holder = round_
            for parent in parents:
                holder = holder[parent]
            holder[last] = value
        return json.dumps(round_)

    return change


def drop(*paths: str) -> Change:
    def change(round_: Round) -> str:
        for path in paths:
            *parents, last = path.split(".")
            holder = round_
            for parent in parents:
                holder = holder[parent]
            del holder[last]
        return json.dumps(round_)

    return change


def again(key: str) -> Change:
    """The round with a key twice in the same object."""
    return lambda round_: json.dumps(round_).replace(f'"{key}": ', f'"{key}": 1, "{key}": ', 1)


def of_any_game() -> Iterator[Row]:
    yield "an unknown key", put(("dealers", "Qd 9c 4h")), "round", None
    yield "a repeated key", again("game"), '"game"', None
    yield "a repeated key in the limits", again("min"), '"min"', None
    yield "an empty file", lambda _: "", "file", None
    yield "no JSON", lambda round_: json.dumps(round_)[:-1], "file", None
    yield "more than one value", lambda round_: json.dumps(round_) * 2, "file", None
    yield "a list of rounds", lambda round_: json.dumps([round_]), "file", None
    yield (
        "a number that is none",
        lambda round_: json.dumps(round_).replace('"min": 1', '"min": NaN, "1": 1'),
        "file",
        None,
    )
    yield "other bytes than UTF-8", lambda round_: json.dumps(round_).encode("utf-16"), "file", None
    yield "brackets without end", lambda _: "[" * 100_000, "file", None
    yield "no game", drop("game"), "game", None
    yield "another game", put(("game", "fortune-9")), "game", None
    yield "limits without max", drop("limits.max"), "limits", None
    yield "limits the wrong way round", put(("limits", {"min": 2, "max": 1})), "limits", None
    yield "an unknown key in the limits", put(("limits.step", 1)), "limits", None
    for value in (0, *NOT_MONEY):
        yield f"a maximum of {value!r}", put(("limits.max", value)), "limits", None


def of_poker(material: str, seats: str, limits: str, deal: str, decision: str) -> Iterator[Row]:
    """What both regulations refuse, each by its own article."""
    yield from of_any_game()
    yield "an unknown key at a seat", put(("seats.1.bonus", 1)), "seat 1", None
    yield "a double given as a wager", put(("seats.1.play", 10000)), "seat 1", None
    yield "a repeated key at a seat", again("ante"), '"ante"', None
    yield "a seat twice", again("3"), '"3"', None
    yield "seats in a list", put(("seats", [])), "seats", None
    yield "a seat that is a list", put(("seats.3", [])), "seat 3", None
    yield "nobody bets", put(("seats", {})), "seats", deal
    yield "cards without a bet", put(("seats.2", {"cards": "5c 6c 7c"})), "seat 2", deal
    for seat in ("0", "8", "01", " 1", "\u0661"):
        yield f"seat {seat!r}", put((f"seats.{seat}", {"pair_plus": 100, "cards": "5c 6c 7c"})), "seats", seats
    for wager in ("ante", "pair_plus"):
        for value in (0, *NOT_MONEY):
            yield f"{wager} {value!r}", put((f"seats.1.{wager}", value)), "seat 1", None
        yield f"{wager} above the limit", put((f"seats.1.{wager}", 10001)), "seat 1", limits
        yield f"{wager} below the limit", put((f"seats.1.{wager}", 99)), "seat 1", limits
    for name, cards in {"none": "", "two spaces": "9h  9d 2c", "a tab": "9h 9d\t2c", "10 for T": "10h 9d 2c"}.items():
        yield f"bad text: {name}", put(("seats.3.cards", cards)), "seat 3", None
    for cards in ("9H 9d 2c", "9h 9d 2c ", " 9h 9d 2c", "9h,9d,2c", "9h 9d 2c\n", "\u2660", "9h9d2c"):
        yield f"bad text: {cards!r}", put(("seats.3.cards", cards)), "seat 3", None
        yield f"bad text of the bank: {cards!r}", put(("dealer", cards)), "dealer", None
    yield "cards in a list", put(("seats.3.cards", ["9h", "9d", "2c"])), "seat 3", None
    yield "no cards", drop("seats.3.cards"), "seat 3", None
    yield "no bank", drop("dealer"), "round", None
    for cards in ("9h 9d", "9h 9d 2c 3c"):
        yield f"{len(cards.split())} cards", put(("seats.3.cards", cards)), "seat 3", deal
        yield f"{len(cards.split())} cards at the bank", put(("dealer", cards)), "dealer", deal
    yield "a card twice in a hand", put(("seats.3.cards", "9h 9h 2c")), "seat 3", material
    yield "a card of another seat", put(("seats.3.cards", "9h 9d As")), "seat 3", material
    yield "a card of a seat at the bank", put(("dealer", "Qd 9c As")), "dealer", material
    yield "a decision without an ante", put(("seats.3.decision", "play")), "seat 3", decision
    yield "a fold without an ante", put(("seats.3.decision", "fold")), "seat 3", decision
    alone: Round = {"ante": 100, "cards": "5c 6c 7c"}
    yield "an ante without a decision", put(("seats.2", alone)), "seat 2", decision
    for value in ("hit", "Play", "", None, True, []):
        yield f"the decision {value!r}", put(("seats.2", alone | {"decision": value})), "seat 2", decision


def of_poker_2025() -> Iterator[Row]:
    yield from of_poker("2.º 1 1)", "5.º 2", "10.º 1)", "11.º", "12.º 2")
    for wager in ("six_card_bonus", "jackpot"):
        for value in (0, *NOT_MONEY):
            yield f"{wager} {value!r}", put((f"seats.1.{wager}", value)), "seat 1", None
        alone = {wager: 500, "cards": "5c 6c 7c"}
        yield f"{wager} without a basic bet", put(("seats.2", alone)), "seat 2", "4.º 3"
    yield "six_card_bonus above the limit", put(("seats.1.six_card_bonus", 10001)), "seat 1", "10.º 1)"
    yield "six_card_bonus below the limit", put(("seats.1.six_card_bonus", 99)), "seat 1", "10.º 1)"
    yield "unequal chips", put(("seats.3.jackpot", 501)), "seat 3", "policy: equal chips"
    yield "no community cards", drop("community"), "community", "11.º 3"
    yield "three community cards", put(("community", "Js Ts 9s")), "community", "11.º 3"
    yield "community cards in bad text", put(("community", "Js  Ts")), "community", None
    yield "a community card that the bank has", put(("community", "Js Qd")), "community", "2.º 1 1)"
    yield "community cards without a jackpot bet", drop("seats.1.jackpot"), "community", "15.º 2"
    yield "a jackpot bet without the jackpot", drop("jackpot"), "jackpot", "16.º 3"
    yield "an unknown key in the jackpot", put(("jackpot.reserve", 1)), "jackpot", None
    yield "an unknown tier", put(("jackpot.fixed.straight", 1)), "jackpot.fixed", None
    yield "a tier missing", drop("jackpot.fixed.flush"), "jackpot.fixed", None
    for value in NOT_MONEY:
        yield f"a fixed amount {value!r}", put(("jackpot.fixed.flush", value)), "jackpot.fixed", None
        yield f"a pot of {value!r}", put(("jackpot.pot", value)), "jackpot", None
    yield "a pot of nothing", put(("jackpot.pot", 0)), "jackpot", None
    yield "a minimum of nothing", put(("jackpot.minimum", 0)), "jackpot", None


def of_poker_2008() -> Iterator[Row]:
    yield from of_poker("1.º 1)", "2.º 1", "6.º 1)", "7.º", "9.º 1)")
    yield "a fold where the player is obliged to play", put(("seats.1.decision", "fold")), "seat 1", "9.º 3)"
    yield "no decision where the player is obliged to play", drop("seats.1.decision"), "seat 1", "9.º 3)"
    for wager in ("six_card_bonus", "jackpot"):
        yield f"{wager} beside a bet", put((f"seats.1.{wager}", 500)), "seat 1", "5.º 1"
        yield f"{wager} alone", put(("seats.2", {wager: 500, "cards": "5c 6c 7c"})), "seat 2", "5.º 1"
    yield "community cards", put(("community", "Js Ts")), "round", None
    yield "a jackpot", put(("jackpot", {"pot": 1, "minimum": 1, "fixed": {}})), "round", None


def bet(player: object, amount: object) -> Round:
    return {"player": player, "amount": amount}


def of_fortune_8() -> Iterator[Row]:
    value: object
    yield from of_any_game()
    for value in (0, 9, 8.0, True, None, "8"):
        yield f"{value!r} decks", put(("decks", value)), "decks", "1.º 1)"
    for value in ("every space", "EVERY_SPACE", "", None, 1, ["every_space"]):
        yield f"the deal {value!r}", put(("deal", value)), "deal", "4.º 6"
    for key in ("deal", "boxes", "cards"):
        yield f"no {key}", drop(key), "round", None
    yield "seats instead of boxes", put(("seats", {})), "round", None
    yield "nobody bets", put(("boxes", {})), "boxes", "4.º 6"
    yield "only bets of nothing", put(("boxes", {"1": {"low": 0}, "4": {}})), "boxes", "4.º 6"
    yield "boxes in a list", put(("boxes", [{"low": 100}])), "boxes", None
    yield "cards as text", put(("cards", "8d Kc")), "cards", None
    for space in ("0", "8", "01", " 1", "\u0661"):
        yield f"space {space!r}", put((f"boxes.{space}", {"low": 100})), "boxes", "4.º 1"
        yield f"a card for space {space!r}", put((f"cards.{space}", "2s")), "cards", "4.º 1"
    yield "a space that is null", put(("boxes.4", None)), "space 4", None
    yield "a box that there is not", put(("boxes.4.ante", 100)), "space 4", None
    yield "a box twice", again("high"), '"high"', None
    yield "a player's key twice", again("amount"), '"amount"', None
    for value in NOT_MONEY[:-1]:
        yield f"a bet of {value!r}", put(("boxes.4.high", value)), "space 4", None
    for value in (0, *NOT_MONEY):
        yield f"{value!r} by Ana", put(("boxes.4.high", [bet("Rui", 70), bet("Ana", value)])), "space 4", None
    for value in ("", " ", "x" * 41, None, 1, ["Ana"], "\ud800"):
        yield f"the player {value!r}", put(("boxes.4.high", [bet(value, 70)])), "space 4", None
    yield "a list without bets", put(("boxes.4.high", [])), "space 4", None
    for entry in (100, None, [bet("Ana", 70)], {"amount": 70}, {"player": "Ana"}, bet("Ana", 70) | {"seat": 4}):
        yield f"a bet written {entry!r}", put(("boxes.4.high", [entry])), "space 4, high", None
    for value in (9, 1001):
        yield f"{value} outside the limits", put(("boxes.4.high", value)), "space 4", "4.º 3"
        yield f"{value} by Ana outside the limits", put(("boxes.4.high", [bet("Ana", value)])), "space 4", "4.º 3"
    for text in ("", "8D", "10d", "8d ", " 8d", "8d\n", "8", "\u2660", None, ["8d"], 8):
        yield f"bad text: {text!r}", put(("cards.4", text)), "space 4", None
    yield "two cards on a space", put(("cards.4", "Kc Kd")), "space 4", "4.º 6"
    yield "a card on a space without bets in the second deal", put(("cards.2", "2s")), "space 2", "4.º 6"
    yield "a card on a space with bets of nothing", put(("boxes.2", {"low": 0}), ("cards.2", "2s")), "space 2", "4.º 6"
    yield "no card on a space with bets", drop("cards.4"), "space 4", "4.º 6"
    yield "no card on a space without bets in the first deal", put(("deal", "every_space")), "space 2", "4.º 6"
    yield "a card oftener than the decks hold it", put(("cards.4", "8d")), "space 4", "1.º 1)"
    every: Round = dict.fromkeys("1234567", "8d")
    yield (
        "seven of one card in six decks",
        put(("decks", 6), ("deal", "every_space"), ("cards", every)),
        "space 7",
        "1.º 1)",
    )


ROWS = {
    "fortune-3-card-poker-2025": list(of_poker_2025()),
    "fortune-3-card-poker-2008": list(of_poker_2008()),
    "fortune-8": list(of_fortune_8()),
}


def settle(path: Path, contents: str | bytes, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    path.write_bytes(contents if isinstance(contents, bytes) else contents.encode("utf-8"))
    code = main(["settle", str(path)])
    said = capsys.readouterr()
    return code, said.out, said.err


def good(game: str) -> Round:
    round_: Round = json.loads(json.dumps(GOOD[game]))
    return round_


def wrong(row: Row, answer: tuple[int, str, str]) -> str | None:
    """What is not as it should be in the answer to a row, or None."""
    name, _, who, article = row
    code, out, line = answer
    reason = line.removeprefix(f"dealer-station: {who}: ")
    cited = line.rstrip("\n").endswith(f" ({article})") if article else not line.endswith(")\n")
    if code == 2 and not out and reason != line and line.count("\n") == 1 and line.endswith("\n") and cited:
        return None
    return f"{name}: exit {code}, {out!r}, {line!r}, not {who} ({article})"


@pytest.mark.parametrize("game", GOOD)
def test_what_a_round_file_may_not_be_is_refused_by_key_or_seat_and_article(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = settle(tmp_path / "round.json", json.dumps(GOOD[game]), capsys)
    assert (code, out.count("\n"), err) == (0, 1, "")
    names = [name for name, *_ in ROWS[game]]
    assert len(set(names)) == len(names)
    answers = [(row, settle(tmp_path / "round.json", row[1](good(game)), capsys)) for row in ROWS[game]]
    assert [mistake for row, answer in answers if (mistake := wrong(row, answer))] == []


@pytest.mark.parametrize("game", GOOD)
def test_the_command_as_a_process_reads_standard_input_and_refuses_alike(game: str) -> None:
    row = next(row for row in ROWS[game] if row[0] == "nobody bets")
    ran = subprocess.run(
        [sys.executable, "-m", "controller", "settle", "-"],
        input=str(row[1](good(game))).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert wrong(row, (ran.returncode, ran.stdout.decode(), ran.stderr.decode())) is None


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        assert main(["settle", str(path)]) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.startswith(f"dealer-station: {path}: ") and said.err.count("\n") == 1
