"""Alarms of the pit itself: its database, its messages, and the clock of its computer, which is watched here."""

import asyncio
from collections.abc import Callable

import structlog

from controller.engine.state.alarms import Level
from controller.pit.database import DatabaseCause
from controller.pit.tiles import TileAlarm
from controller.system.times import is_synchronised, now
from controller.words import Words, in_every_language

LOCKED, UNFIT, NO_MONTHS, GAPS, FAILED, UNSYNCHRONISED = NAMES = (
    "database_locked",
    "database_unfit",
    "no_months",
    "gaps",
    "message_failed",
    "unsynchronised",
)
AWAY = "database_away"  # with a sentence for each cause
CRITICAL = (LOCKED, UNFIT, AWAY)  # nothing is stored meanwhile

log = structlog.get_logger()


class Alarms:
    """The alarms that are active in this process, by name. The page shows them; the log has each change."""

    def __init__(self) -> None:
        self._active: dict[str, TileAlarm] = {}
        self.changed: Callable[[], None] = lambda: None

    def active(self) -> tuple[TileAlarm, ...]:
        """The active alarms, in the order in which they began."""
        return tuple(self._active.values())

    def report(self, name: str, details: str, **values: object) -> None:
        """An alarm is active, with its sentence in the catalogues; `details` has the words of database or system."""
        self._report(name, in_every_language("pit_alarms", name, **values), details)

    def report_away(self, cause: DatabaseCause, details: str) -> None:
        """The database is away, for this cause."""
        self._report(AWAY, in_every_language("pit_alarms", f"database_away/{cause}"), details)

    def _report(self, name: str, texts: Words, details: str) -> None:
        known = self._active.get(name)
        if known is None or (known.texts, known.details) != (texts, details):
            since = now() if known is None else known.since
            level: Level = "critical" if name in CRITICAL else "warning"
            self._active[name] = TileAlarm(name, level, texts, since, details=details)
            log.error(texts["en"], alarm=name, details=details)
            self.changed()

    def clear(self, name: str) -> None:
        """An alarm is over, if it was active."""
        if self._active.pop(name, None) is not None:
            log.info("alarm over", alarm=name)
            self.changed()


WATCH_SECONDS = 10.0


def check_clock(alarms: Alarms) -> None:
    """Raises an alarm if the clock is not synchronised."""
    if is_synchronised():
        alarms.clear(UNSYNCHRONISED)
    else:
        alarms.report(UNSYNCHRONISED, "")


async def watch_clock(alarms: Alarms) -> None:
    """Checks the clock until cancelled."""
    while True:
        check_clock(alarms)
        await asyncio.sleep(WATCH_SECONDS)
