"""`dealer-station register`: what went wrong at a table and was put right, by day, to be read or printed."""

import argparse
from collections.abc import Iterator

import msgspec

from controller.commands.argument import day
from controller.commands.output import say
from controller.commands.run import add_journal, add_language, configured
from controller.config.file import Config
from controller.engine.languages import LANGUAGES, Said
from controller.queries.register import RegisterEntry, register
from controller.slips.printed import LABELS, SIMULATION, WIDTH, field_lines, time_shown
from controller.station import identity_of

TITLE: Said = ("REGISTER OF THE TABLE", "REGISTO DA MESA", "賭枱記錄冊")
DAY: Said = ("Day (UTC)", "Dia (UTC)", "日期（UTC）")
WHO: Said = ("By", "Por", "經手人")
NOTHING: Said = ("nothing to report", "nada a assinalar", "沒有記錄")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints irregularities, void rounds, corrections, adjustments, damaged cards, complaints, changes of "
        "parameters and alarms acknowledged. The journal is only read, also while its station runs."
    )
    parser.add_argument("--day", type=day, metavar="YYYY-MM-DD", help="of this day alone, UTC (default: all)")
    add_journal(parser)
    add_language(parser)
    parser.add_argument("--json", action="store_true", help="a list of JSON objects, in every language")


@configured
def run(config: Config, options: argparse.Namespace) -> int:
    """Print the register; returns the exit code."""
    entries = register(options.journal or config.journal, identity_of(config), options.day)
    if options.json:
        return say(msgspec.json.encode(entries))
    return say("\n".join(_lines(config, options, entries, LANGUAGES.index(options.language))))


def _lines(config: Config, options: argparse.Namespace, entries: list[RegisterEntry], at: int) -> Iterator[str]:
    yield TITLE[at]
    yield "=" * WIDTH
    if config.mode != "live":
        yield SIMULATION[at]
        yield "-" * WIDTH
    yield from field_lines(LABELS["site"][at], config.site)
    yield from field_lines(LABELS["table"][at], config.table)
    yield from field_lines(LABELS["game"][at], config.game)
    if options.day is not None:
        yield from field_lines(DAY[at], str(options.day))
    yield "-" * WIDTH
    for entry in entries:
        round = "" if entry.round is None else f"  {LABELS['round'][at]} {entry.round}"
        yield f"{entry.event:>6}  {time_shown(entry.time)}{round}"
        yield from field_lines("", entry.text[LANGUAGES[at]])
        if entry.who:
            yield from field_lines(WHO[at], ", ".join(entry.who))
    if not entries:
        yield NOTHING[at]
