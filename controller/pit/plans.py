"""The floor plan of each person, in the pit's database: every process of the pit shows the same one.

A plan is of the person who is logged in on the page; without log-in, in a simulation, one plan is everyone's. It is
replaced only where no other screen has changed it since it was read.
"""

import asyncio
from typing import Annotated, Any

import msgspec
import psycopg
import structlog
from psycopg import AsyncConnection

from controller.engine.outcomes import JournalUnreadable, NotFound
from controller.pit.database import NAME, UnfitDatabase, connected, dropped
from controller.pit.inbox import MOST_TABLES
from controller.system.tasks import cancellable

SETTINGS = {"statement_timeout": "5s"}
ANSWER_SECONDS = 8.0
MOST_CELLS = 1000  # in a row or a column
Cell = Annotated[int, msgspec.Meta(ge=0, lt=MOST_CELLS)]
Cells = Annotated[dict[str, tuple[Cell, Cell]], msgspec.Meta(max_length=MOST_TABLES)]
"""Column and row of each table, by `site/table`."""

READ = "SELECT revision, cells FROM pit.floor_plans WHERE person = %(person)s"
WRITE = """
    INSERT INTO pit.floor_plans AS kept (person, revision, cells) VALUES (%(person)s, 1, %(cells)s)
    ON CONFLICT (person) DO UPDATE SET revision = kept.revision + 1, cells = excluded.cells
        WHERE kept.revision = %(revision)s
    RETURNING revision
"""

log = structlog.get_logger()


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a person has put the tables. `revision` counts the changes; 0 is a plan that no one has made."""

    revision: Annotated[int, msgspec.Meta(ge=0)] = 0
    cells: Cells = {}


class StoredPlans:
    """The plans in `database`, a connection string of libpq. A connection is made for each question: few are asked."""

    def __init__(self, database: str) -> None:
        self._database = database

    async def of(self, person: str) -> Plan | NotFound:
        """The plan of a person."""
        return await self._ask(READ, {"person": person}) or Plan()

    async def replace(self, person: str, plan: Plan) -> Plan | NotFound:
        """Replace a plan unless another screen has changed it; returns the stored plan with its revision."""
        cells = msgspec.json.encode(plan.cells).decode()
        written = await self._ask(
            f"WITH written AS ({WRITE}) SELECT revision, %(cells)s::text FROM written",
            {"person": person, "cells": cells, "revision": plan.revision},
        )
        return written or await self.of(person)

    async def _ask(self, statement: str, values: dict[str, Any]) -> Plan | NotFound | None:
        connection: AsyncConnection[Any] | None = None
        try:
            with cancellable():
                async with asyncio.timeout(ANSWER_SECONDS):
                    connection = await connected(self._database, f"{NAME}-plans", SETTINGS)
                    row = await (await connection.execute(statement.encode(), values)).fetchone()
        except (psycopg.Error, OSError, UnfitDatabase) as failure:
            log.warning("the floor plan cannot be used", reason=str(failure).strip() or "the database does not answer")
            return JournalUnreadable("the pit's database cannot be used now")
        finally:
            if connection is not None:
                await dropped(connection)
        return None if row is None else Plan(row[0], msgspec.json.decode(row[1], type=Cells))
