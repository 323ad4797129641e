"""What the law answers to something it does not allow: who, why, and under which article. No I/O here."""

import json

SHOWN_CHARACTERS = 40
STEP_BY_STEP = "policy: one step at a time"  # cited where nothing of the kind is asked for now
CORRECTIONS = "policy: corrections"


class Refusal(Exception):
    """Something the rules or the round file do not allow.

    `who` is the key or the place it concerns ("seat 3", "jackpot.pot"), `reason` says what is wrong, `article` cites
    the rule ("4.º 3"), names the house policy ("policy: equal chips"), or is None where only the text is malformed.
    str() is one line with all three.
    """

    def __init__(self, who: str, reason: str, article: str | None = None) -> None:
        super().__init__(who, reason, article)
        self.who = who
        self.reason = reason
        self.article = article

    def __str__(self) -> str:
        return f"{self.who}: {self.reason}" + (f" ({self.article})" if self.article else "")


def quoted(value: object) -> str:
    """A value from outside as short ASCII on one line, fit for the text of a refusal."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    # A JSON file may hold an integer too long for Python to turn back into text.
    if isinstance(value, int) and value.bit_length() > 128:
        return "a very large number"
    text = json.dumps(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "~"
