"""Pruning: which rows have expired, and how many may be deleted in a day. All calls block.

A clock may be wrong although it is synchronised, and pruned rows are lost. So at most a month of the record is deleted
in a day, and nothing if the clock has jumped since the computer started.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from pathlib import Path

from controller.engine.state.events import JournalPruned
from controller.journal.message_files import files_of
from controller.journal.past import head_of, segments_of
from controller.journal.records import Stamp
from controller.journal.restoring import sealed_of
from controller.journal.segments import Segment
from controller.journal.sql import snapshot
from controller.system.times import as_utc

MOST = 2**63
MONTH = timedelta(days=31)
DAY = timedelta(days=1)
JUMP = timedelta(minutes=10)  # more than a clock is corrected by once it is synchronised


def keep_from(now: Stamp, days: int) -> str | None:
    """The time before which rows have expired; None while the journal keeps all, or without a synchronised clock."""
    if not days or not now.synchronised:
        return None
    return as_utc(datetime.fromisoformat(now.time) - timedelta(days=days))


def expired(path: Path, before: str) -> JournalPruned | None:
    """The rows to delete, all from before a time (UTC). Raises JournalUnavailable."""
    with snapshot(path) as db:
        return _pruned(_old(db, before), before)


def expired_today(path: Path, before: str, now: Stamp) -> JournalPruned | None:
    """The expired events as by `expired`, but of at most a month, and none within a day of the last pruning or after a
    jump of the clock.
    """
    with snapshot(path) as db:
        if not _is_another_day(head_of(db).pruned_at, now):
            return None
        old = _old(db, before)
        if not old or has_jumped(_earliest(db, now), now):
            return None
    until = as_utc(datetime.fromisoformat(old[0].times[0]) + MONTH)
    # One segment of a quiet table may hold more than a month.
    return _pruned(list(takewhile(lambda segment: segment.times[1] < until, old)) or old[:1], before)


def lapsed_today(path: Path, before: str, now: Stamp, archives: Sequence[str]) -> int:
    """The last message in files that has expired, at most a month of them in a day; 0 if none has.

    They are older than a given time, and the broker and every archive have them. Raises JournalUnavailable.
    """
    with snapshot(path) as db:
        head = head_of(db)
        if not _is_another_day(head.lapsed_at, now):
            return 0
        through = dict(db.execute("SELECT archive, through FROM archives").fetchall())
        most = min([head.acknowledged, *(through.get(archive, 0) for archive in archives)])
        old = list(takewhile(lambda file: file.time < before and file.last <= most, files_of(db)))
        if not old or has_jumped(_earliest(db, now), now):
            return 0
    until = as_utc(datetime.fromisoformat(old[0].time) + MONTH)
    return (list(takewhile(lambda file: file.time < until, old)) or old[:1])[-1].last


def has_jumped(earlier: Stamp | None, now: Stamp) -> bool:
    """Whether the clock jumped: it differs from the time that has passed in the same boot."""
    if earlier is None or earlier.boot != now.boot or now.monotonic_ns < earlier.monotonic_ns:
        return False
    ran = timedelta(microseconds=(now.monotonic_ns - earlier.monotonic_ns) // 1000)
    return abs(datetime.fromisoformat(now.time) - datetime.fromisoformat(earlier.time) - ran) > JUMP


def _old(db: sqlite3.Connection, before: str) -> list[Segment]:
    # In a round that has been open for so long, cards are still sealed.
    sealed = [number for (body,) in db.execute("SELECT body FROM snapshots") for number in sealed_of(body)]
    last = min(sealed, default=MOST) - 1
    return list(takewhile(lambda segment: segment.times[1] < before and segment.last <= last, segments_of(db)))


def _pruned(old: Sequence[Segment], before: str) -> JournalPruned | None:
    return JournalPruned(old[0].first, old[-1].last, len(old), old[-1].hash.hex(), before) if old else None


def _is_another_day(last: Stamp | None, now: Stamp) -> bool:
    if last is None:
        return True
    if last.boot == now.boot:
        return now.monotonic_ns - last.monotonic_ns >= DAY // timedelta(microseconds=1) * 1000
    return datetime.fromisoformat(now.time) - datetime.fromisoformat(last.time) >= DAY


def _earliest(db: sqlite3.Connection, now: Stamp) -> Stamp | None:
    """The first event of this boot in the journal's own file whose clock was synchronised."""
    which = "WHERE boot = ? AND synchronised = 1 ORDER BY id LIMIT 1"
    row = db.execute(f"SELECT time, monotonic_ns FROM events {which}", (now.boot,)).fetchone()
    return None if row is None else Stamp(row[0], now.boot, row[1], True)
