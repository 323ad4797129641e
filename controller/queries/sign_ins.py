"""The log-ins at the console, from a journal. All calls block."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.state.events import SIGN_IN_EVENTS, SignInEvent
from controller.journal.past import Past
from controller.journal.reading import reading
from controller.system.times import as_utc

_WORDS = len("entry_")


class JournaledSignIn(msgspec.Struct, frozen=True):
    """A sign-in, its end, or a refusal; `time` is the recorded one, UTC."""

    number: int
    time: str
    event: SignInEvent

    def as_published(self) -> dict[str, Any]:
        """A log-in in its JSON form: `event` is the event's number, `what` is made, ended, refused, locked or
        lifted.
        """
        content = msgspec.to_builtins(self.event)
        return {"event": self.number, "time": self.time, "what": content.pop("type")[_WORDS:], **content}


def last_sign_ins(path: Path, mode: str, last: int) -> list[JournaledSignIn]:
    """The last sign-ins of a journal, newest first. Raises JournalUnavailable, JournalCorrupt, or WrongJournal if it is
    of the other mode.
    """
    with reading(path, mode) as (past, _):
        return list(islice(_sign_ins(past), last))


def sign_ins_since(path: Path, mode: str, since: datetime) -> list[JournaledSignIn]:
    """Every sign-in of a journal since then, newest first. Raises as `last_sign_ins`."""
    # Backwards: what is before is not looked at, however long the journal is.
    first = as_utc(since)
    with reading(path, mode) as (past, _):
        return list(takewhile(lambda entry: entry.time >= first, _sign_ins(past)))


def _sign_ins(past: Past) -> Iterator[JournaledSignIn]:
    for number, stamp, event in past.of_kind("entry", newest_first=True):
        if isinstance(event, SIGN_IN_EVENTS):
            yield JournaledSignIn(number=number, time=stamp.time, event=event)


def ages(sign_ins: list[JournaledSignIn], now: datetime) -> list[tuple[float, SignInEvent]]:
    """These sign-ins, oldest first, each with the number of seconds since it, by the computer's clock."""
    return [((now - datetime.fromisoformat(entry.time)).total_seconds(), entry.event) for entry in reversed(sign_ins)]
