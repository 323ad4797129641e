"""`dealer-station settle`: one completed round from a file, settled as the live table settles it."""

import argparse
import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.command_line.argument import add_as_of, nearest_file
from controller.command_line.output import add_json, aligned, refuse, say, wants_json
from controller.commands.watched import worded
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import sentence

HEAD = ("seat", "player", "wager", "stake", "outcome", "odds", "commission", "net", "article")
NUMBERS = ("seat", "stake", "commission", "net")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a round as JSON; - is standard input")
    add_as_of(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Settle and print; returns the exit code."""
    try:
        text = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        answer = settle_text(text.removeprefix(BOM_UTF8), options.as_of)
    except OSError as error:
        return refuse(f"{options.file}: {error.strerror}{nearest_file(Path(options.file))}")
    except Refusal as refusal:
        return refuse(sentence(refusal))
    return say(answer if wants_json(options) else "\n".join(answer_lines(json.loads(answer))))


def answer_lines(answer: dict[str, Any]) -> Iterator[str]:
    """A settlement as a table: the bank, each wager of each seat, the sum of a seat with several, and the jackpot."""
    yield f"{answer['game']}: {answer['outcome']}"
    if dealer := answer.get("dealer"):
        yield f"bank: {_parts(dealer)}"
    if order := answer.get("order"):
        yield f"in the order of the seats {', '.join(map(str, order))}"
    rows = [row for seat, result in answer["seats"].items() for row in _seat(seat, result)]
    rows += _banker(answer["banker"]) if "net" in answer.get("banker", ()) else ()
    if rows:
        yield ""
        yield from aligned([HEAD, *rows], right=NUMBERS)
    if jackpot := answer.get("jackpot"):
        yield ""
        yield f"pot: {jackpot['pot_before']} before, {jackpot['pot_after']} after"
        for award in jackpot["awards"]:
            whose = f" {award['player']}" if "player" in award else ""
            shares = f"{award['from_pot']} from the pot, {award['from_house']} from the house"
            won = f"{worded(award['tier'])}, {award['amount']} ({shares}; {award['article']})"
            yield f"  seat {award['seat']}{whose}: {won}"


def _seat(seat: str, result: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    found = [result[pair] for pair in ("front", "rear") if result.get(pair)]
    pairs = [f"{pair['tiles']} {worded(pair['name'])}" for pair in found]
    shown = worded(result["hand"]) if result.get("hand") else " | ".join(pairs)
    lines = result.get("lines", [])
    if shown:
        yield (seat, "", shown, "", "" if lines else result.get("outcome", ""), "", "", "", "")
    for place, line in enumerate(lines):
        yield _line("" if shown or place else seat, line)
    if len(lines) > 1:
        yield ("", "", "sum", "", "", "", "", f"{sum(line['net'] for line in lines):+d}", "")


def _banker(banker: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The bank's own net, then who shares it."""
    yield (str(banker["place"]), "", "bank", "", "", "", "", f"{banker['net']:+d}", "")
    for line in banker.get("joiners", ()):
        yield _line("", line)
    if casino := banker.get("casino"):
        yield _line("", {"wager": "casino", "stake": casino["share"], **casino})


def _line(seat: str, line: dict[str, Any]) -> tuple[str, ...]:
    hand = f" {line['hand']}" if line.get("hand", 1) > 1 else ""
    combination = f", {worded(line['combination'])}" if line.get("combination") else ""
    return (
        seat,
        line.get("player", ""),
        f"{worded(line['wager'])}{hand}{combination}",
        str(line.get("stake", "")),
        line.get("outcome", ""),
        line.get("odds") or "",
        str(line.get("commission", "")),
        f"{line['net']:+d}",
        line.get("article", ""),
    )


def _parts(dealer: dict[str, Any]) -> str:
    """The bank's hand, as far as it is known."""
    parts = [worded(dealer["hand"])] if dealer.get("hand") else []
    parts += [dealer["cards"]] if dealer.get("cards") else []
    parts += [f"total {dealer['total']}"] if dealer.get("total") is not None else []
    parts += ["plays" if dealer["qualifies"] else "does not play"] if dealer.get("qualifies") is not None else []
    parts += ["black-jack"] if dealer.get("black_jack") else []
    return ", ".join(parts) or "not shown"
