"""Reads a journal while its station writes it. All calls block.

The reading connection cannot write, not even a checkpoint of SQLite, and a reader of a WAL does not block the writer:
only a station that starts, or rewrites its log after a failure, waits for the reader to finish. Each row is compared
with the hash of the row before it, or is in a segment whose hash the journal has.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.journal import message_files
from controller.journal.formats import check_format
from controller.journal.past import Past, meta_of
from controller.journal.records import JournalCorrupt, OutboxRow, WrongJournal
from controller.journal.sql import snapshot


@contextmanager
def opened_journal(path: Path, mode: str) -> Iterator[tuple[sqlite3.Connection, str]]:
    """A journal's file as it is at one moment, and its uuid. Raises JournalUnavailable, JournalCorrupt, or WrongJournal
    if it is of the other mode.
    """
    with snapshot(path) as db:
        meta = {key: value.decode(errors="replace") for key, value in meta_of(db).items()}
        check_format(path, meta.get("format", "").encode())
        if "uuid" not in meta:
            raise JournalCorrupt(f"{path} has no uuid; it is no journal of this station")
        if meta.get("mode") != mode:
            raise WrongJournal(f"{path} is a journal of mode {meta.get('mode')!r}; this configuration is {mode!r}")
        yield db, meta["uuid"]


@contextmanager
def reading(path: Path, mode: str) -> Iterator[tuple[Past, str]]:
    """A journal's events as they are at one moment, and its uuid. Raises as `opened_journal`."""
    with opened_journal(path, mode) as (db, uuid):
        yield Past(path, db), uuid


def read_messages(path: Path, first: int, limit: int) -> list[OutboxRow]:
    """Some of the oldest stored messages from this number on. Raises JournalUnavailable, or JournalCorrupt if they have
    changed since they were written.
    """
    with snapshot(path) as db:
        return message_files.stored_messages(path, db, first, limit)
