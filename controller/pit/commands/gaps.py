"""`dealer-pit gaps`."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.pit.config import PitConfig


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = (
        "Lists the messages that a table has published and the archive does not have, and why. The table keeps them, "
        "and all behind them, until a person of [people] has decided that the archive does without."
    )
    parser.add_argument("table", nargs="?", metavar="TABLE", help="such as macau-1/table-1 (default: all)")
    parser.add_argument("--by", metavar="NAME", help="of [people]: decide, and not only list")


def run(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit.decisions import gaps

    return gaps(config, given.table, given.by)
