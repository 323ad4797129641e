"""`dealer-station certify`: odds and house edge of every wager, reported as a table, as JSON and as a page."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from controller.certify.blackjack.simulation import Disagreement
from controller.certify.games import GAMES, MAIN_GAMES, CertifyRequest, certify, hits_of
from controller.certify.output import as_json, as_text
from controller.certify.pot import PotTerms
from controller.certify.reading import Paytable, read_paytable, read_pot
from controller.certify.reading_costs import COMPARED, ROUNDS, cost_of, costs_json, costs_text
from controller.certify.reasons import CertifyReason
from controller.certify.report import as_page
from controller.certify.result import Certified, Progress, ResultCache, Unkept, Unwatched
from controller.certify.saved_results import KeptInFiles, code_and
from controller.command_line.argument import add_as_of, count, nearest, nearest_file
from controller.command_line.output import EXIT_INTERRUPTED, EXIT_SOFTWARE, refuse, say
from controller.rulebook.citations import OtherReading
from controller.rulebook.games import FIRST_GAME
from controller.rulebook.games import GAMES as LIVE
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.words import sentence

EXAMPLES = f"""\
examples:
  dealer-station certify --exact                                     all that is exact, of all games
  dealer-station certify {[*GAMES][-1]} --json
  dealer-station certify {FIRST_GAME} --jackpot pot.toml --report odds.html
  dealer-station certify --paytable asked.toml --report request.html  a changed table, or a new bet
  dealer-station certify --compare all                               what every key of [rules] costs

