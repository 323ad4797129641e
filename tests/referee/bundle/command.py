"""Check a dispute bundle offline: the record is whole, and the round was settled by the rules.

Exit codes:
  0  agrees and proved: a given key verified a signature of the tree that has the record
  1  disagrees: the report names what is wrong
  2  cannot read: the file is not a bundle of this version, or a key is not a key
  3  not ended: what is there agrees, and the round is not settled and confirmed
  4  agrees, signed by no one: no given key verified a signature, so anyone can have written the file
"not covered" in the report lists what no check proves; --json has it as `not_covered`.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from .forms import BadDay, Event, NoBundle, read_json
from .verify import verify

AGREES, DISAGREES, NO_BUNDLE, NOT_ENDED, UNSIGNED = 0, 1, 2, 3, 4
AGREED = "the hashes follow from the events, and the round was settled by the rules"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument("bundle", metavar="BUNDLE", type=Path, help="the file that dealer-station dispute wrote")
    parser.add_argument("--json", action="store_true", help="a JSON object")
    parser.add_argument(
        "--as-of",
        metavar="DATE",
        help="by the regulation in force on that day (default: by the act that the round names)",
    )
    parser.add_argument("--key", action="append", default=[], metavar="KEY", help="of the table, as NAME+ID+KEY")
    parser.add_argument("--witness", action="append", default=[], metavar="KEY", help="of a witness, as NAME+ID+KEY")


def run(options: argparse.Namespace) -> int:
    """Check the file and print the report; returns the exit code."""
    try:
        bundle = read_json(options.bundle.read_text(encoding="utf-8"), str(options.bundle))
        found = verify(bundle, options.key, options.witness, options.as_of)
    except (OSError, UnicodeDecodeError, NoBundle, BadDay) as error:
        print(printable(f"{options.bundle}: {error}"), file=sys.stderr)
        return NO_BUNDLE
    if options.json:
        print(json.dumps(found, indent=1).replace("\x7f", "\\u007f"))
    else:
        print("\n".join(map(printable, _in_words(found))))
    if found["verdict"] == "agrees":
        return AGREES if found["signed"] else UNSIGNED
    return NOT_ENDED if found["verdict"] == "not ended" else DISAGREES


def _in_words(found: Event) -> Iterator[str]:
    """The report for a person."""
    yield f"{found['site']}, table {found['table']}: {found['game']}, round {found['round']}"
    yield f"decided by {found['act']}"
    yield f"journal {found['journal']}, events {found['events'][0]} to {found['events'][1]}, {found['mode']}"
    money = f"{found['currency']} with {found['exponent']} decimals"
    if found["lines"]:
        yield f"outcome: {found['outcome']}; amounts in {money}"
        yield f"{'seat':>4}  {'wager':<16}{'player':<14}{'stake':>14}{'net':>14}  {'outcome':<8}{'odds':<7}article"
    for line in found["lines"]:
        name = line["wager"] + (f" {line['hand']}" if "hand" in line else "")
        stake, net = (_decimal(line[key], found["exponent"]) for key in ("stake", "net"))
        yield (
            f"{line['seat']:>4}  {name:<16}{line.get('player', ''):<14}{stake:>14}{net:>14}  "
            f"{line['outcome']:<8}{line.get('odds') or '-':<7}{line['article']}"
        )
    if found["cards"] == "sealed":
        yield "cards that no rule has shown: sealed"
    if found["cards"] == "opened":
        cards = [f"{card['card'] or 'unread'} (card {card['draw']}, {card['to']})" for card in found["unshown"]]
        yield f"cards that no rule has shown, opened with the released key: {', '.join(cards) or 'none'}"
    yield f"what the flight recorder has of the wires: {found['wires']}"
    signed = "; ".join(found["signed"]) or "no signature was verified"
    yield f"proof: {found['proof']}; {signed}"
    for part, why in found["not_covered"].items():
        yield f"not covered: {part}: {why}"
    for wrong in found["wrong"]:
        yield f"WRONG: {wrong}"
    if found["verdict"] == "agrees":
        yield f"AGREES{' AND PROVED' if found['signed'] else ', SIGNED BY NO ONE'}: {AGREED}"
    elif found["verdict"] == "not ended":
        yield "NOT ENDED: what is there agrees, and the round was not settled and confirmed yet"
    else:
        yield "DOES NOT AGREE"


def printable(text: str) -> str:
    """The text with everything escaped that can move a cursor, end a line or change what a reader sees."""
    return "".join(
        sign if sign.isprintable() and sign != "\\" else sign.encode("unicode_escape").decode() for sign in text
    )


def _decimal(amount: int, exponent: int) -> str:
    whole, rest = divmod(abs(amount), 10**exponent)
    return f"{'-' if amount < 0 else ''}{whole}" + (f".{rest:0{exponent}}" if exponent else "")
