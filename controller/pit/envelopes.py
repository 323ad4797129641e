"""Envelopes in the archive: stored as frames, put together once they are many, and read again as messages."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier

from controller.pit.envelope_files import messages_of
from controller.pit.frames import SMALL, ArchivedMessage, dictionary_of, packed, trained, unpacked, zstd
from controller.pit.inbox import Message, TableJournal, read

LAST = 2**63 - 1
ENOUGH = 500  # messages of a row that is not put together with others; the index in schema.sql has it too
OCTETS = 16_000_000  # of the frames that are put together at once
IDLE = timedelta(hours=1)

_INTO = """
    COPY pit.messages (site, "table", journal, first, last, count, received, frame) FROM STDIN (FORMAT BINARY)
"""
_TYPES = "text", "text", "text", "int8", "int8", "int4", "timestamptz", "bytea"
# Of a month, since a partition has one. The last few rows of a journal that is idle are put together too.
_MANY_SMALL = f"""
    SELECT site, "table", journal, date_trunc('month', received, 'UTC'), min(first) FROM pit.messages
    WHERE count < {ENOUGH}
    GROUP BY 1, 2, 3, 4 HAVING count(*) > 1 AND (sum(count) >= {ENOUGH} OR max(received) < %s)
"""
# Also larger ones between them, and those of other months: a clock that went back has put them there.
_ROWS = f"""
    SELECT first, received, frame, count, date_trunc('month', received, 'UTC') = %s FROM pit.messages
    WHERE (site, "table", journal) = (%s, %s, %s) AND first >= %s ORDER BY first LIMIT {ENOUGH}
"""
_REMOVE = """
    DELETE FROM pit.messages AS m USING unnest(%s::bigint[], %s::timestamptz[]) AS old (first, received)
    WHERE (m.site, m."table", m.journal) = (%s, %s, %s) AND (m.first, m.received) = (old.first, old.received)
"""
_FILES = """
    SELECT file, first, last FROM pit.envelope_files
    WHERE (site, "table", journal) = (%s, %s, %s) AND last >= %s AND first <= %s ORDER BY first
"""
_NEXT = """
    SELECT first, frame FROM {}
    WHERE (site, "table", journal) = (%s, %s, %s) AND first BETWEEN %s AND %s AND last >= %s ORDER BY first LIMIT 1
"""


async def add_dictionary(connection: AsyncConnection[Any]) -> None:
    """Keep the dictionary of new frames with them. Raises psycopg.Error."""
    query = "INSERT INTO pit.dictionaries VALUES (%s, %s) ON CONFLICT DO NOTHING"
    await connection.execute(query, (trained().dict_id, trained().dict_content))


async def add_envelopes(
    connection: AsyncConnection[Any], rows: Sequence[tuple[TableJournal, Sequence[ArchivedMessage], bytes]]
) -> None:
    """Store messages of journals in their frames, inside the caller's transaction. Raises psycopg.Error."""
    if not rows:
        return
    async with connection.cursor() as cursor, cursor.copy(_INTO) as copy:
        copy.set_types(_TYPES)
        for journal, kept, frame in rows:
            own = journal.site, journal.table, journal.name
            numbers = kept[0].sequence, kept[-1].sequence, len(kept)
            await copy.write_row((*own, *numbers, kept[0].received, frame))


async def merge_small_rows(connection: AsyncConnection[Any], now: datetime) -> bool:
    """Merge a journal's rows that have few messages, inside the caller's transaction; returns whether there were any.

    The old rows are deleted after the new frame was read back and compared with them. Raises psycopg.Error.
    """
    for *own, month, begin in await (await connection.execute(_MANY_SMALL, (now - IDLE,))).fetchall():
        rows = await _neighbours(connection, own, month, begin)
        if len(rows) > 1:
            await _merge(connection, own, rows)
            return True
    return False


async def _neighbours(
    connection: AsyncConnection[Any], own: Sequence[str], month: datetime, begin: int
) -> list[tuple[int, datetime, bytes]]:
    """The first rows of a journal, from `begin` on, that are one after the other and of one month."""
    found: list[tuple[int, datetime, bytes]] = []
    octets = 0
    rows = await (await connection.execute(_ROWS, (month, *own, begin))).fetchall()
    for first, received, frame, count, is_of_month in rows:
        if len(found) > 1 and (not is_of_month or octets > OCTETS):
            break
        if not is_of_month:
            found, octets = [], 0
        elif found or count < ENOUGH:
            found.append((first, received, frame))
            octets += len(frame)
    return found


async def _merge(
    connection: AsyncConnection[Any], own: Sequence[str], rows: Sequence[tuple[int, datetime, bytes]]
) -> None:
    dictionaries = await dictionaries_of(connection, [frame for _, _, frame in rows])
    kept: list[ArchivedMessage] = []
    old: list[tuple[int, datetime]] = []
    for first, received, frame in rows:
        if len(kept) >= ENOUGH:
            break
        kept += unpacked(frame, dictionaries)
        old.append((first, received))
    merged = await asyncio.to_thread(packed, kept, SMALL)
    if [*unpacked(merged, {trained().dict_id: trained()})] != kept:
        raise RuntimeError(f"messages {kept[0].sequence} to {kept[-1].sequence} of {own} are not read again as written")
    removed = (await connection.execute(_REMOVE, (*map(list, zip(*old, strict=True)), *own))).rowcount
    if removed != len(old):
        raise RuntimeError(f"expected to replace {len(old)} rows of {own}, not {removed}")
    await add_envelopes(connection, [(TableJournal(*own), kept, merged)])


async def dictionaries_of(connection: AsyncConnection[Any], frames: Sequence[bytes]) -> dict[int, zstd.ZstdDict]:
    query = "SELECT number, content FROM pit.dictionaries WHERE number = ANY (%s)"
    rows = await (await connection.execute(query, ([*{dictionary_of(frame) for frame in frames}],))).fetchall()
    return {number: zstd.ZstdDict(content) for number, content in rows}


async def of_journal(
    connection: AsyncConnection[Any], journal: TableJournal, first: int = 1, last: int = LAST
) -> AsyncIterator[Message]:
    """The messages of a journal from `first` to `last`, in order, including those that were moved to files.

    Raises psycopg.Error, and BadEnvelopeFile.
    """
    own = journal.site, journal.table, journal.name
    for file, begin, end in await (await connection.execute(_FILES, (*own, first, last))).fetchall():
        async for kept in kept_of(connection, journal, first, begin - 1):
            yield read(journal.site, journal.table, kept.content)
        for message in messages_of(Path(file), journal, max(first, begin), min(last, end)):
            yield message
        first = end + 1
    async for kept in kept_of(connection, journal, first, last):
        yield read(journal.site, journal.table, kept.content)


async def kept_of(
    connection: AsyncConnection[Any], journal: TableJournal, first: int = 1, last: int = LAST, table: str = "messages"
) -> AsyncIterator[ArchivedMessage]:
    """The same from `pit.messages` only, or from one of its partitions. Raises psycopg.Error."""
    query = SQL(_NEXT).format(Identifier("pit", table))
    own, after = (journal.site, journal.table, journal.name), 0
    dictionaries: dict[int, zstd.ZstdDict] = {}
    while (row := await (await connection.execute(query, (*own, after, last, first))).fetchone()) is not None:
        if dictionary_of(row[1]) not in dictionaries:
            dictionaries |= await dictionaries_of(connection, [row[1]])
        for kept in unpacked(row[1], dictionaries):
            if first <= kept.sequence <= last:
                yield kept
        after = row[0] + 1
