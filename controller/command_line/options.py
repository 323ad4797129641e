"""Options that several commands have."""

import argparse
from pathlib import Path

from controller.words import SPOKEN

CONFIG = Path("/etc/dealer-station/station.toml")


def add_config(parser: argparse.ArgumentParser) -> None:
    """Adds the option for a table's configuration."""
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help="default: %(default)s")


def add_journal(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the configuration and for the journal to read."""
    add_config(parser)
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configuration's")


def add_language(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the language of printed texts."""
    parser.add_argument("--language", default="en", choices=SPOKEN, help="default: %(default)s")


def add_record(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the folder in which to record the wires."""
    parser.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="write every wire's bytes and the screen's requests here; cards are in them in the clear",
    )
