"""Reading a TOML table key by key, so that every mistake is found and named in one pass."""

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import Any, NamedTuple, TypeVar

MOST_MINOR_UNITS = 10**15  # far above any table, far below what 1/10 000 units need of a 64-bit reader
MOST_MISTAKES = 100  # of a file, so that a long one that is wrong throughout costs little
MOST_SHOWN = 200  # characters of a key or value
T = TypeVar("T", bound=str | int)
_ABSENT: Any = object()
PORT = re.compile(r"[0-9]{1,5}")
NAME_CHARACTERS = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


def is_loopback(host: str) -> bool:
    """Whether this is a loopback address. A name never is, since it may resolve to another address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost")
    (True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Mistake(NamedTuple):
    """One wrong value: its key, what is there, and what was expected."""

    key: str
    value: str
    expected: str

    def __str__(self) -> str:
        """The mistake on one line, in which no character controls a terminal: such characters are escaped as in
        TOML.

        >>> str(Mistake("table.min", "-1", "a whole number from 1 to 100"))
        'table.min = -1: expected a whole number from 1 to 100'
        """
        text = f"{self.key} = {self.value}: expected {self.expected}"
        return "".join(letter if letter.isprintable() else f"\\U{ord(letter):08x}" for letter in text)


class Section:
    """One table of the file. A reader that finds a mistake notes it and returns a placeholder that is never used."""

    def __init__(self, name: str, table: dict[str, Any], mistakes: list[Mistake], missing: bool = False) -> None:
        self.missing = missing
        self._name = name
        self._table = table
        self._mistakes = mistakes
        self._read: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def __iter__(self) -> Iterator[str]:
        """The keys that are in the file."""
        return iter(list(self._table))

    def skip(self, key: str) -> None:
        """Marks a key as read."""
        self._read.add(key)

    def report(self, key: str, value: object, expected: str) -> None:
        """Note a mistake. A missing section is one mistake, not one for each of its keys."""
        if not self.missing and not self._is_full():
            shown = "(missing)" if value is _ABSENT else _shown(value)
            self._mistakes.append(Mistake(_short(self._path(key)), _short(shown), expected))

    def report_missing(self, key: str, expected: str) -> None:
        """Note that a key is not there."""
        self.report(key, _ABSENT, expected)

    def section(self, key: str, needed: bool = True) -> "Section":
        """A table inside this one. One that is missing and not `needed` is empty."""
        value = self._take(key, {})
        if not isinstance(value, dict):
            self.report(key, value, "a table")
        elif key not in self._table and needed:
            self.report(key, _ABSENT, f"a table [{self._path(key)}]")
        else:
            return Section(self._path(key), value, self._mistakes)
        return Section(self._path(key), {}, self._mistakes, missing=True)

    def optional(self, key: str) -> "Section | None":
        """A table inside this one that may be left out."""
        return self.section(key) if key in self._table else None

    def tables(self, key: str) -> "list[Section]":
        """A list of tables, which may be left out."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.report(key, value, f"a list of tables, [[{self._path(key)}]]")
            return []
        return [Section(f"{self._path(key)} {at}", item, self._mistakes) for at, item in enumerate(value, 1)]

    def text(self, key: str, default: str = _ABSENT) -> str:
        """A text, which may be empty only if the default is."""
        value = self._take(key, default)
        if not isinstance(value, str) or (not value and default is _ABSENT):
            self.report(key, value, "a text")
            return ""
        if "\0" in value:
            self.report(key, value, "a text without NUL, which no path may have")
            return ""
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts that are not empty."""
        value = self._take(key, _ABSENT)
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            self.report(key, value, "a list of texts")
            return ()
        return tuple(value)

    def line(self, key: str) -> str:
        """A text of one line that can be printed."""
        value = self.text(key)
        if not value.isprintable():
            self.report(key, value, "a text of one line")
        return value

    def date(self, key: str) -> str:
        """A day, ``2026-01-31``."""
        value = self._take(key, _ABSENT)
        if type(value) is not datetime.date:
            self.report(key, value, "a day, such as 2026-01-31, without quotes")
            return ""
        return value.isoformat()

    def name(self, key: str) -> str:
        """A text that can be in an MQTT topic."""
        value = self.text(key)
        if not set(value) <= NAME_CHARACTERS:
            self.report(key, value, "letters, digits, - _ . only: it becomes part of the MQTT topics")
        return value

    def integer(self, key: str, least: int, most: int, expected: str = "", default: int = _ABSENT) -> int:
        """A whole number within bounds.

        >>> mistakes = []
        >>> Section("table", {"min": True}, mistakes).integer("min", 1, 100)
        1
        >>> mistakes[0].expected
        'a whole number from 1 to 100'
        """
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.report(key, value, expected or f"a whole number from {least} to {most}")
            return least
        return value

    def peek(self, key: str) -> object:
        """The value of a key, of any type; None if the key is missing."""
        return self._table.get(key)

    def peek_integer(self, key: str, default: int) -> int:
        """A number read elsewhere, for a bound that depends on it."""
        value = self._table.get(key)
        return value if isinstance(value, int) else default

    def choice(self, key: str, choices: Sequence[T], default: T = _ABSENT, expected: str = "") -> Any:
        """One of some values.

        >>> mistakes = []
        >>> _ = Section("", {"mode": "lvie"}, mistakes).choice("mode", ("live", "simulation"))
        >>> print(mistakes[0])
        mode = "lvie": expected "live" or "simulation"; did you mean "live"?
        """
        value = self._take(key, default)
        if not _among(value, choices):
            hint = ""
            if isinstance(value, str) and not self._is_full():
                hint = _meant(value, [str(choice) for choice in choices])
            self.report(key, value, expected or " or ".join(_shown(choice) for choice in choices) + hint)
            return choices[0]
        return value

    def free_choice(self, key: str, choices: Sequence[T], default: T = _ABSENT, expected: str = "") -> Any:
        """One of several values. If only one is possible, the file may not have the key."""
        return self.choice(key, choices, default, expected) if len(choices) > 1 else choices[0]

    def choice_or_only(self, key: str, choices: Sequence[T]) -> Any:
        """One of several values. If only one is possible, the file may leave the key out."""
        return self.choice(key, choices, choices[0] if len(choices) == 1 else _ABSENT)

    def list_of(
        self, key: str, choices: Sequence[T], default: Sequence[T] = _ABSENT, why_none: str = ""
    ) -> tuple[Any, ...]:
        """A list of some values, each at most once; `why_none` says why there are no values."""
        value = self._take(key, default)
        if (
            not isinstance(value, list | tuple)
            or not all(_among(item, choices) for item in value)
            or len(set(value)) != len(value)
        ):
            known = ", ".join(_shown(choice) for choice in choices)
            self.report(key, value, f"a list of {known}, each at most once" if choices else f"[]: {why_none}")
            return ()
        return tuple(value)

    def names(self, key: str, most: int) -> tuple[str, ...]:
        """A list of different names; empty if the key is missing."""
        value = self._take(key, [])
        good = isinstance(value, list) and all(_is_name(item) for item in value) and len(set(value)) == len(value)
        if not good or len(value) > most:
            self.report(key, value, f"a list of {most} names at most, each once, of letters, digits, - _ and .")
            return ()
        return tuple(value)

    def list_of_integers(self, key: str, least: int, most: int) -> tuple[int, ...]:
        """A list of whole numbers within bounds; empty, without a mistake, if the value is no list."""
        value = self._take(key, _ABSENT)
        good = isinstance(value, list) and all(type(item) is int and least <= item <= most for item in value)
        return tuple(value) if good else ()

    def address(self, key: str) -> tuple[str, int]:
        """host:port.

        >>> Section("console", {"listen": "[::1]:8080"}, []).address("listen")
        ('::1', 8080)
        """
        value = self.text(key)
        host, _, port = value.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not host or not PORT.fullmatch(port) or not 0 < int(port) < 65536:
            if value:
                self.report(key, value, 'an address and a port, such as "127.0.0.1:8080"')
            return "", 0
        return host, int(port)

    def end(self) -> None:
        """Report every key that was not read as unknown.

        >>> mistakes = []
        >>> section = Section("table", {"seats": 7, "colour": "green"}, mistakes)
        >>> section.integer("seats", 1, 7)
        7
        >>> section.end()
        >>> print(mistakes[0])
        table.colour = "green": expected no such key
        """
        for key in self._table:
            if key not in self._read and not self._is_full():
                self.report(key, self._table[key], f"no such key{_meant(key, self._read)}")

    def _is_full(self) -> bool:
        return len(self._mistakes) >= MOST_MISTAKES

    def _take(self, key: str, default: Any) -> Any:
        self._read.add(key)
        return self._table.get(key, default)

    def _path(self, key: str) -> str:
        return f"{self._name}.{key}" if self._name else key


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value) and set(value) <= NAME_CHARACTERS


def _among(value: object, choices: Sequence[object]) -> bool:
    # 3.0 and true are equal to an integer and are none.
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _short(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{…}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def most_like(wrong: str, known: Iterable[str], least: float = 0.6) -> str:
    """The known word that is most similar, of those with at least the similarity `least` (0 to 1); empty if there is
    none.
    """
    import difflib  # not before something is mistyped

    return next(iter(difflib.get_close_matches(wrong, [*known], 1, least)), "")


def _meant(wrong: str, known: Iterable[str]) -> str:
    """The end of a sentence about a mistyped word: the most similar known one; empty if none is similar."""
    close = most_like(wrong, known)
    return f'; did you mean "{close}"?' if close else ""
