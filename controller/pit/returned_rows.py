"""A monthly return out of the rows of the archive and the ledgers of its linked pots."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from controller.link.messages import E4
from controller.pit.envelopes import LAST, of_journal
from controller.pit.inbox import TableJournal
from controller.pit.meters import SUMS, Moved, movement
from controller.pit.returns import (
    AdjustmentMonth,
    GameMonth,
    GapMonth,
    HitMonth,
    JournalMonth,
    LinkedMonth,
    LinkMonth,
    MeterMonth,
    Month,
    Return,
    Undated,
    meter_month,
    parts,
)
from controller.system.times import as_utc

_GAMES = """
    SELECT site, "table", game, mode, currency, exponent, sum(rounds)::bigint AS rounds, sum(voids)::bigint AS voids,
        sum(handle) AS handle, sum(win) AS win
    FROM pit.table_hours WHERE hour >= %(begin)s AND hour < %(end)s
    GROUP BY site, "table", game, mode, currency, exponent ORDER BY site, "table", game, mode, currency, exponent
"""
_SUMS = ", ".join(
    f"{'max' if column == 'through' else 'sum'}({column}) FILTER (WHERE hour {when}) AS {name}_{column}"
    for name, when in (("before", "< %(begin)s"), ("month", ">= %(begin)s"))
    for column in SUMS
)
_MOVED = f"""
    SELECT site, "table", journal, link, currency, exponent, max(hour) AS last_hour, {_SUMS}
    FROM pit.meter_hours WHERE hour < %(end)s
    GROUP BY site, "table", journal, link, currency, exponent
    ORDER BY site, "table", journal, link, currency, exponent
"""
_LAST_ROUND = """
    SELECT sequence, round, pot FROM pit.rounds
    WHERE (site, "table", journal) = (%s, %s, %s) AND confirmed >= %s AND confirmed < %s AND pot IS NOT NULL
    ORDER BY sequence DESC LIMIT 1
"""
_NEXT_ROUND = """
    SELECT min(sequence) FROM pit.rounds
    WHERE (site, "table", journal) = (%s, %s, %s) AND sequence > %s AND confirmed >= %s
