"""`dealer-pit return`: the monthly return is made from the archive, or computed again and compared."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from psycopg import AsyncConnection

from controller.command_line.output import EXIT_CONFIGURATION, EXIT_CORRUPT, say
from controller.command_line.progress import bar, progress
from controller.pit.config import PitConfig
from controller.pit.envelopes import of_journal
from controller.pit.inbox import BadMessage, TableJournal, read
from controller.pit.one_moment import check_gaps, in_one_moment
from controller.pit.recount import Recount, differences
from controller.pit.refusals import CannotReport, refuse, warn
from controller.pit.returned_rows import compute, links_of, silent, with_ledger
from controller.pit.returns import Month, Return, read_return, write_return
from controller.queries import published
from controller.system.times import as_utc
from controller.tlog.notes import BadKey, VerifierKey


def make(config: PitConfig, name: str, folder: Path) -> int:
    """Writes the return of a month to a folder; returns the exit code."""
    try:
        month = Month.of(name, config.time_zone)
        if month.end > datetime.now(UTC):
            raise CannotReport(f"{month.name} is not over before {as_utc(month.end)}: name an earlier month")
        signer = config.signer()
    except CannotReport as cannot:
        return refuse(cannot)
    except BadKey as bad:
        return refuse(f"signing.key_file: {bad}", EXIT_CONFIGURATION)
    if signer is None:
        return refuse("a return is signed: set key_file in [signing], as for linked pots", EXIT_CONFIGURATION)

    async def work(connection: AsyncConnection[Any]) -> int:
        await check_gaps(connection)
        of = await compute(connection, config.archive, month)
        for table, at in await silent(connection, month):
            warn(f"{table}: nothing was received since {as_utc(at)}, before the month ended: messages may be missing")
        write_return(of, signer, folder)
        rounds = sum(game.rounds for game in of.games)
        return say(
            f"{folder}: {month.name}, {rounds} rounds, {len(of.meters)} meters, {len(of.hits)} hits; {signer.verifier}"
        )

    return in_one_moment(config.database, work)


def check_return(folder: Path, key: VerifierKey, config: PitConfig | None, journals: Sequence[Path]) -> int:
    """Computes a return again, from journals or, if none are given, from the archive's envelopes; returns the exit
    code.
    """
    try:
        of = read_return(folder, key)
        month = Month.of(of.month, of.time_zone)
    except CannotReport as cannot:
        return refuse(cannot, EXIT_CORRUPT)
    except OSError as error:
        return refuse(f"{error.filename}: {error.strerror}")
    if journals:
        return _report(of, *_of_journals(of, month, journals))
    if config is None:
        return refuse("name the journals of the tables, or --config pit.toml for the envelopes of its archive")

    async def work(connection: AsyncConnection[Any]) -> int:
        await check_gaps(connection)
        recount = Recount(month)
        query = 'SELECT site, "table", journal FROM pit.journals ORDER BY 1, 2, 3'
        of_archive = [TableJournal(*row) for row in await (await connection.execute(query)).fetchall()]
        with bar("journals", len(of_archive)) as advance:
            for journal in of_archive:
                async for message in of_journal(connection, journal):
                    recount.take(message)
                advance()
        again = recount.result(of)
        linked = tuple([await with_ledger(connection, part) for part in again.linked])
        again = replace(again, linked=linked, links=await links_of(connection, month))
        tables = {(journal.site, journal.table) for journal in of_archive} | _tables(of)
        return _report(of, differences(of, again, tables, ledger=True), [])

    return in_one_moment(config.database, work)


def _of_journals(of: Return, month: Month, paths: Sequence[Path]) -> tuple[list[str], list[str]]:
    """The differences, and the parts that could not be checked. Raises the failures of reading a journal."""
    recount, names = Recount(month), set[tuple[str, str, str]]()
    with progress(hidden=False) as report:
        for path in paths:
            journal = published.spoken(path, report, len(os.sched_getaffinity(0)))
            if journal is None:
                continue
            site, table = journal.identity.site, journal.identity.table
            names |= {(site, table, name) for name in journal.names.values()}
            for publication in published.messages(journal, report):
                try:
                    recount.take(read(site, table, publication.payload))
                except BadMessage:
                    continue  # retained: no archive takes it
    wanted = _journals(of)
    missing = sorted(wanted - names)
    unchecked = {key[:2] for key in missing}
    tables = {key[:2] for key in names} - unchecked
    left_out = [f"{site}/{table}: journal {journal} was not given" for site, table, journal in missing]
    left_out += [f"linked pot {link.link}: it is in the pit's ledger" for link in of.links]
    return differences(of, recount.result(of), tables), left_out


def _journals(of: Return) -> set[tuple[str, str, str]]:
    parts: list[Any] = [*of.journals, *of.meters, *of.linked, *of.hits, *of.adjustments]
    return {(part.site, part.table, part.journal) for part in parts}


def _tables(of: Return) -> set[tuple[str, str]]:
    parts: list[Any] = [*of.games, *of.meters, *of.linked, *of.hits, *of.adjustments]
    return {(part.site, part.table) for part in parts}


def _report(of: Return, found: Sequence[str], left_out: Sequence[str]) -> int:
    for line in found:
        say(line)
    for journal in left_out:
        warn(f"not checked: {journal}")
    if found:
        return refuse(f"{of.month}: {len(found)} figures differ", EXIT_CORRUPT)
    return say(f"{of.month}: every figure that was checked is the same")
