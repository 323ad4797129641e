"""Compares the rounds of a shadow table with those of the table that it follows. Calls block."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from controller.floor.messages import Identity
from controller.journal.auditing import Report
from controller.queries.audited import WantedRounds
from controller.queries.exported import confirmed

Values = dict[str, str]
"""The values read of a round, by name, such as ``seats/1/net``."""

NAMED_BY = ("seat", "to", "wager", "player", "hand")  # of the rows of a list, as far as they have it
OF_EACH_TABLE = ("schema", "sequence", "mode", "began", "confirmed", "actor", "round")


class BadRounds(Exception):
    """A file that has no rounds to compare; its text names the line."""


class Differs(msgspec.Struct, frozen=True):
    """A value of a round that differs between the tables; None if only the other table has the round or the value."""

    round: int
    name: str
    here: str | None
    there: str | None


def compare_rounds(
    path: Path, identity: Identity, other: Mapping[int, Values], report: Report
) -> tuple[int, list[Differs]]:
    """How many rounds both have, and each value that differs. Raises the failures of reading a journal.

    A value is compared where the other table has it. A round that only one has differs by itself.
    """
    found, both, left = [], 0, dict(other)
    money = {"currency": identity.currency, "exponent": identity.exponent}
    for round, of in confirmed(path, identity, WantedRounds("", ""), report):
        there = left.pop(round.round, None)
        if there is None:
            found.append(Differs(round.round, "round", "confirmed", None))
            continue
        both += 1
        void = {"void": None if of["void"] is None else {"article": of["void"]}}
        here = values_of(msgspec.to_builtins(round) | money | void)
        found += [
            Differs(round.round, key, here.get(key), value) for key, value in there.items() if here.get(key) != value
        ]
    found += [Differs(number, "round", None, "confirmed") for number in left]
    return both, found


def read_rounds(octets: bytes, first: int) -> dict[int, Values]:
    """The other table's rounds by their number here; `first` is its number of the first round here. Raises BadRounds.

    It is a table of comma-separated values with a column ``round`` and one for each name that was entered, or lines of
    JSON: messages of the topic ``rounds``, or what is in them.
    """
    text = octets.decode("utf-8", "replace").lstrip("\ufeff")
    read = _messages(text) if text.lstrip().startswith("{") else _entered(text)
    rounds: dict[int, Values] = {}
    for line, number, values in read:
        if number in rounds:
            raise BadRounds(f"line {line}: round {number} is there twice")
        rounds[number] = values
    if not rounds:
        raise BadRounds("it has no round")
    return {number - first + 1: values for number, values in rounds.items()}


def _messages(text: str) -> Iterator[tuple[int, int, Values]]:
    for line, content in enumerate(text.splitlines(), 1):
        if not content.strip():
            continue
        try:
            message = msgspec.json.decode(content)
            data = message.get("data", message)
            number = data["round"]
        except (msgspec.DecodeError, AttributeError, KeyError, TypeError):
            raise BadRounds(f"line {line}: it is no message of a round") from None
        if type(number) is not int:
            raise BadRounds(f"line {line}: round is no number")
        yield line, number, values_of(data)


def _entered(text: str) -> Iterator[tuple[int, int, Values]]:
    rows = csv.DictReader(io.StringIO(text))
    if "round" not in (rows.fieldnames or ()):
        raise BadRounds("line 1: there is no column round")
    for row in rows:
        number = row.pop("round") or ""
        if None in row or not number.isdecimal():
            raise BadRounds(f"line {rows.line_num}: expected a number in the column round, and no more columns")
        yield rows.line_num, int(number), {name: value.strip() for name, value in row.items() if value}


def values_of(data: Mapping[str, Any]) -> Values:
    """The values of a round as messages have it, by their names."""
    compared = {key: value for key, value in data.items() if key not in OF_EACH_TABLE}
    if isinstance(void := compared.get("void"), dict):
        compared["void"] = {"article": void.get("article")}
    return dict(_flat("", compared))


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for key, member in value.items():
                yield from _flat(f"{name}/{key}" if name else key, member)
        case list() | tuple() if value and all(isinstance(item, dict) for item in value):
            names = ["/".join(str(item[key]) for key in NAMED_BY if item.get(key) is not None) for item in value]
            for place, (own, item) in enumerate(zip(names, value, strict=True), 1):
                alone = own and names.count(own) == 1
                yield from _flat(f"{name}/{own if alone else f'{own}/{place}'.strip('/')}", item)
        case list() | tuple():
            yield name, " ".join(map(str, value))
        case None:
            return
        case _:
            yield name, str(value).lower() if isinstance(value, bool) else str(value)
