"""The commands of `dealer-pit` on the archive: what is in it, what leaves it, and how it is made again."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.command_line.argument import count, day
from controller.pit.commands.configured import run_with_config

if TYPE_CHECKING:
    from controller.pit.config import PitConfig


def add_messages(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = "Prints messages as the table published them, in order, a line each."
    parser.add_argument(
        "which", metavar="JOURNAL[/FIRST[-LAST]]", help="the `id` of a message; a range of a journal; a journal"
    )


def messages(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit.decisions import print_messages

    return print_messages(config, given.which)


def add_gaps(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = (
        "Lists the messages that a table has published and the archive does not have, and why. The table keeps them, "
        "and all behind them, until a person of [people] has decided that the archive does without."
    )
    parser.add_argument("table", nargs="?", metavar="TABLE", help="such as macau-1/table-1 (default: all)")
    parser.add_argument("--by", metavar="NAME", help="of [people]: decide, and not only list")


def gaps(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit import decisions

    return decisions.gaps(config, given.table, given.by)


def add_export(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
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


def export(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit import exporting

    return exporting.export(config, given.format, given.first, given.last, given.tables, given.folder)


def retain(config: "PitConfig", given: argparse.Namespace) -> int:
    """Applies [retention]; returns the exit code."""
    from controller.pit import retention

    return retention.retain(config)


def add_rebuild(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
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


def rebuild(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.command_line.failures import blaming
    from controller.pit.rebuild import run

    return blaming(lambda: run(config, given.journals, given.witnessed, given.opened), "dealer-pit")


def add_return(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = (
        "Writes the return of a month that is over as JSON and CSV to an empty folder, signed with the key of "
        "[signing]. --check verifies the signature of a return, computes its figures again and names each that "
        "differs (exit code 65): from the journals that are given, or from the envelopes of the archive."
    )
    parser.add_argument("what", nargs="*", metavar="MONTH FOLDER | JOURNAL", help="such as 2026-01, and where to write")
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="compute this return again")
    parser.add_argument("--key", metavar="KEY", help="the pit's public key, as `dealer-station key show` prints it")
    parser.add_argument("--config", type=Path, help="pit.toml; not needed with --key and journals")


def monthly_return(given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit.refusals import refuse

    if given.config is not None:
        return run_with_config(_return_of, given)
    if given.check is None or given.key is None:
        return refuse("needs --config pit.toml, or --check FOLDER --key KEY JOURNAL…")
    return _return_of(None, given)


def _return_of(config: "PitConfig | None", given: argparse.Namespace) -> int:
    from controller.command_line.failures import blaming
    from controller.pit.refusals import refuse
    from controller.pit.returning import check_return, make
    from controller.tlog.notes import BadKey, VerifierKey

    if given.check is None:
        if len(given.what) != 2 or config is None:
            return refuse("expected a month and a folder, such as: dealer-pit return 2026-01 returns/2026-01")
        return make(config, given.what[0], Path(given.what[1]))
    try:
        signer = None if config is None else config.signer()
        key = VerifierKey.read(given.key) if given.key else None if signer is None else signer.verifier
    except BadKey as bad:
        return refuse(f"the key that verifies the return: {bad}")
    if key is None:
        return refuse("no key verifies the return: --key KEY, or key_file in [signing]")
    return blaming(lambda: check_return(given.check, key, config, [Path(path) for path in given.what]), "dealer-pit")


def add_group(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
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
    from controller.pit.group import check_group

    return check_group(given.head, given.properties, given.days, given.wait)
