"""The number of the journal's format, and which one is refused."""

import sqlite3
from pathlib import Path

from controller.journal.creation import check_schema
from controller.journal.records import JournalCorrupt, NewerJournal

FORMAT = b"1"


def check_format(path: Path, written: bytes) -> None:
    """Raises NewerJournal, or JournalCorrupt for what was never a format."""
    if written == FORMAT:
        return
    found, own = written.decode(errors="replace"), FORMAT.decode()
    if written.isdigit() and int(written) > int(FORMAT):
        raise NewerJournal(f"{path} has format {found}, of a newer version; this version reads {own}")
    raise JournalCorrupt(f"{path} has format {found}; this version reads {own}")


def check_file(path: Path, db: sqlite3.Connection) -> None:
    """Whether a station can open a file: its format first, since the schema of a newer one is not known.

    Raises NewerJournal or JournalCorrupt.
    """
    try:
        found = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchall()
    except sqlite3.Error:
        check_schema(path, db)  # where that is damaged
        raise
    written = found[0][0] if found else None
    if isinstance(written, bytes):
        check_format(path, written)
    check_schema(path, db)
    if written is None:
        raise JournalCorrupt(f"{path} has no format; it is no journal of this station")
