"""What a journal holds, read from its file alone: read-only, event after event, as far as it has grown."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.state.applied import Event, apply
from controller.engine.state.table import Table, next_step
from controller.rulebook.steps import PHASE_OF

WAITING = """SELECT count(*) FROM outbox WHERE sequence > (
             SELECT json_extract(CAST(value AS TEXT), '$.acknowledged') FROM meta WHERE key = 'head')"""
_decode = msgspec.json.Decoder(Event).decode


def read_only(journal: Path) -> sqlite3.Connection:
    """The journal's file, for reading."""
    return sqlite3.connect(f"file:{journal}?mode=ro", uri=True)


class JournalEye:
    """Folds a growing journal, and notices when what it has read is not as it was."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._read = 0
        self._hash = b""
        self.table = Table()

    def look(self) -> str | None:
        """Fold what has come since; the phase of the round the table is in, None outside a round."""
        with closing(read_only(self._journal)) as file:
            if self._read:
                (kept,) = file.execute("SELECT hash FROM events WHERE id = ?", (self._read,)).fetchone()
                assert kept == self._hash, f"event {self._read} was changed"
            rows = file.execute("SELECT id, body, hash FROM events WHERE id > ? ORDER BY id", (self._read,))
            for number, body, hash in rows:
                assert number == self._read + 1, f"event {self._read + 1} is missing"
                self.table = apply(self.table, _decode(body))
                self._read, self._hash = number, hash
        return None if self.table.round is None else PHASE_OF[next_step(self.table).kind]


def event_bodies(journal: Path) -> list[dict[str, Any]]:
    """Every event's plain text, in order."""
    with closing(read_only(journal)) as file:
        return [json.loads(body) for (body,) in file.execute("SELECT body FROM events ORDER BY id")]


def outbox_rows(journal: Path) -> int:
    """How many messages wait for the floor."""
    with closing(read_only(journal)) as file:
        count: int = file.execute(WAITING).fetchone()[0]
        return count


def fingerprints(folder: Path) -> dict[str, str]:
    """A digest of every file in the journal's folder, by name."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir()) if file.is_file()
    }
