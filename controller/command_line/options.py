"""Options that several commands have."""

import argparse
from pathlib import Path

from controller.words import SPOKEN

CONFIG = Path("/etc/dealer-station/station.toml")


def add_config(parser: argparse.ArgumentParser) -> None:
    """The configuration, for every command that reads a table's."""
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help="default: %(default)s")


def add_journal(parser: argparse.ArgumentParser) -> None:
    """The configuration, and the journal that is read, for every command that reads one."""
    add_config(parser)
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configuration's")


def add_language(parser: argparse.ArgumentParser) -> None:
    """The language, for every command that prints what a person at the table reads."""
    parser.add_argument("--language", default="en", choices=SPOKEN, help="default: %(default)s")


def add_record(parser: argparse.ArgumentParser) -> None:
    """Where to record the wires, for every command that runs a station."""
    parser.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="write every wire's bytes and the screen's requests here; cards are in them in the clear",
    )
