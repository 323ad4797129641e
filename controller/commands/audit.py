"""`dealer-station audit`: verifies a whole journal from its first event, while its station runs or in a copy."""

import argparse
import csv
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from controller.command_line.argument import chosen_reading, count, day, moment
from controller.command_line.failures import with_config
from controller.command_line.options import add_journal, add_language
from controller.command_line.output import EXIT_CORRUPT, add_json, aligned, refuse, say, wants_json
from controller.command_line.progress import progress
from controller.commands.journal import add_seal_key
from controller.commands.wires import BundledWires, OnWire, decoded, opened_wires, released_key, wire_line, wires_page
from controller.config.credentials import seal_key_of
from controller.config.file import Config
from controller.config.floor_connection import identity_of
from controller.engine.recorded import Difference
from controller.engine.state.applied import Event
from controller.journal.auditing import Audited, audit
from controller.journal.records import JournalCorrupt
from controller.journal.sealing import BadSealKey, Seal, SealBroken, read_key
from controller.queries import exported
from controller.queries.audited import WantedRounds, rounds
from controller.queries.compared import BadRounds, compare_rounds, read_rounds
from controller.queries.disputes import Bundle
from controller.queries.following import AuditedRound
from controller.queries.replayed import Replayed, replay_journal
from controller.queries.search import KEYS, WORDS, read_query
from controller.queries.shown import NoRound, ShownRound, round_shown
from controller.queries.what_if import Supposed, WhatIf, plotted, what_if
from controller.rulebook.refusal import Refusal
from controller.slips.printed import WIDTH, field_lines, local_time
from controller.system.files import write_whole
from controller.words import in_language, sentence, shown_amount

