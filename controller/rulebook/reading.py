"""Reads JSON written by a person, key by key, and refuses everything unexpected. No I/O here."""

import json
from collections.abc import Collection, Mapping

from msgspec import Struct

from controller.rulebook.cards import Card, parse_cards
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.units import Minor

LONGEST_NAME = 40  # characters
LONGEST_NUMBER_DIGITS = 1000  # far beyond any money, and products of two stay below Python's limit of 4300

JsonObject = dict[str, object]


class Limits(Struct, frozen=True):
    """The least and the most of one bet, as posted at the table; minor units, both included."""

    min: Minor
    max: Minor


def read_json(text: str | bytes, who: str) -> object:
    """The JSON value in a text (bytes: UTF-8), every key at every depth given once.

    Raises Refusal for anything else, of any size or depth; it blames `who` or the repeated key.

    >>> read_json('{"seat": 3}', "file")
    {'seat': 3}
    >>> read_json('{"seat": 3, "seat": 4}', "file")
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('"seat"', 'repeated_key', {}, None)
    """
    try:
        return json.loads(
            text.decode() if isinstance(text, bytes) else text,
            object_pairs_hook=_keys_once,
            parse_int=_integer_or_text,
            parse_constant=lambda name: _refuse_constant(who, name),
        )
    except UnicodeDecodeError:
        raise Refusal(who, LawReason.NOT_UTF8) from None
    except json.JSONDecodeError as mistake:
        raise Refusal(
            who, LawReason.NOT_JSON_AT, mistake=mistake.msg, line=mistake.lineno, column=mistake.colno
        ) from None
    except RecursionError:
        raise Refusal(who, LawReason.TOO_DEEP) from None


def _keys_once(pairs: list[tuple[str, object]]) -> JsonObject:
    read: JsonObject = {}
    for key, value in pairs:
        if key in read:
            raise Refusal(quoted(key), LawReason.REPEATED_KEY)
        read[key] = value
    return read


def _integer_or_text(literal: str) -> int | str:
    # What is too long to be a number stays text: anyone who wants a number there refuses it by its key.
    return int(literal) if len(literal) <= LONGEST_NUMBER_DIGITS else literal


def _refuse_constant(who: str, name: str) -> object:
    raise Refusal(who, LawReason.NOT_JSON, constant=name)


def read_object(value: object, who: str, known: Collection[str], required: Collection[str] = ()) -> JsonObject:
    """The value as an object with every required key, and with known keys only.

    >>> read_object({"min": 1000}, "limits", ("min", "max"), ("min", "max"))
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('limits', 'missing_key', {'key': 'max'}, None)
    """
    if not isinstance(value, dict):
        raise Refusal(who, LawReason.NO_OBJECT, value=quoted(value))
    for key in value:
        if key not in known:
            raise Refusal(who, LawReason.UNKNOWN_KEY, key=quoted(key), known=", ".join(known))
    for key in required:
        if key not in value:
            raise Refusal(who, LawReason.MISSING_KEY, key=key)
    return value


def read_money(value: object, who: str, key: str, least: int = 1) -> int:
    """The value as minor units: an integer of at least `least`; never a float, a boolean or null.

    >>> read_money(10000, "seat 3", "ante")
    10000
    >>> read_money(100.0, "seat 3", "ante")
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('seat 3', 'no_positive_integer', {'what': 'ante', 'value': '100.0'}, None)
    """
    if type(value) is not int or value < least:
        if least == 1:
            raise Refusal(who, LawReason.NO_POSITIVE_INTEGER, what=key, value=quoted(value))
        raise Refusal(who, LawReason.NO_INTEGER_FROM, what=key, least=least, value=quoted(value))
    return value


def read_limits(value: object) -> Limits:
    """The least and the most of one bet, both included, from {"min", "max"}.

    >>> read_limits({"min": 1000, "max": 100000})
    Limits(min=1000, max=100000)
    """
    read = read_object(value, "limits", ("min", "max"), ("min", "max"))
    least, most = read_money(read["min"], "limits", "min"), read_money(read["max"], "limits", "max")
    if most < least:
        raise Refusal("limits", LawReason.MOST_BELOW_LEAST)
    return Limits(least, most)


def read_rules(value: object, known: Collection[str]) -> tuple[str, ...]:
    """The readings that a round was played by instead of those decided, as its message names them in `rules`."""
    if not isinstance(value, list) or not all(isinstance(key, str) for key in value) or len(set(value)) != len(value):
        raise Refusal("rules", LawReason.NO_LIST_OF, known=", ".join(known), value=quoted(value))
    for key in value:
        if key not in known:
            raise Refusal("rules", LawReason.NONE_OF, key=quoted(key), known=", ".join(known))
    return tuple(value)


def read_cards(holder: Mapping[str, object], who: str, key: str, count: int, article: str) -> tuple[Card, ...]:
    """The `count` cards under a key, from text such as "As Kd Tc".

    >>> read_cards({"cards": "As Kd Tc"}, "seat 3", "cards", 3, "11.º 1")
    ('As', 'Kd', 'Tc')
    """
    text = holder.get(key)
    if not isinstance(text, str):
        raise Refusal(who, LawReason.NO_CARDS_AS_TEXT, key=key, count=count, value=quoted(text))
    cards = parse_cards(text, who)
    if len(cards) != count:
        raise Refusal(who, LawReason.WRONG_NUMBER_OF_CARDS, article, key=key, count=count, found=len(cards))
    return cards


def read_card(value: object, who: str, article: str) -> Card:
    """The one card of a text such as "As"."""
    if not isinstance(value, str):
        raise Refusal(who, LawReason.NO_CARD_AS_TEXT, value=quoted(value))
    cards = parse_cards(value, who)
    if len(cards) != 1:
        raise Refusal(who, LawReason.NOT_ONE_CARD, article, found=len(cards))
    return cards[0]


def check_name(player: object, who: str, box: str) -> str:
    """The player's name. Raises Refusal unless it is a printable text of 1 to 40 characters that is not blank.

    >>> check_name("ana", "seat 3", "ante")
    'ana'
    """
    # Not printable are halves of a surrogate pair too, which JSON can escape and no answer can be written with, and
    # marks that turn the direction of writing, by which one name looks like another.
    if not isinstance(player, str) or not player.strip() or len(player) > LONGEST_NAME or not player.isprintable():
        raise Refusal(who, LawReason.NO_NAME, box=box, most=LONGEST_NAME, value=quoted(player))
    return player
