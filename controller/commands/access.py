"""`dealer-station access`: the access list of a broker, made from the configurations of its tables."""

import argparse
from pathlib import Path

from controller.command_line.failures import load_config
from controller.command_line.output import EXIT_CONFIGURATION, refuse, say
from controller.config.file import Config
from controller.floor.access import Site, TableUser, access_list, mistakes

HEADER = """\
# Access list of mosquitto (acl_file), written by `dealer-station access`: each user, and each topic that it may write
# or read. A user that is not named here may do neither. docs/access.md has the settings of the broker.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints the access list of a mosquitto that serves these tables. Copies of their configurations are enough: no "
        "key, password or PIN is read. A table's user is its `username`, or its id where it has none; an archive's "
        "user is the name that `archives` gives it."
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="station.toml of each table")
    parser.add_argument("--pit", metavar="USER", help="the pit that keeps the linked pots")
    parser.add_argument(
        "--witness",
        action="append",
        default=[],
        metavar="NAME=USER",
        help="the user of a witness; without it a witness's user is its name",
    )
    for option, what in (
        ("--consumer", "reads what tables publish"),
        ("--requester", "is a consumer that asks for messages again"),
        ("--home-assistant", "reads what Home Assistant shows of the tables with `discovery`"),
    ):
        parser.add_argument(option, action="append", default=[], metavar="USER", help=what)


def run(options: argparse.Namespace) -> int:
    """Print the list, or every mistake; returns the exit code."""
    configs = [load_config(file) for file in options.files]
    if any(config is None for config in configs):
        return EXIT_CONFIGURATION
    witnesses = dict(pair.rpartition("=")[::2] for pair in options.witness)
    site = Site(
        tables=tuple(table_of(config) for config in configs if config is not None),
        pit=options.pit,
        witnesses=witnesses,
        consumers=tuple(options.consumer),
        requesters=tuple(options.requester),
        home_assistants=tuple(options.home_assistant),
    )
    wrong = mistakes(site)
    for mistake in wrong:
        refuse(mistake)
    return EXIT_CONFIGURATION if wrong else say(HEADER + "\n" + access_list(site).rstrip("\n"))


def table_of(config: Config) -> TableUser:
    """The part of a configuration that the access list needs."""
    return TableUser(
        site=config.site,
        table=config.table,
        user=config.floor.username or config.table,
        archives=config.floor.archives,
        witnesses=tuple(witness.name for witness in config.checkpoint.witnesses)
        if config.checkpoint is not None
        else (),
        link=config.link.pot if config.link is not None else None,
        discovery=config.floor.discovery,
    )
