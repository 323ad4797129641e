"""A text of TOML to plain values, within limits that keep the parser's work and memory small. No I/O here."""

import re
import tomllib
from typing import Any

MOST_OCTETS = 1 << 16  # the longest honest file, a pit.toml with 200 tables, has 31 KiB
MOST_PARTS = 8  # of a dotted key
MOST_OPEN = 8  # brackets
LONGEST_VALUE = 64  # characters of a number or date; the longest date has 35
LEAST_INTEGER, MOST_INTEGER = -(1 << 63), (1 << 63) - 1
MOST_MEMORY = 128 << 20  # octets of address space of the child
MOST_SECONDS = 1  # of processor time of the child, beside that of its start
EXIT_MEMORY = 3
BYTE_ORDER_MARK = "\ufeff"

_TOKEN = re.compile(
    r'''
      (?P<quoted> """ (?: [^"\\]++ | \\. | "(?!"") )*+ """ "{0,2}
                | \'\'\' (?: [^']++ | '(?!\'\') )*+ \'\'\' '{0,2}
                | " (?!"") (?: [^"\\\n]++ | \\[^\n] )*+ "
                | ' (?!\'\') [^'\n]*+ ' )
    | (?P<comment> \#[^\n]*+ )
    | (?P<word> [^\s"'\#\[\]{},=]++ )
    | (?P<space> [^\S\n]++ )
    | (?P<mark> . )
    ''',
    re.VERBOSE | re.DOTALL,
)
_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class BadToml(ValueError):
    """The text cannot be read; the sentence names the line, if it is known, and the reason."""

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.line, self.reason = line, reason


def parse_toml(octets: bytes) -> dict[str, Any]:
    """The document; a byte order mark may begin it. Raises BadToml.

    Integers fit in 64 bits. Keys have at most MOST_PARTS parts, and MOST_OPEN brackets are open at once.

    >>> parse_toml(b'table.seats = 7')
    {'table': {'seats': 7}}
    >>> parse_toml(b'a.b.c.d.e.f.g.h.i = 1')
    Traceback (most recent call last):
        ...
    controller.toml.text.BadToml: line 1: a key has more than 8 parts
    """
    text = _decoded(octets)
    _check(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        reason = str(error)
        found = _POSITION.search(reason)
        line = int(found[1]) if found is not None and found[1] else 1 + text.count("\n")
        raise BadToml(line, _POSITION.sub("", reason)) from None


def _decoded(octets: bytes) -> str:
    if len(octets) > MOST_OCTETS:
        line = 1 + octets.count(b"\n", 0, MOST_OCTETS)
        raise BadToml(line, f"the text is longer than {MOST_OCTETS} octets")
    try:
        text = octets.decode()
    except UnicodeDecodeError as error:
        line = 1 + octets.count(b"\n", 0, error.start)
        raise BadToml(line, f"octet 0x{octets[error.start]:02x} is not UTF-8: {error.reason}") from None
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")


def _check(text: str) -> None:
    """Raise BadToml where a key is too deep, too many brackets are open, or a value is too long.

    It splits a text as tomllib does up to the first mistake, where tomllib stops.
    """
    line, dots, opened, in_key = 1, 0, "", True
    for token in _TOKEN.finditer(text):
        kind, found = token.lastgroup, token[0]
        if kind == "word":
            dots += found.count(".")
            if dots >= MOST_PARTS:
                raise BadToml(line, f"a key has more than {MOST_PARTS} parts")
            if not in_key:
                _check_value(found, line)
        elif kind == "quoted":
            line += found.count("\n")
        elif kind == "mark":
            dots = 0
            if found in "\"'":
                raise BadToml(line, f"a text begins with {found} and does not end")
            if found in "[{":
                opened += found
                in_key = (in_key and found == "[") or found == "{"
                if len(opened) > MOST_OPEN:
                    raise BadToml(line, f"more than {MOST_OPEN} brackets are open")
            elif found in "]}":
                opened = opened[:-1]
            elif found == ",":
                in_key = opened[-1:] == "{"
            elif found == "=":
                in_key = False
            else:
                line += 1
                in_key = in_key or not opened


def _check_value(word: str, line: int) -> None:
    if len(word) > LONGEST_VALUE:
        raise BadToml(line, f"a number or date has more than {LONGEST_VALUE} characters")
    try:
        fits = LEAST_INTEGER <= int(word, 0) <= MOST_INTEGER
    except ValueError:
        return  # no integer
    if not fits:
        raise BadToml(line, "an integer does not fit in 64 bits")


def _main() -> None:
    """The program of the child: limits first, then standard input to JSON on standard output, as `apart` reads it."""
    import json
    import resource
    import sys
    import time
    from math import ceil

    most_seconds = MOST_SECONDS + ceil(time.process_time())  # a slow computer takes a second for the start alone
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (most_seconds, most_seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer: dict[str, Any] = {"document": _plain(parse_toml(sys.stdin.buffer.read(MOST_OCTETS + 1)))}
    except BadToml as bad:
        answer = {"line": bad.line, "reason": bad.reason}
    except MemoryError:
        sys.exit(EXIT_MEMORY)
    json.dump(answer, sys.stdout)


def _plain(value: object) -> object:
    """The JSON form of a value: a value that JSON lacks becomes a list of its kind and itself."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return ["list", [_plain(inner) for inner in value]]
    if isinstance(value, bool | int | str):
        return value
    return [type(value).__name__, str(value)]


if __name__ == "__main__":
    _main()
