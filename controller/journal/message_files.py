"""Messages in files beside the journal: those that wait for the broker, and those that are asked for again.

A file is text that `zstdcat` prints, one message a line: number, topic, payload. The journal's own file has a row about
it, covered by the sum in its head. All calls block.
"""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.journal.past import head_of, meta_of
from controller.journal.records import JournalCorrupt, OutboxRow, epochs_of, names_of
from controller.journal.segments import LEVEL, decompressed, put, write_beside, zstd
from controller.system.files import open_regular

AT_ONCE = 100  # messages: compressed in some milliseconds


class MessageFile(msgspec.Struct, frozen=True):
    """The journal's row about a file: its messages, without those put `aside`, when it was written, and its bytes.

    `length` is that of its text. It was written in the epoch of this number. Messages whose ids changed later get the
    new ids when the file is read.
    """

    first: int
    last: int
    time: str
    size: int
    digest: bytes
    length: int
    epochs: int = 0
    aside: tuple[int, ...] = ()

    def file(self, journal: Path) -> Path:
        """The path of the file."""
        return journal.with_name(f"{journal.name}.messages.{self.first:012d}-{self.last:012d}.zst")


_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(tuple[int, str, str]).decode
_decode_file = msgspec.json.Decoder(MessageFile).decode


def files_of(db: sqlite3.Connection, which: str = "", *values: int) -> list[MessageFile]:
    """A journal's rows about its files of messages, oldest first."""
    return [_decode_file(about) for (about,) in db.execute(f"SELECT about FROM files {which} ORDER BY last", values)]


def write_messages(
    journal: Path, first: int, last: int, rows: Sequence[OutboxRow], time: str, epochs: int, pause: Callable[[], None]
) -> MessageFile:
    """Write the messages of a range as a file, and return once it is on the disk. Raises OSError."""
    compressor = zstd.ZstdCompressor(LEVEL)
    content, length = b"", 0
    for at in range(0, len(rows), AT_ONCE):
        lines = [_encode((row.sequence, row.topic, row.payload.decode())) for row in rows[at : at + AT_ONCE]]
        text = b"\n".join(lines) + b"\n"
        content, length = content + compressor.compress(text), length + len(text)
        pause()
    content += compressor.flush()

    def written(file: int) -> MessageFile:
        put(file, content, 0)
        digest = hashlib.sha256(content).digest()
        return MessageFile(first, last, time, len(content), digest, length, epochs)

    return write_beside(journal, "messages", written)


def checked_octets(journal: Path, file: MessageFile) -> bytes:
    """The bytes of a file. Raises JournalCorrupt if it is missing or has changed, and OSError."""
    path = file.file(journal)
    try:
        with open_regular(path) as opened:
            is_whole = os.fstat(opened.fileno()).st_size == file.size
            content = opened.read(file.size) if is_whole else b""
    except FileNotFoundError:
        raise _missing(journal, file) from None
    if not is_whole or hashlib.sha256(content).digest() != file.digest:
        raise JournalCorrupt(f"{path}: messages {file.first} to {file.last} are not as they were written")
    return content


def check_size(journal: Path, file: MessageFile) -> None:
    """Checks that a file of this length exists. Raises JournalCorrupt, and OSError."""
    path = file.file(journal)
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        raise _missing(journal, file) from None
    if size != file.size:
        raise JournalCorrupt(f"{path}: messages {file.first} to {file.last} are not as they were written")


def _missing(journal: Path, file: MessageFile) -> JournalCorrupt:
    return JournalCorrupt(f"{file.file(journal)} is missing: it holds messages {file.first} to {file.last}")


def read_message_file(journal: Path, file: MessageFile) -> list[OutboxRow]:
    """The messages of a file as they were written, without those put aside. Raises JournalCorrupt if it is missing or
    has changed, and OSError.
    """
    text = decompressed(file.file(journal), checked_octets(journal, file), file.length)
    rows = map(_decode, BytesIO(text))
    return [OutboxRow(number, topic, payload.encode()) for number, topic, payload in rows if number not in file.aside]


def oldest(db: sqlite3.Connection) -> int:
    """The number of the oldest stored message, including those put aside; one more than the last if none is stored."""
    if files := files_of(db, "WHERE last = (SELECT min(last) FROM files)"):
        return files[0].first
    [[found]] = db.execute("SELECT min(sequence) FROM outbox WHERE sequence > ?", (head_of(db).filed,)).fetchall()
    return found or head_of(db).sequence + 1


def stored_messages(journal: Path, db: sqlite3.Connection, first: int, limit: int) -> list[OutboxRow]:
    """The oldest stored messages from a number on, in files or in the journal. Raises as `read_message_file`."""
    next_file = "WHERE last = (SELECT min(last) FROM files WHERE last >= ?)"
    while file := files_of(db, next_file, first):
        if found := [row for row in read_message_file(journal, file[0]) if row.sequence >= first]:
            return _renamed(db, file[0].epochs, found[:limit])
        first = file[0].last + 1  # all that is left of it was put aside
    return in_outbox(db, first, limit)


def _renamed(db: sqlite3.Connection, known: int, rows: list[OutboxRow]) -> list[OutboxRow]:
    """The messages of a file, with their present ids; the file was written when the journal had this number of
    epochs.
    """
    meta = meta_of(db)
    epochs, names = epochs_of(meta)[known:], names_of(meta)[known:]
    for epoch, (old, new) in zip(epochs, pairwise(names), strict=True):
        rows = [renamed(row, old, new) if row.sequence > epoch.message else row for row in rows]
    return rows


def renamed(row: OutboxRow, old: str, new: str) -> OutboxRow:
    """A message whose id is of another epoch: it begins with its id and its source."""
    return replace(row, payload=row.payload.replace(old.encode(), new.encode(), 2))


def in_outbox(db: sqlite3.Connection, first: int, limit: int) -> list[OutboxRow]:
    """The oldest messages in the journal's own file from a number on."""
    page = "SELECT sequence, topic, payload FROM outbox WHERE sequence >= ? ORDER BY sequence LIMIT ?"
    return [OutboxRow(*row) for row in db.execute(page, (first, limit))]
