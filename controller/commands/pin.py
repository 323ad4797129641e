"""`dealer-station pin`: give a person of the configuration a PIN, take it away, or list who has one."""

import argparse

from controller.command_line.failures import load_config
from controller.command_line.options import add_config
from controller.command_line.output import EXIT_CONFIGURATION
from controller.command_line.pins import add_names, change_pins


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Asks twice for a PIN of 6 to 12 digits and keeps its hash, in a file beside the journal. A running station "
        "knows it at the next log-in."
    )
    add_names(parser)
    add_config(parser)


def run(options: argparse.Namespace) -> int:
    config = load_config(options.config)
    return EXIT_CONFIGURATION if config is None else change_pins(config, options)
