"""An archive and a linked pot from the tables' own journals: missing messages are stored, and nothing is published."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import psycopg
from msgspec.structs import replace

from controller.command_line.output import EXIT_CORRUPT, EXIT_UNAVAILABLE, say
from controller.command_line.progress import progress
from controller.floor.messages import Publication
from controller.link.messages import Entry, Grant, head_after
from controller.link.table import Event, GrantReceived
from controller.pit.archive import Archive, Superseded
from controller.pit.books import Books
from controller.pit.config import PitConfig
from controller.pit.database import connected
from controller.pit.inbox import BadMessage, Message, TableJournal, read
from controller.pit.leader import LedgerTransaction
from controller.pit.lease import lease_holder
from controller.pit.ledger.claims import waiting_claims
from controller.pit.ledger.recovery import rebuild
from controller.pit.ledger.state import DecisionRefused, PotLedger
from controller.pit.one_moment import exit_code_of
from controller.pit.refusals import CannotReport, refuse
from controller.queries import published
from controller.queries.published import Spoken
from controller.tlog.notes import BadNote, Checkpoint, Note
from controller.tlog.witness import Seen

AT_ONCE = 2000  # messages of a transaction


class CannotRebuild(CannotReport):
    """The journals and files given contradict each other or the database; a sentence."""

    code = EXIT_CORRUPT


class Stored(msgspec.Struct):
    """How many messages of a table were stored, how many were there already, and how many are not of this archive."""

    stored: int = 0
    there: int = 0
    others: int = 0


def run(config: PitConfig, journals: Sequence[Path], witnessed: Sequence[Path], opened: Path | None) -> int:
    """Verifies all journals, then stores the missing messages; returns the exit code. Raises the failures of reading
    a journal.
    """
    try:
        checkpoints = [checkpoint for file in witnessed for checkpoint in last_witnessed(file.read_bytes())]
        pot = None if opened is None else msgspec.json.decode(opened.read_bytes(), type=PotLedger)
        with progress(hidden=False) as report:
            found = [published.spoken(path, report, len(os.sched_getaffinity(0))) for path in journals]
        spoken = [journal for journal in found if journal is not None]
        seen: dict[Path, int] = {}
        for checkpoint in checkpoints:
            journal = _of(checkpoint, spoken)
            published.check_witnessed(journal, checkpoint)
            seen[journal.path] = max(checkpoint.size, seen.get(journal.path, 0))
    except (CannotRebuild, msgspec.DecodeError) as cannot:
        return refuse(cannot, EXIT_CORRUPT)
    except OSError as failure:
        return refuse(f"{failure.filename}: {failure.strerror}", EXIT_UNAVAILABLE)
    return exit_code_of(lambda: _rebuild(config.database, spoken, seen, pot))


def _of(checkpoint: Checkpoint, journals: Iterable[Spoken]) -> Spoken:
    """The journal that a checkpoint is of."""
    for journal in journals:
        if checkpoint.origin in {f"{journal.identity.base}/{name}" for name in journal.names.values()}:
            return journal
    raise CannotRebuild(
        f"{checkpoint.origin} was witnessed with {checkpoint.size} events, and is not among the journals"
    )


async def _rebuild(
    database: str, journals: Sequence[Spoken], seen: Mapping[Path, int], opened: PotLedger | None
) -> int:
    archive = await Archive.open(database, lease_holder("rebuild"))
    try:
        if not await archive.lead_once_free():
            raise Superseded("another process leads the archive")
        assert archive.epoch is not None
        for journal in journals:
            with progress(hidden=False) as report:
                messages = published.messages(journal, report)
                done = await store(archive, journal.identity.site, journal.identity.table, messages)
            say(_in_words(journal, done, seen.get(journal.path, 0)))
        if opened is not None:
            message = [event for journal in journals for event in published.of_link(journal)]
            entries, grants = of_tables(message, opened.link)
            rebuilt = pot_of(opened, entries, grants)
            await keep(database, archive.epoch, opened, rebuilt, [entry for own in entries.values() for entry in own])
            say(_rebuilt_in_words(rebuilt))
        return 0
    finally:
        with suppress(psycopg.Error, TimeoutError):
            await archive.close()


def _in_words(journal: Spoken, done: Stored, seen: int) -> str:
    span = f"messages {journal.first} to {journal.last}"
    lines = [f"{journal.identity.base}: {journal.path}: good, {journal.events} events, {span}"]
    lines.append(f"  {done.stored} stored, {done.there} were there")
    if journal.first < journal.kept:
        lines.append(f"  those before {journal.kept} are kept no longer: computed again from the events")
    if journal.first > 1:
        lines.append(f"  what was before message {journal.first} is kept no longer")
    if done.others:
        lines.append(f"  {done.others} are no messages that an archive takes")
    lines.append(f"  continues the {seen} events that were witnessed" if seen else "  no one has witnessed it")
    return "\n".join(lines)


def _rebuilt_in_words(rebuilt: PotLedger) -> str:
    pot, waiting = rebuilt.pot, waiting_claims(rebuilt)
    balances = f"pot {pot.pot_e4}, reserve {pot.reserve_e4}, overflow {pot.overflow_e4} (1/10 000 of a minor unit)"
    without = f"; no table has the grant of {', '.join(waiting)}" if waiting else ""
    silent = ", ".join(table for table in rebuilt.tables if table not in rebuilt.current)
    left_out = f"; no journal that was given is of {silent}: leave none out that has joined the link" if silent else ""
    return f"{rebuilt.link}: {balances}, cycle {rebuilt.cycle}{without}{left_out}"


def last_witnessed(content: bytes) -> list[Checkpoint]:
    """The last checkpoint of each table in a witness's state file. Raises CannotRebuild."""
    try:
        seen = msgspec.json.decode(content, type=dict[str, Seen])
        return [Checkpoint.read(Note.read(mark.note.encode()).text) for mark in seen.values() if mark.note is not None]
    except (msgspec.DecodeError, BadNote) as bad:
        raise CannotRebuild(f"what was witnessed cannot be read: {bad}") from None


