"""Runs a command's work on the archive: on one snapshot, without gaps on which no person has decided, and with an exit
code for each failure.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import psycopg
from psycopg import AsyncConnection

from controller.command_line.output import EXIT_CONFIGURATION, EXIT_OUTPUT, EXIT_TEMPORARY, EXIT_UNAVAILABLE
from controller.pit.archive import Superseded
from controller.pit.database import Locked, UnfitDatabase, connected
from controller.pit.refusals import CannotReport, refuse

# A partition that is dropped is missing in a snapshot of before too.
_NO_MONTH_GOES = "LOCK TABLE pit.messages, pit.alarms, pit.persons IN ACCESS SHARE MODE"


def in_one_moment(database: str, work: Callable[[AsyncConnection[Any]], Coroutine[Any, Any, int]]) -> int:
    """Works on a snapshot of the archive; returns the exit code, also if the work fails."""

    async def run() -> int:
        async with await connected(database) as connection, connection.transaction():
            await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            await connection.execute(_NO_MONTH_GOES)
            return await work(connection)

    return exit_code_of(run)


def exit_code_of(run: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Returns the exit code of work on the archive; if the work fails, prints the reason on standard error."""
    try:
        return asyncio.run(run())
    except CannotReport as cannot:
        return refuse(cannot, cannot.code)
    except Superseded as other:
        return refuse(f"{other}: stop it first", EXIT_TEMPORARY)
    except Locked as locked:
        return refuse(f"{locked}: run this again", EXIT_TEMPORARY)
    except UnfitDatabase as unfit:
        return refuse(unfit, EXIT_CONFIGURATION)
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        return refuse("the database has no archive: `dealer-pit run` makes it", EXIT_CONFIGURATION)
    except psycopg.Error as failure:
        return refuse(str(failure).strip(), EXIT_UNAVAILABLE)
    except BrokenPipeError:  # its reader has read enough
        raise
    except OSError as failure:
        return refuse(f"it could not be written: {failure.strerror or failure}", EXIT_OUTPUT)


_UNDECIDED = """
    SELECT site || '/' || "table", count(*), sum(last - first + 1) FROM pit.gaps WHERE decided_by IS NULL
    GROUP BY 1 ORDER BY 1
"""


async def check_gaps(connection: AsyncConnection[Any], tables: Sequence[str] | None = None) -> None:
    """Raises CannotReport, which names each table (of `tables`) with a gap in the archive that no one accepted."""
    rows = await (await connection.execute(_UNDECIDED)).fetchall()
    found = [row for row in rows if tables is None or row[0] in tables]
    if found:
        named = "; ".join(f"{table} has {gaps} with {count} messages" for table, gaps, count in found)
        raise CannotReport(f"the archive has gaps: {named}. `dealer-pit gaps` lists them; a person decides")
