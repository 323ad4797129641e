"""The time of events: UTC for people, boot id and monotonic for intervals, and whether the clock was synchronised."""

import os
import time
from pathlib import Path

from controller.journal.pruning import has_jumped
from controller.journal.records import Stamp
from controller.system.times import is_synchronised, now

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
GIVEN_BOOT_ID = "DEALER_STATION_BOOT_ID"  # of the service manager, which hides that file


REPORT_SECONDS = 600.0
"""The time without synchronisation after which an alarm is raised: a computer takes a minute to start."""


class Synchronisation:
    """Whether the clock is synchronised, and for how long it has not been. No I/O."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._is_reported = False

    def look(self, synchronised: bool, at: float) -> bool:
        """Whether a loss of synchronisation is to be reported now, at this monotonic time: once until the clock is
        synchronised again.
        """
        if synchronised:
            self._since, self._is_reported = None, False
            return False
        self._since = at if self._since is None else self._since
        is_late = at - self._since >= REPORT_SECONDS
        reports, self._is_reported = is_late and not self._is_reported, is_late
        return reports


class Clock:
    """Stamps events. No order ever depends on a stamp."""

    def __init__(self) -> None:
        self._synchronised: Stamp | None = None  # the first stamp that is
        given = os.environ.get(GIVEN_BOOT_ID)
        self._boot = given or (BOOT_ID.read_text().strip() if BOOT_ID.exists() else "unknown")

    def stamp(self) -> Stamp:
        """The stamp of this moment."""
        stamp = Stamp(
            time=now(),
            boot=self._boot,
            monotonic_ns=time.monotonic_ns(),
            synchronised=is_synchronised(),
        )
        if self._synchronised is None and stamp.synchronised:
            self._synchronised = stamp
        return stamp

    def has_jumped(self, now: Stamp) -> bool:
        """Whether the clock was set: it differs from its first synchronised time plus the time elapsed since."""
        return has_jumped(self._synchronised, now)