HEAD = ("round", "began (UTC)", "seats", "staked", "hold", "prizes", "void", "noted", "persons")
NUMBERS = ("round", "staked", "hold")
EXPORTED = {
    "lines": (exported.LINE, exported.line_rows),
    "events": (exported.EVENT, exported.events),
    "inputs": (exported.INPUT, exported.inputs),
    "makes": (exported.MAKE, exported.makes),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Looks into the whole of a journal, however old it is. What is read is verified event by event; nothing is "
        "written, also while its station runs."
    )
    what = parser.add_subparsers(required=True, metavar="WHAT")
    verify = what.add_parser(
        "verify",
        help="the whole journal; exit code 65 where it fails",
        description="Verifies a journal in full: pages and indexes, every event of the chain, messages, answers and "
        "marks, and, where the seal key can be read, the MAC of its head.",
    )
    add_journal(verify)
    add_seal_key(verify)
    _add_processes(verify)
    verify.add_argument("--json", action="store_true", help="a JSON object")
    verify.set_defaults(work=_verify)
    table = what.add_parser(
        "rounds",
        help="a table of its rounds, by time, seat, prize, person or a search",
        description="A table of the rounds of a journal. QUERY is one or more conditions that all hold, as on the "
        "console's rounds' sheet: KEY, a relation (: < <= > >=) and a value, without spaces between them, a value with "
        "spaces between two quotes; or a word alone. 'not' before one turns it. It is one argument: "
        "'seat:3 net<-1000 not void'.",
        epilog="Keys. " + _explained(KEYS) + ". Words. " + _explained(WORDS) + ".",
    )
    table.add_argument(
        "query", nargs="?", default="", metavar="QUERY", help="which rounds, such as 'prize>=500 person:ana'"
    )
    add_journal(table)
    _add_wanted(table)
    add_json(table)
    table.set_defaults(work=_rounds)
    show = what.add_parser(
        "show",
        help="one round as a person reads it; exit code 2 where there is no such round",
        description="Prints what happened in a round, in its order: bets, cards as they were shown, decisions, the "
        "settlement line by line with articles, prizes, corrections, troubles of devices, and who did it. Times are "
        "those of this computer's time zone. The journal is only read, also while its station runs.",
    )
    show.add_argument("round", type=count, metavar="ROUND", help="the number of the round")
    add_journal(show)
    add_language(show)
    show.add_argument("--json", action="store_true", help="a JSON object, in every language; times are UTC")
    show.set_defaults(work=_show)
    out = what.add_parser(
        "export",
        help="its settlements, events, inputs or makes of devices, as CSV or JSON Lines",
        description="Writes a row to standard output for each line of each confirmed round's settlement, for each "
        "event, for each input, or for the make of each device at each start. Money is in minor units, times are UTC.",
    )
    out.add_argument("rows", choices=tuple(EXPORTED), metavar="|".join(EXPORTED), help="what each row is")
    out.add_argument("--format", choices=("csv", "jsonl"), default="csv", help="default: %(default)s")
    add_journal(out)
    _add_time(out)
    out.set_defaults(work=_export)
    again = what.add_parser(
        "replay",
        help="every round decided again by this version; exit code 65 where it differs",
        description="Decides every round again: this version is given each input that the journal keeps, at the table "
        "as it was then, and each event that it would write otherwise is named with what was written. It needs the "
        "seal key, since the cards that were reported are sealed.",
    )
    add_journal(again)
    add_seal_key(again)
    _add_processes(again)
    again.add_argument(
        "--rules",
        type=chosen_reading,
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="what if: the difference in money with other readings, such as deal_begins_beside_banker=true",
    )
    again.add_argument(
        "--as-of", type=day, metavar="DATE", help="what if: the difference by the regulation of that day"
    )
    add_json(again)
    again.set_defaults(work=_replay)
    compared = what.add_parser(
        "differences",
        help="a shadow table's rounds beside the other table's; exit code 65 where they differ",
        description="Compares the rounds of a shadow table with those of the table that it followed: messages of the "
        "topic rounds, a line each, or comma-separated values that a person entered, with the columns round and such "
        "as seats/1/net or outcome. A value that is not entered is not compared.",
    )
    compared.add_argument("other", type=Path, metavar="FILE", help="the rounds of the other table")
    compared.add_argument("--first", type=count, default=1, metavar="N", help="its number of the first round here (1)")
    add_journal(compared)
    add_json(compared)
    compared.set_defaults(work=_differences)
    wires = what.add_parser(
        "wires",
        help="what went over the wires in a disputed round whose key was released",
        description="Plays what the flight recorder kept of a round, as its dispute bundle has it, into the codecs: "
        "every octet with its time, and each message of a device. Two persons have released the round's key.",
    )
    wires.add_argument("bundle", type=Path, metavar="BUNDLE", help="the file of `dealer-station dispute`")
    add_journal(wires)
    wires.add_argument(
        "--page", type=Path, metavar="FILE.html", help="write them as a timeline instead: a new file, to be printed"
    )
    add_language(wires)
    add_json(wires)
    wires.set_defaults(work=_wires)


def _explained(names: dict[str, str]) -> str:
    return "; ".join(f"{name}: {means}" for name, means in names.items())


def _add_processes(parser: argparse.ArgumentParser) -> None:
    processors = len(os.sched_getaffinity(0))
    parser.add_argument(
        "--processes", type=count, default=processors, metavar="N", help="on so many processors (default: all)"
    )


