"""`dealer-pit`: the command line of the pit."""

import argparse
import asyncio
import os
import signal
import socket
import sys
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from controller.commands.argument import Parser, count, speed
from controller.config.document import BadConfiguration

WRONG_CONFIGURATION = 78  # EX_CONFIG, as the station's
UNAVAILABLE = 69  # EX_UNAVAILABLE: something is not installed

DESCRIPTION = "Hears every table over MQTT and keeps all of it in PostgreSQL."
EXAMPLES = """examples:
  dealer-pit run --config /etc/dealer-station/pit.toml
  dealer-pit schema | psql pit
  dealer-pit simulate --tables 3 --rounds 20 --speed max
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = Parser(
        "dealer-pit", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    run = commands.add_parser("run", help="hear the tables and keep what they say, until it is stopped")
    run.add_argument("--config", type=Path, required=True, help="pit.toml")
    commands.add_parser("schema", help="print the tables and views of the archive, as SQL")
    _add_simulate(commands.add_parser("simulate", help="simulated tables, broker, database and pit on this machine"))
    given = parser.parse_args(arguments)
    try:
        match given.command:
            case "run":
                return _run(given.config)
            case "simulate":
                return _simulate(given)
            case _:
                return _schema()
    except ImportError as missing:
        print(f"dealer-pit needs {missing.name}: pip install 'dealer-station[pit]'", file=sys.stderr)
        return UNAVAILABLE


def _add_simulate(parser: argparse.ArgumentParser) -> None:
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


def _simulate(given: argparse.Namespace) -> int:
    from controller.pit.simulate import CannotSimulate, Wishes, simulate
    from controller.telemetry.logs import configure

    configure(quiet=True)
    try:
        return asyncio.run(_until_told(simulate(Wishes(given.tables, given.speed, given.rounds))))
    except CannotSimulate as cannot:
        print(f"dealer-pit: {cannot}", file=sys.stderr)
        return UNAVAILABLE


async def _until_told(work: Coroutine[Any, Any, int]) -> int:
    """Its exit code; told to end, it does so in its own order, and is told once."""
    task = asyncio.create_task(work)
    told = asyncio.Event()

    def tell() -> None:
        if not told.is_set():
            told.set()
            task.cancel()

    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(one, tell)
    await asyncio.wait([task])
    return 0 if task.cancelled() else task.result()


def _schema() -> int:
    from controller.pit.archive import SCHEMA

    print(SCHEMA.read_text(encoding="utf-8"), end="")
    return 0


def _run(path: Path) -> int:
    from controller.pit.config import read_config
    from controller.pit.service import Service
    from controller.telemetry.logs import configure

    try:
        config = read_config(path)
    except BadConfiguration as wrong:
        print(wrong, *wrong.mistakes, sep="\n  ", file=sys.stderr)
        return WRONG_CONFIGURATION
    except OSError as wrong:
        print(wrong, file=sys.stderr)
        return WRONG_CONFIGURATION
    configure()
    service = Service(config.broker, config.archive, config.database, f"{socket.gethostname()}/{os.getpid()}")
    asyncio.run(_until_stopped(service.run()))
    return 0


async def _until_stopped(run: object) -> None:
    task = asyncio.ensure_future(run)  # type: ignore[call-overload]
    for one in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(one, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


if __name__ == "__main__":
    sys.exit(main())