"""
_ENTRIES = """
    SELECT count(*), coalesce(sum(CASE kind WHEN 'contributed' THEN chips WHEN 'returned' THEN -chips END), 0),
        coalesce(sum(units) FILTER (WHERE kind = 'contributed'), 0),
        coalesce(sum(units) FILTER (WHERE kind = 'returned'), 0),
        coalesce(sum(amount) FILTER (WHERE kind IN ('paid', 'settled_on_paper')), 0)
    FROM pit.link_entries CROSS JOIN LATERAL (
        SELECT entry #>> '{body,type}', (entry #>> '{body,chip_count}')::numeric,
            (entry #>> '{body,units_e4}')::numeric, (entry #>> '{body,amount}')::numeric
    ) AS one (kind, chips, units, amount)
    WHERE link = %s AND journal = %s AND seq BETWEEN %s AND %s
"""
_REVISION = """
    SELECT DISTINCT ON (link) link, revision, pot_e4, reserve_e4, overflow_e4, pending_e4, cycle, stopped
    FROM pit.link_revisions WHERE applied < %s ORDER BY link, revision DESC
"""
_HITS = """
    SELECT site, "table", journal, hit, round, seat, tier, amount, currency, exponent, article, locked, paid, slip,
        confirmed_by, withdrawn
    FROM pit.hits
    WHERE locked < %(end)s AND (paid IS NULL OR paid >= %(begin)s) AND (withdrawn IS NULL OR withdrawn >= %(begin)s)
    ORDER BY site, "table", journal, hit
"""
_ADJUSTMENTS = """
    SELECT site, "table", journal, sequence, time, what, round, seat, part, amount, currency, exponent, actor, second,
        reason
    FROM pit.adjustments WHERE time >= %(begin)s AND time < %(end)s ORDER BY site, "table", journal, sequence
"""
_JOURNALS = """
    SELECT site, "table", journal, first FROM pit.journals AS j
    WHERE EXISTS (
        SELECT FROM pit.rounds AS r
        WHERE (r.site, r."table", r.journal) = (j.site, j."table", j.journal)
            AND r.confirmed >= %(begin)s AND r.confirmed < %(end)s
    ) ORDER BY site, "table", journal
"""
_GAPS = """
    SELECT site, "table", journal, first, last, reason, decided_by FROM pit.gaps ORDER BY site, "table", journal, first
"""
_UNDATED = """
    SELECT site, "table", sum(rounds)::bigint AS rounds FROM pit.table_hours WHERE hour IS NULL
    GROUP BY site, "table" ORDER BY site, "table"
"""
_SILENT = """
    SELECT site || '/' || "table", max(last_received) FROM pit.journals
    GROUP BY site, "table" HAVING max(last_received) < %(end)s
    ORDER BY 1
"""


async def silent(connection: AsyncConnection[Any], month: Month) -> list[tuple[str, datetime]]:
    """The tables from which nothing was received since the month ended, with the time of the last message: messages
    may be missing.
    """
    return [(table, at) for table, at in await (await connection.execute(_SILENT, {"end": month.end})).fetchall()]


async def compute(connection: AsyncConnection[Any], pit: str, month: Month) -> Return:
    """The return of a month, in the caller's transaction. Raises psycopg.Error."""
    of = {"begin": month.begin, "end": month.end}
    async with connection.cursor(row_factory=dict_row) as cursor:

        async def rows(query: str) -> list[dict[str, Any]]:
            return await (await cursor.execute(query.encode(), of)).fetchall()

        moved = await rows(_MOVED)
        journals = await rows(_JOURNALS)
        games = [
            GameMonth(**{**row, "handle": int(row["handle"]), "win": int(row["win"])}) for row in await rows(_GAMES)
        ]
        hits = [_hit(row, month) for row in await rows(_HITS)]
        adjustments = [AdjustmentMonth(**{**row, "time": as_utc(row["time"])}) for row in await rows(_ADJUSTMENTS)]
        gaps = [GapMonth(**row) for row in await rows(_GAPS)]
        undated = [Undated(**row) for row in await rows(_UNDATED)]
    linked = {(row["site"], row["table"], row["journal"]) for row in moved if row["link"]}
    return Return(
        pit=pit,
        month=month.name,
        time_zone=month.time_zone,
        begin=as_utc(month.begin),
        end=as_utc(month.end),
        games=tuple(games),
        meters=tuple([await _meter(connection, row, month, linked) for row in _shown(moved)]),
        linked=tuple(
            [await with_ledger(connection, _linked(row)) for row in moved if row["link"] and row["month_through"]]
        ),
        links=await links_of(connection, month),
        hits=tuple(hits),
        adjustments=tuple(adjustments),
        journals=tuple(JournalMonth(**journal) for journal in journals),
        gaps=tuple(gaps),
        undated=tuple(undated),
    )


def _shown(moved: Sequence[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """The meters that moved in the month, and of each table the last one."""
    own = [row for row in moved if not row["link"]]
    last: dict[tuple[str, str], datetime] = {}
    for row in own:
        key = row["site"], row["table"]
        last[key] = max(row["last_hour"], last.get(key, row["last_hour"]))
    return [
        row for row in own if row["month_pot_e4"] is not None or row["last_hour"] == last[row["site"], row["table"]]
    ]


def _sums(row: dict[str, Any], when: str) -> Moved:
    return Moved(**{column: int(row[f"{when}_{column}"] or 0) for column in SUMS})


async def _meter(
    connection: AsyncConnection[Any], row: dict[str, Any], month: Month, linked: set[tuple[str, str, str]]
) -> MeterMonth:
    own = row["site"], row["table"], row["journal"]
    before, moved = _sums(row, "before"), _sums(row, "month")
    after = before.plus(moved)
    sign = None if own in linked else await _sign(connection, TableJournal(*own), month, after)
    return meter_month(own, (row["currency"], row["exponent"]), before, moved, sign)


async def _sign(
    connection: AsyncConnection[Any], journal: TableJournal, month: Month, after: Moved
) -> tuple[int | None, int, int] | None:
    """Movements since the last round of the month, which are read from its few messages."""
    own = journal.site, journal.table, journal.name
    row = await (await connection.execute(_LAST_ROUND, (*own, month.begin, month.end))).fetchone()
    if row is None:
        return None
    sequence, round, pot = row
    [behind] = await (await connection.execute(_NEXT_ROUND, (*own, sequence, month.end))).fetchone() or [None]
    pot_e4 = after.pot_e4
    async for message in of_journal(connection, journal, sequence + 1, (behind or LAST) - 1):
        is_before = message.time is not None and datetime.fromisoformat(message.time) < month.end
        if is_before and (found := movement(message)) is not None and not found.link:
            pot_e4 -= found.moved.pot_e4
    return round, pot, pot_e4


def _linked(row: dict[str, Any]) -> LinkedMonth:
    moved = _sums(row, "month")
    return LinkedMonth(
        **{name: row[name] for name in ("link", "site", "table", "journal", "currency", "exponent")},
        first=int(row["before_through"] or 0) + 1,
        last=moved.through,
        chips=moved.chips,
        contributions_e4=moved.contributions_e4,
        returned_e4=moved.returned_e4,
        paid_e4=moved.paid_e4,
    )


async def with_ledger(connection: AsyncConnection[Any], part: LinkedMonth) -> LinkedMonth:
    """The same figures, with the pit's ledger's figures for their entries. Raises psycopg.Error."""
    [found] = await (await connection.execute(_ENTRIES, (part.link, part.journal, part.first, part.last))).fetchall()
    count, chips, contributed, returned, paid = map(int, found)
    return replace(
        part,
        ledger_chips=chips,
        ledger_contributions_e4=contributed,
        ledger_returned_e4=returned,
        ledger_paid_e4=paid * E4,
        missing_entries=part.last - part.first + 1 - count,
    )


async def links_of(connection: AsyncConnection[Any], month: Month) -> tuple[LinkMonth, ...]:
    """The linked pots in the pit's ledger. Raises psycopg.Error."""
    found = []
    for at in (month.begin, month.end):
        async with connection.cursor(row_factory=dict_row) as cursor:
            rows = await (await cursor.execute(_REVISION, (at,))).fetchall()
        found.append({row["link"]: row for row in rows})
    before, after = found
    return tuple(
        LinkMonth(
            link=link,
            opening_revision=before.get(link, {}).get("revision"),
            closing_revision=row["revision"],
            cycle=row["cycle"],
            stopped=row["stopped"],
            **parts(before.get(link), row),
        )
        for link, row in after.items()
    )


def _hit(row: dict[str, Any], month: Month) -> HitMonth:
    times = {name: as_utc(row[name]) if row[name] and row[name] < month.end else None for name in TIMES}
    paid = {} if times["paid"] else {"slip": None, "confirmed_by": None}
    return HitMonth(**{**row, **times, "confirmed_by": _names(row["confirmed_by"]), **paid})


TIMES = ("locked", "paid", "withdrawn")


def _names(found: object) -> tuple[str, ...] | None:
    return tuple(map(str, found)) if isinstance(found, list) else None
