"""Messages that the broker has taken, in files beside the journal, for whoever asks for them again.

A file is text that `zstdcat` prints, one message a line: number, topic, payload. What is known of it is a row of the
journal's own file, under the sum in its head. All calls block.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from controller.journal.records import JournalCorrupt, OutboxRow
from controller.journal.segments import LEVEL, put, write_beside, zstd

AT_ONCE = 100  # messages: compressed in some milliseconds


class MessageFile(msgspec.Struct, frozen=True):
    """What the journal knows of a file: its messages, less those put aside, when it was written, and its bytes."""

    first: int
    last: int
    time: str
    size: int
    digest: bytes

    def file(self, journal: Path) -> Path:
        """Where it is."""
        return journal.with_name(f"{journal.name}.messages.{self.first:012d}-{self.last:012d}.zst")


_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(tuple[int, str, str]).decode
_decode_file = msgspec.json.Decoder(MessageFile).decode


def files_of(db: sqlite3.Connection, which: str = "", *values: int) -> list[MessageFile]:
    """What a journal knows of its files of messages, oldest first."""
    return [_decode_file(about) for (about,) in db.execute(f"SELECT about FROM files {which} ORDER BY last", values)]


def write(
    journal: Path, first: int, last: int, rows: Sequence[OutboxRow], time: str, pause: Callable[[], None]
) -> MessageFile:
    """Write the messages of a range as a file, and return once it is on the disk. Raises OSError."""
    compressor = zstd.ZstdCompressor(LEVEL)
    content = b""
    for at in range(0, len(rows), AT_ONCE):
        lines = [_encode((row.sequence, row.topic, row.payload.decode())) for row in rows[at : at + AT_ONCE]]
        content += compressor.compress(b"\n".join(lines) + b"\n")
        pause()
    content += compressor.flush()

    def written(file: int) -> MessageFile:
        put(file, content, 0)
        return MessageFile(first, last, time, len(content), hashlib.sha256(content).digest())

    return write_beside(journal, "messages", written)


def check(journal: Path, file: MessageFile) -> bytes:
    """The bytes of a file. Raises JournalCorrupt where it is missing or not as it was written, and OSError."""
    path = file.file(journal)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise JournalCorrupt(f"{path} is missing: it holds messages {file.first} to {file.last}") from None
    if hashlib.sha256(content).digest() != file.digest:
        raise JournalCorrupt(f"{path}: messages {file.first} to {file.last} are not as they were written")
    return content


def read(journal: Path, file: MessageFile) -> list[OutboxRow]:
    """The messages of a file. Raises JournalCorrupt where it is missing or not as it was written, and OSError."""
    rows = map(_decode, zstd.decompress(check(journal, file)).splitlines())
    return [OutboxRow(sequence, topic, payload.encode()) for sequence, topic, payload in rows]


def messages(journal: Path, db: sqlite3.Connection, first: int, limit: int) -> list[OutboxRow]:
    """The oldest messages that are kept from a number on, wherever they are; some of them. Raises as `read`."""
    next_file = "WHERE last = (SELECT min(last) FROM files WHERE last >= ?)"
    while file := files_of(db, next_file, first):
        if found := [row for row in read(journal, file[0]) if row.sequence >= first]:
            return found[:limit]
        first = file[0].last + 1  # what was put aside is in no file
    return in_outbox(db, first, limit)


def in_outbox(db: sqlite3.Connection, first: int, limit: int) -> list[OutboxRow]:
    """The oldest messages in the journal's own file from a number on."""
    page = "SELECT sequence, topic, payload FROM outbox WHERE sequence >= ? ORDER BY sequence LIMIT ?"
    return [OutboxRow(*row) for row in db.execute(page, (first, limit))]
