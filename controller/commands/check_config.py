"""`dealer-station check-config`: prints every mistake of a configuration, or a summary of its table."""

import argparse
from pathlib import Path

from controller.command_line.failures import load_config
from controller.command_line.options import CONFIG
from controller.command_line.output import EXIT_CONFIGURATION
from controller.command_line.pins import wanting_pins
from controller.config.floor_connection import client_id
from controller.rulebook.games import GAMES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Names every mistake of a configuration, or prints what table it makes. It opens no device."
    parser.add_argument("file", type=Path, nargs="?", default=CONFIG, metavar="FILE", help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    """Check and print; returns the exit code."""
    config = load_config(options.file)
    if config is None:
        return EXIT_CONFIGURATION
    print(f"{options.file}: good")
    print(f"table {config.site}/{config.table}, {config.seats} seats, mode {config.mode}, time zone {config.time_zone}")
    print(f"{config.game}: {GAMES[config.game].legal_status}")
    for reading in GAMES[config.game].other_readings:
        if reading.key in config.rules:
            print(f"[rules] {reading.key} ({reading.article}): {reading.says}")
    for authorisation in config.house.authorisations:
        print(f"{authorisation.subject} authorised: {authorisation.reference}, {authorisation.date}")
    if (id := client_id(config)) is not None:
        print(f"client id at the broker: {id}")
    if not (folder := config.journal.parent).is_dir():
        print(
            f"journal.path: this computer has no folder {folder}: make it, or mount its disk, before the station runs"
        )
    for line in wanting_pins(config):
        print(line)
    return 0
