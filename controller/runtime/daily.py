"""The statistics of the day while a station runs: restored from its journal, and carried on with what happens."""

import asyncio
from collections.abc import Callable, Iterable, Sequence

import msgspec
import structlog

from controller.engine.state.events import Event
from controller.floor.messages import Identity
from controller.floor.shapes import ToldStatistics
from controller.journal.records import JournalCorrupt, JournalUnavailable, Restored
from controller.queries.days import DayRow
from controller.statistics.day import TOGGLES, Day, before, standing

AT_ONCE = 25  # events of before that are folded without letting the table go on: a millisecond

_decode_event = msgspec.json.Decoder(Event).decode
log = structlog.get_logger()


class Daily:
    """The day of a table as it was restored; `read(day)` asks its journal for the rows of the day until then."""

    def __init__(self, identity: Identity, restored: Restored, seats: int, read: Callable[[str], list[DayRow]]) -> None:
        self._identity = identity
        self._stood = standing(restored.table)
        self._as_of = restored.sequence
        self._fresh = not restored.table.version
        self._seats = seats
        self._read = read
        self._day: Day | None = None
        self._since: list[tuple[str, Event]] = []  # what has happened before the day was restored

    def hear(self, time: str, events: Iterable[Event], as_of: int) -> None:
        """Something has become durable, up to the message `as_of`."""
        self._as_of = as_of
        if self._day is None:
            self._since += [(time, event) for event in events]
            return
        for event in events:
            self._day.hear(time, event)

    def told(self, time: str) -> ToldStatistics | None:
        """The statistics of now; None while the day is not yet restored."""
        return None if self._day is None else self._day.told(time, self._as_of)

    async def restore(self, now: str) -> None:
        """Go through what the journal has of the day, a little at a time: the table does not wait for it."""
        try:
            rows = [] if self._fresh else await asyncio.to_thread(self._read, now[:10])
        except (JournalUnavailable, JournalCorrupt) as error:
            log.warning("statistics begin now", reason=str(error))
            rows = []
        toggles: list[Event] = []
        for some in _slices(rows):
            toggles += [event for _, body in some if isinstance(event := _decode_event(body), TOGGLES)]
            await asyncio.sleep(0)
        day = Day(self._identity, rows[0][0] if rows else now, before(self._stood, reversed(toggles)), self._seats)
        for some in _slices(rows):
            for time, body in some:
                day.hear(time, _decode_event(body))
            await asyncio.sleep(0)
        for time, event in self._since:
            day.hear(time, event)
        self._day = day


def _slices(rows: Sequence[DayRow]) -> Iterable[Sequence[DayRow]]:
    return (rows[at : at + AT_ONCE] for at in range(0, len(rows), AT_ONCE))
