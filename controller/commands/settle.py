"""`dealer-station settle`: one completed round from a file, settled as the live table settles it."""

import argparse
import sys
from pathlib import Path

from controller.commands.argument import nearest_file
from controller.commands.output import refuse, say
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import sentence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a round as JSON; - is standard input")


def run(options: argparse.Namespace) -> int:
    """Settle and print; returns the exit code."""
    try:
        text = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        return say(settle_text(text))
    except OSError as error:
        return refuse(f"{options.file}: {error.strerror}{nearest_file(Path(options.file))}")
    except Refusal as refusal:
        return refuse(sentence(refusal))
