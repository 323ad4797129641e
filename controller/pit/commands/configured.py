"""A command that needs the configuration."""

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.command_line.argument import nearest_file
from controller.command_line.output import EXIT_CONFIGURATION
from controller.pit.refusals import warn

if TYPE_CHECKING:
    from controller.pit.config import PitConfig


def run_with_config(work: "Callable[[PitConfig, argparse.Namespace], int]", given: argparse.Namespace) -> int:
    """Calls `work` with the configuration; returns its exit code, or another if the configuration cannot be read."""
    from controller.config.document import BadConfiguration
    from controller.pit.config import read_config

    try:
        config = read_config(given.config)
    except BadConfiguration as wrong:
        print(wrong, *wrong.mistakes, sep="\n  ", file=sys.stderr)
    except OSError as wrong:
        warn(f"{given.config}: {wrong.strerror}{nearest_file(given.config)}")
    else:
        return work(config, given)
    return EXIT_CONFIGURATION
