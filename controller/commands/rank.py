"""`dealer-station rank`: hands of a game, strongest first."""

import argparse

from controller.commands.output import refuse, say
from controller.rulebook.ranking import RANKED_BY, rank
from controller.rulebook.refusal import Refusal
from controller.words import sentence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", choices=tuple(RANKED_BY), help="%(choices)s")
    parser.add_argument("hands", metavar="HAND", nargs="+", help='such as "As Ks Qs"')


def run(options: argparse.Namespace) -> int:
    """Rank and print; returns the exit code."""
    try:
        answer = rank(options.game, options.hands)
    except Refusal as refusal:
        return refuse(sentence(refusal))
    return say(answer)
