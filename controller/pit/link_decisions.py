"""`dealer-pit link`: the state of a linked pot, and the decisions of two persons while no process of the pit runs."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
from msgspec import to_builtins
from psycopg import AsyncConnection

from controller.command_line.output import EXIT_CONFIGURATION, EXIT_REFUSED, EXIT_TEMPORARY, EXIT_UNAVAILABLE, say
from controller.pit.archive import Archive, Superseded
from controller.pit.books import Books
from controller.pit.database import UnfitDatabase, connected
from controller.pit.leader import Leader
from controller.pit.lease import lease_holder
from controller.pit.ledger.claims import waiting_claims
from controller.pit.ledger.decisions import stop_if_older
from controller.pit.ledger.state import Approve, ByTwo, DecisionRefused, PitDecision, PotLedger, Propose
from controller.pit.links_watch import OpenClaim, shown_links
from controller.pit.marks import LedgerMark, Marks, by_mark
from controller.pit.refusals import refuse
from controller.rulebook.roles import People, Role
from controller.system.times import is_synchronised

WHY = {
    "nothing_changes": "pit.toml has the parameters that were agreed on last",
    "not_stopped": "the link is not stopped",
    "approved_already": "two persons decide it, not one twice",
    "a_supervisor_has_to": "one of the two is a supervisor",
    "unknown_table": "it is none of the link's tables",
    "no_such_grant": "the books have no grant of this claim",
    "claim_is_over": "the claim is paid, withdrawn or closed already",
    "a_reason_is_missing": "a claim is closed with a reason",
    "accept_the_loss": "the database went back: restore it, rebuild it, or accept what is lost (--accept-loss)",
    "nothing_is_lost": "there is no evidence that the database went back",
    "nothing_to_release": "this table has not reported that the pit went back",
    "not_its_key": "it is no public key of that table: NAME+ID+KEY, the first that `dealer-station key show` prints",
}
STOPPED: dict[str, str] = {
    "closed_claim_paid": "a claim was paid after two persons had closed it",
    "entry_makes_no_sense": "a table has sent an impossible entry",
    "meters_differ": "what a table has counted is not what the pit has counted of it",
    "paper_differs": "a claim was paid on paper otherwise than it was granted",
    "payments_differ": "a claim was paid otherwise than it was granted",
    "went_back": "the database has less than was published of it",
}


Ages = dict[str, OpenClaim]
What = Propose | ByTwo


def run(database: str, marks: Marks, people: People, link: str, persons: Sequence[str], what: What) -> int:
    """Reports the state of the link; with two `persons`, carries out their decision. Returns the exit code."""
    strangers = [name for name in persons if name not in people]
    if strangers:
        return refuse(f"{', '.join(strangers)}: not among [people]", EXIT_REFUSED)
    try:
        ledger, ages = asyncio.run(
            _decided(database, marks.read(link), link, what, [(name, people[name]) for name in persons])
        )
        for line in _in_words(ledger, ages):
            say(line)
        if not is_synchronised():
            print("dealer-pit: the clock of this computer is not synchronised: ages may be wrong", file=sys.stderr)
    except DecisionRefused as why:
        return refuse(WHY[str(why)], EXIT_REFUSED)
    except KeyError:
        return refuse(f"the books have no link {link}", EXIT_REFUSED)
    except Superseded as other:
        return refuse(f"{other}: stop it first", EXIT_TEMPORARY)
    except UnfitDatabase as unfit:
        return refuse(str(unfit), EXIT_CONFIGURATION)
    except (psycopg.Error, OSError) as failure:
        return refuse(str(failure).strip(), EXIT_UNAVAILABLE)
    return 0


async def _decided(
    database: str, mark: LedgerMark | None, link: str, what: What, persons: Sequence[tuple[str, Role]]
) -> tuple[PotLedger, Ages]:
    """The ledger after their decision, and for how long each granted claim has been open."""
    archive = await Archive.open(database, lease_holder("link"))
    try:
        async with await connected(database) as connection:
            if not persons:
                books = Books(connection, 0)
                ledger = await books.load(link)
                return stop_if_older(ledger, await by_mark(books, ledger, mark)), await _ages(connection)
            if not await archive.lead_once_free():
                raise Superseded("another process leads the archive")
            assert archive.epoch is not None
            books = Books(connection, archive.epoch)
            ledger = await books.load(link)
            leader = Leader(ledger, archive.epoch)
            leader.notice(await by_mark(books, ledger, mark))
            await _commit(books, leader)
            leader.ask(*_decisions(leader.ledger, what, persons))
            await _commit(books, leader)
            return leader.ledger, await _ages(connection)
    finally:
        await archive.close()


async def _commit(books: Books, leader: Leader) -> None:
    batch, _ = leader.batch(0)
    if batch is not None:
        await books.commit(batch)
        leader.committed()


async def _ages(connection: AsyncConnection[Any]) -> Ages:
    return {claim.claim: claim for link in await shown_links(connection) for claim in link.claims}


def _decisions(ledger: PotLedger, what: What, persons: Sequence[tuple[str, Role]]) -> Iterator[PitDecision]:
    """Each decision in both names; a proposal in the first person's name, followed by both approvals."""
    if isinstance(what, Propose):
        yield PitDecision(what, *persons[0])
        number = ledger.meter.proposals + 1
        yield from (PitDecision(Approve(number), *person) for person in persons)
    else:
        yield from (PitDecision(what, *person) for person in persons)


def _in_words(ledger: PotLedger, ages: Ages) -> Iterator[str]:
    yield f"{ledger.link}: {f'stopped: {STOPPED[ledger.stopped]} ({ledger.stopped})' if ledger.stopped else 'runs'}"
    if ledger.ahead is not None:
        yield f"revision {ledger.ahead.revision} was seen ({ledger.ahead.where}), these books have {ledger.revision}"
        yield "  restore the right database, or rebuild it from the tables (dealer-pit rebuild); where neither can be"
        yield "  done, two persons accept what is lost (--accept-loss). Until then no table takes a chip; claims wait"
    for table in ledger.broken:
        yield f"{table}: it saw that the pit went back; now that these books lead, release it (--release {table})"
    yield f"pot {ledger.pot.pot}, cycle {ledger.cycle}, revision {ledger.revision} (minor units)"
    now, agreed = (to_builtins(terms) for terms in (ledger.meter.parameters, ledger.meter.agreed))
    yield from (
        f"from the next pot on, {name}: {agreed[name]} (now {now[name]})" for name in now if now[name] != agreed[name]
    )
    for name, claim in ledger.claims.items():
        if claim.grant is not None and claim.paid not in (None, claim.grant.amount):
            yield f"{claim.table}, claim {name}: granted {claim.grant.amount}, paid on paper {claim.paid}"
    for name, claim in ledger.claims.items():
        if claim.is_open and name in ages:
            yield f"{claim.table}, claim {name}: granted {ages[name].amount}, not paid for {ages[name].minutes} min" + (
                ": pay it at the table, or close it (--close) if no one can" if ages[name].late else ""
            )
        if claim.closed:
            yield f"{claim.table}, claim {name}: closed" + (f", paid {claim.paid} since" if claim.paid else "")
    for name in waiting_claims(ledger):
        yield f"{ledger.claims[name].table}, claim {name}: waits"
    for table, keys in ledger.offered.items():
        yield from (f"{table}, unknown key: {key}" for key in keys)
    for key, pending_entry in ledger.pending.items():
        yield f"{pending_entry.table}, entry {key}: two persons at that table have to look at it"
