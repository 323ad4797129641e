"""What is wrong with a bundle, and values as JSON has them."""

import json
from typing import Any

Event = dict[str, Any]
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, OSError, RecursionError)


class NoBundle(Exception):
    """The file is not a bundle that this program reads."""


class BadDay(Exception):
    """No regulation of the game is in force on the day that was asked for."""


class Wrong(Exception):
    """Something in the bundle is not as it must be."""


def read_json(text: str, what: str) -> Event:
    """An object. No key of it, or of an object in it, is there twice. Raises NoBundle."""
    found = read_value(text, what)
    if not isinstance(found, dict):
        raise NoBundle(f"{what} is no object")
    return found


def read_value(text: str | bytes, what: str) -> Any:
    """A value of JSON, as `read_json` reads objects."""

    def once(pairs: list[tuple[str, Any]]) -> Event:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise NoBundle(f"{what}: a key is there twice")
        return found

    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise NoBundle(f"{what} is no JSON: {error}") from None


def first_difference(expected: object, given: object, path: str = "") -> str:
    """Where two values differ first, in words."""
    if isinstance(expected, dict) and isinstance(given, dict):
        for key in [*expected, *(key for key in given if key not in expected)]:
            if key not in given or key not in expected or expected[key] != given[key]:
                there = f"{path}.{key}" if path else str(key)
                return first_difference(expected.get(key, "nothing"), given.get(key, "nothing"), there)
    if isinstance(expected, list) and isinstance(given, list) and len(expected) == len(given):
        for at, (wanted, other) in enumerate(zip(expected, given, strict=True)):
            if wanted != other:
                return first_difference(wanted, other, f"{path}[{at}]")
    return f": {path} is {json.dumps(given, ensure_ascii=False)}, not {json.dumps(expected, ensure_ascii=False)}"
