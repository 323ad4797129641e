"""The statistics of the day while a station runs: restored from its journal, then updated by events."""

import asyncio
from collections.abc import Callable, Iterable, Sequence

import structlog

from controller.engine.state.applied import Event, decode_event
from controller.floor.messages import Identity
from controller.journal.records import JournalCorrupt, JournalUnavailable, Restored
from controller.queries.days import DayRow
from controller.rulebook.events import RoundConfirmed
from controller.runtime.bus import Bus, Committed, PublicationDue
from controller.runtime.clock import Clock
from controller.runtime.view import View
from controller.statistics.day import TOGGLES, Day, before, condition

STATISTICS_SECONDS = 60.0
AT_ONCE = 25  # events of before that are folded without letting the table continue: a millisecond

log = structlog.get_logger()


class Daily:
    """The day of a table as it was restored; `read(day)` asks its journal for the rows of the day until then."""

    def __init__(
        self,
        identity: Identity,
        restored: Restored,
        seats: int,
        read: Callable[[str], list[DayRow]],
        clock: Clock,
        view: View,
        bus: Bus,
    ) -> None:
        self._identity = identity
        self._before = condition(restored.table)
        self._as_of = restored.sequence
        self._fresh = not restored.table.version
        self._seats, self._read = seats, read
        self._clock, self._view, self._bus = clock, view, bus
        self._day: Day | None = None
        self._since: list[tuple[str, Event]] = []  # what has happened before the day was restored

    def committed(self, committed: Committed) -> None:
        """Counts a commit."""
        if not committed.events:
            return
        self._as_of = committed.sequence
        for event in committed.events:
            if self._day is None:
                self._since.append((committed.time, event))
            else:
                self._day.receive(committed.time, event)
        if any(isinstance(event, RoundConfirmed) for event in committed.events):
            self._show()

    async def keep(self) -> None:
        """Restores the day, and shows it again and again, until cancelled."""
        await self._restore(self._clock.stamp().time)
        while True:
            self._show()
            await asyncio.sleep(STATISTICS_SECONDS)

    def _show(self) -> None:
        """Shows the day, if it is restored."""
        if self._day is not None:
            self._view.show_statistics(self._day.statistics(self._clock.stamp().time, self._as_of))
            self._bus.publish(PublicationDue())

    async def _restore(self, now: str) -> None:
        """Reads the day from the journal, a little at a time: the table does not wait for it."""
        try:
            rows = [] if self._fresh else await asyncio.to_thread(self._read, now[:10])
        except (JournalUnavailable, JournalCorrupt) as error:
            log.warning("statistics begin now", reason=str(error))
            rows = []
        toggles: list[Event] = []
        for some in _slices(rows):
            toggles += [event for _, body in some if isinstance(event := decode_event(body), TOGGLES)]
            await asyncio.sleep(0)
        day = Day(self._identity, rows[0][0] if rows else now, before(self._before, reversed(toggles)), self._seats)
        for some in _slices(rows):
            for time, body in some:
                day.receive(time, decode_event(body))
            await asyncio.sleep(0)
        for time, event in self._since:
            day.receive(time, event)
        self._day = day


def _slices(rows: Sequence[DayRow]) -> Iterable[Sequence[DayRow]]:
    return (rows[at : at + AT_ONCE] for at in range(0, len(rows), AT_ONCE))
