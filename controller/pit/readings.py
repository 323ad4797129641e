"""The questions of the pit's page to the archive: figures and curves that PostgreSQL adds up, on a connection of its
own.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import structlog
from psycopg import AsyncConnection

from controller.engine.outcomes import JournalUnreadable, NotFound
from controller.pit.database import NAME, UnfitDatabase, connected, dropped
from controller.system.tasks import cancellable

# To compile such a question takes longer than to answer it.
SETTINGS = {"default_transaction_read_only": "on", "statement_timeout": "10s", "jit": "off", "work_mem": "16MB"}
ANSWER_SECONDS = 15.0  # of all questions of an answer; a server that is gone does not keep its own time-out
AS_JSON = "SELECT coalesce(json_agg(one), '[]')::text FROM ({}) AS one"

ROUNDS = """
    SELECT round, coalesce(confirmed, received) AS confirmed, outcome, occupied, handle, win, confirmed_by,
        win - coalesce(
            (
                SELECT sum(net) FROM pit.lines
                WHERE lines.site = rounds.site AND lines."table" = rounds."table" AND lines.confirmed = rounds.confirmed
                    AND lines.journal = rounds.journal AND lines.sequence = rounds.sequence AND lines.wager = 'jackpot'
            ),
            0
        ) AS win_with_jackpot,
        void_article, void_reason, currency, exponent
    FROM pit.rounds WHERE site = %(site)s AND "table" = %(table)s
    ORDER BY received DESC, rounds.confirmed DESC NULLS LAST, sequence DESC LIMIT 20
"""
ALARMS = """
    SELECT coalesce(last.time, last.received) AS time, last.site, last."table", last.what, last.alarm,
        coalesce(
            last.texts,
            (
                SELECT texts FROM pit.alarms AS raised
                WHERE raised.site = last.site AND raised."table" = last."table" AND raised.alarm = last.alarm
                    AND raised.what = 'raised' AND raised.received <= last.received
                ORDER BY raised.received DESC, raised.sequence DESC LIMIT 1
            )
        ) AS text,
        last.actor
    FROM (
        SELECT * FROM pit.alarms WHERE true {}
        ORDER BY received DESC, alarms.time DESC NULLS LAST, sequence DESC LIMIT 200
    ) AS last
    ORDER BY last.received DESC, last.time DESC NULLS LAST, last.sequence DESC
"""
OF_TABLE = """AND site = %(site)s AND "table" = %(table)s"""
POTS = """
    SELECT site, "table", currency, exponent, extract(epoch FROM time)::bigint AS at, pot
    FROM (
        SELECT DISTINCT ON (site, "table", {bucket}) *
        FROM pit.pots
        WHERE time > now() - interval '24 hours' AND received > now() - interval '24 hours' {of}
        ORDER BY site, "table", {bucket}, time DESC
    ) AS last
    ORDER BY site, "table", time
"""
HITS = """
    SELECT coalesce(locked, received) AS time, site, "table", round, seat, tier, amount, currency, exponent, article,
        paid, slip, confirmed_by, withdrawn
    FROM pit.hits WHERE received > now() - interval '31 days' ORDER BY received DESC, hit DESC LIMIT 1000
"""
BY_HOUR, BY_TEN_MINUTES = "date_trunc('hour', time)", "date_bin('10 minutes', time, timestamptz 'epoch')"
HOURS = """
    SELECT extract(epoch FROM hour)::bigint AS at, rounds, open_minutes, hold, expected, band, sigmas,
        shuffle_minutes, jam_minutes, dispute_minutes, device_minutes, broker_minutes
    FROM pit.kpis WHERE hour > now() - interval '24 hours' AND site = %(site)s AND "table" = %(table)s ORDER BY hour
