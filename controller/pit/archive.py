"""The archive in PostgreSQL: messages are stored once and in order, by the process that leads."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier, Literal, Placeholder

from controller.pit import figures
from controller.pit.database import connected, dropped, naming_holders
from controller.pit.envelopes import add_dictionary, add_envelopes, merge_small_rows
from controller.pit.frames import ArchivedMessage, packed
from controller.pit.inbox import Message, TableJournal
from controller.pit.lease import LEASE_SECONDS, WATCH_SECONDS, Lease
from controller.pit.months import month_of, partition
from controller.pit.row_tables import copy_rows
from controller.pit.rows import TABLES, message_rows
from controller.system.tasks import cancellable
from controller.tlog.notes import Checkpoint, Note
from controller.tlog.witness import Seen

SCHEMA = Path(__file__).with_name("schema.sql")
OPEN_SECONDS = 60.0  # a schema that another process is making is waited for
ARCHIVE = "archive"
MONTHS_AHEAD = 2
# Two processes that start at once make the schema one after the other.
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('dealer-pit schema'))"
_INSTALLED = "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = 'pit'"
_OF_A_MESSAGE = (psycopg.DataError, psycopg.errors.ProgramLimitExceeded, psycopg.errors.StatementTooComplex)
LONGEST_REASON = 500  # characters


class Superseded(Exception):
    """Another process leads now: nothing was stored."""


class MessageGap(msgspec.Struct, frozen=True):
    """Messages of a journal that `pit.messages` lacks, and the reason; `kept`: their bytes are in `pit.gaps`."""

    journal: TableJournal
    first: int
    last: int
    reason: str
    found: datetime
    kept: bool


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Raises Superseded if the database does not answer for this long: waiting longer would not help."""
    try:
        with cancellable():
            async with asyncio.timeout(seconds):
                yield
    except TimeoutError:
        raise Superseded(f"the database has not answered for {seconds} s") from None


