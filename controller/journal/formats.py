"""The number of the journal's format, which formats are refused, and how an earlier format is upgraded."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.journal import guards
from controller.journal.creation import check_schema
from controller.journal.records import Head, JournalCorrupt, NewerJournal, WrongJournal
from controller.journal.sealing import Seal
from controller.journal.sql import transaction
from controller.system.files import copy_whole, open_regular

FORMAT = b"1"

Upgrade = Callable[[sqlite3.Connection, Head], Head]
"""Changes the tables of a journal to those of the next format, and gives the head that fits them."""

UPGRADES: dict[bytes, Upgrade] = {}
"""The upgrades, by the format that each upgrades. There is no earlier format yet."""


def check_format(path: Path, written: bytes) -> None:
    """Raises NewerJournal, WrongJournal for a format that must be upgraded, or JournalCorrupt for an unknown one."""
    if written == FORMAT:
        return
    found, own = written.decode(errors="replace"), FORMAT.decode()
    if written in UPGRADES:
        raise WrongJournal(f"{path} has format {found}; this version reads {own}: start the station, which upgrades it")
    if written.isdigit() and int(written) > int(FORMAT):
        raise NewerJournal(f"{path} has format {found}, of a newer version; this version reads {own}")
    raise JournalCorrupt(f"{path} has format {found}; this version reads {own}")


def check_file(path: Path, db: sqlite3.Connection) -> None:
    """Checks that a station can open a file: its format first, since the schema of a newer format is not known.

    One that is upgraded has a schema of its own. Raises NewerJournal or JournalCorrupt.
    """
    try:
        found = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchall()
    except sqlite3.Error:
        check_schema(path, db)  # where that is damaged
        raise
    written = found[0][0] if found else None
    if written in UPGRADES:
        return
    if isinstance(written, bytes):
        check_format(path, written)
    check_schema(path, db)
    if written is None:
        raise JournalCorrupt(f"{path} has no format; it is no journal of this station")


def upgrade(
    path: Path, db: sqlite3.Connection, seal: Seal, meta: dict[str, bytes], head: Head
) -> tuple[dict[str, bytes], Head]:
    """The rows of `meta` and the head after the upgrade to the next format; a copy of the file as it was is kept.

    The log is empty. Raises JournalCorrupt, BadSealKey or OSError; then the journal is as it was.
    """
    written = meta["format"]
    guards.check_mac(path, seal, meta)
    with open_regular(path) as content:
        copy_whole(content, path.with_name(f"{path.name}.format-{written.decode()}-event-{head.event}"))
    with transaction(db):
        head = UPGRADES[written](db, head)
        meta = {**meta, "format": b"%d" % (int(written) + 1), "head": msgspec.json.encode(head)}
        meta["mac"] = guards.mac_of(seal, meta)
        rows = [(meta[key], key) for key in ("format", "head", "mac")]
        db.executemany("UPDATE meta SET value = ? WHERE key = ?", rows)
    return meta, head
