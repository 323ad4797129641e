"""`dealer-pit`: the command line of the pit."""

import argparse
import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.command_line.argument import Parser, Version, address, count, day, speed
from controller.command_line.exit_codes import EXIT_CONFIGURATION, EXIT_UNAVAILABLE
from controller.command_line.pins import add_names
from controller.command_line.signals import until_signal
from controller.command_line.streams import guarded

if TYPE_CHECKING:
    from controller.pit.config import Config
    from controller.tlog.notes import Signer
    from controller.tlog.witness import Seen, Witness


DESCRIPTION = "Receives the messages of every table over MQTT and keeps them in PostgreSQL."
EXAMPLES = """examples:
  dealer-pit check --config /etc/dealer-station/pit.toml
  dealer-pit run --config /etc/dealer-station/pit.toml
  dealer-pit schema | psql pit
  dealer-pit link hall --config pit.toml --by carla --and nuno
  dealer-pit rebuild --config pit.toml --witnessed seen.json /backup/*/journal.db
  dealer-pit return 2026-01 returns/2026-01 --config pit.toml
  dealer-pit return --check returns/2026-01 --key casino.example/pit+… /copies/*/journal.db
  dealer-pit export --from 2026-01-01 --to 2026-01-31 january --config pit.toml
  dealer-pit group check service=head service=macau-1 service=macau-2
  dealer-pit simulate --tables 3 --rounds 20 --speed max
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    return guarded("dealer-pit", lambda: _command(_parser().parse_args(given or ["--help"])))


def _parser() -> Parser:
    parser = Parser(
        "dealer-pit", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (purpose, add, work) in CONFIGURED.items():
        one = commands.add_parser(name, help=purpose)
        add(one)
        one.add_argument("--config", type=Path, required=True, help="pit.toml")
        one.set_defaults(work=partial(_configured, work))
    returned = commands.add_parser("return", help="the monthly return of each game and table, and of the jackpots")
    _add_return(returned)
    returned.set_defaults(work=_return)
    schema = commands.add_parser("schema", help="print the tables and views of the archive, as SQL")
    schema.set_defaults(work=_schema)
    _add_group(commands.add_parser("group", help="properties and their head office: SQL for both, and a comparison"))
    simulated = commands.add_parser("simulate", help="simulated tables, broker, database and pit on this machine")
    _add_simulate(simulated)
    simulated.set_defaults(work=_simulate)
    return parser


def _command(given: argparse.Namespace) -> int:
    work: Callable[[argparse.Namespace], int] = given.work
    try:
        return work(given)
    except ImportError as missing:
        extra = "export" if missing.name == "duckdb" else "pit"
        print(f"dealer-pit needs {missing.name}: pip install 'dealer-station[{extra}]'", file=sys.stderr)
        return EXIT_UNAVAILABLE


def _configured(work: "Callable[[Config, argparse.Namespace], int]", given: argparse.Namespace) -> int:
    """Work with the configuration; the exit code, also where it cannot be read."""
    from controller.config.document import BadConfiguration
    from controller.pit.config import read_config

    try:
        config = read_config(given.config)
    except BadConfiguration as wrong:
        print(wrong, *wrong.mistakes, sep="\n  ", file=sys.stderr)
    except OSError as wrong:
        print(wrong, file=sys.stderr)
    else:
        return work(config, given)
    return EXIT_CONFIGURATION


def _add_simulate(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Starts a mosquitto, a PostgreSQL cluster of its own and simulated tables of different games, each a station "
        "of its own, and the pit on them. Ctrl-C ends all of it, and nothing is left behind."
    )
    parser.add_argument("--tables", type=count, default=6, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument(
        "--speed",
        type=speed,
        default="5",
        help="of the tables: human, device, max, or a number of times human (default: %(default)s)",
    )
    parser.add_argument(
        "--rounds", type=count, metavar="N", help="end once every table has played so many (default: until Ctrl-C)"
    )
    parser.add_argument(
        "--linked-hit",
        action="store_true",
        help="stack the first decks of the tables that share a pot: they win of it",
    )
    parser.add_argument(
        "--listen", metavar="HOST:PORT", type=address, help="address of the page (default: a free port)"
    )


def _add_nothing(parser: argparse.ArgumentParser) -> None:
    """The configuration is all that it needs."""


def _add_accept(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="such as dealer/macau-1/table-1")


def _accept(config: "Config", given: argparse.Namespace) -> int:
    from controller.pit.decisions import accept

    return accept(config, given.table)


def _add_gaps(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Lists the messages that a table has published and the archive does not have, and why. The table keeps them, "
        "and all behind them, until a person of [people] has decided that the archive does without."
    )
    parser.add_argument("table", nargs="?", metavar="TABLE", help="such as macau-1/table-1 (default: all)")
    parser.add_argument("--by", metavar="NAME", help="of [people]: decide, and not only list")


def _gaps(config: "Config", given: argparse.Namespace) -> int:
    from controller.pit.decisions import gaps

    return gaps(config, given.table, given.by)


def _add_messages(parser: argparse.ArgumentParser) -> None:
    parser.description = "Prints messages as the table published them, in order, a line each."
    parser.add_argument(
        "which", metavar="JOURNAL[/FIRST[-LAST]]", help="the `id` of a message; a range of a journal; a journal"
    )


def _messages(config: "Config", given: argparse.Namespace) -> int:
    from controller.pit.messages import print_messages

    return print_messages(config, given.which)


def _add_link(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Shows whether a linked pot is stopped and why, what was paid on paper otherwise than granted, and which "
        "granted claims are not paid. With two persons, one of them a supervisor, the link is resumed, a table's "
        "journal is admitted, its key accepted, a claim closed, or other parameters are agreed on; no process of the "
        "pit may lead meanwhile."
    )
    parser.add_argument("link", metavar="NAME", help="of the link")
    parser.add_argument("--by", metavar="NAME", help="of [people]: decide, and not only print")
    parser.add_argument("--and", metavar="NAME", dest="second", help="another of [people]")
    decision = parser.add_mutually_exclusive_group()
    decision.add_argument(
        "--parameters",
        action="store_true",
        help="what pit.toml says of this link by now holds from the next pot on",
    )
    decision.add_argument(
        "--close",
        nargs=2,
        metavar=("CLAIM", "REASON"),
        help="a granted claim is not going to be paid: its money goes back, and the reason is kept",
    )
    decision.add_argument(
        "--accept-loss",
        action="store_true",
        help="the database went back, and what it had cannot be restored or rebuilt: resume with what it has",
    )
    decision.add_argument(
        "--release",
        metavar="TABLE",
        help="the right books lead again: a table that saw others takes chips again",
    )
    decision.add_argument(
        "--accept-key",
        nargs=2,
        metavar=("TABLE", "KEY"),
        help="the public key of a table, as `dealer-station key show` prints it there",
    )
    decision.add_argument(
        "--admit",
        nargs=2,
        metavar=("TABLE", "JOURNAL"),
        help="take up a journal that was refused, such as macau-1/table-1 and its name",
    )


def _link(config: "Config", given: argparse.Namespace) -> int:
    from controller.pit.ledger import AcceptKey, AcceptLoss, Admit, Close, Propose, Release, Resume
    from controller.pit.link_decisions import What, run
    from controller.pit.marks import Marks
    from controller.pit.refusals import refuse

    chosen = given.admit or given.close or given.parameters or given.accept_key or given.accept_loss or given.release
    if (given.by is None) != (given.second is None) or (chosen and given.by is None):
        return refuse("two persons decide: --by NAME --and NAME")
    persons = [given.by, given.second] if given.by is not None else []
    what: What = Admit(*given.admit) if given.admit else Close(*given.close) if given.close else Resume()
    if given.accept_key:
        what = AcceptKey(*given.accept_key)
    if given.accept_loss:
        what = AcceptLoss()
    if given.release:
        what = Release(given.release)
    if given.parameters:
        written = [one.meter.parameters for one in config.links if one.link == given.link]
        if not written:
            return refuse(f"{given.config} has no [[link]] of the name {given.link}")
        what = Propose(written[0])
    return run(config.database, Marks(config.marks), config.people, given.link, persons, what)


def _add_rebuild(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Reads the journals of tables, with the files beside them, and stores in the archive what it does not have. "
        "Every journal is verified first, and compared with what was witnessed; exit code 65 where one is not as it "
        "was, and then nothing is stored. No other process may lead the archive meanwhile; no table receives anything."
    )
    parser.add_argument("journals", type=Path, nargs="+", metavar="JOURNAL", help="of a table; its station may run")
    parser.add_argument(
        "--witnessed",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="the state file of a witness: every journal that it has seen last must be here, and continue from there",
    )
    parser.add_argument(
        "--opened",
        type=Path,
        metavar="FILE",
        help="how a linked pot began, as `opened` in pit.links: the pot that follows from the journals is stored too",
    )


def _rebuild(config: "Config", given: argparse.Namespace) -> int:
    from controller.command_line.failures import blaming
    from controller.pit.rebuild import run

    return blaming(lambda: run(config, given.journals, given.witnessed, given.opened))


def _add_return(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes the return of a month that is over as JSON and CSV to an empty folder, signed with the key of "
        "[signing]. --check verifies the signature of a return, computes its figures again and names each that "
        "differs (exit code 65): from the journals that are given, or from the envelopes of the archive."
    )
    parser.add_argument("what", nargs="*", metavar="MONTH FOLDER | JOURNAL", help="such as 2026-01, and where to write")
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="compute this return again")
    parser.add_argument("--key", metavar="KEY", help="the pit's public key, as `dealer-station key show` prints it")
    parser.add_argument("--config", type=Path, help="pit.toml; not needed with --key and journals")


def _return(given: argparse.Namespace) -> int:
    from controller.pit.refusals import refuse

    if given.config is not None:
        return _configured(_return_of, given)
    if given.check is None or given.key is None:
        return refuse("needs --config pit.toml, or --check FOLDER --key KEY JOURNAL…")
    return _return_of(None, given)


def _return_of(config: "Config | None", given: argparse.Namespace) -> int:
    from controller.command_line.failures import blaming
    from controller.pit.refusals import refuse
    from controller.pit.returning import check, make
    from controller.tlog.notes import BadKey, Verifier

    if given.check is None:
        if len(given.what) != 2 or config is None:
            return refuse("expected a month and a folder, such as: dealer-pit return 2026-01 returns/2026-01")
        return make(config, given.what[0], Path(given.what[1]))
    try:
        signer = None if config is None else config.signer()
        key = Verifier.read(given.key) if given.key else None if signer is None else signer.verifier
    except BadKey as bad:
        return refuse(f"the key that verifies the return: {bad}")
    if key is None:
        return refuse("no key verifies the return: --key KEY, or key_file in [signing]")
    return blaming(lambda: check(given.check, key, config, [Path(one) for one in given.what]))


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes rounds, lines, hits, adjustments, alarms, persons and sums by hour to an empty folder, a file each. "
        "Money is exact: integers of minor units. Days are those of time_zone in [returns]."
    )
    parser.add_argument("--format", choices=("parquet", "csv"), default="parquet", help="default: %(default)s")
    parser.add_argument("--from", type=day, required=True, metavar="DAY", dest="first", help="such as 2026-01-01")
    parser.add_argument("--to", type=day, required=True, metavar="DAY", dest="last", help="the last day, included")
    parser.add_argument(
        "--tables", type=_names, default=[], metavar="TABLE,…", help="such as macau-1/table-1 (default: all)"
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="empty, or not there yet")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _export(config: "Config", given: argparse.Namespace) -> int:
    from controller.pit.exporting import export

    return export(config, given.format, given.first, given.last, given.tables, given.folder)


def _retain(config: "Config", given: argparse.Namespace) -> int:
    from controller.pit.retention import retain

    return retain(config)


def _simulate(given: argparse.Namespace) -> int:
    from controller.console.listening import CannotListen
    from controller.pit.simulate import CannotSimulate, Wishes, simulate
    from controller.system.tasks import first_of
    from controller.telemetry.logs import configure

    configure(quiet=True)
    code = EXIT_UNAVAILABLE
    try:
        wishes = Wishes(given.tables, given.speed, given.rounds, given.listen, given.linked_hit)
        code = asyncio.run(until_signal(simulate(wishes))) or 0
    except* (CannotSimulate, CannotListen) as cannot:
        print(f"dealer-pit: {first_of(cannot)}", file=sys.stderr)
    return code


def _schema(given: argparse.Namespace) -> int:
    from controller.pit.archive import SCHEMA

    print(SCHEMA.read_text(encoding="utf-8"), end="")
    return 0


def _add_group(parser: argparse.ArgumentParser) -> None:
    parser.description = "Prints what PostgreSQL's logical replication needs at both ends, and compares them."
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True)
    for name, what in (("property", "what a property publishes, as SQL"), ("head", "what a head office adds, as SQL")):
        parts.add_parser(name, help=what).set_defaults(work=_group_sql)
    check = parts.add_parser("check", help="compare a head office with properties; exit code 65 where they differ")
    check.add_argument("head", metavar="HEAD", help="a connection string of libpq, such as service=head")
    check.add_argument("properties", nargs="+", metavar="PROPERTY", help="as HEAD")
    check.add_argument(
        "--days", type=count, default=3, metavar="N", help="compare rows received since (default: %(default)s)"
    )
    check.add_argument(
        "--wait", type=count, default=10, metavar="SECONDS", help="for what is on its way (default: %(default)s)"
    )
    check.set_defaults(work=_group_check)


def _group_sql(given: argparse.Namespace) -> int:
    from controller.pit.group import HEAD, PROPERTY

    print((PROPERTY if given.part == "property" else HEAD).read_text(encoding="utf-8"), end="")
    return 0


def _group_check(given: argparse.Namespace) -> int:
    from controller.pit.group import check

    return check(given.head, given.properties, given.days, given.wait)


def _check(config: "Config", given: argparse.Namespace) -> int:
    from controller.pit.decisions import is_fit

    if not asyncio.run(until_signal(is_fit(config.database))):
        return EXIT_CONFIGURATION
    print(f"{given.config}: good")
    for link in config.links:
        print(f"link {link.link}: {link.game}, {', '.join(link.tables)}")
    for one in config.authorisations:
        print(f"{one.subject} authorised: {one.reference}, {one.date}")
    return 0


def _pin(config: "Config", given: argparse.Namespace) -> int:
    from controller.command_line.pins import change_pins

    return change_pins(config, given)


def _run(config: "Config", given: argparse.Namespace) -> int:
    from controller.console.listening import CannotListen
    from controller.pit.decisions import is_fit
    from controller.system.tasks import for_good
    from controller.telemetry.logs import configure
    from controller.tlog.notes import BadKey

    where = "witness"
    try:
        witness = None if config.witness is None else config.witness.ready()
        where = "signing"
        signer = config.signer()
    except BadKey as wrong:
        print(f"dealer-pit: {where}.key_file: {wrong}", file=sys.stderr)
        return EXIT_CONFIGURATION
    configure()

    async def work() -> int:
        if not await is_fit(config.database):
            return EXIT_CONFIGURATION
        for_good()
        await _serve(config, witness, signer)
        return 0

    try:
        return asyncio.run(until_signal(work())) or 0
    except CannotListen as taken:
        print(
            f"dealer-pit: {taken}: stop the program that listens there, or configure another address", file=sys.stderr
        )
        return EXIT_UNAVAILABLE


async def _serve(
    config: "Config", witness: "Callable[[dict[str, Seen]], Witness] | None", signer: "Signer | None"
) -> None:
    from controller.pit.alarms import Alarms
    from controller.pit.clock import watch_clock
    from controller.pit.lease import holder_of
    from controller.pit.linking import Linking
    from controller.pit.links_watch import LinksWatch
    from controller.pit.marks import Marks
    from controller.pit.picture import served
    from controller.pit.service import Service
    from controller.system.tasks import ended

    alarms, links = Alarms(), LinksWatch(config.database)
    linkings = [Linking(one, config.database, signer, Marks(config.marks)) for one in config.links if signer]
    service = Service(
        config.broker, config.archive, config.database, holder_of(), links=linkings, witness=witness, alarms=alarms
    )
    async with AsyncExitStack() as open_things:
        if config.listen is not None:
            own = None if witness is None else witness({}).verifier
            page = served(
                config.listen, config.broker, config.database, config.people, config.log_in, own, links, alarms
            )
            await open_things.enter_async_context(page)
        for watch in (watch_clock(alarms), *((links.run(),) if config.links else ())):
            open_things.push_async_callback(ended, asyncio.create_task(watch))
        await service.run()


CONFIGURED = {
    "run": ("receive and keep the messages of the tables, until it is stopped", _add_nothing, _run),
    "check": ("every mistake of a configuration, or what pit it makes", _add_nothing, _check),
    "pin": ("give a person of [people] a PIN, take it away, or list who has one", add_names, _pin),
    "accept": ("the witness begins again with what a table shows next, after a refusal", _add_accept, _accept),
    "gaps": ("messages that the archive does not have; a person decides on them", _add_gaps, _gaps),
    "messages": ("print messages as they were received, by journal and number", _add_messages, _messages),
    "link": ("the state of a linked pot; two persons resume it, or admit a journal", _add_link, _link),
    "export": ("rows of some days as Parquet or CSV files", _add_export, _export),
    "retain": ("envelopes of old months leave for Parquet files, as [retention] says", _add_nothing, _retain),
    "rebuild": ("an archive, and a linked pot, out of the journals of the tables", _add_rebuild, _rebuild),
}
"""The commands that need the configuration."""


if __name__ == "__main__":
    sys.exit(main())
