"""Reads a period from a journal, from the beginning of the round then in play. It blocks."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct

from controller.engine.outcomes import TooFarBack
from controller.engine.state.applied import Event, decode_event
from controller.engine.state.jackpot import JackpotEvent
from controller.engine.state.table import Table
from controller.floor.messages import Identity
from controller.journal.closing import EVENTS
from controller.journal.creation import AN_EVENT
from controller.journal.past import Past
from controller.journal.reading import reading
from controller.journal.segments import round_begun
from controller.statistics.course import MeasuredTime, moved_e4
from controller.statistics.day import TOGGLES, before, condition
from controller.system.times import now

MOST_ROWS = 200_000  # a busy day has some 60 000
MOST_ROWS_BACK = 500_000  # that are looked through for a day of before: a week of a busy table, some three seconds
MOVING = tuple(AN_EVENT + str(of.__struct_config__.tag).encode() + b'"' for of in (*TOGGLES, *get_args(JackpotEvent)))

DayRow = tuple[str, bytes]  # the time, and the event


def rows_of_day(path: Path, mode: str, events: int, day: str) -> list[DayRow]:
    """The rows of a day (UTC, ``2026-01-31``) and after it, oldest first, of a journal of so many events.

    They begin with the last round that had begun before that day, or where the journal does.

    Raises JournalUnavailable, JournalCorrupt or WrongJournal.
    """
    found: list[DayRow] = []
    with reading(path, mode) as (past, _):
        for _, time, _, _, _, body, *_ in islice(past.before(events + 1), MOST_ROWS):
            found.append((time, body))
            if time < day and round_begun(body):
                break
    return found[::-1]


class _Back(Struct):
    """How far back the events were read: the first row, its time, and whether it is early enough."""

    first: int = 0
    time: str = ""
    reached: bool = False
    moved_e4: int = 0  # of the pot, since


def _toggles_back(past: Past, events: int, since: str, back: _Back) -> Iterator[Event]:
    """The last events that changed the table's condition, newest first, back to a round that began before `since`.

    No row is kept: there may be hundreds of thousands.
    """
    rows = past.before(events + 1)
    for number, time, _, _, _, body, *_ in islice(rows, MOST_ROWS_BACK):
        back.first, back.time = number, time
        if body.startswith(MOVING):
            event = decode_event(body)
            back.moved_e4 += moved_e4(event) or 0
            if isinstance(event, TOGGLES):
                yield event
        if time < since and round_begun(body):
            back.reached = True
            return
    back.reached = next(rows, None) is None


def _read_to(past: Past, events: int, since: str) -> str | None:
    """How far back reading can go, if the segments show that `since` is earlier; else None."""
    wanted = next((segment.segment.first for segment in past.segments if segment.segment.times[1] >= since), events)
    readable = [segment.segment for segment in past.segments if segment.segment.first > events - MOST_ROWS_BACK]
    if events - wanted < MOST_ROWS_BACK + EVENTS or not readable:
        return None
    return readable[0].times[0]


def figures(
    path: Path, identity: Identity, table: Table, seats: int, since: str, until: str, dealer: str | None
) -> dict[str, Any] | TooFarBack:
    """The figures of a period (UTC, to the millisecond), of one dealer or of all; `table` is the present table.

    Raises JournalUnavailable, JournalCorrupt or WrongJournal.
    """
    back = _Back()
    with reading(path, identity.mode) as (past, _):
        read_to = _read_to(past, table.version, since)
        if read_to is not None:
            return TooFarBack(read_to)
        earlier = before(condition(table), _toggles_back(past, table.version, since, back))
        if not back.reached:
            return TooFarBack(back.time)
        pot = None if table.meter is None else table.meter.pot_e4 - back.moved_e4
        course = MeasuredTime(identity, back.time or since, earlier, seats, since, pot)
        for number, time, _, _, _, body, *_ in past.after(back.first - 1):
            if number > table.version:
                break
            if time < until:
                course.receive(time, decode_event(body))
    return course.figures(min(until, max(now(), since)), dealer)
