"""What a person asks of the database, or decides in it, while any process of the pit leads."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import psycopg

from controller.command_line.exit_codes import EXIT_CONFIGURATION, EXIT_UNAVAILABLE
from controller.command_line.output import say
from controller.pit.archive import Archive, Gap
from controller.pit.config import Config
from controller.pit.database import UnfitDatabase, connected
from controller.pit.lease import holder_of
from controller.pit.refusals import CannotReport, refuse

CONNECT_SECONDS = 10.0
Found = TypeVar("Found")


async def is_fit(database: str) -> bool:
    """Whether the database can keep what tables publish, as far as is known: it may be away for any time."""
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


def accept(config: Config, table: str) -> int:
    """The witness begins again with what a table shows next; the exit code."""
    code, accepted = _with_archive(config, "accept", lambda archive: archive.accept(table))
    if accepted:
        return say(f"{table}: what it shows next is cosigned")
    return code or refuse(f"nothing of {table} was witnessed")


def gaps(config: Config, table: str | None, person: str | None) -> int:
    """List the gaps of a table, or of all; with a person they are decided. The exit code."""
    if person is not None and table is None:
        return refuse("a person decides table by table: TABLE --by NAME")
    if person is not None and person not in config.people:
        return refuse(f"{person}: not among [people]")

    async def work(archive: Archive) -> tuple[list[Gap], int]:
        found = await archive.gaps()
        site, _, name = (table or "").partition("/")
        decided = 0 if person is None else await archive.decide_gaps(site, name, person)
        return [one for one in found if table in (None, f"{one.journal.site}/{one.journal.table}")], decided

    code, answer = _with_archive(config, "gaps", work)
    if answer is None:
        return code
    found, decided = answer
    for one in found:
        where = f"{one.journal.site}/{one.journal.table}, journal {one.journal.name}"
        messages = f"message {one.first}" if one.first == one.last else f"messages {one.first} to {one.last}"
        say(f"{where}, {messages}: {one.reason}; {'its bytes are in pit.gaps' if one.kept else 'not received'}")
    return say(f"{len(found)} to be decided" if person is None else f"{decided} decided by {person}")


def _with_archive(
    config: Config, what: str, work: Callable[[Archive], Coroutine[Any, Any, Found]]
) -> tuple[int, Found | None]:
    """What `work` makes of the archive; None, and the exit code, where the database cannot be used."""

    async def run() -> Found:
        archive = await Archive.open(config.database, holder_of(what))
        try:
            return await work(archive)
        finally:
            await archive.close()

    try:
        return 0, asyncio.run(run())
    except CannotReport as cannot:
        return refuse(cannot, cannot.code), None
    except UnfitDatabase as unfit:
        return refuse(unfit, EXIT_CONFIGURATION), None
    except (psycopg.Error, OSError) as failure:
        return refuse(str(failure).strip(), EXIT_UNAVAILABLE), None
