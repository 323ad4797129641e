"""The surroundings of `setup`: who answers its questions, and which commands it can run."""

import pwd
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from controller.command_line.output import EXIT_REFUSED, say
from controller.console.pins import PinHasher
from controller.system.times import zone_of_computer
from drivers.inventory import Inventory

DROP_INS = Path("/etc/systemd/system/dealer-station.service.d")
T = TypeVar("T")


def is_user(name: str) -> bool:
    """Whether this computer has a user of this name."""
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


class Stopped(Exception):
    """A step cannot be done; the text names what is missing."""

    def __init__(self, text: str, code: int = EXIT_REFUSED) -> None:
        super().__init__(text)
        self.code = code


class Surroundings(msgspec.Struct, frozen=True):
    """What the command uses of the computer. `ask` is None if there is no terminal."""

    ask: Callable[[str], str] | None
    hidden: Callable[[str], str]
    find: Callable[[], Inventory]
    command: Callable[[Sequence[str | Path]], int]
    hasher: PinHasher | None = None
    drop_ins: Path = DROP_INS
    is_user: Callable[[str], bool] = is_user
    zone: Callable[[], str] = zone_of_computer

    def answer(self, given: str | None, question: str, option: str, default: str = "") -> str:
        """The given option, or the answer to the question. Raises Stopped without a terminal and a default."""
        if given is not None:
            return given
        if self.ask is None:
            if default:
                return default
            raise Stopped(f"{option} is required: there is no terminal to ask at")
        return self.ask(f"{question}{f' [{default}]' if default.strip() else ''}: ").strip() or default

    def checked(self, read: Callable[[str], T], given: str | None, question: str, option: str, default: str = "") -> T:
        """The value that `read` returns for an answer; at a terminal the question is repeated while it raises
        ArgumentTypeError.

        Raises Stopped where an option is wrong.
        """
        while True:
            text = self.answer(given, question, option, default)
            try:
                return read(text)
            except ArgumentTypeError as wrong:
                if given is not None or self.ask is None:
                    raise Stopped(f"{option}: {wrong}") from None
                say(f"{wrong}. Please answer again")

    def agrees(self, question: str, option: str) -> bool:
        """Whether a person answers yes."""
        return self.checked(_yes_or_no, None, f"{question} (yes, no)", option, "no")


def _yes_or_no(text: str) -> bool:
    answers = {"yes": True, "y": True, "no": False, "n": False}
    if text.lower() not in answers:
        raise ArgumentTypeError(f"{text!r} is neither yes nor no")
    return answers[text.lower()]
