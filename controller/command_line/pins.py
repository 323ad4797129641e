"""PINs of the persons of a table or a pit: one is set or removed, or all who have one are listed."""

import argparse
import getpass
import os
import sys
from collections.abc import Callable
from typing import Protocol

from controller.command_line.output import EXIT_CONFIGURATION, refuse
from controller.config.console import LogInSettings
from controller.config.file import Config
from controller.console.pins import PinHasher, PinsUnreadable, WeakPin, changing_pins, read_pins, refuse_weak
from controller.rulebook.roles import People

Ask = Callable[[str], str]


class Persons(Protocol):
    """The persons who may have PINs, and the file of the PINs."""

    @property
    def people(self) -> People: ...

    @property
    def log_in(self) -> LogInSettings: ...


def add_names(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that name a person, for commands that set PINs."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("name", nargs="?", metavar="NAME", help="of [people]")
    which.add_argument("--list", action="store_true", help="who has a PIN")
    parser.add_argument("--remove", action="store_true", help="take the PIN away")


def change_pins(config: Persons, options: argparse.Namespace) -> int:
    """Do what the options of `add_names` ask for; returns the exit code."""
    if options.list:
        return list_pins(config)
    return (remove_pin if options.remove else set_pin)(config, options.name)


def not_in_people(config: Persons, name: str) -> str:
    """The sentence about a name that the configuration does not have."""
    return f"{name} is not in [people], which has {', '.join(config.people)}"


def set_pin(config: Persons, name: str, ask: Ask = getpass.getpass, hasher: PinHasher | None = None) -> int:
    """Ask twice for a person's PIN and keep its hash; returns the exit code."""
    if name not in config.people:
        return refuse(not_in_people(config, name))
    try:
        pin = ask(f"PIN of {name}: ")
        refuse_weak(pin)
        if ask("The same again: ") != pin:
            return refuse("these were two different PINs; nothing was changed")
        kept = (PinHasher() if hasher is None else hasher).hash(pin)
        with changing_pins(config.log_in.pin_file) as pins:
            pins[name] = kept
    except WeakPin as weak:
        return refuse(f"{weak}; nothing was changed")
    except EOFError:
        return refuse("no PIN was given; nothing was changed")
    except (PinsUnreadable, OSError) as error:
        return _cannot(config, error)
    print(f"{name} ({config.people[name]}) has a PIN. A station that runs knows it at the next log-in.")
    if not config.log_in.required:
        print("PINs are off until console.pins = true.")
    return 0


def remove_pin(config: Persons, name: str) -> int:
    """Forget a person's PIN, even if the person is no longer in the configuration; returns the exit code."""
    try:
        with changing_pins(config.log_in.pin_file) as pins:
            had = pins.pop(name, None)
    except (PinsUnreadable, OSError) as error:
        return _cannot(config, error)
    if had is None:
        return refuse(f"{name} has no PIN")
    print(f"{name} has no PIN any more, and is logged out where a station runs.")
    return 0


def list_pins(config: Persons) -> int:
    """Print who has a PIN; returns the exit code."""
    try:
        pins = read_pins(config.log_in.pin_file)
    except PinsUnreadable as error:
        return _cannot(config, error)
    names = [*config.people, *(name for name in pins if name not in config.people)]
    wide = max(map(len, names))
    for name in names:
        role = config.people.get(name, "in [people] no more")
        print(f"{name:<{wide}}  {'PIN' if name in pins else '–  '}  {role}")
    return 0


def wanting_pins(config: Config) -> list[str]:
    """The steps before persons can act at this table, a line each; empty if PINs are off."""
    if not config.log_in.required:
        return []
    try:
        pins = read_pins(config.log_in.pin_file)
    except PinsUnreadable as error:
        return [f"the PINs: {error}"]
    without = [name for name in config.people if name not in pins]
    if not without:
        return []
    lines = [f"no PIN is set for {', '.join(without)}: dealer-station pin NAME --config {config.path}"]
    if len(without) == len(config.people):
        lines.append("until one is set the console is read-only: no one can act at the table")
    return lines


def _cannot(config: Persons, error: Exception) -> int:
    reason = f"{config.log_in.pin_file}: {error.strerror}" if isinstance(error, OSError) else str(error)
    hint = "" if os.geteuid() == 0 else "; root may, and so may the user of the station"
    print(f"dealer-station: {reason}{hint if isinstance(error, PermissionError) else ''}", file=sys.stderr)
    return EXIT_CONFIGURATION