def _add_time(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--since", type=moment, metavar="TIME", help="begun then or later, UTC")
    parser.add_argument("--until", type=moment, metavar="TIME", help="begun before, UTC")


def _add_wanted(parser: argparse.ArgumentParser) -> None:
    _add_time(parser)
    parser.add_argument("--seat", type=count, metavar="N", help="with a bet at this seat")
    parser.add_argument("--prize", action="store_true", help="with a prize of the pot")
    parser.add_argument("--person", metavar="NAME", help="who did anything in it, or is named at a bet")


@with_config
def run(config: Config, options: argparse.Namespace) -> int:
    """Runs the audit that the options name; returns the exit code."""
    work: Callable[[Config, argparse.Namespace], int] = options.work
    return work(config, options)


def _verify(config: Config, options: argparse.Namespace) -> int:
    path = options.journal or config.journal
    seal = _seal_of(config, options.seal_key)
    try:
        with progress(options.json) as report:
            found = audit(path, config.mode, seal, report, options.processes)
    except (JournalCorrupt, BrokenProcessPool) as error:
        if options.json:
            good = False if isinstance(error, JournalCorrupt) else None
            say(msgspec.json.encode({"good": good, "reason": str(error)}))
        raise
    if options.json:
        return say(msgspec.json.encode({"good": True, **msgspec.to_builtins(found)}))
    return say(_in_words(path, found))


def _seal_of(config: Config, key: Path | None) -> Seal | None:
    """The seal key from the file that was named, else the configured one. Raises BadSealKey."""
    if key is not None:
        return Seal(read_key(key, create=False))
    with suppress(BadSealKey):
        return Seal(read_key(seal_key_of(config), create=False))
    return None


def _in_words(path: Path, found: Audited) -> str:
    lines = [f"{path}: good", f"{found.events} events, messages up to {found.sequence}, journal {found.journal}"]
    if found.pruned:
        lines.append(f"events up to {found.pruned} are kept no longer (keep_days)")
    if found.begun_by:
        lines.append(f"begun by {' and '.join(found.begun_by)}")
    for epoch in found.epochs:
        lines.append(f"continues from a copy after event {epoch.event}, by {' and '.join(epoch.persons)}, {epoch.at}")
    if not found.mac:
        lines.append("the MAC was not verified, without the seal key (--seal-key): a person without the key could have")
        lines.append("rewritten the whole of it")
    return "\n".join(lines)


def _wanted(config: Config, options: argparse.Namespace) -> WantedRounds:
    query = read_query(options.query, config.exponent)
    return WantedRounds(options.since or "", options.until or "", options.seat, options.prize, options.person, query)


def _rounds(config: Config, options: argparse.Namespace) -> int:
    try:
        wanted = _wanted(config, options)
    except Refusal as refused:
        return refuse(sentence(refused))
    with progress(wants_json(options)) as report:
        found = rounds(options.journal or config.journal, config.mode, wanted, report)
    if wants_json(options):
        return say(msgspec.json.encode(found))
    if not found:
        return say("no such round")
    rows = [_row(round, config.exponent) for round in found]
    return say("\n".join(aligned([HEAD, *rows], right=NUMBERS)))


def _row(round: AuditedRound, exponent: int) -> tuple[str, ...]:
    def money(amount: int | None) -> str:
        return "" if amount is None else shown_amount(amount, exponent)

    state = "" if round.confirmed else "without play" if round.without_play else "not confirmed"
    noted = [
        state,
        f"{round.corrections} corrected" if round.corrections else "",
        f"adjusted {money(round.adjusted)}" if round.adjusted else "",
    ]
    return (
        str(round.round),
        round.began.removesuffix("Z").replace("T", " "),
        ",".join(map(str, round.seats)),
        money(round.staked),
        money(round.hold),
        ", ".join(f"{prize.tier} {money(prize.amount)} at {prize.seat}" for prize in round.prizes),
        round.article or "",
        ", ".join(filter(None, noted)),
        ", ".join(round.persons),
    )


def _show(config: Config, options: argparse.Namespace) -> int:
    path = options.journal or config.journal
    with progress(options.json) as report:
        found = round_shown(path, identity_of(config), options.round, config.log_in.longest, report)
    if isinstance(found, NoRound):
        nearest = found.nearest(options.round)
        there = "it has none" if nearest is None else f"the nearest is {nearest}, of {found.first} to {found.last}"
        return refuse(f"{path} has no round {options.round}, or keeps it no longer; {there}")
    return say(msgspec.json.encode(found) if options.json else "\n".join(_page(found, options.language)))


def _page(round: ShownRound, language: str) -> Iterator[str]:
    in_words = partial(in_language, language, "round_texts")
    lines_of_slip = partial(in_language, language, "slip_texts")
    yield in_words("title", round=round.round)
    yield "=" * WIDTH
    if round.mode != "live":
        yield lines_of_slip(round.mode)
        yield "-" * WIDTH
    yield from field_lines(lines_of_slip("label/site"), round.site)
    yield from field_lines(lines_of_slip("label/table"), round.table)
    yield from field_lines(lines_of_slip("label/game"), round.game)
    yield from field_lines(lines_of_slip("label/legal_status"), round.legal_status[language])
    yield from field_lines(lines_of_slip("label/journal"), f"{round.journal} / {round.entries[0].event}")
    yield from field_lines(in_words("label/money"), round.currency)
    yield from field_lines(in_words("label/began"), local_time(round.began))
    confirmed = f"{local_time(round.confirmed)}, {round.confirmed_by}" if round.confirmed else in_words("not_confirmed")
    yield from field_lines(in_words("label/confirmed"), confirmed)
    persons = ((person.name, person.role[language], local_time(person.since)) for person in round.logged_in)
    present = ", ".join(f"{name} ({role}, {since})" for name, role, since in persons)
    yield from field_lines(in_words("label/logged_in"), present or in_words("no_one"))
    yield "-" * WIDTH
    day, later = local_time(round.began)[:10], False
    for entry in round.entries:
        if entry.later and not later:
            later = True
            yield "-" * WIDTH
            yield in_words("later")
        at = local_time(entry.time)
        if at[:10] != day:
            day = at[:10]
            yield day
        doubted = "" if entry.synchronised else f" ({lines_of_slip('unsynchronised')})"
        who = f" · {', '.join(entry.who)}" if entry.who else ""
        yield from field_lines(f"{entry.event:>6}  {at[11:19]}", entry.text[language] + who + doubted)
        for line in entry.lines:
            yield from field_lines("", line[language])
    if round.sealed:
        yield "-" * WIDTH
        yield in_words("sealed", count=round.sealed)


def _export(config: Config, options: argparse.Namespace) -> int:
    names, made = EXPORTED[options.rows]
    wanted = WantedRounds(options.since or "", options.until or "")
    with progress(sys.stdout.isatty()) as report:
        rows = made(options.journal or config.journal, identity_of(config), wanted, report)
        if options.format == "jsonl":
            for row in rows:
                print(msgspec.json.encode(row).decode())
        else:
            table = csv.writer(sys.stdout)
            table.writerow(names)
            table.writerows([_cell(row[name]) for name in names] for row in rows)
    return 0


def _differences(config: Config, options: argparse.Namespace) -> int:
    try:
        other = read_rounds(options.other.read_bytes(), options.first)
    except OSError as error:
        return refuse(f"{options.other}: {error.strerror}")
    except BadRounds as bad:
        return refuse(f"{options.other}: {bad}")
    with progress(wants_json(options)) as report:
        both, found = compare_rounds(options.journal or config.journal, identity_of(config), other, report)
    if wants_json(options):
        say(msgspec.json.encode({"mode": config.mode, "rounds": both, "differences": found}))
    else:
        for difference in found:
            here, there = (value or "nothing" for value in (difference.here, difference.there))
            say(f"round {difference.round} {difference.name}: here {here}, there {there}")
        say(f"{config.mode.upper()}: {both} rounds compared, {len(found)} differences")
    return EXIT_CORRUPT if found else 0


def _cell(value: object) -> object:
    return msgspec.json.encode(value).decode() if isinstance(value, dict | list | bool) else value


def _supposed(config: Config, options: argparse.Namespace) -> int:
    path = options.journal or config.journal
    try:
        with progress(wants_json(options)) as report:
            found = what_if(path, config.mode, Supposed(dict(options.rules), options.as_of), report, options.processes)
    except Refusal as refused:
        return refuse(sentence(refused))
    if wants_json(options):
        return say(msgspec.json.encode(found))
    return say("\n".join(_as_table(path, found, config.exponent)))


def _as_table(path: Path, found: WhatIf, exponent: int) -> Iterator[str]:
    rows = [
        (net.wager, net.article, str(net.lines), shown_amount(net.net_difference, exponent)) for net in found.changed
    ]
    yield from aligned(
        [("bet", "article", "lines", "players' difference"), *rows], right=("lines", "players' difference")
    )
    yield from plotted(found.changed)
    yield f"rounds that differ: {', '.join(map(str, found.rounds_named)) or 'none'}"
    speed = round(found.rounds / found.seconds) if found.seconds else found.rounds
    yield (
        f"{path}: {found.rounds} rounds, {found.void} void, {len(found.rounds_named)} differ, players' difference "
        f"{shown_amount(found.net_difference, exponent)}; {speed} rounds a second"
    )
    if found.left_out:
        rounds = ", ".join(map(str, found.left_out))
        yield f"left out, since the fixed amounts of their prizes are kept no longer (keep_days): rounds {rounds}"
    if found.pruned:
        begins = f"this begins with round {found.first}" if found.first else "no round is left"
        yield f"events up to {found.pruned} are kept no longer (keep_days): {begins}"


def _replay(config: Config, options: argparse.Namespace) -> int:
    if options.rules or options.as_of is not None:
        return _supposed(config, options)
    path = options.journal or config.journal
    seal = Seal(read_key(options.seal_key or seal_key_of(config), create=False))
    try:
        with progress(wants_json(options)) as report:
            found = replay_journal(path, config.mode, seal, report, options.processes)
    except BrokenProcessPool as error:
        if wants_json(options):
            say(msgspec.json.encode({"equal": None, "reason": str(error)}))
        raise
    equal = not found.differences
    if wants_json(options):
        say(msgspec.json.encode({"equal": equal, **msgspec.to_builtins(found)}))
    else:
        say("\n".join(_replayed(path, found)))
    return 0 if equal else EXIT_CORRUPT


def _wires(config: Config, options: argparse.Namespace) -> int:
    try:
        written = options.bundle.read_bytes()
        bundle = msgspec.json.decode(written, type=BundledWires)
        key = bundle.released_key or released_key(options.journal or config.journal, config.mode, bundle)
        lines = list(decoded(opened_wires(bundle, key)))
    except OSError as error:
        return refuse(f"{options.bundle}: {error.strerror}")
    except (msgspec.DecodeError, SealBroken, ValueError) as error:
        return refuse(f"{options.bundle}: {error}")
    if options.page is not None:
        return _write_timeline(options, written, lines)
    if wants_json(options):
        return say(b"\n".join(map(msgspec.json.encode, lines)))
    return say("\n".join(map(wire_line, lines)))


def _write_timeline(options: argparse.Namespace, written: bytes, lines: list[OnWire]) -> int:
    if options.page.exists():
        return refuse(f"{options.page} is there already; nothing was written")
    try:
        drawn = wires_page(
            msgspec.json.decode(written, type=Bundle), lines, written, options.bundle.name, options.language
        )
        write_whole(options.page, drawn.encode())
    except OSError as error:
        return refuse(f"{options.page}: {error.strerror}; nothing was written")
    except msgspec.DecodeError as error:
        return refuse(f"{options.bundle}: {error}; nothing was written")
    return say(f"{options.page}: {len(lines)} messages of the wires as a timeline, to be printed")


def _replayed(path: Path, found: Replayed) -> Iterator[str]:
    for difference in found.differences:
        yield from _different(difference)
    verdict = f"{len(found.differences)} different" if found.differences else "as they were decided"
    yield f"{path}: {found.rounds} rounds decided again, {verdict}"
    yield f"{found.events} events, {found.decided} inputs"
    if found.since:
        yield f"events up to {found.since} are not decided again: what came first is kept no longer (keep_days)"
    if found.different_notices:
        yield f"after {found.different_notices} inputs this version gives other notices or alarms"


def _different(difference: Difference) -> Iterator[str]:
    def in_words(event: Event | None) -> str:
        return "nothing" if event is None else msgspec.json.encode(event).decode()

    yield f"event {difference.event}, round {difference.round}"
    yield f"  written:      {in_words(difference.written)}"
    yield f"  this version: {difference.refused or in_words(difference.now)}"