"""
ALL_HOURS = """
    SELECT extract(epoch FROM hour)::bigint AS at, sum(rounds) AS rounds,
        count(DISTINCT (site, "table")) FILTER (WHERE rounds > 0) AS tables,
        sum(shuffle_minutes) AS shuffle_minutes, sum(jam_minutes) AS jam_minutes,
        sum(dispute_minutes) AS dispute_minutes, sum(device_minutes) AS device_minutes,
        sum(broker_minutes) AS broker_minutes
    FROM pit.kpis WHERE hour > now() - interval '24 hours' GROUP BY hour ORDER BY hour
"""
WIN_BY_HOUR = """
    SELECT extract(epoch FROM hour)::bigint AS at, currency, exponent, sum(win - jackpot_win) AS win,
        sum(win) AS win_with_jackpot
    FROM pit.kpis WHERE hour > now() - interval '24 hours'
    GROUP BY hour, currency, exponent ORDER BY currency, exponent, hour
"""
ROUNDS_BY_HOUR = """
    SELECT site, "table", extract(epoch FROM hour)::bigint AS at, rounds
    FROM pit.kpis WHERE hour > now() - interval '24 hours' ORDER BY site, "table", hour
"""

log = structlog.get_logger()


class ArchiveReader:
    """One connection that only reads, made when it is needed. `database` is a connection string of libpq."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._connection: AsyncConnection[Any] | None = None
        self._turn = asyncio.Lock()

    async def of_table(self, site: str, table: str) -> bytes | NotFound:
        """The last rounds of a table, its alarms, and its curves."""
        return await self._ask(
            {
                "rounds": ROUNDS,
                "alarms": ALARMS.format(OF_TABLE),
                "pots": POTS.format(bucket=BY_TEN_MINUTES, of=OF_TABLE),
                "hours": HOURS,
            },
            {"site": site, "table": table},
        )

    async def alarms(self) -> bytes | NotFound:
        """The last alarms of all tables, newest first."""
        return await self._ask({"alarms": ALARMS.format("")})

    async def pots(self) -> bytes | NotFound:
        """The pots of the last day, hour by hour, and the hits of the last 31 days, newest first."""
        return await self._ask({"pots": POTS.format(bucket=BY_HOUR, of=""), "hits": HITS})

    async def hours(self) -> bytes | NotFound:
        """The figures of all tables in the last day, hour by hour, the amounts won, and the rounds of each table."""
        return await self._ask({"hours": ALL_HOURS, "wins": WIN_BY_HOUR, "tables": ROUNDS_BY_HOUR})

    async def close(self) -> None:
        """Closes the connection to the database."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await dropped(connection)

    async def _ask(self, queries: dict[str, str], values: dict[str, str] | None = None) -> bytes | NotFound:
        found = []
        async with self._turn:
            try:
                with cancellable():
                    async with asyncio.timeout(ANSWER_SECONDS):
                        for name, query in queries.items():
                            found.append(f'"{name}": {await self._text(AS_JSON.format(query), values)}')
            except (psycopg.Error, OSError, UnfitDatabase) as failure:
                log.warning("the archive cannot be read", reason=str(failure).strip() or "it does not answer")
                await self.close()
                return JournalUnreadable("the archive cannot be read now")
        return f"{{{', '.join(found)}}}".encode()

    async def _text(self, query: str, values: dict[str, str] | None) -> str:
        if self._connection is None:
            self._connection = await connected(self._database, f"{NAME}-page", SETTINGS)
        row = await (await self._connection.execute(query.encode(), values)).fetchone()
        return str(row[0]) if row is not None else "[]"


async def watched(
    database: str, name: str, seconds: float, look: Callable[[AsyncConnection[Any]], Awaitable[None]]
) -> None:
    """Reads the archive again and again, on one read-only connection, until cancelled. Raises psycopg.Error, OSError
    and UnfitDatabase.
    """
    connection = await connected(database, f"{NAME}-{name}", SETTINGS)
    try:
        while True:
            with cancellable():
                async with asyncio.timeout(ANSWER_SECONDS):
                    await look(connection)
            await asyncio.sleep(seconds)
    finally:
        await dropped(connection)
