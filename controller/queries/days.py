"""What a journal has of a stretch of time, with the round that was in play when it began. It blocks."""

from itertools import islice
from pathlib import Path
from typing import Any, get_args

import msgspec

from controller.engine.events import Event
from controller.engine.jackpot_events import JackpotEvent
from controller.engine.outcomes import TooFarBack
from controller.engine.table import Table
from controller.floor.messages import Identity
from controller.journal.creation import AN_EVENT
from controller.journal.reading import reading
from controller.journal.segments import round_begun
from controller.statistics.course import Course, moved_e4
from controller.statistics.day import TOGGLES, before, standing
from controller.times import now

MOST_ROWS = 200_000  # a busy day has some 60 000
MOST_ROWS_BACK = 500_000  # that are looked through for a day of before: a week of a busy table, some three seconds
MOVING = tuple(AN_EVENT + str(one.__struct_config__.tag).encode() + b'"' for one in (*TOGGLES, *get_args(JackpotEvent)))

DayRow = tuple[str, bytes]  # the time, and the event

_decode_event = msgspec.json.Decoder(Event).decode


def rows_of_day(path: Path, mode: str, events: int, day: str) -> list[DayRow]:
    """The rows of a day (UTC, ``2026-01-31``) and after it, oldest first, of a journal of so many events.

    They begin with the last round that had begun before that day, or where the journal does.

    Raises JournalUnavailable, JournalCorrupt or WrongJournal.
    """
    return _rows(path, mode, events, day, "", MOST_ROWS)[0]


def _rows(path: Path, mode: str, events: int, since: str, until: str, most: int) -> tuple[list[DayRow], str | None]:
    """The rows from a time on; of those from `until` on what moves the table or its pot.

    Where these are not all, with the time back to which was read.
    """
    found: list[DayRow] = []
    time = None
    with reading(path, mode) as (past, _):
        rows = past.before(events + 1)
        for _, time, _, _, _, body, *_ in islice(rows, most):
            if not until or time < until or body.startswith(MOVING):
                found.append((time, body))
            if time < since and round_begun(body):
                return found[::-1], None
        return found[::-1], None if next(rows, None) is None else time


def figures(
    path: Path, identity: Identity, table: Table, seats: int, since: str, until: str, dealer: str | None
) -> dict[str, Any] | TooFarBack:
    """The figures of a stretch of time (UTC, to the millisecond), of one dealer or of all; `table` is as it stands now.

    Raises JournalUnavailable, JournalCorrupt or WrongJournal.
    """
    rows, read_to = _rows(path, identity.mode, table.version, since, until, MOST_ROWS_BACK)
    if read_to is not None:
        return TooFarBack(read_to)
    events = [(time, _decode_event(body)) for time, body in rows]
    stood = before(standing(table), (event for _, event in reversed(events) if isinstance(event, TOGGLES)))
    pot = None if table.meter is None else table.meter.pot_e4 - sum(moved_e4(event) or 0 for _, event in events)
    course = Course(identity, rows[0][0] if rows else since, stood, seats, since, pot)
    for time, event in events:
        if time < until:
            course.hear(time, event)
    return course.figures(min(until, max(now(), since)), dealer)
