"""Hold a table against its camera: every round is settled again from what the camera saw.

The files are the table's configuration, the camera's lines, and the messages of `rounds`, one a line.

Exit codes:
  0  the messages are what the referee makes of the rounds
  1  they differ: each difference is a line
"""

import argparse
from pathlib import Path

from .judge import judge, read_rounds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument("station", metavar="STATION", type=Path, help="the station's configuration, TOML")
    parser.add_argument("camera", metavar="CAMERA", type=Path, help="the camera's lines, JSON")
    parser.add_argument(
        "--as-of", metavar="DATE", help="by the regulation in force on that day (default: when each round began)"
    )
    parser.add_argument("rounds", metavar="ROUNDS", type=Path, help="the messages of `rounds`, JSON, one a line")


def run(options: argparse.Namespace) -> int:
    """Judge the three files; returns the exit code."""
    report = judge(options.station, options.camera, read_rounds(options.rounds), as_of=options.as_of)
    for note in report.notes:
        print(f"note: {note}")
    for difference in report.differences:
        print(difference)
    counted = {"rounds": report.rounds, "settled": report.settled, "void": report.void, "without play": report.idle}
    print(", ".join(f"{count} {kind}" for kind, count in counted.items()))
    print(f"pot {report.pot}, reserve {report.reserve}, overflow {report.overflow}, awards {report.awards}")
    print(f"{len(report.differences)} differences, {len(report.unpaid)} jackpots not yet handed over")
    return 1 if report.differences else 0
