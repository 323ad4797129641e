"""`dealer-station register`: errors and corrections at a table, by day, to be read or printed."""

import argparse
from collections.abc import Iterator
from functools import partial

import msgspec

from controller.command_line.argument import day
from controller.command_line.failures import with_config
from controller.command_line.options import add_journal, add_language
from controller.command_line.output import say
from controller.config.file import Config
from controller.config.floor_connection import identity_of
from controller.queries.register import RegisterEntry, register
from controller.slips.printed import WIDTH, field_lines, time_shown
from controller.words import in_language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints irregularities, void rounds, corrections, adjustments, damaged cards, complaints, changes of "
        "parameters and alarms acknowledged. The journal is only read, also while its station runs."
    )
    parser.add_argument("--day", type=day, metavar="YYYY-MM-DD", help="of this day alone, UTC (default: all)")
    add_journal(parser)
    add_language(parser)
    parser.add_argument("--json", action="store_true", help="a list of JSON objects, in every language")


@with_config
def run(config: Config, options: argparse.Namespace) -> int:
    """Print the register; returns the exit code."""
    entries = register(options.journal or config.journal, identity_of(config), options.day)
    if options.json:
        return say(msgspec.json.encode(entries))
    return say("\n".join(_lines(config, options, entries)))


def _lines(config: Config, options: argparse.Namespace, entries: list[RegisterEntry]) -> Iterator[str]:
    in_words = partial(in_language, options.language, "register_texts")
    lines_of_slip = partial(in_language, options.language, "slip_texts")
    yield in_words("title")
    yield "=" * WIDTH
    if config.mode != "live":
        yield lines_of_slip(config.mode)
        yield "-" * WIDTH
    yield from field_lines(lines_of_slip("label/site"), config.site)
    yield from field_lines(lines_of_slip("label/table"), config.table)
    yield from field_lines(lines_of_slip("label/game"), config.game)
    if options.day is not None:
        yield from field_lines(in_words("day"), str(options.day))
    yield "-" * WIDTH
    for entry in entries:
        round = "" if entry.round is None else f"  {lines_of_slip('label/round')} {entry.round}"
        yield f"{entry.event:>6}  {time_shown(entry.time)}{round}"
        yield from field_lines("", entry.text[options.language])
        if entry.who:
            yield from field_lines(in_words("who"), ", ".join(entry.who))
    if not entries:
        yield in_words("nothing")
