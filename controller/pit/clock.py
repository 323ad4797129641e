"""Whether the clock of the pit's computer is synchronised, watched while the pit runs."""

import asyncio
from collections.abc import Callable

import structlog

from controller.times import is_synchronised

WATCH_SECONDS = 10.0

log = structlog.get_logger()


class ClockWatch:
    """`synchronised` as it was seen last; `changed` is called whenever it changes."""

    def __init__(self) -> None:
        self.synchronised = True
        self.changed: Callable[[], None] = lambda: None

    def look(self) -> None:
        """Look now. A clock that is no longer synchronised is logged once."""
        before, self.synchronised = self.synchronised, is_synchronised()
        if self.synchronised != before:
            self.changed()
            if not self.synchronised:
                log.warning("the clock of this computer is not synchronised")

    async def run(self) -> None:
        """Look until this is cancelled."""
        while True:
            self.look()
            await asyncio.sleep(WATCH_SECONDS)
