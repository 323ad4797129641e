"""Types of arguments: each returns the value, or raises argparse's error that says what was expected."""

import argparse
from argparse import ArgumentTypeError
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from controller.system.times import as_utc


class Parser(argparse.ArgumentParser):
    """A parser that answers a mistyped word with the nearest known one and the usage of that command."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += nearest(str(value), map(str, action.choices or ()))
            raise

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            hint = nearest(unknown[0].partition("=")[0], self._option_string_actions)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return known, unknown


class Version(argparse.Action):
    """Prints the version, which the station and the pit share."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"{parser.prog} {version('dealer-station')}")
        parser.exit()


def nearest(wrong: str, known: Iterable[str], folder: str = "") -> str:
    """The end of a sentence about a mistyped word: the most similar known one; empty if none is similar."""
    from controller.config.section import most_like  # not before something is mistyped

    found = most_like(wrong, known)
    return f"; did you mean {folder}{found}?" if found else ""


def nearest_file(path: Path) -> str:
    """As `nearest`, among the names of the files in the same folder; empty if the file exists."""
    try:
        known = [] if path.exists() else [file.name for file in path.parent.iterdir() if file.is_file()]
    except OSError:
        return ""
    return nearest(path.name, known, str(path).removesuffix(path.name))


def share(text: str) -> float:
    """A chance, from 0 to 1."""
    try:
        good = 0 <= float(text) <= 1
    except ValueError:
        good = False
    if not good:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return float(text)


def speed(text: str) -> str:
    """The speed of a simulated table, as the text that was written."""
    if text not in ("human", "device", "max"):
        try:
            good = 0 < float(text) < float("inf")
        except ValueError:
            good = False
        if not good:
            raise ArgumentTypeError(f"{text!r} is not human, device, max, or a number above 0")
    return text


def count(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def day(text: str) -> date:
    """A day, YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a day, such as 2026-01-31") from None


def add_as_of(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the day whose version of a regulation applies."""
    parser.add_argument(
        "--as-of",
        type=day,
        metavar="DATE",
        default=datetime.now(UTC),
        help="by the regulation in force on that day (default: today, in the time zone of its jurisdiction)",
    )


def moment(text: str) -> str:
    """A time, in UTC unless it names a zone, in the form of the journal."""
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a time, such as 2026-01-31 or 2026-01-31T20:15") from None
    return as_utc(given.replace(tzinfo=given.tzinfo or UTC))


def chosen_reading(text: str) -> tuple[str, bool]:
    """KEY=true or KEY=false."""
    key, _, value = text.partition("=")
    if not key or value not in ("true", "false"):
        raise ArgumentTypeError(f"{text!r} is not KEY=true or KEY=false")
    return key, value == "true"


def seats(text: str) -> str:
    """Seats with commas between them.

    >>> seats("3,5")
    '3,5'
    """
    if not all(number.isdecimal() and int(number) for number in text.split(",")):
        raise ArgumentTypeError(f"expected a seat, or some with commas between them, such as 3,5, not {text!r}")
    return text


def shown_address(text: str) -> str:
    """An address as HOST:PORT, without a wildcard, so that others can open it.

    >>> shown_address("192.0.2.10:8100")
    '192.0.2.10:8100'
    """
    host, _ = address(text)
    if host in ("0.0.0.0", "::"):
        raise ArgumentTypeError(f"expected an address of this computer, such as 192.0.2.10:8100, not {text!r}")
    return text


def address(text: str) -> tuple[str, int]:
    """HOST:PORT; an IPv6 host is in brackets."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ArgumentTypeError(f"{text!r} is not an address and a port, such as 127.0.0.1:8080")
    return host.strip("[]"), int(port)


def url(text: str) -> tuple[str, int]:
    """http://HOST:PORT; returns host and port."""
    from urllib.parse import urlsplit

    try:
        url = urlsplit(text)
        host, port = url.hostname, url.port
    except ValueError:
        host = port = None
    if not host or not port or text.rstrip("/") != f"http://{url.netloc}" or "@" in url.netloc:
        raise ArgumentTypeError(f"{text!r} is not http://HOST:PORT, such as http://127.0.0.1:8080")
    return host, port


def broker(text: str) -> str:
    """mqtt://HOST:PORT or mqtts://HOST:PORT; in a simulation, the address of its broker."""
    if text not in ("auto", "none") and not text.startswith(("mqtt://", "mqtts://")):
        raise ArgumentTypeError(f"{text!r} is not mqtt://HOST:PORT, mqtts://HOST:PORT, auto or none")
    return text


def pins(text: str) -> dict[str, str]:
    """PINs by name: `ana=274951,rui=862043`."""
    from controller.console.pins import WeakPin, refuse_weak

    given: dict[str, str] = {}
    for pair in text.split(","):
        name, _, pin = (part.strip() for part in pair.partition("="))
        if not name or name in given:
            raise ArgumentTypeError(f"{pair!r}: NAME=PIN expected, each name once")
        try:
            refuse_weak(pin)
        except WeakPin as weak:
            raise ArgumentTypeError(f"the PIN of {name}: {weak}") from None
        given[name] = pin
    return given


def person(text: str) -> tuple[str, str]:
    """NAME=ROLE."""
    name, _, role = text.partition("=")
    if not name or not role:
        raise ArgumentTypeError(f"{text!r} is not NAME=ROLE, such as ana=dealer")
    return name, role


def driver_and_port(text: str) -> tuple[str, str | None]:
    """DRIVER=PORT; only DRIVER for a device on USB."""
    from drivers.registry import all_drivers

    driver, _, port = text.partition("=")
    known = all_drivers()
    if driver not in known:
        raise ArgumentTypeError(f"{driver!r} is no driver; there are {', '.join(known)}")
    return driver, port or None


def network(text: str) -> str:
    """An address, or a network as 192.0.2.0/24."""
    from ipaddress import ip_network

    try:
        return str(ip_network(text))
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a network, such as 192.0.2.0/24: {error}") from None
