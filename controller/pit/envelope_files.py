"""Envelopes that have left the database: a Parquet file of DuckDB for each table and month, whole or not at all."""

import csv
import hashlib
import os
from collections.abc import AsyncIterator, Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from controller.command_line.output import EXIT_CORRUPT
from controller.pit import parquet
from controller.pit.frames import ArchivedMessage
from controller.pit.inbox import Message, TableJournal, read
from controller.pit.refusals import CannotReport
from controller.system.files import sync_folder

COLUMNS = {
    "journal": "VARCHAR",
    "sequence": "BIGINT",
    "type": "VARCHAR",
    "round": "BIGINT",
    "time": "TIMESTAMP WITH TIME ZONE",
    "received": "TIMESTAMP WITH TIME ZONE",
    "envelope": "VARCHAR",
}
AT_ONCE = 2000  # messages


class BadEnvelopeFile(CannotReport):
    """A file is missing or has other messages than were written; the text says what to do."""

    code = EXIT_CORRUPT


class Part(Struct, frozen=True):
    """The part of a journal in a file: the number of messages, from `first` to `last`."""

    journal: str
    first: int
    last: int
    count: int


async def write_file(path: Path, messages: AsyncIterator[tuple[TableJournal, ArchivedMessage]]) -> None:
    """Write the messages of a table, by journal and in order; durable on return. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text, fresh = path.with_name(f".{path.name}.csv"), path.with_name(f".{path.name}.new")
    try:
        with text.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            async for journal, kept in messages:
                rows.writerow(_row(journal, kept))
        parquet.write_parquet(text, COLUMNS, fresh, header=False)
        text.unlink()
        with fresh.open("rb") as file_of_parquet:
            os.fsync(file_of_parquet.fileno())
        os.rename(fresh, path)
        sync_folder(path.parent)
    finally:
        text.unlink(missing_ok=True)
        fresh.unlink(missing_ok=True)


def _row(journal: TableJournal, kept: ArchivedMessage) -> tuple[Any, ...]:
    message = read(journal.site, journal.table, kept.content)
    received = kept.received.astimezone(UTC).isoformat()
    return journal.name, kept.sequence, message.type, message.round, message.time, received, kept.content.decode()


async def verify_file(path: Path, messages: AsyncIterator[tuple[TableJournal, ArchivedMessage]]) -> list[Part]:
    """The content of a file, after every octet of every message was compared with `messages`. Raises BadEnvelopeFile
    and OSError.
    """
    found: dict[str, Part] = {}
    rows = _rows(path, "true", ())
    async for journal, kept in messages:
        name, sequence, received, content = next(rows, (None, 0, 0, b""))
        micros = int(kept.received.timestamp()) * 1_000_000 + kept.received.microsecond
        if (name, sequence, received, content) != (journal.name, kept.sequence, micros, kept.content):
            raise BadEnvelopeFile(
                f"{path} is not what the archive has, at message {kept.sequence} of {journal.name}: move it away, and "
                "run this again"
            )
        part = found.get(journal.name, Part(journal.name, sequence, sequence, 0))
        found[journal.name] = replace(part, last=sequence, count=part.count + 1)
    if next(rows, None) is not None:
        raise BadEnvelopeFile(f"{path} has more messages than the archive: move it away, and run this again")
    return [*found.values()]


def digest(path: Path) -> str:
    """The SHA-256 of a file. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def messages_of(path: Path, journal: TableJournal, first: int, last: int) -> Iterator[Message]:
    """The messages of a journal that a file has, in order. Raises BadEnvelopeFile."""
    before = first - 1
    for _, sequence, _, content in _rows(path, "journal = ? AND sequence BETWEEN ? AND ?", (journal.name, first, last)):
        if sequence <= before:
            raise BadEnvelopeFile(f"{path}: message {sequence} of {journal.name} comes after message {before}")
        before = sequence
        yield read(journal.site, journal.table, content)


def _rows(path: Path, where: str, given: tuple[Any, ...]) -> Iterator[tuple[str, int, int, bytes]]:
    """Journal, sequence, receipt in microseconds since 1970, and bytes, in the order of the file."""
    import duckdb

    if not path.is_file():
        raise BadEnvelopeFile(
            f"{path} is not there: put the file back in that folder; it has envelopes that left the database"
        )
    with parquet.open_duckdb(path.parent) as db:
        query = f"SELECT journal, sequence, epoch_us(received), envelope FROM {parquet.sql_path(path)} WHERE {where}"
        try:
            found = db.execute(query, given)
            while rows := found.fetchmany(AT_ONCE):
                for journal, sequence, received, envelope in rows:
                    yield journal, sequence, received, envelope.encode()
        except duckdb.Error as error:
            raise BadEnvelopeFile(f"{path} cannot be read: {error}") from None