class Archive:
    """An open archive. Raises psycopg.Error from any call, and Superseded from a write without the lead."""

    def __init__(self, connection: AsyncConnection[Any], holder: str) -> None:
        self._db = connection
        self._holder = holder
        self._lease = Lease(ARCHIVE, holder)
        self._months: set[date] = set()
        self._free = asyncio.Lock()

    @classmethod
    async def open(cls, database: str, holder: str) -> "Archive":
        """Connects to a database (a connection string of libpq), and makes missing tables. `holder` is this process."""
        archive = cls(await connected(database), holder)
        try:
            await archive._make_schema()
            await add_dictionary(archive._db)
        except BaseException:
            await archive.abandon()
            raise
        return archive

    async def _make_schema(self) -> None:
        """Replaces the schema only if it differs: to replace a view waits for everyone who reads it, such as a
        backup.
        """
        wanted = SCHEMA.read_bytes()
        mark = f"dealer-pit {sha256(wanted).hexdigest()}"
        if await self._installed() == mark:
            return
        async with naming_holders(self._db), self._db.transaction():
            await self._db.execute(_ONE_AT_A_TIME)
            if await self._installed() != mark:
                await self._db.execute(wanted)
                await self._db.execute(SQL("COMMENT ON SCHEMA pit IS {}").format(Literal(mark)))

    async def _installed(self) -> str | None:
        row = await (await self._db.execute(_INSTALLED)).fetchone()
        return None if row is None else row[0]

    async def close(self) -> None:
        """Gives up the lead, and closes."""
        try:
            async with asyncio.timeout(LEASE_SECONDS), self._turn():
                await self._lease.release(self._db)
        finally:
            await self._db.close()

    async def abandon(self) -> None:
        """Close without an answer of the server: a task that waits for one gets psycopg.OperationalError."""
        await dropped(self._db)

    def above(self, epoch: int) -> None:
        """Accepts only epochs above `epoch`, which was seen outside the database."""
        self._lease.above = max(self._lease.above, epoch)

    async def lead(self) -> bool:
        """Take or renew the lease to lead; returns whether this process leads for the next seconds."""
        async with self._turn():
            return await self._lease.take(self._db)

    async def lead_once_free(self) -> bool:
        """Takes the lead after the lease of a dead process has ended; False if its holder is alive."""
        first = None
        while not await self.lead():
            first = first or self._lease.seen
            if self._lease.seen != first:
                return False
            await asyncio.sleep(WATCH_SECONDS)
        return True

    def leads(self) -> bool:
        """Whether this process certainly still leads."""
        return self._lease.holds()

    @property
    def epoch(self) -> int | None:
        """The fencing epoch of the lead; None while another process has it."""
        return self._lease.epoch

    async def through(self) -> dict[TableJournal, int]:
        """The last message that is stored, of each journal."""
        rows = await (await self._db.execute('SELECT site, "table", journal, through FROM pit.journals')).fetchall()
        return {TableJournal(site, table, name): through for site, table, name, through in rows}

    async def store(self, messages: Sequence[Message]) -> list[Message]:
        """Store the next messages of each journal; they are durable on return. Raises Superseded and Locked.

        Either all or none are stored; if the answer is lost, `through` shows which. A message that the database rejects
        becomes a gap with its bytes; these messages are returned.
        """
        async with self._turn():
            month = month_of(received := _now())
            if month not in self._months:
                await self._make_month(month)
            try:
                messages = await self._append(messages, received)
            except _OF_A_MESSAGE:
                messages = await self._append(await self._judged(messages, received), received)
            except psycopg.errors.CheckViolation:  # its partition was taken away
                self._months.clear()
                raise
        return [message for message in messages if message.unreadable]

    async def _append(self, messages: Sequence[Message], received: datetime) -> list[Message]:
        async with self._writing():
            await self._proceed([(message.journal, message.sequence) for message in messages])
            messages = await self._copy(messages, received)
            for message in messages:
                if message.unreadable:
                    await self._add_gap(
                        message.journal, message.sequence, message.sequence, message.unreadable, message.content
                    )
        return messages

    async def _copy(self, messages: Sequence[Message], received: datetime) -> list[Message]:
        """Copies the readable messages and their rows; returns all messages, each unreadable one with its reason."""
        added, found = message_rows(messages, received)
        kept: dict[TableJournal, list[ArchivedMessage]] = {}
        for read in found:
            if not read.unreadable:
                kept.setdefault(read.journal, []).append(ArchivedMessage(read.sequence, received, read.content))
        await add_envelopes(self._db, [(journal, own, packed(own)) for journal, own in kept.items()])
        await copy_rows(self._db, added)
        return found

    async def _judged(self, messages: Sequence[Message], received: datetime) -> list[Message]:
        """The same messages, with the reason of the database for each that it refuses; found by halving. Nothing is
        stored.
        """
        try:
            async with self._db.transaction(force_rollback=True):
                return await self._copy(messages, received)
        except _OF_A_MESSAGE as refused:
            if len(messages) == 1:
                return [msgspec.structs.replace(messages[0], unreadable=str(refused).strip())]
        half = len(messages) // 2
        return [*await self._judged(messages[:half], received), *await self._judged(messages[half:], received)]

    async def merge(self) -> bool:
        """Merge a journal's small rows; returns whether there were any. Raises Superseded and Locked."""
        async with self._turn(), self._writing():
            return await merge_small_rows(self._db, _now())

    async def keep_figures(self, rows: Sequence[Sequence[object]]) -> None:
        """Stores the tables' last figures of the day, rows of `pit.figures`. Raises Superseded."""
        columns = SQL(", ").join(map(SQL, figures.COLUMNS))
        later = SQL(", ").join(
            SQL("{0} = excluded.{0}").format(SQL(column)) for column in figures.COLUMNS if column not in figures.KEY
        )
        query = SQL(
            "INSERT INTO pit.figures AS known ({}) VALUES ({}) ON CONFLICT ({}) DO UPDATE SET {} "
            "WHERE known.time <= excluded.time"
        ).format(
            columns,
            SQL(", ").join([Placeholder()] * len(figures.COLUMNS)),
            SQL(", ").join(map(SQL, figures.KEY)),
            later,
        )
        async with self._turn(), self._writing(), self._db.cursor() as cursor:
            await cursor.executemany(query, rows)

    async def pass_over(self, journal: TableJournal, first: int, reason: str = "") -> None:
        """A journal continues with message `first`: the messages before it cannot be received.

        With a reason what is missing becomes a gap, on which a person decides; without one persons at the table have.
        Where the archive has nothing of the journal, it begins there.
        """
        query = """
            INSERT INTO pit.journals AS known (site, "table", journal, first, through) VALUES (%s, %s, %s, %s, %s)
            ON CONFLICT (site, "table", journal) DO UPDATE SET through = excluded.through
            WHERE known.through < excluded.through
        """
        known = 'SELECT through FROM pit.journals WHERE (site, "table", journal) = (%s, %s, %s) FOR UPDATE'
        async with self._turn(), self._writing():
            row = await (await self._db.execute(known, _key(journal))).fetchone()
            through = 0 if row is None else row[0]
            if reason and first > through + 1:
                await self._add_gap(journal, through + 1, first - 1, reason)
            await self._db.execute(query, (*_key(journal), first, first - 1))

    async def _add_gap(
        self, journal: TableJournal, first: int, last: int, reason: str, content: bytes | None = None
    ) -> None:
        query = """
            INSERT INTO pit.gaps (site, "table", journal, first, last, reason, content)
            VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
        """
        why = reason.replace("\0", "")[:LONGEST_REASON]
        await self._db.execute(query, (*_key(journal), first, last, why, content))

    async def gaps(self) -> list[MessageGap]:
        """The gaps on which a person has to decide, in order."""
        query = """
            SELECT site, "table", journal, first, last, reason, found, content IS NOT NULL FROM pit.gaps
            WHERE decided_by IS NULL ORDER BY site, "table", journal, first
        """
        async with self._turn():
            rows = await (await self._db.execute(query)).fetchall()
        return [MessageGap(TableJournal(*row[:3]), *row[3:]) for row in rows]

    async def decide_gaps(self, site: str, table: str, person: str) -> int:
        """A person accepts a table's gaps as final; returns how many. It does not need the lead."""
        query = 'UPDATE pit.gaps SET decided_by = %s WHERE (site, "table") = (%s, %s) AND decided_by IS NULL'
        async with self._turn():
            return (await self._db.execute(query, (person, site, table))).rowcount

    async def witnessed(self) -> dict[str, Seen]:
        """The checkpoints that this witness must remember, by table."""
        async with self._turn():
            rows = await (await self._db.execute('SELECT "table", note, refusal FROM pit.witnessed')).fetchall()
        return {table: Seen(note, refusal) for table, note, refusal in rows}

    async def accepted(self) -> list[str]:
        """The tables with which the witness must begin again, by a person's decision."""
        async with self._turn():
            rows = await (await self._db.execute('SELECT "table" FROM pit.witnessed WHERE accepted')).fetchall()
        return [table for (table,) in rows]

    async def accept(self, table: str) -> bool:
        """A person accepts what a table shows next, whichever process leads; returns whether the table was known."""
        query = 'UPDATE pit.witnessed SET accepted = true WHERE "table" = %s AND coalesce(note, refusal) IS NOT NULL'
        async with self._turn():
            return (await self._db.execute(query, (table,))).rowcount == 1

    async def keep_witnessed(self, seen: Mapping[str, Seen]) -> None:
        """Stores cosignatures and refusals. Raises Superseded."""
        last = """
            INSERT INTO pit.witnessed AS known ("table", note, refusal) VALUES (%s, %s, %s)
            ON CONFLICT ("table") DO UPDATE SET note = excluded.note, refusal = excluded.refusal, since = now(),
                accepted = known.accepted AND coalesce(excluded.note, excluded.refusal) IS NOT NULL
        """
        statement = "INSERT INTO pit.checkpoints (origin, size, note) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
        async with self._turn(), self._writing():
            for table, (note, refusal) in ((table, msgspec.structs.astuple(found)) for table, found in seen.items()):
                await self._db.execute(last, (table, note, refusal))
                if note is not None:
                    checkpoint = Checkpoint.read(Note.read(note.encode()).text)
                    await self._db.execute(statement, (checkpoint.origin, checkpoint.size, note))

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Runs one transaction at a time, since they share a connection."""
        with cancellable():
            async with self._free:
                yield

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[None]:
        """A transaction of the one that leads. Raises Superseded and Locked."""
        async with naming_holders(self._db), self._db.transaction():
            await self._check_lead()
            yield

    async def _check_lead(self) -> None:
        query = "SELECT 1 FROM pit.leases WHERE name = %s AND epoch = %s FOR SHARE"
        if await (await self._db.execute(query, (ARCHIVE, self.epoch))).fetchone() is None:
            raise Superseded(f"another process leads; {self._holder} has epoch {self.epoch}")

    async def _proceed(self, numbers: Sequence[tuple[TableJournal, int]]) -> None:
        """Continues each journal from its last message, or begins it. One statement for all, since each costs a round
        trip.
        """
        ends = dict(numbers)
        begins = dict(reversed(numbers))
        rows = [(*_key(journal), first, ends[journal]) for journal, first in begins.items()]
        query = """
            INSERT INTO pit.journals AS known (site, "table", journal, first, through)
            SELECT site, "table", journal, first, last
            FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::bigint[])
                AS new (site, "table", journal, first, last)
            WHERE first = 1 OR EXISTS (
                SELECT FROM pit.journals AS k
                WHERE (k.site, k."table", k.journal) = (new.site, new."table", new.journal)
            )
            ON CONFLICT (site, "table", journal) DO UPDATE SET through = excluded.through, last_received = now()
            WHERE known.through = excluded.first - 1
            RETURNING site, "table", journal
        """
        found = await (await self._db.execute(query, [list(column) for column in zip(*rows, strict=True)])).fetchall()
        for journal, first in begins.items():
            if _key(journal) not in found:
                raise Superseded(
                    f"{journal.name} is not at {first - 1} any more: someone else has stored messages of it"
                )

    async def make_months(self) -> None:
        """Makes the partitions of this month and the next ones. Raises Locked if another session delays it."""
        for ahead in range(MONTHS_AHEAD + 1):
            month = month_of(_now(), ahead)
            async with self._turn():
                if month not in self._months:
                    await self._make_month(month)

    async def _make_month(self, month: date) -> None:
        """Makes a partition beside its table and attaches it: unlike CREATE TABLE … PARTITION OF, this waits for no
        reader.
        """
        attached = "SELECT relispartition FROM pg_class WHERE oid = to_regclass(%s)"
        bounds = [Literal(f"{day.isoformat()} 00:00:00+00") for day in (month, month_of(month, 1))]
        async with naming_holders(self._db), self._db.transaction():
            await self._db.execute(_ONE_AT_A_TIME)
            for table in ("messages", *TABLES):
                name = partition(table, month)
                own, whole = Identifier("pit", name), Identifier("pit", table)
                if await (await self._db.execute(attached, (f"pit.{name}",))).fetchone() != (True,):
                    await self._db.execute(
                        SQL("CREATE TABLE IF NOT EXISTS {} (LIKE {} INCLUDING ALL)").format(own, whole)
                    )
                    between = SQL("ALTER TABLE {} ATTACH PARTITION {} FOR VALUES FROM ({}) TO ({})")
                    await self._db.execute(between.format(whole, own, *bounds))
                    if table == "hits":  # they are updated and have no key: else no head office can follow them
                        await self._db.execute(SQL("ALTER TABLE {} REPLICA IDENTITY FULL").format(own))
        self._months.add(month)


def _now() -> datetime:
    return datetime.now(UTC)


def _key(journal: TableJournal) -> tuple[str, str, str]:
    return journal.site, journal.table, journal.name
