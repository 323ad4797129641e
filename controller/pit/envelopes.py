"""Envelopes of the archive, read again as messages."""

from collections.abc import AsyncIterator
from datetime import UTC
from typing import Any

from psycopg import AsyncConnection

from controller.pit.inbox import Message, TableJournal

AT_ONCE = 2000  # envelopes
LAST = 2**63 - 1


async def of_journal(
    connection: AsyncConnection[Any], journal: TableJournal, first: int = 1, last: int = LAST
) -> AsyncIterator[Message]:
    """The messages of a journal from `first` to `last`, in order, a page at a time. Raises psycopg.Error."""
    query = """
        SELECT sequence, type, round, time, envelope::text FROM pit.messages
        WHERE (site, "table", journal) = (%s, %s, %s) AND sequence BETWEEN %s AND %s ORDER BY sequence LIMIT %s
    """
    own = journal.site, journal.table, journal.name
    while True:
        rows = await (await connection.execute(query, (*own, first, last, AT_ONCE))).fetchall()
        for sequence, kind, round, time, envelope in rows:
            at = None if time is None else time.astimezone(UTC).isoformat()
            yield Message(journal, sequence, kind, round, at, envelope.encode())
        if len(rows) < AT_ONCE:
            return
        first = rows[-1][0] + 1
