"""The linked pots according to the books, for page and log: which are stopped, and which grants are not paid."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import psycopg
import structlog
from psycopg import AsyncConnection

from controller.pit.database import UnfitDatabase
from controller.pit.ledger.state import PotLedger
from controller.pit.readings import watched

WATCH_SECONDS = 5.0
UNPAID_SECONDS = 3600
"""A granted claim that is not paid after this time is an alarm."""

log = structlog.get_logger()


class OpenClaim(msgspec.Struct, frozen=True):
    """A claim that was granted `minutes` ago, by the clock of the database, and is not paid; minor units."""

    table: str
    claim: str
    amount: int
    minutes: int
    late: bool


class OfferedKey(msgspec.Struct, frozen=True):
    """A public key with which a table has signed, and which two persons have not accepted."""

    table: str
    key: str


class LinkShown(msgspec.Struct, frozen=True):
    """A linked pot that `tables` share, minor units; `stopped` is why it waits for two persons, or ""."""

    link: str
    stopped: str
    claims: tuple[OpenClaim, ...] = ()
    offered: tuple[OfferedKey, ...] = ()
    tables: tuple[str, ...] = ()
    pot: int | None = None


class LinksWatch:
    """`links` as they were read last; `changed` is called whenever they change. `database` is libpq's."""

    def __init__(self, database: str) -> None:
        self._database = database
        self.links: tuple[LinkShown, ...] = ()
        self.changed: Callable[[], None] = lambda: None
        self._logged: set[str] = set()

    async def run(self) -> None:
        """Read the books repeatedly until cancelled, also across any absence of the database."""
        while True:
            try:
                await watched(self._database, "links", WATCH_SECONDS, self._read)
            except (psycopg.Error, OSError, UnfitDatabase) as failure:
                log.warning("the linked pots cannot be read", reason=str(failure).strip() or "no answer")
            await asyncio.sleep(WATCH_SECONDS)

    async def _read(self, connection: AsyncConnection[Any]) -> None:
        self._take(await shown_links(connection))

    def _take(self, links: tuple[LinkShown, ...]) -> None:
        before, self.links = self.links, links
        if links != before:
            self.changed()
        stopped = {link.link: link.stopped for link in before}
        for link in links:
            if link.stopped and link.stopped != stopped.get(link.link):
                log.warning("a linked pot is stopped", link=link.link, reason=link.stopped)
            for claim in link.claims:
                if claim.late and claim.claim not in self._logged:
                    self._logged.add(claim.claim)
                    log.warning("a granted claim is not paid", link=link.link, **msgspec.to_builtins(claim))


async def shown_links(connection: AsyncConnection[Any]) -> tuple[LinkShown, ...]:
    """The linked pots now. Raises psycopg.Error."""
    links = await _rows(connection, "SELECT link, state::text FROM pit.links ORDER BY link")
    query = """
        SELECT link, claim, state->>'table', floor(extract(epoch FROM now() - open_since))::bigint,
            (SELECT sum((award->>'amount')::bigint)::bigint FROM json_array_elements(state->'grant'->'awards') AS award)
        FROM pit.link_claims WHERE open_since IS NOT NULL ORDER BY link, place
    """
    claims: dict[str, list[OpenClaim]] = {}
    for link, claim, table, age, amount in await _rows(connection, query):
        claims.setdefault(link, []).append(OpenClaim(table, claim, amount, age // 60, age >= UNPAID_SECONDS))
    offered: dict[str, list[OfferedKey]] = {}
    query = """
        SELECT link, one.key, json_array_elements_text(one.value)
        FROM pit.links, json_each(state->'offered') AS one ORDER BY 1, 2
    """
    for link, table, key in await _rows(connection, query):
        offered.setdefault(link, []).append(OfferedKey(table, key))
    ledgers = [(link, msgspec.json.decode(state, type=PotLedger)) for link, state in links]
    return tuple(
        LinkShown(
            link,
            ledger.stopped,
            tuple(claims.get(link, ())),
            tuple(offered.get(link, ())),
            ledger.tables,
            None if ledger.stopped else ledger.pot.pot,
        )
        for link, ledger in ledgers
    )


async def _rows(connection: AsyncConnection[Any], query: str) -> list[tuple[Any, ...]]:
    return await (await connection.execute(query.encode())).fetchall()
