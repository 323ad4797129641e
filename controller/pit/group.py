"""Compares properties with their head office: whether it has all their rows, by journal, number and hash."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from psycopg.sql import SQL, Identifier

from controller.command_line.output import EXIT_CORRUPT, EXIT_UNAVAILABLE
from controller.pit.inbox import TableJournal
from controller.pit.refusals import refuse, warn

PROPERTY = Path(__file__).with_name("group_property.sql")
HEAD = Path(__file__).with_name("group_head.sql")
NUMBERED = "rounds", "lines", "adjustments", "alarms", "persons"
"""The tables that are compared: their rows never change, and have the number of their message."""
_SLOTS = """
    SELECT slot_name, active, wal_status, confirmed_flush_lsn > pg_current_wal_lsn() FROM pg_replication_slots
    WHERE slot_type = 'logical' AND database = current_database() AND NOT temporary
"""
_ENABLED = "SELECT subslotname, subenabled FROM pg_subscription WHERE subslotname IS NOT NULL"
LOOK_SECONDS = 0.1
_ROWS = """
    SELECT t.site, t."table", t.journal, count(*), sum(('x' || left(md5(t::text), 15))::bit(60)::bigint)
    FROM pit.{} AS t
    JOIN unnest(%s::text[], %s::text[], %s::text[], %s::bigint[]) AS h (site, "table", journal, through)
        ON (t.site, t."table", t.journal) = (h.site, h."table", h.journal) AND t.sequence <= h.through
    WHERE t.received >= %s
    GROUP BY 1, 2, 3
"""

Connection = psycopg.Connection[Any]


class GroupCheck(NamedTuple):
    """The comparison of one property: what is wrong, how many rows were compared, and how many messages the head office
    is behind.
    """

    sites: Sequence[str]
    wrong: Sequence[str]
    rows: int
    behind: int


def check_group(head: str, properties: Sequence[str], days: int, seconds: int) -> int:
    """Prints where a head office and its properties (connection strings) differ; returns the exit code."""
    code = 0
    since = datetime.now(UTC) - timedelta(days=days)
    for address in properties:
        try:
            with _connected(head) as office, _connected(address) as own:
                found = compare_property(office, own, since, seconds)
        except psycopg.Error as failure:
            return refuse(f"the databases cannot be compared: {failure}", EXIT_UNAVAILABLE)
        print(f"{', '.join(found.sites)}: {found.rows} rows compared, {found.behind} messages behind")
        for wrong in found.wrong:
            warn(wrong)
            code = EXIT_CORRUPT
    return code


def _connected(database: str) -> Connection:
    connection = psycopg.connect(database, autocommit=True, application_name="dealer-pit-group")
    connection.execute("SET TimeZone TO 'UTC'")  # a row has its times as text
    return connection


def compare_property(head: Connection, own: Connection, since: datetime, seconds: int) -> GroupCheck:
    """Compares a property with its head office, which has some seconds to receive the property's latest rows.

    Rows from before `since` are not compared. Raises psycopg.Error.
    """
    here = _heads(own)
    sites = sorted({journal.site for journal in here})
    there, until = _heads(head), time.monotonic() + seconds
    while _behind(here, there) and time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        there = _heads(head)
    there = {journal: through for journal, through in there.items() if journal.site in sites}
    wrong = _connections(head, own)
    behind = _behind(here, there)
    if behind:
        wrong.append(
            f"{', '.join(sites)}: the head office has not received {behind} messages within {seconds} s: the line is "
            "cut, or the log of its PostgreSQL says what it refuses"
        )
    for journal, through in there.items():
        if here.get(journal, 0) < through:
            wrong.append(
                f"{_named(journal)}: went back: the property has all through {here.get(journal, 0)}, "
                f"the head office through {through}"
            )
    common = {journal: min(through, here[journal]) for journal, through in there.items() if journal in here}
    rows = 0
    for table in NUMBERED:
        ours, theirs = (_rows(side, table, common, since) for side in (own, head))
        rows += sum(count for count, _ in ours.values())
        for journal in sorted({*ours, *theirs}):
            mine, others = ours.get(journal, (0, 0)), theirs.get(journal, (0, 0))
            if mine != others:
                wrong.append(
                    f"{_named(journal)}: pit.{table} differs through message {common[journal]}: "
                    f"{mine[0]} rows at the property, {others[0]} at the head office"
                )
    return GroupCheck(sites, wrong, rows, behind)


def _behind(here: Mapping[TableJournal, int], there: Mapping[TableJournal, int]) -> int:
    return sum(max(0, through - there.get(journal, 0)) for journal, through in here.items())


def _named(journal: TableJournal) -> str:
    return f"{journal.site}/{journal.table}, journal {journal.name}"


def _heads(connection: Connection) -> dict[TableJournal, int]:
    rows = connection.execute('SELECT site, "table", journal, through FROM pit.heads').fetchall()
    return {TableJournal(*own): through for *own, through in rows}


def _rows(
    connection: Connection, table: str, through: Mapping[TableJournal, int], since: datetime
) -> dict[TableJournal, tuple[int, int]]:
    """For each journal, the number of rows up to a message, and the sum of their hashes."""
    columns = [[getattr(journal, name) for journal in through] for name in ("site", "table", "name")]
    query = SQL(_ROWS).format(Identifier(table))
    found = connection.execute(query, (*columns, [*through.values()], since)).fetchall()
    return {TableJournal(*own): (count, int(sum_of_hashes)) for *own, count, sum_of_hashes in found}


def _connections(head: Connection, own: Connection) -> list[str]:
    """The faults of a property's replication slots, and of the subscriptions that read them."""
    enabled = dict(head.execute(_ENABLED).fetchall())
    slots = [row for row in own.execute(_SLOTS).fetchall() if row[0] in enabled]
    if not slots:
        return ["the property has no replication slot that the head office reads"]
    wrong = []
    for name, active, status, is_ahead in slots:
        if not enabled[name]:
            wrong.append(f"the subscription of slot {name} is disabled")
        elif not active:
            wrong.append(f"slot {name} is not read: the line is cut, or the head office is down")
        if status == "lost":
            wrong.append(f"slot {name} has lost messages: it was cut off for longer than max_slot_wal_keep_size allows")
        if is_ahead:
            wrong.append(f"slot {name} is ahead of the property's own WAL: its database was put back")
    return wrong
