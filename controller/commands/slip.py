"""`dealer-station slip`: the payment slips of a table's jackpot hits, to be read or printed."""

import argparse
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path

import msgspec

from controller.command_line.argument import count
from controller.command_line.failures import with_config
from controller.command_line.options import add_journal, add_language
from controller.command_line.output import refuse, say
from controller.config.file import Config
from controller.config.floor_connection import identity_of
from controller.journal.records import WrongJournal
from controller.journal.tree import NotProved
from controller.queries.slips import all_slips, coded, times_printed
from controller.slips.printed import Copy, local_time, printed
from controller.slips.slip import Slip
from controller.tlog.notes import BadNote, Note
from controller.words import in_language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints one payment slip, or without NUMBER a line for each. The journal is only read, also while its station "
        "runs: what is printed here is a copy that is not counted; it names itself a copy, and who asked for it."
    )
    parser.add_argument("number", type=count, nargs="?", metavar="NUMBER", help="of the slip (default: list them all)")
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="as the table has signed it, for the code of the slip"
    )
    add_journal(parser)
    add_language(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object, or a list of them")


@with_config
def run(config: Config, options: argparse.Namespace) -> int:
    """Print one slip, or a list of all; returns the exit code."""
    source = options.journal or config.journal
    identity = identity_of(config)
    slips = all_slips(source, identity)
    if slips and slips[-1].game != config.game:
        raise WrongJournal(f"{source} is a journal of {slips[-1].game}; this configuration's is {config.game}")
    if options.number is None:
        return say(msgspec.json.encode(slips) if options.json else "\n".join(_table(slips, options.language)))
    try:
        note = None if options.checkpoint is None else Note.copied(options.checkpoint.read_bytes())
        for slip in slips:
            if slip.slip == options.number:
                whole = coded(source, slip, note)
                if options.json:
                    return say(msgspec.json.encode(whole))
                return say(printed(whole, options.language, _copy(times_printed(source, identity, slip))))
    except (OSError, BadNote, NotProved) as error:
        return refuse(f"{options.checkpoint}: {getattr(error, 'strerror', None) or error}")
    given = f"slips are numbered 1 to {len(slips)}" if slips else "no hit was paid yet"
    return refuse(f"slip {options.number}: there is none; {given}")


def _copy(times: int) -> Copy:
    """Whether this paper is a copy of one that the console printed; the person is the one logged in on the computer."""
    return Copy(times, os.environ.get("SUDO_USER") or getuser(), datetime.now(UTC).isoformat())


def _table(slips: Sequence[Slip], language: str) -> list[str]:
    amounts = max((len(slip.figures) for slip in slips), default=0)
    return [
        f"{slip.slip:>6}  {local_time(slip.paid_at)}  {slip.round:>7}/{slip.seat}  {slip.figures:>{amounts}}  "
        f"{in_language(language, 'slip_texts', f'tier/{slip.tier}')}"
        for slip in slips
    ] or ["no hit was paid yet"]
