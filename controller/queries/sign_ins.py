"""Who came to the console, as a journal has it. All calls block."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.sign_ins import SIGN_IN_EVENTS, SignInEvent
from controller.journal.creation import KINDS
from controller.journal.reading import reading, rows_opening

_WORDS = len("entry_")


class JournaledSignIn(msgspec.Struct, frozen=True):
    """A sign-in, its end, or a refusal; `time` is the recorded one, UTC."""

    number: int
    time: str
    event: SignInEvent

    def told(self) -> dict[str, Any]:
        """As JSON has it: `event` is the event's number, `what` is made, ended, refused, locked or lifted."""
        content = msgspec.to_builtins(self.event)
        return {"event": self.number, "time": self.time, "what": content.pop("type")[_WORDS:], **content}


def last_sign_ins(path: Path, mode: str, last: int) -> list[JournaledSignIn]:
    """The last sign-ins of a journal, newest first.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    with reading(path, mode) as (db, _):
        return _sign_ins(path, db, f"ORDER BY e.id DESC LIMIT {last:d}")


def sign_ins_since(path: Path, mode: str, since: datetime) -> list[JournaledSignIn]:
    """Every sign-in of a journal since then, newest first. Raises as `last_sign_ins`."""
    with reading(path, mode) as (db, _):
        # Backwards: what lies before is not looked at, however long the journal is.
        first = "SELECT id FROM events WHERE time < ? ORDER BY id DESC LIMIT 1"
        (before,) = db.execute(
            first, (since.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),)
        ).fetchone() or (0,)
        return _sign_ins(path, db, f"AND e.id > {before:d} ORDER BY e.id DESC")


def _sign_ins(path: Path, db: sqlite3.Connection, which: str) -> list[JournaledSignIn]:
    return [
        JournaledSignIn(number=number, time=stamp.time, event=event)
        for number, stamp, event in rows_opening(path, db, KINDS["entry"], which)
        if isinstance(event, SIGN_IN_EVENTS)
    ]


def ages(sign_ins: list[JournaledSignIn], now: datetime) -> list[tuple[float, SignInEvent]]:
    """These sign-ins, newest first, as oldest first with how many seconds ago each was, by the clock on the wall."""
    return [((now - datetime.fromisoformat(one.time)).total_seconds(), one.event) for one in reversed(sign_ins)]
