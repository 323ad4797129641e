"""The answers of a command of the pit on standard error."""

import sys

from controller.command_line.output import EXIT_REFUSED


class CannotReport(Exception):
    """A return or an export cannot be written or checked: the reason, and what to do."""

    code = EXIT_REFUSED


def refuse(why: object, code: int = EXIT_REFUSED) -> int:
    """Prints on standard error what is refused or missing; returns the exit code."""
    warn(why)
    return code


def warn(what: object) -> None:
    """Prints a warning."""
    print(f"dealer-pit: {what}", file=sys.stderr)
