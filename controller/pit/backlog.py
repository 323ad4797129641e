"""For the page: the number of messages of each table that the archive does not have yet."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection

from controller.pit.database import UnfitDatabase
from controller.pit.inbox import TableJournal
from controller.pit.readings import watched

LOOK_SECONDS = 2.0
THROUGH = 'SELECT site, "table", journal, through FROM pit.journals'


class Backlog:
    """The archive's backlog: `behind` by site and table, as last read; `changed` is called when it changes. `database`
    is a connection string of libpq.

    A table counts with what it had published at the previous look: messages on their way are not a backlog.
    """

    def __init__(self, database: str) -> None:
        self._database = database
        self.behind: dict[tuple[str, str], int] = {}
        self.changed: Callable[[], None] = lambda: None
        self._published: dict[tuple[str, str], tuple[TableJournal, int]] = {}
        self._before: dict[tuple[str, str], tuple[TableJournal, int]] = {}
        self._through: dict[TableJournal, int] | None = None

    def published(self, journal: TableJournal, last: int) -> None:
        """A table has published that its journal has this number of messages."""
        self._published[journal.site, journal.table] = journal, last

    def forget(self, site: str, table: str) -> None:
        """Forgets a table that is gone."""
        self._published.pop((site, table), None)

    async def run(self) -> None:
        """Counts again and again until cancelled. While the database is offline, the last counts stay."""
        while True:
            with suppress(psycopg.Error, OSError, UnfitDatabase):  # the archive has an alarm, and its reason
                await watched(self._database, "backlog", LOOK_SECONDS, self._read)
            self._look()
            await asyncio.sleep(LOOK_SECONDS)

    async def _read(self, connection: AsyncConnection[Any]) -> None:
        rows = await (await connection.execute(THROUGH)).fetchall()
        self._through = {TableJournal(*own): through for *own, through in rows}
        self._look()

    def _look(self) -> None:
        through = self._through
        if through is not None:
            found = {key: max(0, last - through.get(journal, 0)) for key, (journal, last) in self._before.items()}
            if found != self.behind:
                self.behind = found
                self.changed()
        self._before = dict(self._published)
