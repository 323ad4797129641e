"""`dealer-pit`: the command line of the pit."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from controller.command_line.argument import Parser, Version
from controller.command_line.output import EXIT_UNAVAILABLE
from controller.command_line.pins import add_names
from controller.command_line.streams import guarded
from controller.pit.commands import archive, link, service, simulation
from controller.pit.commands.configured import run_with_config

DESCRIPTION = "Receives the messages of every table over MQTT and keeps them in PostgreSQL."
EXAMPLES = """examples:
  dealer-pit check --config /etc/dealer-station/pit.toml
  dealer-pit run --config /etc/dealer-station/pit.toml
  dealer-pit schema | psql pit
  dealer-pit link hall --config pit.toml --by carla --and nuno
  dealer-pit rebuild --config pit.toml --witnessed seen.json /backup/*/journal.db
  dealer-pit return 2026-01 returns/2026-01 --config pit.toml
  dealer-pit return --check returns/2026-01 --key casino.example/pit+… /copies/*/journal.db
  dealer-pit export --from 2026-01-01 --to 2026-01-31 january --config pit.toml
  dealer-pit group check service=head service=macau-1 service=macau-2
  dealer-pit simulate --tables 3 --rounds 20 --speed max
"""


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    return guarded("dealer-pit", lambda: _command(_parser().parse_args(given or ["--help"])))


def _parser() -> Parser:
    parser = Parser(
        "dealer-pit", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (purpose, add, work) in CONFIGURED.items():
        command = commands.add_parser(name, help=purpose)
        add(command)
        command.add_argument("--config", type=Path, required=True, help="pit.toml")
        command.set_defaults(work=partial(run_with_config, work))
    returned = commands.add_parser("return", help="the monthly return of each game and table, and of the jackpots")
    archive.add_return(returned)
    returned.set_defaults(work=archive.monthly_return)
    schema = commands.add_parser("schema", help="print the tables and views of the archive, as SQL")
    schema.set_defaults(work=service.schema)
    archive.add_group(
        commands.add_parser("group", help="properties and their head office: SQL for both, and a comparison")
    )
    simulated = commands.add_parser("simulate", help="simulated tables, broker, database and pit on this machine")
    simulation.add(simulated)
    simulated.set_defaults(work=simulation.run)
    return parser


def _command(given: argparse.Namespace) -> int:
    work: Callable[[argparse.Namespace], int] = given.work
    try:
        return work(given)
    except ImportError as missing:
        extra = "export" if missing.name == "duckdb" else "pit"
        print(f"dealer-pit needs {missing.name}: pip install 'dealer-station[{extra}]'", file=sys.stderr)
        return EXIT_UNAVAILABLE


def _add_nothing(parser: argparse.ArgumentParser) -> None:
    """The configuration is all that it needs."""


CONFIGURED = {
    "run": ("receive and keep the messages of the tables, until it is stopped", _add_nothing, service.run),
    "check": ("every mistake of a configuration, or what pit it makes", _add_nothing, service.check_config),
    "pin": ("give a person of [people] a PIN, take it away, or list who has one", add_names, service.pin),
    "accept": (
        "the witness begins again with what a table shows next, after a refusal",
        service.add_accept,
        service.accept_checkpoint,
    ),
    "gaps": ("messages that the archive does not have; a person decides on them", archive.add_gaps, archive.gaps),
    "messages": ("print messages as they were received, by journal and number", archive.add_messages, archive.messages),
    "link": ("the state of a linked pot; two persons resume it, or admit a journal", link.add, link.run),
    "export": ("rows of some days as Parquet or CSV files", archive.add_export, archive.export),
    "retain": ("envelopes of old months leave for Parquet files, as [retention] says", _add_nothing, archive.retain),
    "rebuild": (
        "an archive, and a linked pot, out of the journals of the tables",
        archive.add_rebuild,
        archive.rebuild,
    ),
}
"""The commands that need the configuration."""


if __name__ == "__main__":
    sys.exit(main())