async def store(archive: Archive, site: str, table: str, messages: Iterable[Publication]) -> Stored:
    """Stores everything that a table reported and the archive lacks. Raises psycopg.Error, Superseded and
    CannotRebuild.
    """
    done, through = Stored(), await archive.through()
    batch: list[Message] = []
    last: dict[TableJournal, int] = {}
    for message in messages:
        try:
            envelope = read(site, table, message.payload)
        except BadMessage:
            done.others += 1
            continue
        last[envelope.journal] = envelope.sequence
        if envelope.sequence <= through.get(envelope.journal, 0):
            done.there += 1
            continue
        continues = batch and (batch[-1].journal, batch[-1].sequence + 1) == (envelope.journal, envelope.sequence)
        if batch and (not continues or len(batch) == AT_ONCE):
            await _store(archive, through, batch)
            batch = []
        batch.append(envelope)
        done.stored += 1
    if batch:
        await _store(archive, through, batch)
    for journal, sequence in last.items():
        if through[journal] > sequence:
            raise CannotRebuild(
                f"the archive has {through[journal]} messages of journal {journal.name}, which ends at {sequence}: "
                "what was given is an older copy"
            )
    return done


async def _store(archive: Archive, through: dict[TableJournal, int], batch: Sequence[Message]) -> None:
    journal, first = batch[0].journal, batch[0].sequence
    if not await archive.lead():
        raise Superseded("another process has taken the lead")
    if first != through.get(journal, 0) + 1:
        await archive.pass_over(journal, first)
    await archive.store(batch)
    through[journal] = batch[-1].sequence


def of_tables(events: Iterable[Event], link: str) -> tuple[dict[str, list[Entry]], list[Grant]]:
    """The entries of each journal and the grants of a link, from everything that tables recorded about it."""
    journals: dict[str, list[Entry]] = {}
    grants: dict[str, Grant] = {}
    for event in events:
        if isinstance(event, Entry) and event.link == link:
            journals.setdefault(event.journal, []).append(event)
        elif isinstance(event, GrantReceived):
            grants[event.grant.claim] = event.grant
    return journals, list(grants.values())


def pot_of(opened: PotLedger, journals: Mapping[str, Sequence[Entry]], grants: Iterable[Grant]) -> PotLedger:
    """The ledger that follows from the tables' journals. Raises CannotRebuild."""
    for name, entries in journals.items():
        if [entry.seq for entry in entries] != [*range(1, len(entries) + 1)]:
            raise CannotRebuild(f"the entries of journal {name} are not whole")
    try:
        return rebuild(opened, journals, grants)
    except DecisionRefused as refused:
        raise CannotRebuild(f"the link's pot does not follow from what was given: {refused}") from None


async def keep(database: str, epoch: int, opened: PotLedger, rebuilt: PotLedger, entries: Iterable[Entry]) -> None:
    """Write a ledger as the first revision of books that have none. Raises psycopg.Error, Superseded, CannotRebuild.

    Its number is the epoch in milliseconds. No table has received such a high number; a table takes a lower one for a
    loss.
    """
    async with await connected(database) as connection:
        books = Books(connection, epoch)
        before = await books.open(opened)
        if before.revision:
            raise CannotRebuild(f"the books have {opened.link} at revision {before.revision} already")
        applied = tuple(entries)
        after = replace(rebuilt, revision=epoch, epoch=epoch, chain=head_after(before.chain, applied))
        await books.commit(LedgerTransaction(before, after, applied, ()))
