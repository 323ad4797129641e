"""Gaps of the archive: reports are made only when a person has decided on every gap."""

from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection

from controller.pit.refusals import CannotReport

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
