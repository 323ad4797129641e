"""The sentence of each kind of entry in the register, in every language. No I/O here."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from controller.rulebook.steps import seat_of
from controller.slips.amounts import in_figures
from controller.words import ENGLISH, SPOKEN, Words, in_every_language, joined

KINDS = tuple(ENGLISH.register_entries)
"""Every kind of entry."""
NOTHING = "–"
CORRECTED = {"correct_wager": "wager", "correct_decision": "decision"}
ENTERED = {
    "seat": "seat", "to_seat": "seat", "wager": "what", "player": "player", "amount": "amount", "decision": "after",
    "to": "to", "after": "cards", "dice": "dice", "what": "what", "count": "count", "meant_for": "to",
}  # fmt: skip
"""The fields of an input that changes a round, each with the field of an entry that is worded alike."""
PLACES = ("bank", "community", "discard")
_in_words = partial(in_every_language, "register_texts")


def entry_words(kind: str, fields: Mapping[str, Any], currency: str, exponent: int) -> Words:
    """The sentence of an entry by language; `fields` are those of its event and include a text by language."""
    filled = {name: _filled(name, value, fields, currency, exponent) for name, value in fields.items()}
    parts = [in_every_language("register_entries", kind, **filled)]
    if fields.get("after_result"):
        parts.append(_in_words("after_result"))
    if fields.get("net_before") is not None:
        parts.append(_in_words("net", **{name: filled[name] for name in ("net_before", "net_after", "net_difference")}))
    return {language: text.strip() for language, text in joined(parts).items()}


def _entered(input: Mapping[str, Any], currency: str, exponent: int) -> Words:
    """The content of a change: its kind, then its fields, in the form of an entry."""
    own = {"corrected": CORRECTED.get(input["kind"], ""), **input}
    if input["kind"] == "correct_cards":
        own["after"] = own.pop("cards")
    parts = [_in_words(f"named/{input['kind']}")]
    for name, value in own.items():
        if name in ENTERED and value not in (None, "", [], ()):
            filled = _filled(ENTERED[name], value, own, currency, exponent)
            parts.append(filled if isinstance(filled, dict) else dict.fromkeys(SPOKEN, filled))
    return joined(parts, by=", ")


def _filled(name: str, value: Any, fields: Mapping[str, Any], currency: str, exponent: int) -> Words | str:
    if name == "acts":
        return joined((_in_words(f"act/{act}") for act in value), by=", ")
    if name == "entered":
        return _entered(value, currency, exponent)
    if isinstance(value, dict):  # perhaps of a time when fewer languages were spoken
        return {language: str(value.get(language, value.get("en", NOTHING))) for language in SPOKEN}
    if value == "" and name == "reason" and "corrected" in fields:
        return ""  # none was wanted
    if value is None or value == "":
        return NOTHING
    if name in ("changes", "of_hits"):
        return ", ".join(map(str, value))
    if name == "dice":
        return " ".join(map(str, value))
    if name.startswith("net_"):
        return in_figures(int(value), currency, exponent)
    if name == "amounts":
        return ", ".join(in_figures(amount, currency, exponent) for amount in value)
    if name in ("amount", "pot") or (name in ("before", "after") and fields.get("corrected") == "wager"):
        return in_figures(int(value), currency, exponent)
    if name == "corrected" and value == "wager":
        return _named(value, fields["wager"])
    if name in ("before", "after") and fields.get("corrected") == "decision":
        word, _, rest = str(value).partition(" ")
        return _named(word, rest) if _has_name(word) else str(value)
    if name == "seat":
        return _in_words("place/seat", number=value)
    if name in ("to", "at", "by", "before", "after") and (place := _place(str(value))) is not None:
        return place
    if name in ("what", "corrected", "part", "outcome") and _has_name(value):
        return _named(value)
    return str(value)


def _has_name(value: Any) -> bool:
    return f"named/{value}" in ENGLISH.register_texts


def _named(value: str, rest: str = "") -> Words:
    return {language: f"{text} {rest}".rstrip() for language, text in _in_words(f"named/{value}").items()}


def _place(name: str) -> Words | None:
    seat = seat_of(name)
    if seat is not None:
        return _in_words("place/seat", number=seat)
    return _in_words(f"place/{name}") if name in PLACES else None
