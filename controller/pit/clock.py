"""Whether the clock of the pit's computer is synchronised, watched while the pit runs."""

import asyncio

from controller.pit.alarms import UNSYNCHRONISED, Alarms
from controller.system.times import is_synchronised

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
