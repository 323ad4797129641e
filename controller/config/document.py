"""A TOML file of whatever this project configures: every mistake in it is named at once."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from controller.config.section import Mistake, Section

T = TypeVar("T")


class BadConfiguration(Exception):
    """The file cannot be used; `mistakes` names every one found."""

    def __init__(self, path: Path, mistakes: list[Mistake]) -> None:
        super().__init__(f"{path}: {len(mistakes)} mistake(s)")
        self.path = path
        self.mistakes = mistakes


def read_document(path: Path, read: Callable[[Section], T]) -> T:
    """What `read` makes of the file. Raises BadConfiguration with every mistake that it reports, or OSError."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # an editor may begin a file with a byte order mark
    except UnicodeDecodeError as error:
        raise BadConfiguration(path, [Mistake("(file)", "bytes", f"UTF-8 text; {error.reason}")]) from None
    return parse_document(path, text, read)


def parse_document(path: Path, text: str, read: Callable[[Section], T]) -> T:
    """What `read` makes of a text that is to stand in this file. Raises BadConfiguration as `read_document` does."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # tomllib's own error, a number too long, tables too deep
        raise BadConfiguration(path, [Mistake("(file)", "text", f"TOML; {error}")]) from None
    mistakes: list[Mistake] = []
    found = read(Section("", document, mistakes))
    if mistakes:
        raise BadConfiguration(path, mistakes)
    return found
