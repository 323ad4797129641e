"""Connections to the pit's database, the same for the archive, the books, the page and every command; and why it is
away: the cause of each error that PostgreSQL, libpq and the system report.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from controller.system.tasks import ended

ENCODING = "UTF8"
LOCK_SECONDS = 1.0  # well below the lease, which is renewed on the same connection
CANCEL_SECONDS = 1.0
LOOK_SECONDS = 0.1  # between two looks at who has the lock
NAME = "dealer-pit"
NONE: Mapping[str, str] = {}
HOLDERS = """
    SELECT application_name, pid, usename, to_char(coalesce(xact_start, state_change), 'YYYY-MM-DD HH24:MI:SS OF'),
        query
    FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids(%s))
"""


class UnfitDatabase(Exception):
    """The database cannot keep what tables publish; one sentence with the cure."""


class Locked(psycopg.OperationalError):
    """Another session has a lock that a statement needs; the text names the session."""


class PitConnection(AsyncConnection[Any]):
    """Closed at the end of an `async with`, also where that is cancelled: psycopg commits or rolls back before, which
    may wait. In autocommit mode there is nothing to commit.
    """

    async def __aexit__(self, *exception: object) -> None:
        await self.close()


async def connected(database: str, name: str = NAME, settings: Mapping[str, str] = NONE) -> AsyncConnection[Any]:
    """A connection in autocommit mode. `database` is a connection string of libpq.

    Text is UTF-8 in any environment. A statement waits for a lock at most LOCK_SECONDS, and so does the session of a
    process that was killed. Raises psycopg.Error and UnfitDatabase.
    """
    connection = await PitConnection.connect(database, autocommit=True, application_name=name, client_encoding=ENCODING)
    try:
        found = connection.info.parameter_status("server_encoding")
        if found != ENCODING:
            raise UnfitDatabase(
                f"the database {connection.info.dbname} has the encoding {found}, and the archive needs {ENCODING}: "
                "create another one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
            )
        wanted = {"lock_timeout": f"{LOCK_SECONDS:.3f}s", **settings}
        for setting in wanted.items():
            await connection.execute("SELECT set_config(%s, %s, false)", setting)
    except BaseException:
        await connection.close()
        raise
    return connection


async def dropped(connection: AsyncConnection[Any]) -> None:
    """Cancels the connection's statement and closes the connection: the session keeps no lock. The server may not
    answer.
    """
    try:
        with suppress(psycopg.Error, OSError):
            await connection.cancel_safe(timeout=CANCEL_SECONDS)
    finally:
        connection.pgconn.finish()


@asynccontextmanager
async def naming_holders(connection: AsyncConnection[Any]) -> AsyncIterator[None]:
    """Raises Locked, which names the owner of the lock, if a statement in the context waits too long for it."""
    looking = asyncio.create_task(_holders_while_waiting(connection))
    try:
        yield
    except psycopg.errors.LockNotAvailable:
        holders = (looking.done() and looking.result()) or "another session"
        raise Locked(f"the database waits for a lock of {holders}") from None
    finally:
        await ended(looking)


async def _holders_while_waiting(connection: AsyncConnection[Any]) -> str:
    await asyncio.sleep(LOCK_SECONDS / 5)  # most locks are gone by then, and a busy server has time to answer
    with suppress(psycopg.Error, OSError, UnfitDatabase):  # then no one knows
        return await _holders(connection)
    return ""


async def _holders(connection: AsyncConnection[Any]) -> str:
    own = make_conninfo(connection.info.dsn, password=connection.info.password or None)
    async with await connected(own, f"{NAME}-locks") as other:
        while True:
            rows = await (await other.execute(HOLDERS, (connection.info.backend_pid,))).fetchall()
            if rows:
                return "; ".join(_holder(*row) for row in rows)
            await asyncio.sleep(LOOK_SECONDS)


def _holder(application: str | None, pid: int, user: str | None, since: str | None, query: str) -> str:
    name = application or "a session without a name"
    return f"{name} (process {pid}, user {user}, since {since or 'unknown'}): {' '.join(query.split())[:200]}"


DatabaseCause = Literal[
    "unknown", "name_unknown", "nothing_listens", "unreachable", "no_answer", "hung_up", "tls_failed", "credentials",
    "no_database", "connections", "starting", "stopped", "disk_full", "forbidden", "read_only"
]  # fmt: skip
SQLSTATES: Mapping[str, DatabaseCause] = {
    "08000": "hung_up",
    "08003": "hung_up",
    "08006": "hung_up",
    "25006": "read_only",
    "28000": "credentials",
    "28P01": "credentials",
    "3D000": "no_database",
    "42501": "forbidden",
    "53100": "disk_full",
    "53300": "connections",
    "57P01": "stopped",
    "57P02": "stopped",
    "57P03": "starting",
    "57P05": "stopped",
}
PATTERNS: Mapping[str, DatabaseCause] = {  # the first that is found
    "failed to resolve host": "name_unknown",
    "could not translate host name": "name_unknown",
    "password authentication failed": "credentials",
    "no password supplied": "credentials",
    "authentication failed": "credentials",
    "no pg_hba.conf entry": "credentials",
    r'role "[^"]*" does not exist': "credentials",
    r'database "[^"]*" does not exist': "no_database",
    "permission denied for database": "forbidden",
    "too many (clients|connections)": "connections",
    "remaining connection slots": "connections",
    "the database system is": "starting",
    "Connection refused": "nothing_listens",
    "No such file or directory": "nothing_listens",
    "No route to host": "unreachable",
    "Network is unreachable": "unreachable",
    "terminating connection": "stopped",
    "timeout": "no_answer",
    "timed out": "no_answer",
    "certificate|SSL|TLS": "tls_failed",
    "server closed the connection|connection is (lost|closed)|consuming input failed": "hung_up",
}


def why_away(error: psycopg.Error) -> tuple[DatabaseCause, str]:
    """The cause, and the words of the error.

    A server reports SQLSTATE codes (PostgreSQL, appendix A). While it has not accepted a connection, libpq passes on
    its words alone.
    """
    words = " ".join(str(error).split())
    if (found := SQLSTATES.get(error.sqlstate or "")) is not None:
        return found, words
    if isinstance(error, psycopg.errors.ConnectionTimeout):
        return "no_answer", words
    return next((cause for pattern, cause in PATTERNS.items() if re.search(pattern, words)), "unknown"), words
