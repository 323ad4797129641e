"""The time of events: UTC for people, boot id and monotonic for intervals, and whether the clock was synchronised."""

import os
import time
from pathlib import Path

from controller.journal.records import Stamp
from controller.times import is_synchronised, now

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
TOLD_BOOT_ID = "DEALER_STATION_BOOT_ID"  # of the service manager, which hides that file


class Clock:
    """Stamps events. Nothing is ever ordered by a stamp."""

    def __init__(self) -> None:
        told = os.environ.get(TOLD_BOOT_ID)
        self._boot = told or (BOOT_ID.read_text().strip() if BOOT_ID.exists() else "unknown")

    def stamp(self) -> Stamp:
        """Now."""
        return Stamp(
            time=now(),
            boot=self._boot,
            monotonic_ns=time.monotonic_ns(),
            synchronised=is_synchronised(),
        )
