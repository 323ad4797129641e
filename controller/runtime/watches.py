"""The station's checks of its computer: whether the clock is synchronised, and for how long the disk has room."""

import asyncio
from contextlib import suppress
from math import ceil
from pathlib import Path

from controller.config.floor import Floor
from controller.engine.state.alarms import ActiveAlarm, active
from controller.runtime.bus import Bus, PublicationDue, StationAlarm
from controller.runtime.clock import REPORT_SECONDS, Clock, Synchronisation
from controller.runtime.view import View
from controller.telemetry.disk import Disk, Filling, free_bytes, taken_bytes

CLOCK_SECONDS = 10.0  # between two looks at whether it is synchronised
DISK_SECONDS = 60.0  # between two looks at how much room there is


class ClockWatch:
    """Shows whether the clock is synchronised; `reports` says whether a long loss of synchronisation raises an alarm.

    A simulation raises none: its computer may have no time server.
    """

    def __init__(self, clock: Clock, view: View, reports: bool, bus: Bus) -> None:
        self._clock, self._view, self._reports, self._bus = clock, view, reports, bus
        self._synchronisation = Synchronisation()

    async def run(self) -> None:
        """Checks again and again, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(CLOCK_SECONDS)

    def look(self) -> None:
        """Checks once."""
        stamp = self._clock.stamp()
        if self._view.show_clock(stamp.synchronised):
            self._bus.publish(PublicationDue())
        if self._synchronisation.look(stamp.synchronised, stamp.monotonic_ns / 1e9) and self._reports:
            self._bus.publish(StationAlarm(active("unsynchronised", minutes=round(REPORT_SECONDS / 60)), once=True))


def warn_if_exposed(floor: Floor, bus: Bus) -> None:
    """Raises an alarm if the table's password crosses a network in clear."""
    if floor.exposed:
        bus.publish(StationAlarm(active("exposed"), once=True))


async def watch_disk(folder: Path, bus: Bus, seconds: float = DISK_SECONDS) -> None:
    """Raises an alarm while the disk of the journal still has room for a day."""
    disk = Disk()
    while True:
        with suppress(OSError):  # the next commit notices it
            taken = await asyncio.to_thread(taken_bytes, folder)
            filling = disk.look(asyncio.get_running_loop().time(), free_bytes(folder), taken)
            if filling is not None:
                bus.publish(StationAlarm(disk_fills(filling)))
        await asyncio.sleep(seconds)


def disk_fills(filling: Filling) -> ActiveAlarm:
    """The alarm of a disk that fills, in whole hours, minutes and megabytes."""
    own = max(0, filling.by_journal)
    others = filling.written - own
    code = "disk_fills/others" if others // 1_000_000 > own // 1_000_000 else "disk_fills"
    sizes = {"free": filling.free, "own": own, "others": others}
    hours, minutes = ceil(filling.seconds / 3600), round(filling.over / 60)
    return active(code, hours=hours, minutes=minutes, **{name: size // 1_000_000 for name, size in sizes.items()})
