"""`dealer-pit messages`."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.pit.config import PitConfig


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = "Prints messages as the table published them, in order, a line each."
    parser.add_argument(
        "which", metavar="JOURNAL[/FIRST[-LAST]]", help="the `id` of a message; a range of a journal; a journal"
    )


def run(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit.messages import print_messages

    return print_messages(config, given.which)
