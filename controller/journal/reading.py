"""A journal read beside the station that writes it. All calls block.

The reading connection can write nothing, not even a checkpoint, and a reader of a WAL holds no writer up: only a
station that starts, or writes its log again after a failure, waits until the reader has gone. Each row that is read is
held against the hash of the row before it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from controller.engine.events import Event
from controller.journal.chain import chained
from controller.journal.creation import check_format, starts_with
from controller.journal.records import GENESIS, JournalCorrupt, Stamp, WrongJournal
from controller.journal.sql import journal_errors

_COLUMNS = """SELECT e.id, e.time, e.boot, e.monotonic_ns, e.synchronised, e.body, e.sealed, e.hash, before.hash
              FROM events AS e LEFT JOIN events AS before ON before.id = e.id - 1"""

_decode_event = msgspec.json.Decoder(Event).decode


@contextmanager
def reading(path: Path, mode: str) -> Iterator[tuple[sqlite3.Connection, str]]:
    """A journal as it stands at one moment, and its uuid.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    with journal_errors(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        db.execute("BEGIN")  # everything is read as it stood at one moment
        meta = {key: bytes(value).decode(errors="replace") for key, value in db.execute("SELECT key, value FROM meta")}
        check_format(path, meta.get("format", "").encode())
        if "uuid" not in meta:
            raise JournalCorrupt(f"{path} has no uuid; it is no journal of this station")
        if meta.get("mode") != mode:
            raise WrongJournal(f"{path} is a journal of mode {meta.get('mode')!r}; this configuration is {mode!r}")
        yield db, meta["uuid"]


def rows_opening(path: Path, db: sqlite3.Connection, opening: bytes, which: str) -> Iterator[tuple[int, Stamp, Event]]:
    """Number, stamp and event of the rows that begin so, as `which` has them.

    Of a kind that has an index they are found without looking at the others.
    """
    for number, time, boot, monotonic_ns, synchronised, body, sealed, hash, before in db.execute(
        f"{_COLUMNS} WHERE {starts_with('e.body', opening)} {which}"
    ):
        stamp = Stamp(time=time, boot=boot, monotonic_ns=monotonic_ns, synchronised=bool(synchronised))
        if chained(before or GENESIS, number, stamp, body, sealed) != hash:
            raise JournalCorrupt(f"{path}: event {number} is not as it was written (hash chain)")
        try:
            yield number, stamp, _decode_event(body)
        except msgspec.DecodeError as error:
            raise JournalCorrupt(f"{path}: event {number} cannot be read: {error}") from None
