"""Protects the rows outside the chain: the head's sums, and a MAC over the journal's name, its mode and its head.

Events form a chain, since none is ever deleted. Each other table has a sum over its rows, in any order: a row is added
as it is written, and subtracted as it is deleted.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from controller.journal.message_files import files_of
from controller.journal.records import NOTHING, Head, JournalCorrupt
from controller.journal.sealing import BadSealKey, Seal

BYTES = len(NOTHING)

_Row = tuple[int | str | bytes, ...]


def plus(before: bytes, rows: Iterable[_Row]) -> bytes:
    """The sum once these rows have come."""
    return _moved(before, rows, 1)


def minus(before: bytes, rows: Iterable[_Row]) -> bytes:
    """The sum once these rows have gone."""
    return _moved(before, rows, -1)


def _moved(before: bytes, rows: Iterable[_Row], sign: int) -> bytes:
    total = int.from_bytes(before, "big")
    for row in rows:
        total += sign * int.from_bytes(hashlib.sha256(msgspec.msgpack.encode(row)).digest(), "big")
    return (total % (1 << 8 * BYTES)).to_bytes(BYTES, "big")


ROWS = {
    "outbox": "SELECT sequence, topic, payload FROM outbox",
    "answers": "SELECT input_id, number, body FROM answers",
    "marks": "SELECT device, boot, sequence FROM marks",
    "segments": "SELECT last, about FROM segments",
    "files": "SELECT last, about FROM files",
    "archives": "SELECT archive, through FROM archives",
}


def mac_of(seal: Seal, meta: Mapping[str, bytes]) -> bytes:
    """The MAC over the rows of `meta`."""
    rows = sorted((key, value) for key, value in meta.items() if key != "mac")
    return seal.mac(b"meta", *(part for key, value in rows for part in (key.encode(), value)))


def key_of(seal: Seal, uuid: bytes) -> bytes:
    """The value by which a journal recognises its seal key."""
    return seal.mac(b"key", uuid)


def check_value(key: bytes) -> str:
    """The check value of a seal key as a person compares it; another for each journal."""
    return key.hex()[:12]


def sum_of(db: sqlite3.Connection, table: str) -> bytes:
    """The sum of a table's rows as they are."""
    return plus(NOTHING, guarded_rows(db, table))


def guarded_rows(db: sqlite3.Connection, table: str, which: str = "", *values: int) -> Iterator[_Row]:
    """The rows of a database table, all or those that the condition `which` selects."""
    return iter(db.execute(f"{ROWS[table]} {which}", values))


def check_guards(path: Path, db: sqlite3.Connection, seal: Seal | None, meta: Mapping[str, bytes], head: Head) -> None:
    """Verifies the rows outside the chain. Raises JournalCorrupt where they were changed, BadSealKey with another key.

    Without the key, the sums are compared with the head, and the head is not verified.
    """
    if seal is not None:
        check_mac(path, seal, meta)
    sums = {
        "outbox": head.outbox_sum,
        "answers": head.answers_sum,
        "marks": head.marks_sum,
        "segments": head.segments_sum,
        "files": head.files_sum,
        "archives": head.archives_sum,
    }
    for table, known in sums.items():
        if sum_of(db, table) != known:
            raise JournalCorrupt(f"{path}: {table} is not as it was written (sum in the head)")
    _check_outbox(path, db, head)


def check_mac(path: Path, seal: Seal, meta: Mapping[str, bytes]) -> None:
    """Raises JournalCorrupt if the rows of `meta` have changed since they were written, BadSealKey with another key."""
    if meta.get("mac") == mac_of(seal, meta):
        return
    key, given = meta.get("key", b""), key_of(seal, meta["uuid"])
    if key != given and meta.get("mac") != mac_of(seal, {**meta, "key": given}):
        raise BadSealKey(
            f"{path}: the seal key is another than the one of this journal: expected one with the check value "
            f"{check_value(key)}, and this one has {check_value(given)}"
        )
    raise JournalCorrupt(f"{path}: its name, its mode or its head is not as it was written (MAC)")


def _check_outbox(path: Path, db: sqlite3.Connection, head: Head) -> None:
    """Raises JournalCorrupt if a message is missing between the last acknowledged one and the head."""
    expected = _waiting_in_files(path, db, head)
    waiting = "SELECT sequence FROM outbox WHERE sequence > ? ORDER BY sequence"
    for (sequence,) in db.execute(waiting, (expected,)):
        expected += 1
        if sequence != expected:
            raise JournalCorrupt(f"{path}: message {expected} for the floor is missing")
    if expected != head.sequence:
        raise JournalCorrupt(f"{path}: message {expected + 1} for the floor is missing")


def _waiting_in_files(path: Path, db: sqlite3.Connection, head: Head) -> int:
    """The last message that is in a file or acknowledged, if all unacknowledged messages up to it are in files."""
    before = head.filed
    for file in reversed(files_of(db, "WHERE last > ?", head.acknowledged)):
        if file.last != before:
            break
        before = file.first - 1
    if before > head.acknowledged:
        raise JournalCorrupt(f"{path}: message {before} for the floor is missing")
    return max(head.filed, head.acknowledged)
