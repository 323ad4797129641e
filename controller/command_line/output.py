"""A command's output: its answer on standard output, a refusal on standard error."""

import argparse
import sys
from collections.abc import Collection, Iterator, Sequence

from controller.command_line.exit_codes import EXIT_REFUSED


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds the option for JSON, for commands whose answer may be read by a person or a program."""
    parser.add_argument("--json", action="store_true", help="JSON in a terminal too; elsewhere it always is")


def wants_json(options: argparse.Namespace) -> bool:
    """Whether a program reads the answer."""
    return options.json or not sys.stdout.isatty()


def aligned(rows: Sequence[Sequence[str]], right: Collection[str]) -> Iterator[str]:
    """Rows of a table as lines; the first row is its head. A column that is empty below its head is left out."""
    shaped = []
    for head, *cells in zip(*rows, strict=True):
        if any(cells):
            width = max(map(len, (head, *cells)))
            shaped.append([cell.rjust(width) if head in right else cell.ljust(width) for cell in (head, *cells)])
    return ("  ".join(row).rstrip() for row in zip(*shaped, strict=True))


def say(text: str | bytes) -> int:
    """Prints an answer; returns the exit code 0."""
    print(text if isinstance(text, str) else text.decode(), flush=True)
    return 0


def refuse(text: object, code: int = EXIT_REFUSED) -> int:
    """Prints what is refused and why, on standard error; returns the exit code."""
    print(f"dealer-station: {text}", file=sys.stderr)
    return code
