"""Who came to the console, as a journal has it. All calls block."""

from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.sign_ins import SIGN_IN_EVENTS, SignInEvent
from controller.journal.reading import reading, rows_opening

OF_A_SIGN_IN = b'{"type":"entry_'  # a row starts with its event's tag
_WORDS = len("entry_")


class JournaledSignIn(msgspec.Struct, frozen=True):
    """A sign-in, its end, or a refusal; `time` is the recorded one, UTC."""

    number: int
    time: str
    event: SignInEvent

    def told(self) -> dict[str, Any]:
        """As JSON has it: `event` is the event's number, `what` is made, ended, refused or locked."""
        content = msgspec.to_builtins(self.event)
        return {"event": self.number, "time": self.time, "what": content.pop("type")[_WORDS:], **content}


def last_sign_ins(path: Path, mode: str, last: int) -> list[JournaledSignIn]:
    """The last sign-ins of a journal, newest first.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    with reading(path, mode) as (db, _):
        which = f"WHERE substr(e.body, 1, ?) = ? ORDER BY e.id DESC LIMIT {last:d}"
        return [
            JournaledSignIn(number=number, time=stamp.time, event=event)
            for number, stamp, event in rows_opening(path, db, which, OF_A_SIGN_IN)
            if isinstance(event, SIGN_IN_EVENTS)
        ]


def ages(sign_ins: list[JournaledSignIn], now: datetime) -> list[tuple[float, SignInEvent]]:
    """These sign-ins, newest first, as oldest first with how many seconds ago each was, by the clock on the wall."""
    return [((now - datetime.fromisoformat(one.time)).total_seconds(), one.event) for one in reversed(sign_ins)]
