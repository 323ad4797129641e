"""`dealer-pit`: the command line of the pit."""

import argparse
import asyncio
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from controller.config.document import BadConfiguration

WRONG_CONFIGURATION = 78  # EX_CONFIG, as the station's
NOT_INSTALLED = 69  # EX_UNAVAILABLE

DESCRIPTION = "Hears every table over MQTT and keeps all of it in PostgreSQL."
EXAMPLES = """examples:
  dealer-pit run --config /etc/dealer-station/pit.toml
  dealer-pit schema | psql pit
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        "dealer-pit", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    run = commands.add_parser("run", help="hear the tables and keep what they say, until it is stopped")
    run.add_argument("--config", type=Path, required=True, help="pit.toml")
    commands.add_parser("schema", help="print the tables and views of the archive, as SQL")
    given = parser.parse_args(arguments)
    try:
        return _run(given.config) if given.command == "run" else _schema()
    except ImportError as missing:
        print(f"dealer-pit needs {missing.name}: pip install 'dealer-station[pit]'", file=sys.stderr)
        return NOT_INSTALLED


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
