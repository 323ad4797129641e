"""Round files as texts: the worked example of each game, what `settle` answers to a round, what it refuses."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import sentence

Round = dict[str, Any]
WORKED: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("worked_examples.toml").read_text("utf-8"))
"""A round and its answer, by the game."""


def example(game: str) -> Round:
    """The worked round, to be changed."""
    round_: Round = json.loads(WORKED[game]["round"])
    return round_


def worked_answer(game: str) -> Round:
    """What it is answered."""
    answer: Round = json.loads(WORKED[game]["answer"])
    return answer


def settled(round_: Round) -> Round:
    """The answer to a round that must be settled."""
    answer: Round = json.loads(settle_text(json.dumps(round_)))
    return answer


def refused(round_: Round | str | bytes) -> Refusal:
    """What settling it is answered; one short line."""
    with pytest.raises(Refusal) as refusal:
        settle_text(json.dumps(round_) if isinstance(round_, dict) else round_)
    line = sentence(refusal.value)
    assert line and len(line.splitlines()) == 1 and len(line) < 400
    line.encode()
    return refusal.value


def refused_by(round_: Round) -> tuple[str, str | None]:
    """Who it is blamed on and under which rule."""
    refusal = refused(round_)
    return refusal.who, refusal.article


def put(round_: Round, path: str, value: object) -> None:
    """Another value at a place: ``seats.1.ante``, ``wagers.4.0.amount``."""
    *parents, last = path.split(".")
    inner: Any = round_
    for key in parents:
        inner = inner[int(key) if isinstance(inner, list) else key]
    inner[int(last) if isinstance(inner, list) else last] = value


def turned(value: object) -> object:
    """The same with the keys of every object in the opposite order."""
    if not isinstance(value, dict):
        return value
    return {key: turned(inner) for key, inner in reversed(value.items())}


# ---- Round files of black-jack/21 for the tests: made, and their lines


# wager with its hand ("hand 1"), player or "", stake, net, article
Line = tuple[str, str, int, int, str]


def seat(*decisions: str, bet: int = 200, **more: object) -> Round:
    """A seat that bets 200 and decides so."""
    return {"bet": bet, "decisions": list(decisions)} | more


def backer(player: str, *follows: bool, bet: int = 100, insurance: int = 0) -> Round:
    return {"player": player, "bet": bet, "insurance": insurance, "follows": list(follows)}


def blackjack(shoe: str, *seats: Round, **more: object) -> Round:
    """A round file with these at seats 1, 2, …; minimum 100, six decks."""
    numbered = {str(number): placed for number, placed in enumerate(seats, start=1)}
    return {"game": "blackjack-21", "minimum": 100, "decks": 6, "seats": numbered, "shoe": shoe} | more


def lines(answer: Round, number: int = 1) -> list[Line]:
    """A seat's lines, short."""
    return [
        (
            f"{line['wager']} {line['hand']}" if "hand" in line else line["wager"],
            line.get("player", ""),
            line["stake"],
            line["net"],
            line["article"],
        )
        for line in answer["seats"][str(number)]["lines"]
    ]
