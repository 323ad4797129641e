"""The console's door, hung into its frame: the configuration's persons and times, and the journal of entries."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import structlog

from controller.config.file import Config
from controller.console.door import Door
from controller.console.presence import Limits
from controller.engine.entries import EntryEvent
from controller.queries.entries import ages, last_entries

ENTRIES_RESUMED = 200  # read back at a start: a lock-out outlives it

log = structlog.get_logger()


def hung_door(config: Config, journal: Path, note: Callable[[EntryEvent], None]) -> Door | None:
    """The door; None in a simulation with PINs off. Raises JournalUnavailable or JournalCorrupt."""
    log_in = config.log_in
    if not log_in.required:
        return None
    door = Door(
        people=config.people,
        pins=log_in.pin_file,
        limits=Limits(dealer_idle=log_in.dealer_idle, idle=log_in.idle, longest=log_in.longest),
        note=note,
    )
    door.attempts.resume(ages(last_entries(journal, config.mode, ENTRIES_RESUMED), datetime.now(UTC)))
    return door


def tell_of(door: Door | None, config: Config) -> None:
    """Say in the log, as the station starts, where nobody can log in or nobody needs to."""
    closed = None if door is None else door.why_closed()
    if door is None:
        log.info("PINs are off in this simulation: whoever is named is believed")
    elif closed is not None:
        remedy = f"dealer-station pin NAME --config {config.path}"
        log.warning("nobody can log in: the console only shows", reason=closed, expected=remedy)
