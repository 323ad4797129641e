"""`dealer-pit export` and `dealer-pit retain`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.command_line.argument import day

if TYPE_CHECKING:
    from controller.pit.config import PitConfig


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = (
        "Writes rounds, lines, hits, adjustments, alarms, persons and sums by hour to an empty folder, a file each. "
        "Money is exact: integers of minor units. Days are those of time_zone in [returns]."
    )
    parser.add_argument("--format", choices=("parquet", "csv"), default="parquet", help="default: %(default)s")
    parser.add_argument("--from", type=day, required=True, metavar="DAY", dest="first", help="such as 2026-01-01")
    parser.add_argument("--to", type=day, required=True, metavar="DAY", dest="last", help="the last day, included")
    parser.add_argument(
        "--tables", type=_names, default=[], metavar="TABLE,…", help="such as macau-1/table-1 (default: all)"
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="empty, or not there yet")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def run(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit.exporting import export

    return export(config, given.format, given.first, given.last, given.tables, given.folder)


def retain(config: "PitConfig", given: argparse.Namespace) -> int:
    """Applies [retention]; returns the exit code."""
    from controller.pit.retention import retain

    return retain(config)