Results are kept: a run that was stopped continues where it was. docs/certify.md has both files."""


Read = TypeVar("Read")


class _Given:
    """A file that was read: its text, which is part of the fingerprint, and its content."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.text = ""

    def read(self, reader: Callable[[str], Read]) -> Read | None:
        """What the reader makes of the file, None without one; raises Refusal, blaming the file."""
        if self.path is None:
            return None
        try:
            self.text = self.path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise Refusal(str(self.path), LawReason.NOT_UTF8) from None
        except OSError as error:
            failure = f"{error.strerror}{nearest_file(self.path)}"
            raise Refusal(str(self.path), CertifyReason.UNREADABLE, error=failure) from None
        try:
            return reader(self.text)
        except Refusal as refusal:
            why, article = refusal.reason, refusal.article
            raise Refusal(str(self.path), CertifyReason.IN_FILE, article, who=refusal.who, why=why) from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Computes the odds of every wager, out of the code that ranks and settles the live table: exact wherever "
        "enumeration reaches, simulated with its interval for the main game of "
        f"{', '.join(MAIN_GAMES)}."
    )
    parser.epilog = EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("games", metavar="GAME", nargs="*", help="game ids (default: all five)")
    parser.add_argument("--jackpot", type=Path, metavar="FILE", help="terms of a pot, as TOML")
    parser.add_argument("--paytable", type=Path, metavar="FILE", help="a changed paytable or new bets, as TOML")
    parser.add_argument(
        "--rule", action="append", default=[], metavar="KEY", help="a key of [rules] that is true at the table"
    )
    add_as_of(parser)
    parser.set_defaults(as_of=None)  # so that it is known whether it was given
    parser.add_argument(
        "--compare", action="append", default=[], metavar="KEY", help="what a key of [rules] costs; all: every key"
    )
    parser.add_argument("--report", type=Path, metavar="FILE.html", help="write a page to read and to print")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--exact", action="store_true", help="leave out what is simulated")
    parser.add_argument("--hits", type=count, metavar="N", help="hits of a pot to play (default: some thousand)")
    parser.add_argument(
        "--rounds", type=count, metavar="N", help="rounds of the main game (default: ten million), or of each key"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of what is simulated (default: %(default)s)")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="keep what is computed here (default: the user's cache folder)"
    )


def run(options: argparse.Namespace) -> int:
    """Certifies what the options name; returns the exit code."""
    try:
        if options.compare:
            return _compare(options)
        options.as_of = options.as_of or datetime.now(UTC)
        return _certify(options)
    except Refusal as refusal:
        return refuse(sentence(refusal))


def _compare(options: argparse.Namespace) -> int:
    """Settle rounds by both readings of the keys that are named."""
    others = ("games", "jackpot", "paytable", "rule", "as_of", "report", "exact", "hits")
    for other in others:
        if getattr(options, other):
            raise Refusal("--compare", CertifyReason.COMPARES_ALONE, option=other)
    keys = list(COMPARED) if options.compare == ["all"] else options.compare
    rules = _rules(keys, list(LIVE))
    for key in keys:
        if key not in COMPARED:
            raise Refusal("--compare", CertifyReason.VOIDS_ALONE, key=quoted(key))
    folder = options.work or _cache()
    costs = []
    try:
        with _watching() as progress:
            for game, chosen in rules.items():
                for reading in chosen:
                    kept = _kept(folder, game, options.work is not None, reading.key)
                    rounds, processes = options.rounds or ROUNDS, len(os.sched_getaffinity(0))
                    costs.append(cost_of(reading, rounds, options.seed, progress, kept, processes))
    except (KeyboardInterrupt, BrokenProcessPool) as stopped:
        return _stopped(stopped, folder)
    return say(costs_json(costs) if options.json else costs_text(costs))


def _stopped(stopped: BaseException, folder: Path) -> int:
    """Prints that a run ended early, by Ctrl-C or because a process died, probably for lack of memory."""
    interrupted = isinstance(stopped, KeyboardInterrupt)
    what = "stopped." if interrupted else "a process of this run died."
    print(
        f"dealer-station: {what} Results so far are kept in {folder}: the same command continues from there.",
        file=sys.stderr,
    )
    return EXIT_INTERRUPTED if interrupted else EXIT_SOFTWARE


def _certify(options: argparse.Namespace) -> int:
    paytable_file, jackpot_file = _Given(options.paytable), _Given(options.jackpot)
    paytable, terms = paytable_file.read(partial(read_paytable, as_of=options.as_of)), jackpot_file.read(read_pot)
    games = _games(options.games, paytable, terms)
    _check_numbers(options, games, terms)
    rules = _rules(options.rule, games)
    if options.report is not None and not options.report.absolute().parent.is_dir():
        raise Refusal(str(options.report), CertifyReason.NO_SUCH_FOLDER)
    folder = options.work or _cache()
    results: dict[str, list[Certified]] = {}
    try:
        with _watching() as progress:
            for game in games:
                asked = CertifyRequest(
                    game=game,
                    as_of=options.as_of,
                    rules=rules[game],
                    paytable=paytable if paytable is not None and paytable.game == game else None,
                    terms=terms if terms is not None and terms.game == game else None,
                    simulates=not options.exact,
                    hits=options.hits or hits_of(game),
                    rounds=options.rounds,
                    seed=options.seed,
                )
                version = LIVE[game].legal_status.validity.version_of(options.as_of)
                keys = " ".join((version.key, *(rule.key for rule in rules[game])))
                kept = _kept(folder, game, options.work is not None, paytable_file.text, jackpot_file.text, keys)
                results[game] = certify(asked, progress, kept, len(os.sched_getaffinity(0)))
    except (KeyboardInterrupt, BrokenProcessPool) as stopped:
        return _stopped(stopped, folder)
    except Disagreement as found:
        print(
            "dealer-station: a defect, and no certificate: the quick play and the rulebook differ on one round "
            f"({found}). Please report it with these cards.",
            file=sys.stderr,
        )
        return EXIT_SOFTWARE
    if options.report is not None:
        about = [f"{what}: {file.path.name}" for what, file in _named(paytable_file, jackpot_file) if file.path]
        _write(options.report, as_page(results, terms, about))
    return say(as_json(results) if options.json else as_text(results))


def _check_numbers(options: argparse.Namespace, games: list[str], terms: PotTerms | None) -> None:
    """Raises Refusal for a number about something that is not simulated."""
    if options.hits is not None and (options.exact or terms is None):
        raise Refusal("--hits", CertifyReason.NO_POT_PLAYED)
    if options.rounds is not None and (options.exact or not set(MAIN_GAMES) & set(games)):
        raise Refusal("--rounds", CertifyReason.NO_MAIN_GAME, game=", ".join(MAIN_GAMES))


def _rules(keys: list[str], games: list[str]) -> dict[str, tuple[OtherReading, ...]]:
    """The readings chosen, by game. Raises Refusal for a key that none of the games has."""
    known = {reading.key: reading for game in games for reading in LIVE[game].other_readings}
    for key in keys:
        if key not in known:
            listed = ", ".join(known) or "none"
            raise Refusal("--rule", CertifyReason.NO_SUCH_RULE, key=quoted(key), known=listed)
    return {game: tuple(reading for reading in LIVE[game].other_readings if reading.key in keys) for game in games}


def _named(paytable: _Given, jackpot: _Given) -> list[tuple[str, _Given]]:
    return [("Paytable", paytable), ("Jackpot", jackpot)]


def _games(named: list[str], paytable: Paytable | None, terms: PotTerms | None) -> list[str]:
    """The games to certify, in the order of GAMES: those named; without names that of the paytable, or all."""
    for game in named:
        if game not in GAMES:
            known = ", ".join(GAMES) + nearest(game, GAMES)
            raise Refusal("game", LawReason.NO_SUCH_GAME, game=quoted(game), games=known)
    chosen = set(named) or ({paytable.game} if paytable is not None else set(GAMES))
    for what, of in (("paytable", paytable), ("jackpot", terms)):
        if of is None:
            continue
        if not named:
            chosen.add(of.game)
        elif of.game not in chosen:
            raise Refusal("game", CertifyReason.NOT_AMONG_GAMES, what=what, game=of.game)
    return [game for game in GAMES if game in chosen]


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "dealer-station" / "certify"


def _kept(folder: Path, game: str, asked_for: bool, *terms: str) -> ResultCache:
    """The results that earlier runs computed. A folder that the user named must exist and be writable."""
    try:
        return KeptInFiles(folder, game, code_and(*(term.encode() for term in terms)))
    except OSError as error:
        if asked_for:
            raise Refusal(str(folder), CertifyReason.UNWRITABLE, error=str(error.strerror)) from None
        print(f"dealer-station: nothing is kept for another run: {folder}: {error.strerror}", file=sys.stderr)
        return Unkept()


def _write(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise Refusal(str(path), CertifyReason.UNWRITABLE, error=str(error.strerror)) from None


@contextmanager
def _watching() -> Iterator[Progress]:
    """The progress bar on stderr if that is a terminal, else a report that no one reads."""
    if not sys.stderr.isatty():
        yield Unwatched()
        return
    # Here alone: rich takes longer to import than the arguments to read.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        class Watched:
            def advance(self, done: int, total: int, what: str) -> None:
                if what not in tasks:
                    tasks[what] = bars.add_task(what, total=total)
                bars.update(tasks[what], completed=done, total=total)

        yield Watched()
