"""Restores the table from a journal: its last checkpoint, whose MAC vouches for everything before, and the events
since.

Without a checkpoint, or with one of another schema, every event is verified and applied. Older events than the
checkpoint are verified while the table works (`controller.journal.verifying`). All calls block.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from controller.engine.state.applied import apply, decode_event
from controller.engine.state.current import Settings
from controller.engine.state.table import SCHEMA, Table
from controller.journal.chain import ChainedRow, verified
from controller.journal.creation import ROUND_BEGUN
from controller.journal.past import Past
from controller.journal.records import GENESIS, DeviceMark, Head, JournalCorrupt, Restored
from controller.journal.sealing import MAC_BYTES, Hidden, Seal, SealBroken
from controller.rulebook.cards import Card

SMALL_BYTES = 8 << 20  # a file up to that is checked page by page at every start
SMALL_TABLES = (
    *("sqlite_schema", "meta", "answers", "outbox", "marks", "snapshots", "segments", "tree"),
    *("files", "archives"),
)
# Cards sealed before the present round's beginning are no one's business.
ROUND_BOUNDARIES = (ROUND_BEGUN, b'{"type":"claims_closed"')

_encode = msgspec.json.encode


class TableCheckpoint(msgspec.Struct, frozen=True):
    """The table after an event, and the events before it whose sealed cards are still needed.

    `settings` are those that applied to inputs at that time.
    """

    table: Table
    sealed: tuple[int, ...]
    settings: Settings | None = None


class _Sealed(msgspec.Struct, frozen=True):
    sealed: tuple[int, ...]


class RestoredTable(msgspec.Struct, frozen=True):
    """The restored table, and the events whose sealed cards belong to the present round."""

    restored: Restored
    sealed: tuple[int, ...]


def sealed_after(before: Sequence[int], number: int, body: bytes, sealed: bytes | None) -> Sequence[int]:
    """The events whose sealed cards are of the present round, after one more."""
    if body.startswith(ROUND_BOUNDARIES):
        return ()
    return before if sealed is None else (*before, number)


def checkpoint_octets(seal: Seal, event: int, hash: bytes, checkpoint: TableCheckpoint) -> bytes:
    """A checkpoint as it is stored, bound to its event."""
    body = _encode(checkpoint)
    return _mac(seal, event, hash, body) + body


def sealed_of(body: bytes) -> tuple[int, ...]:
    """The events before a stored checkpoint whose sealed cards are still needed."""
    return msgspec.json.decode(body[MAC_BYTES:], type=_Sealed).sealed


def restore(path: Path, db: sqlite3.Connection, seal: Seal, uuid: str, head: Head) -> RestoredTable:
    """Verify the events since the checkpoint and apply them to its table. Raises JournalCorrupt."""
    since, hash, checkpoint = _last_checkpoint(db, seal)
    if since < head.pruned:
        raise JournalCorrupt(
            f"{path} keeps no event up to {head.pruned}, and this station can read no checkpoint after it: "
            "continue with the version that wrote it"
        )
    check_pages(path, db, () if since == 0 or _size(db) <= SMALL_BYTES else SMALL_TABLES)
    table, sealed = checkpoint.table, checkpoint.sealed
    for link in rows_after(path, db, since, hash, head):
        table = _applied(path, table, link)
        sealed = tuple(sealed_after(sealed, link.number, link.body, link.sealed))
    if table.version != head.event:
        raise JournalCorrupt(f"{path}: the snapshot counts {table.version} events, the journal {head.event}")
    vault = vault_of(path, db, seal, uuid, sealed)
    marks = {
        device: DeviceMark(device=device, boot=boot, sequence=sequence)
        for device, boot, sequence in db.execute("SELECT device, boot, sequence FROM marks")
    }
    restored = Restored(
        table=table, vault=vault, marks=marks, sequence=head.sequence, snapshot=since, began=_began(db, table)
    )
    return RestoredTable(restored=restored, sealed=sealed)


def rows_after(path: Path, db: sqlite3.Connection, after: int, hash: bytes, head: Head) -> Iterator[ChainedRow]:
    """The events after one, verified up to the head. Raises JournalCorrupt."""
    last, end = after, hash
    for link in verified(path, Past(path, db).after(after), after, hash):
        last, end = link.number, link.hash
        yield link
    if last != head.event or end != head.hash:
        raise JournalCorrupt(f"{path}: the journal ends at event {last}, not at {head.event}")


def check_pages(path: Path, db: sqlite3.Connection, tables: Iterable[str]) -> None:
    """Check what neither the chain nor the sums cover: the file's structure and the indexes, of these tables or of all.

    Raises JournalCorrupt.
    """
    for which in [f"({table})" for table in tables] or ["(1)"]:
        [found] = db.execute(f"PRAGMA integrity_check{which}").fetchone()
        if found != "ok":
            raise JournalCorrupt(f"{path}: {found}")


def _began(db: sqlite3.Connection, table: Table) -> dict[int, str]:
    """The event with which the round in play began, by its number: its events are in the file itself."""
    if table.round is None:
        return {}
    rows = db.execute("SELECT time, body FROM events ORDER BY id DESC")
    found = next((time for time, body in rows if body.startswith(ROUND_BEGUN)), None)
    return {} if found is None else {table.round.id: found}


def _size(db: sqlite3.Connection) -> int:
    [[pages]], [[size]] = db.execute("PRAGMA page_count").fetchall(), db.execute("PRAGMA page_size").fetchall()
    return int(pages * size)


def checkpoint_of(body: bytes) -> TableCheckpoint | None:
    """The checkpoint in stored bytes that follow its MAC; None if it has another schema or cannot be read."""
    try:
        checkpoint = msgspec.json.decode(body[MAC_BYTES:], type=TableCheckpoint)
    except msgspec.DecodeError:
        return None
    return checkpoint if checkpoint.table.schema == SCHEMA else None


def _last_checkpoint(db: sqlite3.Connection, seal: Seal) -> tuple[int, bytes, TableCheckpoint]:
    # It only saves time: after one that is not as it was written, or is of another schema, an earlier one is taken.
    kept = db.execute("SELECT event, snapshots.body, hash FROM snapshots JOIN events ON id = event ORDER BY event DESC")
    for event, body, hash in kept.fetchall():
        if None in (body, hash) or body[:MAC_BYTES] != _mac(seal, event, hash, body[MAC_BYTES:]):
            continue
        if (checkpoint := checkpoint_of(body)) is not None:
            return event, hash, checkpoint
    return 0, GENESIS, TableCheckpoint(table=Table(), sealed=())


def _mac(seal: Seal, event: int, hash: bytes, body: bytes) -> bytes:
    return seal.mac(b"checkpoint", b"%d" % event, hash, body)


def _applied(path: Path, table: Table, link: ChainedRow) -> Table:
    try:
        return apply(table, decode_event(link.body))
    except Exception as error:
        # The chain holds, so it was written so: by a station that counted otherwise, or with a defect.
        raise JournalCorrupt(f"{path}: event {link.number} cannot be read: {error}") from None


def vault_of(
    path: Path, db: sqlite3.Connection, seal: Seal, uuid: str, sealed: Iterable[int]
) -> dict[int, Card | None]:
    """The values that these events drew, by draw. Raises JournalCorrupt."""
    vault: dict[int, Card | None] = {}
    for number in sealed:
        vault |= _opened(path, db, seal, uuid, number).drawn
    return vault


def _opened(path: Path, db: sqlite3.Connection, seal: Seal, uuid: str, number: int) -> Hidden:
    row = next(Past(path, db).after(number - 1), None)
    if row is None or row[0] != number or row[6] is None:
        raise JournalCorrupt(f"{path}: event {number} has no sealed cards any more")
    return unsealed_cards(path, seal, uuid, number, row[6])


def unsealed_cards(path: Path, seal: Seal, uuid: str, number: int, sealed: bytes) -> Hidden:
    """The sealed cards of an event and its input. Raises JournalCorrupt."""
    try:
        return seal.open(sealed, uuid, number)
    except SealBroken as error:
        raise JournalCorrupt(f"{path}: event {number}: {error}") from None
