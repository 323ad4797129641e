"""Whether the clock of the pit's computer is synchronised, watched while the pit runs."""

import asyncio

from controller.pit.alarms import UNSYNCHRONISED, Alarms
from controller.system.times import is_synchronised

WATCH_SECONDS = 10.0


def check_clock(alarms: Alarms) -> None:
    """A clock that is not synchronised is an alarm."""
    if is_synchronised():
        alarms.clear(UNSYNCHRONISED)
    else:
        alarms.report(UNSYNCHRONISED, "")


async def watch_clock(alarms: Alarms) -> None:
    """Look until this is cancelled."""
    while True:
        check_clock(alarms)
        await asyncio.sleep(WATCH_SECONDS)
