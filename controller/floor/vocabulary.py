"""What each key of the messages means, with its unit: `vocabulary.json` has a sentence for each. No I/O but that file.

A key means the same in every message; `Shape.key` stands where its meaning in one shape is narrower.
"""

import json
from importlib.resources import files
from typing import Any

from controller.floor.shapes import is_money
from controller.rulebook.money import IN_MONEY

SENTENCES: dict[str, str] = json.loads(files(__package__).joinpath("vocabulary.json").read_text(encoding="utf-8"))
TIMES = {
    *("began", "confirmed", "recordedtime", "since"),
    *("AlarmCleared.at", "AlarmRaised.at", "Envelope.time", "JournalPruned.before"),
}
DATES = {"Authorisation.date", "AuthorisedBet.date"}
IN_UTC = "In UTC."
UNITS = {
    "_e4": "In 1/10 000 of a minor unit of the currency.",
    "_bp": "In basis points.",
    "_ms": "In milliseconds.",
    "seconds": "In seconds.",
}


def meaning(shape: str, key: str, schema: Any) -> str:
    """What a property means, as whole sentences. Raises KeyError for one that the vocabulary does not have."""
    sentence = SENTENCES.get(f"{shape}.{key}") or SENTENCES.get(key)
    if sentence is None:
        raise KeyError(f"{shape}.{key} has no sentence in controller/floor/vocabulary.json")
    if text_format(shape, key) == "date-time":
        unit = IN_UTC
    elif is_money(schema):
        unit = IN_MONEY
    else:
        unit = next((unit for ending, unit in UNITS.items() if key.endswith(ending) and _counts(schema)), "")
    return f"{sentence} {unit}".rstrip()


def text_format(shape: str, key: str) -> str | None:
    """The format of a property that is text, as JSON Schema names it, where it has one."""
    own = {key, f"{shape}.{key}"}
    return "date-time" if own & TIMES else "date" if own & DATES else None


def _counts(schema: Any) -> bool:
    """Whether anything in a property is a number."""
    parts = [*schema.get("anyOf", ()), schema.get("additionalProperties"), schema.get("items")]
    return schema.get("type") == "integer" or any(isinstance(one, dict) and _counts(one) for one in parts)
