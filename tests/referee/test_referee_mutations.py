"""A referee that cannot fail is worthless: every value of every game's messages is changed, and each is noticed.

A value that is there more than once is changed once, in one way; the soak changes each in every way.
"""

import copy
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.referee.film.camera import Evening as Filmed
from tests.referee.film.camera import watch
from tests.referee.film.judge import judge, judge_evening
from tests.referee.films.evenings import EVENINGS, Evening, filmed
from tests.referee.films.written import Message, cannot_be_known

Place = tuple[str | int, ...]
STRANGE: tuple[Any, ...] = (
    None, [1], {"x": 1}, "x", -1, True, [{}], [{"seat": 1, "wager": "low", "player": [], "amount": 1}],
)  # fmt: skip
of_every_game = pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.name)
in_one_way_or_every = pytest.mark.parametrize(
    "every", [pytest.param(False, id="one way"), pytest.param(True, id="every way", marks=pytest.mark.soak)]
)


def leaves(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value of a message that holds no others."""
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*at, key))
    else:
        yield at, value


def kinds(at: Place) -> Place:
    """The keys on the way to a value, without the places in lists."""
    return tuple(key for key in at if isinstance(key, str))


def otherwise(value: Any) -> list[Any]:
    """What could be there wrongly."""
    if isinstance(value, bool):
        return [not value, None, int(value)]
    if isinstance(value, int):
        return [value + 1, -value - 1, float(value)]
    if isinstance(value, str):
        return [value + "x", "", None]
    return [[{}], None] if isinstance(value, list) else ["As Ks Qs", "1:1", 0]


def some(number: int, ways: Sequence[Any], every: bool) -> Sequence[Any]:
    """All ways, or the one whose turn it is."""
    return ways if every else ways[number % len(ways) :][:1]


def with_change(messages: Any, at: Place, value: Any) -> Any:
    """A copy with one value changed, which shares all that is not on the way to it."""
    if not at:
        return value
    changed = copy.copy(messages)
    changed[at[0]] = with_change(messages[at[0]], at[1:], value)
    return changed


def until_changed(evening: Filmed, messages: list[Message], at: Place, value: Any) -> tuple[Filmed, list[Message]]:
    """The film and the messages up to the round that has one value changed."""
    changed = int(at[0])
    rounds = {number: lines for number, lines in evening.rounds.items() if number <= messages[changed]["round"]}
    return replace(evening, rounds=rounds), with_change(messages[: changed + 1], at, value)


def is_open(at: Place, wrong: Any) -> bool:
    """Whether another value is as good there: what the camera cannot know, or what was there before a correction."""
    before = "corrections" in at and at[-1] in ("before", "amount_before")
    return before or cannot_be_known(at[-1], wrong)


def read(evening: Evening, folder: Path) -> tuple[dict[str, Any], Filmed, list[Message]]:
    """The station and the film of an evening as they are read, and its messages, with which they agree."""
    film, messages = evening.film(folder)
    assert film.judge(*messages).differences == []
    return tomllib.loads(film.station.read_text()), watch(film.camera), messages


@in_one_way_or_every
@of_every_game
def test_every_changed_value_is_noticed(tmp_path: Path, evening: Evening, every: bool) -> None:
    station, seen, messages = read(evening, tmp_path)
    right = copy.deepcopy(messages)
    found = list(leaves(messages))
    once = {(kinds(at), str(value)): (at, value) for at, value in reversed(found)}
    wrong = [
        (at, other)
        for number, (at, value) in enumerate(found if every else once.values())
        for other in some(number, otherwise(value), every)
        if not is_open(at, other)
    ]
    missed = [
        (at, other)
        for at, other in wrong
        if not judge_evening(station, *until_changed(seen, messages, at, other)).differences
    ]
    assert missed == [] and len(wrong) > (100 if every else 30)
    assert messages == right and judge_evening(station, seen, messages).differences == []


@of_every_game
def test_every_missing_or_added_part_is_noticed(tmp_path: Path, evening: Evening) -> None:
    station, seen, messages = read(evening, tmp_path)
    for number, message in enumerate(messages):
        for key in message:
            gone = {name: part for name, part in message.items() if name != key}
            changed = [*messages[:number], gone, *messages[number + 1 :]]
            assert judge_evening(station, seen, changed).differences, (number, key)
        for other in ([message | {"more": 1}], []):
            assert judge_evening(station, seen, [*messages[:number], *other, *messages[number + 1 :]]).differences


@of_every_game
def test_every_line_missing_from_the_film_is_noticed(tmp_path: Path, evening: Evening) -> None:
    film, messages = evening.film(tmp_path)
    whole = film.lines
    mattering = [at for at, seen in enumerate(whole) if evening.matters(seen, messages)]
    for at in mattering:
        film.lines = whole[:at] + whole[at + 1 :]
        assert film.judge(*messages).differences, whole[at]
    assert mattering


@in_one_way_or_every
@of_every_game
def test_nothing_in_a_message_stops_the_referee(tmp_path: Path, evening: Evening, every: bool) -> None:
    station, seen, messages = read(evening, tmp_path)
    right = copy.deepcopy(messages)
    branches = sorted({at[:length] for at, _ in leaves(messages) for length in range(2, len(at) + 1)}, key=str)
    once = {kinds(at): at for at in reversed(branches)}
    for number, at in enumerate(branches if every else once.values()):
        for nonsense in some(number, STRANGE, every):
            # Within a message: with the rounds up to it alone.
            changed = seen, with_change(messages, at, nonsense)
            judge_evening(station, *(changed if len(at) == 2 else until_changed(seen, messages, at, nonsense)))
    assert messages == right and judge_evening(station, seen, messages).differences == []


def test_a_doubled_round_is_found(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    assert film.judge(*messages, messages[1]).differences == ["round 2: expected one message, got another"]


def test_rounds_out_of_order_are_found(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    differences = film.judge(messages[0], messages[2], messages[1]).differences
    assert differences[0] == "round 2: expected before round 3, got after it"
    assert [difference.split(":")[0] for difference in differences[1:]] == ["round 2, sequence", "round 2, began"]


def test_a_card_twice_on_the_table_is_found(tmp_path: Path) -> None:
    film, messages = filmed(tmp_path)
    for seen in film.lines:
        if seen["round"] == 2 and seen.get("card") == "6d":
            seen["card"] = "7h"
    differences = film.judge(*messages).differences
    assert "round 2, cards: expected 'each card once', got 'twice on the table: 7h'" in differences
    assert "round 2, outcome: expected 'void', got 'settled'" in differences


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
