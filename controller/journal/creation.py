"""The beginning of a journal's file, and the schema that it has. All calls block."""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from controller.journal.records import JournalCorrupt
from controller.system.files import own_file, sync_folder

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE events (id INTEGER PRIMARY KEY, time TEXT NOT NULL, boot TEXT NOT NULL, monotonic_ns INTEGER NOT NULL,
                     synchronised INTEGER NOT NULL, body BLOB NOT NULL, sealed BLOB, hash BLOB NOT NULL,
                     input BLOB) STRICT;
CREATE TABLE answers (input_id TEXT PRIMARY KEY, number INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
CREATE INDEX answers_by_number ON answers (number);
CREATE TABLE outbox (sequence INTEGER PRIMARY KEY, topic TEXT NOT NULL, payload BLOB NOT NULL) STRICT;
CREATE TABLE snapshots (event INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE marks (device TEXT PRIMARY KEY, boot INTEGER NOT NULL, sequence INTEGER NOT NULL) STRICT;
CREATE TABLE segments (last INTEGER PRIMARY KEY, about BLOB NOT NULL) STRICT;
CREATE TABLE tree (level INTEGER NOT NULL, place INTEGER NOT NULL, hash BLOB NOT NULL,
                   PRIMARY KEY (level, place)) STRICT, WITHOUT ROWID;
CREATE TABLE files (last INTEGER PRIMARY KEY, about BLOB NOT NULL) STRICT;
CREATE TABLE archives (archive TEXT PRIMARY KEY, through INTEGER NOT NULL) STRICT;
"""
AN_EVENT = b'{"type":"'  # a row starts with its event's tag
ROUND_BEGUN = AN_EVENT + b'round_begun"'
# What is asked for by kind.
KINDS = {kind: AN_EVENT + kind.encode() + b"_" for kind in ("alarm", "entry", "hit")}
METER_SET = ("meter_opened", "pot_restarted", "restart_withdrawn")
METER = (*METER_SET, "parameters_scheduled")
# These are rare; only a segment has an index of them.
RARE_KINDS = {
    kind: AN_EVENT + kind.encode()
    for kind in (
        *METER,
        *("round_adjusted", "complaint_", "key_released"),
    )
}

SAYS_MORE = ("round_adjusted", "key_released")  # of a round that is over: their fields name it
# What is asked for in the journal's own file too.
FOUND_LIVE = KINDS | {kind: RARE_KINDS[kind] for kind in SAYS_MORE}


def tag_of(body: bytes) -> str:
    """The tag at the beginning of an event's row."""
    return body[len(AN_EVENT) : body.index(b'"', len(AN_EVENT))].decode()


def starts_with(column: str, opening: bytes) -> str:
    """SQL for rows that begin with this text, in exactly the form for which SQLite uses the index."""
    return f"substr({column}, 1, {len(opening)}) = x'{opening.hex()}'"


INDEXES = tuple(
    f"CREATE INDEX events_of_{kind} ON events (id) WHERE {starts_with('body', opening)}"
    for kind, opening in FOUND_LIVE.items()
)


def check_schema(path: Path, db: sqlite3.Connection) -> None:
    """Whether a file has the tables and indexes that a journal has. Raises JournalCorrupt.

    SQLite relies on the statements in the file: it notices a missing table only when it is used.
    """
    if _schema_of(db) != _whole_schema():
        raise JournalCorrupt(f"{path}: its schema is not as a station wrote it")


def _schema_of(db: sqlite3.Connection) -> set[tuple[object, ...]]:
    return set(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


@cache
def _whole_schema() -> set[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as db:
        _make_tables(db)
        return _schema_of(db)


def _make_tables(db: sqlite3.Connection) -> None:
    for statement in (*_TABLES.split(";"), *INDEXES):
        db.execute(statement)


def is_there(path: Path) -> bool:
    """Whether a journal exists. An empty file does not count."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def create(path: Path, meta: Mapping[str, bytes]) -> None:
    """Create a journal: under another name first, so that it is complete once it has its own name.

    Raises OSError or sqlite3.Error.
    """
    fresh = path.with_name(path.name + ".new")
    # One may have been cut off in its beginning; and the log of one that is gone would be applied to this.
    for left in (fresh.name, f"{fresh.name}-wal", f"{path.name}-wal"):
        with suppress(FileNotFoundError):
            os.unlink(path.with_name(left))
    own_file(fresh).close()  # its log will be as readable as it is
    with closing(sqlite3.connect(fresh.absolute().as_uri(), uri=True, isolation_level=None, timeout=0.0)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")  # no index of the log is left behind
        # A commit writes whole pages to the log, and most events are small.
        db.execute("PRAGMA page_size = 1024")
        db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # what is cleared away goes back to the disk
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN IMMEDIATE")
        _make_tables(db)
        db.executemany("INSERT INTO meta VALUES (?, ?)", list(meta.items()))
        db.execute("COMMIT")
        if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise sqlite3.OperationalError("the new journal is being read by another program")
    os.rename(fresh, path)
    sync_folder(path.parent)
