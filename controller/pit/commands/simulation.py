"""`dealer-pit simulate`."""

import argparse
import asyncio
import sys

from controller.command_line.argument import address, count, speed
from controller.command_line.output import EXIT_UNAVAILABLE
from controller.command_line.signals import until_signal


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = (
        "Starts a mosquitto, a PostgreSQL cluster of its own and simulated tables of different games, each a station "
        "of its own, and the pit on them. Ctrl-C ends all of it, and nothing is left behind."
    )
    parser.add_argument("--tables", type=count, default=6, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument(
        "--speed",
        type=speed,
        default="5",
        help="of the tables: human, device, max, or a number of times human (default: %(default)s)",
    )
    parser.add_argument(
        "--rounds", type=count, metavar="N", help="end once every table has played so many (default: until Ctrl-C)"
    )
    parser.add_argument(
        "--linked-hit",
        action="store_true",
        help="stack the first decks of the tables that share a pot: they win of it",
    )
    parser.add_argument(
        "--listen", metavar="HOST:PORT", type=address, help="address of the page (default: a free port)"
    )


def run(given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.console.listening import CannotListen
    from controller.pit.simulate import CannotSimulate, SimulationWishes, simulate
    from controller.system.tasks import first_exception
    from controller.telemetry.logs import configure

    configure(quiet=True)
    code = EXIT_UNAVAILABLE
    try:
        wishes = SimulationWishes(given.tables, given.speed, given.rounds, given.listen, given.linked_hit)
        code = asyncio.run(until_signal(simulate(wishes))) or 0
    except* (CannotSimulate, CannotListen) as cannot:
        print(f"dealer-pit: {first_exception(cannot)}", file=sys.stderr)
    return code
