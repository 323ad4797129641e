"""Reads JSON that a person wrote, key by key, and refuses whatever is not exactly what was asked for. No I/O here."""

import json
from collections.abc import Collection, Mapping

from msgspec import Struct

from controller.rulebook.cards import Card, parse_cards
from controller.rulebook.refusal import Refusal, quoted

LONGEST_NAME = 40  # characters
LONGEST_NUMBER_DIGITS = 1000  # far beyond any money, and products of two stay below Python's limit of 4300

JsonObject = dict[str, object]


class Limits(Struct, frozen=True):
    """The least and the most of one bet, as posted at the table; minor units, both included."""

    min: int
    max: int


def read_json(text: str | bytes, who: str) -> object:
    """The JSON value in a text (bytes: UTF-8), every key at every depth given once.

    Raises Refusal, blaming `who` or the repeated key, for anything else, however large or deep.
    """
    try:
        return json.loads(
            text.decode() if isinstance(text, bytes) else text,
            object_pairs_hook=_keys_once,
            parse_int=_integer_or_text,
            parse_constant=lambda name: _refuse_constant(who, name),
        )
    except UnicodeDecodeError:
        raise Refusal(who, "is not UTF-8 text") from None
    except json.JSONDecodeError as mistake:
        raise Refusal(who, f"is not JSON: {mistake.msg} at line {mistake.lineno}, column {mistake.colno}") from None
    except RecursionError:
        raise Refusal(who, "is nested too deeply") from None


def _keys_once(pairs: list[tuple[str, object]]) -> JsonObject:
    read: JsonObject = {}
    for key, value in pairs:
        if key in read:
            raise Refusal(quoted(key), "the key is repeated")
        read[key] = value
    return read


def _integer_or_text(literal: str) -> int | str:
    # What is too long to be a number stays text: whoever wants a number there refuses it by its key.
    return int(literal) if len(literal) <= LONGEST_NUMBER_DIGITS else literal


def _refuse_constant(who: str, name: str) -> object:
    raise Refusal(who, f"is not JSON: {name}")


def read_object(value: object, who: str, known: Collection[str], required: Collection[str] = ()) -> JsonObject:
    """The value as an object that has no key but the known ones, and all the required ones."""
    if not isinstance(value, dict):
        raise Refusal(who, f"must be an object, not {quoted(value)}")
    for key in value:
        if key not in known:
            raise Refusal(who, f"unknown key {quoted(key)}; known: {', '.join(known)}")
    for key in required:
        if key not in value:
            raise Refusal(who, f"the key {key} is missing")
    return value


def read_money(value: object, who: str, key: str, least: int = 1) -> int:
    """The value as minor units: an integer of at least `least`; never a float, a boolean or null."""
    if type(value) is not int or value < least:
        wanted = "a positive integer" if least == 1 else f"an integer of {least} or more"
        raise Refusal(who, f"{key} must be {wanted}, not {quoted(value)}")
    return value


def read_limits(value: object) -> Limits:
    """The least and the most of one bet, both included, from {"min", "max"}."""
    read = read_object(value, "limits", ("min", "max"), ("min", "max"))
    least, most = read_money(read["min"], "limits", "min"), read_money(read["max"], "limits", "max")
    if most < least:
        raise Refusal("limits", "max is below min")
    return Limits(least, most)


def read_rules(value: object, known: Collection[str]) -> tuple[str, ...]:
    """The readings that a round was played by instead of those decided, as its message names them in `rules`."""
    if not isinstance(value, list) or not all(isinstance(key, str) for key in value) or len(set(value)) != len(value):
        raise Refusal("rules", f"must be a list of {', '.join(known)}, each at most once, not {quoted(value)}")
    for key in value:
        if key not in known:
            raise Refusal("rules", f"{quoted(key)} is none of {', '.join(known)}")
    return tuple(value)


def read_cards(holder: Mapping[str, object], who: str, key: str, count: int, article: str) -> tuple[Card, ...]:
    """The `count` cards under a key, from text such as "As Kd Tc"."""
    text = holder.get(key)
    if not isinstance(text, str):
        raise Refusal(who, f"{key} must be {count} cards as text, not {quoted(text)}")
    cards = parse_cards(text, who)
    if len(cards) != count:
        raise Refusal(who, f"{key} must be {count} cards, not {len(cards)}", article)
    return cards


def read_card(value: object, who: str, article: str) -> Card:
    """The one card of a text such as "As"."""
    if not isinstance(value, str):
        raise Refusal(who, f"must be one card as text, not {quoted(value)}")
    cards = parse_cards(value, who)
    if len(cards) != 1:
        raise Refusal(who, f"must be one card, not {len(cards)}", article)
    return cards[0]


def check_name(player: object, who: str, box: str) -> str:
    """The player's name; raises Refusal for what is not text of 1 to 40 characters, or is blank."""
    if not isinstance(player, str) or not player.strip() or len(player) > LONGEST_NAME or not _is_unicode(player):
        reason = f"{box}: player must be a name of at most {LONGEST_NAME} characters, not {quoted(player)}"
        raise Refusal(who, reason)
    return player


def _is_unicode(text: str) -> bool:
    # JSON can escape half of a surrogate pair, which no answer could be written with.
    return not any("\ud800" <= character <= "\udfff" for character in text)
