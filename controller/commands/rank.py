"""`dealer-station rank`: hands of a game, strongest first."""

import argparse
import json

from controller.command_line.argument import add_as_of
from controller.command_line.output import add_json, aligned, refuse, say, wants_json
from controller.commands.watched import worded
from controller.rulebook.ranking import RANKED_BY, rank
from controller.rulebook.refusal import Refusal
from controller.words import sentence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", choices=tuple(RANKED_BY), help="%(choices)s")
    parser.add_argument("hands", metavar="HAND", nargs="+", help='such as "As Ks Qs"')
    add_as_of(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Rank and print; returns the exit code."""
    try:
        answer = rank(options.game, options.hands, options.as_of)
    except Refusal as refusal:
        return refuse(sentence(refusal))
    if wants_json(options):
        return say(answer)
    rows = [(str(row["rank"]), row["hand"], worded(row["name"])) for row in json.loads(answer)]
    return say("\n".join(aligned([("rank", "hand", "class"), *rows], right=("rank",))))
