"""The archive in PostgreSQL: what was heard is stored once and in order, by whoever leads."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier, Literal, Placeholder

from controller.pit import figures
from controller.pit.inbox import Journal, Message
from controller.pit.lease import LEASE_SECONDS, WATCH_SECONDS, Lease
from controller.tasks import cancellable
from controller.tlog.notes import Checkpoint, Note
from controller.tlog.witness import Seen

SCHEMA = Path(__file__).with_name("schema.sql")
OPEN_SECONDS = 60.0  # a schema that another process is making is waited for
ARCHIVE = "archive"
# Two processes that start at once make the schema one after the other.
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('dealer-pit schema'))"


class Superseded(Exception):
    """Another process leads by now: nothing was stored."""


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Superseded where the database says nothing for so long: whoever waits on would wait for nothing."""
    try:
        with cancellable():
            async with asyncio.timeout(seconds):
                yield
    except TimeoutError:
        raise Superseded(f"the database has said nothing for {seconds} s") from None


class Archive:
    """An open archive. Raises psycopg.Error from any call, and Superseded where it writes and does not lead."""

    def __init__(self, connection: AsyncConnection[Any], holder: str) -> None:
        self._db = connection
        self._holder = holder
        self._lease = Lease(ARCHIVE, holder)
        self._months: set[str] = set()
        self._free = asyncio.Lock()

    @classmethod
    async def open(cls, database: str, holder: str) -> "Archive":
        """Connect to a database (a connection string of libpq), and make what is missing. `holder` is this process."""
        connection = await AsyncConnection.connect(database, autocommit=True, application_name="dealer-pit")
        try:
            async with connection.transaction():
                await connection.execute(_ONE_AT_A_TIME)
                await connection.execute(SCHEMA.read_bytes())
        except BaseException:
            await connection.close()
            raise
        return cls(connection, holder)

    async def close(self) -> None:
        """Let go of the lead, and close."""
        try:
            async with asyncio.timeout(LEASE_SECONDS), self._turn():
                await self._lease.release(self._db)
        finally:
            await self._db.close()

    def abandon(self) -> None:
        """Close at once: whoever waits for an answer gets psycopg.OperationalError."""
        self._db.pgconn.finish()

    async def lead(self) -> bool:
        """Take the lead or keep it; whether this process has it, for some seconds from now."""
        async with self._turn():
            return await self._lease.take(self._db)

    async def lead_once_free(self) -> bool:
        """Take the lead, after the lease of a process that died has run out; False where its holder is alive."""
        first = None
        while not await self.lead():
            first = first or self._lease.seen
            if self._lease.seen != first:
                return False
            await asyncio.sleep(WATCH_SECONDS)
        return True

    def leads(self) -> bool:
        """Whether no other process can have taken the lead by now."""
        return self._lease.holds()

    @property
    def epoch(self) -> int | None:
        """The fencing epoch of the lead; None while another process has it."""
        return self._lease.epoch

    async def through(self) -> dict[Journal, int]:
        """The last message that is stored, of each journal."""
        rows = await (await self._db.execute('SELECT site, "table", journal, through FROM pit.journals')).fetchall()
        return {Journal(site, table, name): through for site, table, name, through in rows}

    async def store(self, messages: Sequence[Message]) -> None:
        """Store messages that go on where each journal ends; durable on return. Raises Superseded.

        All or none are stored, and where the answer is lost, `through` tells which.
        """
        async with self._turn():
            for month in sorted({message.time[:7] for message in messages} - self._months):
                await self._make_month(month)
            async with self._db.transaction():
                await self._check_lead()
                await self._append(messages)

    async def _append(self, messages: Sequence[Message]) -> None:
        await self._go_on([(one.journal, one.sequence) for one in messages])
        into = 'COPY pit.messages (site, "table", journal, sequence, type, round, time, envelope) FROM STDIN'
        async with self._db.cursor() as cursor, cursor.copy(into) as copy:
            for message in messages:
                own_columns = message.sequence, message.type, message.round, message.time, message.content.decode()
                await copy.write_row((*_key(message.journal), *own_columns))

    async def keep_figures(self, rows: Sequence[Sequence[object]]) -> None:
        """Keep what tables said last of their day, rows of `pit.figures`. Raises Superseded."""
        columns = SQL(", ").join(map(SQL, figures.COLUMNS))
        later = SQL(", ").join(
            SQL("{0} = excluded.{0}").format(SQL(one)) for one in figures.COLUMNS if one not in figures.KEY
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
        async with self._turn(), self._db.transaction():
            await self._check_lead()
            async with self._db.cursor() as cursor:
                await cursor.executemany(query, rows)

    async def skip(self, journal: Journal, first: int) -> None:
        """Note that a table has nothing before message `first` any more: the archive's part of it begins there."""
        await self._go_to(journal, first, "first = excluded.first, ")

    async def pass_over(self, journal: Journal, first: int) -> None:
        """Note that what is between the last message that is stored and `first` was put aside at its table."""
        await self._go_to(journal, first)

    async def _go_to(self, journal: Journal, first: int, more: str = "") -> None:
        query = f"""
            INSERT INTO pit.journals (site, "table", journal, first, through) VALUES (%s, %s, %s, %s, %s)
            ON CONFLICT (site, "table", journal) DO UPDATE SET {more}through = excluded.through
            WHERE pit.journals.through < excluded.through
        """
        async with self._turn(), self._db.transaction():
            await self._check_lead()
            await self._db.execute(query.encode(), (*_key(journal), first, first - 1))

    async def witnessed(self) -> dict[str, Seen]:
        """What this witness must not forget, by table."""
        async with self._turn():
            rows = await (await self._db.execute('SELECT "table", note, refusal FROM pit.witnessed')).fetchall()
        return {table: Seen(note, refusal) for table, note, refusal in rows}

    async def accepted(self) -> list[str]:
        """The tables with which the witness is to begin again: a person has decided so."""
        async with self._turn():
            rows = await (await self._db.execute('SELECT "table" FROM pit.witnessed WHERE accepted')).fetchall()
        return [table for (table,) in rows]

    async def accept(self, table: str) -> bool:
        """A person accepts what a table shows next, whoever leads; whether there is anything to begin again with."""
        query = 'UPDATE pit.witnessed SET accepted = true WHERE "table" = %s AND coalesce(note, refusal) IS NOT NULL'
        async with self._turn():
            return (await self._db.execute(query, (table,))).rowcount == 1

    async def keep_witnessed(self, seen: Mapping[str, Seen]) -> None:
        """Keep what was cosigned or refused. Raises Superseded."""
        last = """
            INSERT INTO pit.witnessed AS known ("table", note, refusal) VALUES (%s, %s, %s)
            ON CONFLICT ("table") DO UPDATE SET note = excluded.note, refusal = excluded.refusal, since = now(),
                accepted = known.accepted AND coalesce(excluded.note, excluded.refusal) IS NOT NULL
        """
        one = "INSERT INTO pit.checkpoints (origin, size, note) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
        async with self._turn(), self._db.transaction():
            await self._check_lead()
            for table, (note, refusal) in ((table, msgspec.structs.astuple(found)) for table, found in seen.items()):
                await self._db.execute(last, (table, note, refusal))
                if note is not None:
                    checkpoint = Checkpoint.read(Note.read(note.encode()).text)
                    await self._db.execute(one, (checkpoint.origin, checkpoint.size, note))

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """One transaction at a time: they share a connection."""
        with cancellable():
            async with self._free:
                yield

    async def _check_lead(self) -> None:
        query = "SELECT 1 FROM pit.leases WHERE name = %s AND epoch = %s FOR SHARE"
        if await (await self._db.execute(query, (ARCHIVE, self.epoch))).fetchone() is None:
            raise Superseded(f"another process leads; {self._holder} has epoch {self.epoch}")

    async def _go_on(self, numbers: Sequence[tuple[Journal, int]]) -> None:
        """Each journal goes on from where it is, or begins. In one statement: each is a way to the server and back."""
        ends = {journal: last for journal, last in numbers}
        begins = {journal: first for journal, first in reversed(numbers)}
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
            ON CONFLICT (site, "table", journal) DO UPDATE SET through = excluded.through, heard = now()
            WHERE known.through = excluded.first - 1
            RETURNING site, "table", journal
        """
        found = await (await self._db.execute(query, [list(column) for column in zip(*rows, strict=True)])).fetchall()
        for journal, first in begins.items():
            if _key(journal) not in found:
                raise Superseded(
                    f"{journal.name} is not at {first - 1} any more: somebody else has stored messages of it"
                )

    async def _make_month(self, month: str) -> None:
        first = datetime.fromisoformat(f"{month}-01T00:00:00+00:00")
        after = (first + timedelta(days=32)).replace(day=1)
        query = SQL("CREATE TABLE IF NOT EXISTS {} PARTITION OF pit.messages FOR VALUES FROM ({}) TO ({})").format(
            Identifier("pit", f"messages_{month.replace('-', '_')}"),
            Literal(first.isoformat()),
            Literal(after.isoformat()),
        )
        async with self._db.transaction():
            await self._db.execute(_ONE_AT_A_TIME)
            await self._db.execute(query)
        self._months.add(month)


def _key(journal: Journal) -> tuple[str, str, str]:
    return journal.site, journal.table, journal.name
