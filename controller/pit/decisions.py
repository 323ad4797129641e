"""Questions and decisions of a person about the archive, while any process of the pit leads."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import psycopg
from psycopg import AsyncConnection

from controller.command_line.output import say
from controller.pit.archive import Archive
from controller.pit.config import PitConfig
from controller.pit.database import UnfitDatabase, connected
from controller.pit.envelopes import LAST, of_journal
from controller.pit.inbox import TableJournal
from controller.pit.lease import lease_holder
from controller.pit.one_moment import exit_code_of, in_one_moment
from controller.pit.refusals import refuse

CONNECT_SECONDS = 10.0


async def is_fit(database: str) -> bool:
    """Whether the database can keep what tables publish, as far as is known: it may be offline for any time."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await (await connected(database)).close()
    except UnfitDatabase as unfit:
        refuse(unfit)
        return False
    except (psycopg.Error, OSError) as failure:
        why = str(failure).strip() or f"no answer within {CONNECT_SECONDS:.0f} s"
        refuse(f"the database cannot be reached now, and was not checked: {why}")
    return True


def accept_checkpoint(config: PitConfig, table: str) -> int:
    """Lets the witness begin again with the next checkpoint that a table publishes; returns the exit code."""

    async def work(archive: Archive) -> int:
        if await archive.accept(table):
            return say(f"{table}: what it shows next is cosigned")
        return refuse(f"nothing of {table} was witnessed")

    return _with_archive(config, "accept", work)


def gaps(config: PitConfig, table: str | None, person: str | None) -> int:
    """Lists the gaps of a table, or of all; with a person, decides them. Returns the exit code."""
    if person is not None and table is None:
        return refuse("a person decides table by table: TABLE --by NAME")
    if person is not None and person not in config.people:
        return refuse(f"{person}: not among [people]")

    async def work(archive: Archive) -> int:
        found = [gap for gap in await archive.gaps() if table in (None, f"{gap.journal.site}/{gap.journal.table}")]
        site, _, name = (table or "").partition("/")
        decided = 0 if person is None else await archive.decide_gaps(site, name, person)
        for gap in found:
            where = f"{gap.journal.site}/{gap.journal.table}, journal {gap.journal.name}"
            messages = f"message {gap.first}" if gap.first == gap.last else f"messages {gap.first} to {gap.last}"
            say(f"{where}, {messages}: {gap.reason}; {'its bytes are in pit.gaps' if gap.kept else 'not received'}")
        return say(f"{len(found)} to be decided" if person is None else f"{decided} decided by {person}")

    return _with_archive(config, "gaps", work)


def _with_archive(config: PitConfig, what: str, work: Callable[[Archive], Coroutine[Any, Any, int]]) -> int:
    """Returns the exit code of work on the archive, which is made if it does not exist."""

    async def run() -> int:
        archive = await Archive.open(config.database, lease_holder(what))
        try:
            return await work(archive)
        finally:
            await archive.close()

    return exit_code_of(run)


DIGITS = 19  # of a bigint
_TABLES = 'SELECT site, "table" FROM pit.journals WHERE journal = %s ORDER BY 1, 2'


def print_messages(config: PitConfig, which: str) -> int:
    """Prints the messages of JOURNAL, JOURNAL/SEQUENCE or JOURNAL/FIRST-LAST, one a line; returns the exit code."""
    journal, _, numbers = which.partition("/")
    first, dash, last = numbers.partition("-")
    given = [number for number in (first, last if dash else "") if number]
    if not all(number.isdecimal() and len(number) < DIGITS for number in given) or bool(dash) != (len(given) == 2):
        return refuse(f"{which}: expected JOURNAL, JOURNAL/SEQUENCE or JOURNAL/FIRST-LAST")
    begin, end = (int(given[0]), int(given[-1])) if given else (1, LAST)

    async def work(connection: AsyncConnection[Any]) -> int:
        count = 0
        for site, table in await (await connection.execute(_TABLES, (journal,))).fetchall():
            async for message in of_journal(connection, TableJournal(site, table, journal), begin, end):
                say(message.content)
                count += 1
        if not count:
            return refuse(f"the archive has no message {which}; `dealer-pit gaps` lists what is missing")
        return 0

    return in_one_moment(config.database, work)
