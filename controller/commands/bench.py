"""`dealer-station bench`: what this machine does in how much time."""

import argparse
from collections.abc import Callable

from controller.commands import bench_console, latency


def add_arguments(parser: argparse.ArgumentParser) -> None:
    measures = parser.add_subparsers(required=True, metavar="MEASURE")
    of_latency = measures.add_parser(
        "latency", help="a card report complete on the wire, durable, and acknowledged by the broker"
    )
    latency.add_arguments(of_latency)
    of_latency.set_defaults(measure=latency.run)
    of_console = measures.add_parser(
        "console", help="the console's first paint, and a card from the shoe's wire to the screen"
    )
    bench_console.add_arguments(of_console)
    of_console.set_defaults(measure=bench_console.run)


def run(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    measure: Callable[[argparse.Namespace], int] = options.measure
    return measure(options)
