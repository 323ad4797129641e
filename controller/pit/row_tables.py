"""Rows of messages in PostgreSQL: stored in the transaction that stores the messages."""

from collections.abc import Sequence
from typing import Any

import msgspec
from psycopg import AsyncConnection

from controller.pit.meters import SUMS
from controller.pit.rows import COLUMNS, MessageRows, Row

_PAY = """
    UPDATE pit.hits AS h SET paid = p.paid, slip = p.slip, confirmed_by = p.confirmed_by
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::timestamptz[], %s::bigint[], %s::json[])
        AS p (site, "table", journal, hit, paid, slip, confirmed_by)
    WHERE (h.site, h."table", h.journal, h.hit) = (p.site, p."table", p.journal, p.hit)
"""
_WITHDRAW = """
    UPDATE pit.hits AS h SET withdrawn = w.withdrawn
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::timestamptz[])
        AS w (site, "table", journal, hit, withdrawn)
    WHERE (h.site, h."table", h.journal, h.hit) = (w.site, w."table", w.journal, w.hit)
"""
_KEY = ("site", '"table"', "journal", "link", "hour", "currency", "exponent")
_TYPES = ("text", "text", "text", "text", "timestamptz", "text", "integer")
_LATER = ", ".join(
    f"{key} = greatest(known.{key}, excluded.{key})" if key == "through" else f"{key} = known.{key} + excluded.{key}"
    for key in SUMS
)
_MOVE = f"""
    INSERT INTO pit.meter_hours AS known ({", ".join((*_KEY, *SUMS))})
    SELECT * FROM unnest({", ".join(f"%s::{kind}[]" for kind in (*_TYPES, *["numeric"] * len(SUMS)))})
    ON CONFLICT ({", ".join(_KEY)}) DO UPDATE SET {_LATER}
"""
# A round without a time has an hour without one. The aggregation inside keeps the planner at the index, hour by hour.
HOURS = """
    INSERT INTO pit.table_hours AS known (site, "table", hour, game, mode, currency, exponent,
        rounds, voids, occupied, handle, win, median_seconds, seats)
    SELECT h.site, h."table", h.hour, one.*
    FROM (
        SELECT DISTINCT site, "table", date_trunc('hour', confirmed, 'UTC') AS hour
        FROM unnest(%s::text[], %s::text[], %s::timestamptz[]) AS new (site, "table", confirmed)
    ) AS h
    CROSS JOIN LATERAL (
        SELECT r.game, r.mode, r.currency, r.exponent,
            count(*), count(*) FILTER (WHERE r.outcome = 'void'), round(avg(r.occupied), 2), sum(r.handle), sum(r.win),
            percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM r.confirmed - r.began)), sum(r.occupied)
        FROM pit.rounds AS r
        WHERE (r.site, r."table") = (h.site, h."table") AND (
            r.confirmed >= h.hour AND r.confirmed < h.hour + interval '1 hour' OR r.confirmed IS NULL AND h.hour IS NULL
        )
        GROUP BY r.game, r.mode, r.currency, r.exponent
    ) AS one
    ON CONFLICT (site, "table", hour, game, mode, currency, exponent) DO UPDATE SET
        rounds = excluded.rounds, voids = excluded.voids, occupied = excluded.occupied, handle = excluded.handle,
        win = excluded.win, median_seconds = excluded.median_seconds, seats = excluded.seats
"""


async def copy_rows(connection: AsyncConnection[Any], added: MessageRows) -> None:
    """Store the rows, inside the caller's transaction. Raises psycopg.Error."""
    for table, rows in added.rows.items():
        if rows:
            into = f"COPY pit.{table} ({', '.join(COLUMNS[table])}) FROM STDIN"
            async with connection.cursor() as cursor, cursor.copy(into.encode()) as copy:
                for row in rows:
                    await copy.write_row(row)
    if added.payments:
        await connection.execute(_PAY, _columns(added.payments))
    if added.withdrawals:
        await connection.execute(_WITHDRAW, _columns(added.withdrawals))
    if added.moved:
        moved = [(*key, *msgspec.structs.astuple(sums)) for key, sums in added.moved.items()]
        await connection.execute(_MOVE.encode(), _columns(moved))
    if rounds := added.rows["rounds"]:
        places = [COLUMNS["rounds"].index(column) for column in ("site", '"table"', "confirmed")]
        await connection.execute(HOURS, [[row[place] for row in rounds] for place in places])


def _columns(rows: Sequence[Row]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
