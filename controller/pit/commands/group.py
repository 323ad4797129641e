"""`dealer-pit group`."""

import argparse

from controller.command_line.argument import count


def add(parser: argparse.ArgumentParser) -> None:
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
