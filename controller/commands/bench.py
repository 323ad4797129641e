"""`dealer-station bench`: measures times of this machine."""

import argparse
import sys

from controller.command_line.exit_codes import EXIT_UNAVAILABLE
from controller.commands import latency
from controller.commands.bench_table import BenchFailed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    measures = parser.add_subparsers(required=True, metavar="MEASURE")
    latency.add_arguments(measures.add_parser("latency", help=latency.HELP))


def run(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    try:
        return latency.run(options)
    except BenchFailed as failure:
        print(f"dealer-station: {failure}", file=sys.stderr)
        return EXIT_UNAVAILABLE
