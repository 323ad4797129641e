"""A command's output: its answer on standard output, a refusal on standard error, and an exit code that a shell and a
service manager understand, of sysexits.h where it has one.
"""

import argparse
import sys
from collections.abc import Collection, Iterator, Sequence

EXIT_REFUSED = 2  # a round, a hand or an argument that cannot be
EXIT_CORRUPT = 65  # EX_DATAERR: the journal is not as it was written
EXIT_NO_JOURNAL = 66  # EX_NOINPUT: a live table's journal is not there
# EX_UNAVAILABLE: an address is taken, or a program that is needed is missing or does not come up.
EXIT_UNAVAILABLE = 69
EXIT_SOFTWARE = 70  # EX_SOFTWARE: a defect of the program itself
EXIT_OUTPUT = 74  # EX_IOERR: standard output takes no more
EXIT_TEMPORARY = 75  # EX_TEMPFAIL: the journal cannot be opened now, or not be read to its end
EXIT_CONFIGURATION = 78  # EX_CONFIG
EXIT_INTERRUPTED = 130  # as a shell reports a command that SIGINT ended
EXIT_PIPE = 141  # as a shell reports a command that SIGPIPE ended


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
