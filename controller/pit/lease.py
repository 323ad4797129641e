"""The lead of the archive: a row that its holder changes again and again, and that the others watch.

No process compares a time of day: each watches the row with its own monotonic clock, so that clocks of servers that
differ, or are set, delay no failover.
"""

import os
import socket
import time
from collections.abc import Callable
from random import randrange
from typing import Any, LiteralString

from psycopg import AsyncConnection

LEASE_SECONDS = 4
EPOCHS = 1_000_000
"""If the clock is behind the last epoch, the next epoch is higher by a random number up to this. So a restored database
and the one that it replaces do not lead in the same epoch.
"""
WATCH_SECONDS = LEASE_SECONDS / 10
"""How often a waiting process reads the row: it takes over later by at most this time."""


def lease_holder(work: str = "") -> str:
    """A name for this process as the holder of a lease; `work` is the name of its command."""
    return "/".join(filter(None, (work, socket.gethostname(), str(os.getpid()))))


class Lease:
    """A row of pit.leases, for one process. Raises psycopg.Error from any call."""

    def __init__(self, name: str, holder: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name, self._holder, self._clock = name, holder, clock
        self.epoch: int | None = None
        """The fencing epoch; None while another process leads."""
        self.above = 0
        """An epoch that was seen elsewhere: this process leads in a higher one."""
        self._until = 0.0
        self._seen: tuple[int, int] | None = None
        self._since = 0.0

    @property
    def seen(self) -> tuple[int, int] | None:
        """Epoch and beat of the row at the last read: another value proves that the holder is alive."""
        return self._seen

    def holds(self) -> bool:
        """Whether this process certainly still leads."""
        return self._clock() < self._until

    async def take(self, db: AsyncConnection[Any]) -> bool:
        """Keep the lead, or take it where the row has not changed for LEASE_SECONDS by this process's clock.

        An epoch is the time at which it began by the database's clock, in milliseconds since 1970. Where the last one,
        or `above`, is as high, it is above that: a database that was restored has forgotten the last epochs.
        """
        asked = self._clock()
        if self.epoch is not None:
            beats = "UPDATE pit.leases SET beat = beat + 1 WHERE name = %s AND epoch = %s RETURNING epoch"
            self.epoch = await _first(db, beats, (self._name, self.epoch))
        if self.epoch is None and await self._is_free(db):
            epoch, beat = self._seen or (None, None)
            query = """
                WITH time AS (SELECT floor(1000 * extract(epoch FROM now()))::bigint AS now)
                INSERT INTO pit.leases AS lease (name, holder, epoch, beat)
                SELECT %s, %s, CASE WHEN now > %s THEN now ELSE %s END, 0 FROM time
                ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, beat = 0,
                    epoch = CASE WHEN excluded.epoch > lease.epoch THEN excluded.epoch ELSE lease.epoch + %s END
                WHERE (lease.epoch, lease.beat) = (%s, %s)
                RETURNING epoch
            """
            jump = 1 + randrange(EPOCHS)
            values = self._name, self._holder, self.above, self.above + jump, jump, epoch, beat
            self.epoch = await _first(db, query, values)
        self._until = asked + LEASE_SECONDS if self.epoch is not None else 0.0
        return self.epoch is not None

    async def release(self, db: AsyncConnection[Any]) -> None:
        """Gives up the lead, so that another process can take it at once."""
        query = "UPDATE pit.leases SET holder = '', beat = beat + 1 WHERE name = %s AND epoch = %s"
        await db.execute(query, (self._name, self.epoch))

    async def _is_free(self, db: AsyncConnection[Any]) -> bool:
        query = "SELECT epoch, beat, holder FROM pit.leases WHERE name = %s"
        row = await (await db.execute(query, (self._name,))).fetchone()
        if row is None:
            return True
        now, seen = self._clock(), (row[0], row[1])  # a time before the answer might be before the change
        if seen != self._seen:
            self._seen, self._since = seen, now
        return not row[2] or now - self._since >= LEASE_SECONDS


async def _first(db: AsyncConnection[Any], query: LiteralString, values: tuple[object, ...]) -> int | None:
    row = await (await db.execute(query, values)).fetchone()
    return None if row is None else row[0]
