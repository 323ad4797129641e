"""`dealer-pit rebuild`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.pit.config import PitConfig


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = (
        "Reads the journals of tables, with the files beside them, and stores in the archive what it does not have. "
        "Every journal is verified first, and compared with what was witnessed; exit code 65 where one is not as it "
        "was, and then nothing is stored. No other process may lead the archive meanwhile; no table receives anything."
    )
    parser.add_argument("journals", type=Path, nargs="+", metavar="JOURNAL", help="of a table; its station may run")
    parser.add_argument(
        "--witnessed",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="the state file of a witness: every journal that it has seen last must be here, and continue from there",
    )
    parser.add_argument(
        "--opened",
        type=Path,
        metavar="FILE",
        help="how a linked pot began, as `opened` in pit.links: the pot that follows from the journals is stored too",
    )


def run(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.command_line.failures import blaming
    from controller.pit.rebuild import run as rebuild

    return blaming(lambda: rebuild(config, given.journals, given.witnessed, given.opened), "dealer-pit")
