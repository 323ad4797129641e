"""Hostile texts of TOML: the same ones each time, out of a seed."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

EXAMPLE = (Path(__file__).parents[2] / "systemd" / "station.toml").read_bytes()
ODD = (
    "\0",
    "\x7f",
    "\r",
    "\ufeff",
    "\u2028",
    "'",
    '"',
    '"""',
    "'''",
    "\\",
    "{",
    "[",
    "[[",
    "}",
    "]",
    "=",
    ".",
    "#",
    ",",
)
WRONG = (
    b"0x" + b"f" * 9000, b"nan", b"-inf", b"1e400", b"9223372036854775807", b"07:32:00", b"'''\n'''", b'"\\u0000"',
    b'"\\U0010ffff"', b"[[[[]]]]", b"{a = {b = {}}}", b"[" + b"1," * 20_000 + b"]", b'"' + b"g" * 60_000 + b'"',
    b'"h:' + b"9" * 5000 + b'"',
)  # fmt: skip
LONGEST = 1 << 17  # octets, which is above the limit


def _sized(chance: random.Random, unit: str) -> str:
    """So many of them, from one to more than are read."""
    return unit * (1 + int(2 ** chance.uniform(0, LONGEST.bit_length() - 1)) // len(unit))


def _deep_key(chance: random.Random) -> str:
    return _sized(chance, chance.choice(("a.", "a . ", '"".', "'x'.", "1."))) + "a = 1"


def _deep_header(chance: random.Random) -> str:
    return chance.choice(("[", "[[")) + _sized(chance, "a.") + "a" + chance.choice(("]", "]]"))


def _number(chance: random.Random) -> str:
    start, digits = chance.choice((
        ("0x", "f"), ("0x", "f_f"), ("0o", "7"), ("0b", "1"), ("", "9"), ("-", "9"), ("", "1_0"), ("0.", "1"),
        ("1e", "9"), ("1e-", "9"), ("2026-01-31T00:00:00.", "0"), ("+", "7"),
    ))  # fmt: skip
    return f"a = {start}{_sized(chance, digits)}"


def _integer(chance: random.Random) -> str:
    number = chance.getrandbits(chance.randrange(63, 200))
    return f"[people]\na = {chance.choice(('+', '-', ''))}{number:#{chance.choice('xob')}}"


def _date(chance: random.Random) -> str:
    year, month, day, hour = (chance.randrange(most) for most in (10_000, 15, 34, 27))
    return f"a = {year:04}-{month:02}-{day:02}T{hour:02}:{hour:02}:61{chance.choice(('', 'Z', '+25:00', '-00:61'))}"


def _nested(chance: random.Random) -> str:
    return "a = " + _sized(chance, chance.choice(("[", "[[],", "{a = ", "[{a = ", "[\n", "[#\n")))


def _repeated(chance: random.Random) -> str:
    lines = (
        "[a]\n",
        "[[a]]\n[a]\n",
        "a = 1\n",
        "a.b = 1\na = 1\n",
        "[a.b]\n[a]\nb.c = 1\n",
        "a = {}\na.b = 1\n",
        "a = [{b = 1}, {b = 1, b = 2}]\n",
    )
    return _sized(chance, chance.choice(lines))


def _unknown(chance: random.Random) -> str:
    """Well formed, and wrong in each line."""
    most = int(2 ** chance.uniform(2, 13))
    line: Callable[[int], str] = chance.choice((
        lambda at: f"schema{at} = {at}",
        lambda at: f"[t{at}.minimum]",
        lambda at: f"[[table{at}]]\ngame = 'fortune'",
        lambda at: f"people.person{at} = 'dealers'",
        lambda at: f"devices.slots.seats.{at} = {at}",
        lambda at: "[[bet]]\nname = 'a'",
    ))  # fmt: skip
    return "\n".join(map(line, range(most)))


def _unended(chance: random.Random) -> str:
    inside = chance.choice(("x", "\\\\", "\\u0041", "\n", " ", "\t#"))
    return f"a = {chance.choice(ODD)}{_sized(chance, inside)}"


def _odd(chance: random.Random) -> bytes:
    """The example with octets put in, taken out, or exchanged."""
    octets = bytearray(EXAMPLE)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(octets))
        odd = chance.choice((bytes([chance.randrange(256)]), chance.choice(ODD).encode(), b"\xed\xa0\x80", b"\xc0\x80"))
        octets[at : at + chance.randrange(3)] = odd
    return bytes(octets)


def _wrong_value(chance: random.Random) -> bytes:
    """The example with one value that is none, in a place where another one is due."""
    lines = EXAMPLE.split(b"\n")
    at = chance.choice([at for at, line in enumerate(lines) if b" = " in line and not line.startswith(b"#")])
    lines[at] = lines[at].split(b" = ")[0] + b" = " + chance.choice(WRONG)
    return b"\n".join(lines)


KINDS: tuple[Callable[[random.Random], str | bytes], ...] = (
    _deep_key, _deep_header, _number, _integer, _date, _nested, _repeated, _unknown, _unended, _odd, _wrong_value,
)  # fmt: skip


def hostile_texts(count: int, seed: int = 39) -> Iterator[bytes]:
    """So many, of each kind in turn."""
    chance = random.Random(seed)
    for at in range(count):
        text = KINDS[at % len(KINDS)](chance)
        yield text.encode(errors="surrogatepass") if isinstance(text, str) else text
