"""A refusal of the law: who is refused, why, and under which article. No I/O here."""

import json
from enum import StrEnum
from typing import Self

import msgspec

SHOWN_CHARACTERS = 40
STEP_BY_STEP = "policy: one step at a time"  # cited where nothing of the kind is asked for now
CORRECTIONS = "policy: corrections"


class ReasonCode(StrEnum):
    """A reason to refuse something or to void a round; each part of the house that has any lists them in one of these.

    A code belongs to one list alone, and its sentence is in every catalogue of `controller/words`.
    """


class Reason(msgspec.Struct, frozen=True):
    """A code, and the values for the holes of its sentence; a value may be another reason.

    Money is in minor units, a place is named as everywhere ("seat 3").
    """

    code: str
    values: dict[str, "str | int | Reason"] = {}


Value = str | int | Reason


def because(code: ReasonCode, /, **values: Value) -> Reason:
    """The reason of this code.

    >>> from controller.rulebook.reasons import LawReason
    >>> because(LawReason.BELOW_MINIMUM, wager="ante", amount=500, limit=1000)
    Reason(code='below_minimum', values={'wager': 'ante', 'amount': 500, 'limit': 1000})
    """
    # A reader of JSON takes no number beyond this; no money comes near it.
    return Reason(str(code), {name: quoted(value) if _is_beyond(value) else value for name, value in values.items()})


def _is_beyond(value: Value) -> bool:
    return isinstance(value, int) and value.bit_length() > 63


class Refusal(Exception):
    """Something the rules or the round file do not allow.

    `who` is the key or the place it concerns ("seat 3", "jackpot.pot"), `article` cites the rule ("4.º 3"), names the
    house policy ("policy: equal chips"), or is None where only the text is malformed. Anyone who shows the refusal
    takes the sentence of its code from a catalogue.
    """

    def __init__(self, who: str, code: ReasonCode | Reason, article: str | None = None, /, **values: Value) -> None:
        self.who = who
        self.reason = code if isinstance(code, Reason) else because(code, **values)
        self.article = article
        super().__init__(who, self.reason.code, self.reason.values, article)

    def __reduce__(self) -> tuple[type[Self], tuple[str, Reason, str | None]]:
        return type(self), (self.who, self.reason, self.article)


def quoted(value: object) -> str:
    """A value from outside as short ASCII on one line, fit for the text of a refusal.

    >>> quoted("ana"), quoted([1]), quoted(10**40)
    ('"ana"', 'a list', 'a very large number')
    >>> quoted("a" * 50)
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~'
    """
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    # A JSON file may hold an integer too long for Python to turn back into text.
    if isinstance(value, int) and value.bit_length() > 128:
        return "a very large number"
    text = json.dumps(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "~"
