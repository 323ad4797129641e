"""A TOML file of configuration, read so that all its mistakes are named at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from controller.config.section import MOST_MISTAKES, Mistake, Section
from controller.toml.apart import parse_apart
from controller.toml.text import MOST_OCTETS, BadToml, parse_toml


def read_octets(path: Path) -> bytes:
    """The octets of a file that `parse_toml` may accept; of a longer file only enough for it to be refused. Raises
    OSError.
    """
    with path.open("rb") as file:
        return file.read(MOST_OCTETS + 1)


T = TypeVar("T")


class BadConfiguration(Exception):
    """The file cannot be used; `mistakes` names every one found, and at most MOST_MISTAKES."""

    def __init__(self, path: Path, mistakes: list[Mistake]) -> None:
        super().__init__(f"{path}: {len(mistakes)} mistake(s)")
        self.path = path
        self.mistakes = mistakes


Cause = Callable[[dict[str, Any], list[Mistake]], list[Mistake]]
"""The mistakes of a document, without those that follow from another."""


def read_document(path: Path, read: Callable[[Section], T], cause: Cause = lambda _, mistakes: mistakes) -> T:
    """The value that `read` returns for the file. Raises BadConfiguration with every mistake that it reports, or
    OSError.
    """
    return _read(path, read_octets(path), parse_toml, read, cause)


def read_draft(path: Path, octets: bytes, read: Callable[[Section], T], cause: Cause) -> T:
    """What `read` returns for octets that shall replace this file and that may come from anyone.

    They are parsed in a child. It blocks. Raises as `read_document`, and OSError where there is no child.
    """
    return _read(path, octets, parse_apart, read, cause)


def _read(
    path: Path, octets: bytes, parse: Callable[[bytes], dict[str, Any]], read: Callable[[Section], T], cause: Cause
) -> T:
    try:
        document = parse(octets)
    except BadToml as bad:
        raise BadConfiguration(path, [Mistake("(file)", "text", f"TOML; {bad}")]) from None
    mistakes: list[Mistake] = []
    found = read(Section("", document, mistakes))
    if mistakes:
        raise BadConfiguration(path, cause(document, mistakes)[:MOST_MISTAKES])
    return found
