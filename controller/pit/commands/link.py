"""`dealer-pit link`."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.pit.config import PitConfig


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
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


def run(config: "PitConfig", given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit.ledger.state import AcceptKey, AcceptLoss, Admit, Close, Propose, Release, Resume
    from controller.pit.link_decisions import What
    from controller.pit.link_decisions import run as decide
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
        written = [link.meter.parameters for link in config.links if link.link == given.link]
        if not written:
            return refuse(f"{given.config} has no [[link]] of the name {given.link}")
        what = Propose(written[0])
    return decide(config.database, Marks(config.marks), config.people, given.link, persons, what)
