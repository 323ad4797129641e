"""`dealer-station dispute`: writes one round to one file, which others can check without trusting this station."""

import argparse
from pathlib import Path

import msgspec

from controller.command_line.argument import count
from controller.command_line.failures import with_config
from controller.command_line.options import add_journal, add_language
from controller.command_line.output import refuse, say
from controller.commands.round_page import round_page
from controller.config.file import Config
from controller.config.floor_connection import identity_of
from controller.journal.tree import NotProved
from controller.queries.disputes import dispute
from controller.system.files import write_whole
from controller.tlog.notes import BadNote, Note


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes a round as the journal has it, every event with its hash, to a file that the referee checks "
        "without this station (referee.pyz), and beside it a page with the felt as it was, to be read and printed "
        "anywhere. Cards that no rule has shown stay sealed. The journal is only read, also while its station runs."
    )
    parser.add_argument("round", type=count, metavar="ROUND", help="the number of the round")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE.json",
        help="a new file (default: dispute-TABLE-ROUND.json in this folder); the page is FILE.html",
    )
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE",
        help="a checkpoint, as table and witnesses have signed it: the round as it was then, proved to be in its tree",
    )  # fmt: skip
    add_journal(parser)
    add_language(parser)


@with_config
def run(config: Config, options: argparse.Namespace) -> int:
    """Write the file; returns the exit code."""
    path = options.output or Path(f"dispute-{config.table}-{options.round}.json")
    page = path.with_suffix(".html")
    if page == path:
        return refuse(f"{path} is the name of the page; the bundle's ends in .json; nothing was written")
    for file in (path, page):
        if file.exists():
            return refuse(f"{file} is there already; nothing was written")
    source = options.journal or config.journal
    try:
        note = None if options.checkpoint is None else Note.copied(options.checkpoint.read_bytes())
    except (OSError, BadNote) as error:
        return refuse(f"{options.checkpoint}: {getattr(error, 'strerror', None) or error}; nothing was written")
    try:
        bundle = dispute(source, identity_of(config), options.round, note)
    except (BadNote, NotProved) as error:
        return refuse(f"{options.checkpoint}: {error}; nothing was written")
    if bundle is None:
        return refuse(f"{source} has no round {options.round}, or keeps it no longer")
    written = msgspec.json.format(msgspec.json.encode(bundle), indent=1) + b"\n"
    drawn = round_page(bundle, written, path.name, options.language).encode()
    try:
        write_whole(page, drawn)
        write_whole(path, written)
    except OSError as error:
        page.unlink(missing_ok=True)
        return refuse(f"{path}: {error.strerror}; nothing was written")
    proved = f", {len(bundle.proofs)} proofs" if bundle.proofs else ""
    wires = f", {len(bundle.wires)} blocks of the wires" if bundle.wires else ""
    opened = ", its cards' key" if bundle.released_key is not None else ""
    ended = "" if bundle.contents.settlement is not None else "; it is not settled yet"
    say(f"{path}: round {options.round}, {len(bundle.chain.rows)} events{proved}{wires}{opened}{ended}")
    return say(f"{page}: the round as a page, to be printed")
