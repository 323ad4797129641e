"""The upkeep of a journal while its table runs: verifies the past, closes and prunes old parts, records
acknowledgements.
"""

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from controller.config.file import Config
from controller.engine.decisions.session import SegmentsExpired
from controller.engine.state.alarms import active
from controller.engine.state.events import JournalPruned
from controller.journal.closing import MESSAGE_FILES, SEGMENT_FILES, Closer, Lapsed, close_messages, close_segment
from controller.journal.pruning import expired_today, keep_from, lapsed_today
from controller.journal.records import JournalCorrupt, JournalUnavailable, Stamp
from controller.journal.store import TIDY_SECONDS
from controller.journal.verifying import Verifier
from controller.journal.writer import Writer
from controller.runtime.bus import FromStation, StationAlarm
from controller.runtime.clock import Clock
from controller.runtime.floor import TableAtFloor
from controller.runtime.loop import TableLoop, place_of

FLUSH_SECONDS = 0.5  # how long an acknowledgement of the floor may wait to be written down

log = structlog.get_logger()


class Upkeep:
    """Threads that work on a journal from `start` to `stop`; their findings are published on the loop."""

    def __init__(self, config: Config, writer: Writer, clock: Clock, publish_soon: Callable[[object], None]) -> None:
        self._config, self._writer, self._clock, self._publish_soon = config, writer, clock, publish_soon
        self._jump_logged = False
        journal = self._journal = writer.journal
        self._threads = (
            Verifier(journal.path, lambda: journal.end, self._broken, partial(self._ended, "verifier")),
            Closer(
                path=journal.path,
                files=SEGMENT_FILES,
                close=partial(close_segment, journal.path),
                take_up=journal.take_up,
                taken_up=lambda: journal.segment_taken_up,
                expired=self._expired_today,
                on_expired=lambda pruned: publish_soon(FromStation(SegmentsExpired(event=pruned))),
                on_broken=self._broken,
                on_defect=partial(self._ended, "closer"),
            ),
            Closer(
                path=journal.path,
                files=MESSAGE_FILES,
                close=lambda pause: close_messages(journal.path, clock.stamp().time, pause),
                take_up=journal.take_up,
                taken_up=lambda: journal.messages_taken_up,
                expired=self._lapsed_today,
                on_expired=journal.drop,
                on_broken=self._broken,
                on_defect=partial(self._ended, "closer"),
            ),
        )

    def start(self) -> None:
        """Starts the threads."""
        if (mark := self._journal.mark_unreadable) is not None:
            self._publish_soon(StationAlarm(active("mark_unreadable", f"{mark} is damaged")))
        for thread in self._threads:
            thread.start()

    async def stop(self) -> None:
        """Waits until every thread has ended, within a slice of its work."""
        for thread in self._threads:
            await asyncio.to_thread(thread.stop)

    async def flush(self, table: TableLoop, floor: TableAtFloor) -> None:
        """Writes the acknowledgements of the floor, until cancelled."""
        while True:
            await asyncio.sleep(TIDY_SECONDS if self._journal.untidy else FLUSH_SECONDS)
            try:
                self._writer.check_files()
                await floor.flush()
            except JournalUnavailable as error:
                table.journal_failed(error)

    # ---- in a thread of its own

    def _broken(self, broken: JournalCorrupt) -> None:
        self._publish_soon(StationAlarm(active("changed", str(broken))))

    def _ended(self, work: str, defect: Exception) -> None:
        where = place_of(defect)
        log.error("defect", thread=work, error=type(defect).__name__, where=where)
        self._publish_soon(StationAlarm(active(f"ended/{work}", where)))

    def _keep_from(self, now: Stamp, days: int) -> str | None:
        """As `keep_from`, and None if the clock has jumped since the station started."""
        before = keep_from(now, days)
        if before is None or not self._clock.has_jumped(now):
            return before
        if not self._jump_logged:
            self._jump_logged = True
            log.warning("nothing is pruned: the clock has jumped", expected="the computer restarted")
        return None

    def _expired_today(self) -> JournalPruned | None:
        now = self._clock.stamp()
        before = self._keep_from(now, self._config.keep_days)
        return None if before is None else expired_today(self._journal.path, before, now)

    def _lapsed_today(self) -> Lapsed | None:
        now, floor = self._clock.stamp(), self._config.floor
        before = self._keep_from(now, floor.keep_days)
        last = 0 if before is None else lapsed_today(self._journal.path, before, now, floor.archives)
        return (last, now) if last else None
