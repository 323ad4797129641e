"""The meaning and unit of each key in the messages: `vocabulary.json` has a sentence for each. It reads only that file.

A key means the same in every message; An entry `Shape.key` has its narrower meaning in one shape.
"""

import json
from pathlib import Path
from typing import Any

from controller.rulebook.units import UNITS

SENTENCES: dict[str, str] = json.loads(Path(__file__).with_name("vocabulary.json").read_text(encoding="utf-8"))
TIMES = {
    *("began", "confirmed", "recordedtime", "since"),
    *("AlarmCleared.at", "AlarmRaised.at", "Envelope.time", "JournalPruned.before", "StateDifference.time"),
}
DATES = {"Authorisation.date", "AuthorisedBet.date"}
IN_UTC = "In UTC."


def meaning(shape: str, key: str, schema: Any) -> str:
    """What a property means, as whole sentences. Raises KeyError for one that the vocabulary does not have."""
    sentence = SENTENCES.get(f"{shape}.{key}") or SENTENCES.get(key)
    if sentence is None:
        raise KeyError(f"{shape}.{key} has no sentence in controller/floor/vocabulary.json")
    unit = IN_UTC if text_format(shape, key) == "date-time" else _unit(schema)
    return f"{sentence} {unit}".rstrip()


def text_format(shape: str, key: str) -> str | None:
    """The JSON Schema format of a text property, if it has one."""
    own = {key, f"{shape}.{key}"}
    return "date-time" if own & TIMES else "date" if own & DATES else None


def _unit(schema: Any) -> str:
    """The unit of the numbers in a property, by its type; empty if the type has none."""
    if isinstance(schema, dict):
        return schema["description"] if schema.get("description") in UNITS else _unit([*schema.values()])
    return next(filter(None, map(_unit, schema)), "") if isinstance(schema, list) else ""
