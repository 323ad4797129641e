"""Ledgers of linked pots in PostgreSQL: one transaction a batch, by the process that leads."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace
from psycopg import AsyncConnection

from controller.link.messages import Entry, Grant
from controller.pit.archive import ARCHIVE, Superseded
from controller.pit.database import naming_holders
from controller.pit.leader import LedgerTransaction
from controller.pit.ledger.recovery import rebuild
from controller.pit.ledger.state import Claim, LedgerJournal, PotLedger


class Books:
    """The ledgers, for one that leads in `epoch`. Raises psycopg.Error from any call; the schema is the archive's.

    After a psycopg.Error from `commit` it is unknown whether the batch is durable: `has` finds out, on another
    connection.
    """

    def __init__(self, connection: AsyncConnection[Any], epoch: int) -> None:
        self._db, self._epoch = connection, epoch

    async def open(self, ledger: PotLedger) -> PotLedger:
        """The stored ledger of a link; if there is none yet, stores this one."""
        values = ledger.link, ledger.chain, _head(ledger), _head(ledger)
        query = """
            INSERT INTO pit.links (link, revision, epoch, chain, opened, state) VALUES (%s, 0, 0, %s, %s, %s)
            ON CONFLICT DO NOTHING
        """
        async with self._db.transaction():
            await self._check_lead()
            await self._db.execute(query, values)
        return await self.load(ledger.link)

    async def load(self, link: str) -> PotLedger:
        """The stored ledger. Raises KeyError if there is none."""
        async with self._db.transaction():  # one moment of it
            await self._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            return await self._load(link, "state")

    async def _load(self, link: str, what: str) -> PotLedger:
        query = f"SELECT revision, epoch, chain, {what}::text FROM pit.links WHERE link = %s"
        row = await (await self._db.execute(query.encode(), (link,))).fetchone()
        if row is None:
            raise KeyError(link)
        revision, epoch, chain, state = row
        journals = await self._rows("SELECT journal, state::text FROM pit.link_journals WHERE link = %s", link)
        claims = await self._rows("SELECT claim, state::text FROM pit.link_claims WHERE link = %s ORDER BY place", link)
        return replace(
            msgspec.json.decode(state, type=PotLedger),
            revision=revision,
            epoch=epoch,
            chain=chain,
            journals={name: msgspec.json.decode(text, type=LedgerJournal) for name, text in journals},
            claims={name: msgspec.json.decode(text, type=Claim) for name, text in claims},
        )

    async def commit(self, batch: LedgerTransaction) -> None:
        """All of a batch or nothing of it; durable on return. Raises Superseded."""
        before, after = batch.before, batch.after
        async with naming_holders(self._db), self._db.transaction():
            await self._check_lead()
            query = """
                UPDATE pit.links SET revision = %s, epoch = %s, chain = %s, state = %s
                WHERE link = %s AND revision = %s AND chain = %s
            """
            values = after.revision, self._epoch, after.chain, _head(after), after.link, before.revision, before.chain
            if (await self._db.execute(query, values)).rowcount != 1:
                raise Superseded(f"{after.link} is not at revision {before.revision} any more")
            await self._write_changes(batch)
            await self._write_history(batch)

    async def _write_changes(self, batch: LedgerTransaction) -> None:
        before, after, link = batch.before, batch.after, batch.after.link
        journals = [
            (link, name, _json(journal))
            for name, journal in after.journals.items()
            if before.journals.get(name) is not journal
        ]
        claims = [
            (link, name, place, _json(claim), claim.is_open)
            for place, (name, claim) in enumerate(after.claims.items())
            if before.claims.get(name) is not claim
        ]
        query = """
            INSERT INTO pit.link_journals (link, journal, state)
            SELECT * FROM unnest(%s::text[], %s::text[], %s::json[])
            ON CONFLICT (link, journal) DO UPDATE SET state = excluded.state
        """
        await self._many(query, journals)
        query = """
            INSERT INTO pit.link_claims AS known (link, claim, place, state, open_since)
            SELECT link, claim, place, state, CASE WHEN is_open THEN now() END
            FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::json[], %s::boolean[])
                AS new (link, claim, place, state, is_open)
            ON CONFLICT (link, claim) DO UPDATE SET state = excluded.state,
                open_since = CASE WHEN excluded.open_since IS NOT NULL
                    THEN coalesce(known.open_since, excluded.open_since) END
        """
        await self._many(query, claims)

    async def _write_history(self, batch: LedgerTransaction) -> None:
        after, link, revision, pot = batch.after, batch.after.link, batch.after.revision, batch.after.pot
        parts = pot.pot_e4, pot.reserve_e4, pot.overflow_e4, pot.pending_e4
        query = """
            INSERT INTO pit.link_revisions
            (link, revision, epoch, chain, pot_e4, reserve_e4, overflow_e4, pending_e4, cycle, stopped, decided)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """
        decided = _json(batch.decided) if batch.decided else None
        own = link, revision, self._epoch, after.chain, *parts, after.cycle, after.stopped, decided
        await self._db.execute(query, own)
        query = """
            INSERT INTO pit.link_entries (link, "table", journal, seq, revision, entry)
            SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::json[])
        """
        entries = batch.entries
        await self._many(
            query, [(link, entry.table, entry.journal, entry.seq, revision, _json(entry)) for entry in entries]
        )

    async def has(self, batch: LedgerTransaction) -> bool:
        """Whether a batch with an unknown outcome is durable; found by its revision and hash."""
        query = "SELECT 1 FROM pit.link_revisions WHERE link = %s AND revision = %s AND epoch = %s AND chain = %s"
        after = batch.after
        found = await self._db.execute(query, (after.link, after.revision, after.epoch, after.chain))
        return await found.fetchone() is not None

    async def chain_at(self, link: str, revision: int) -> str | None:
        """The hash over all entries applied up to a revision; None if there is no such revision."""
        query = "SELECT chain FROM pit.link_revisions WHERE link = %s AND revision = %s"
        row = await (await self._db.execute(query, (link, revision))).fetchone()
        return None if row is None else row[0]

    async def rebuilt(self, link: str, journals: dict[str, list[Entry]], grants: Iterable[Grant]) -> PotLedger:
        """The ledger computed again from the tables' journals and their grants, from how it was opened."""
        query = "SELECT opened::text FROM pit.links WHERE link = %s"
        row = await (await self._db.execute(query, (link,))).fetchone()
        if row is None:
            raise KeyError(link)
        return rebuild(msgspec.json.decode(row[0], type=PotLedger), journals, grants)

    async def entries(self, link: str) -> dict[str, list[Entry]]:
        """Every applied entry, those of each journal in order."""
        found: dict[str, list[Entry]] = {}
        query = "SELECT journal, entry::text FROM pit.link_entries WHERE link = %s ORDER BY journal, seq"
        for journal, entry in await self._rows(query, link):
            found.setdefault(journal, []).append(msgspec.json.decode(entry, type=Entry))
        return found

    async def _check_lead(self) -> None:
        query = "SELECT 1 FROM pit.leases WHERE name = %s AND epoch = %s FOR SHARE"
        if await (await self._db.execute(query, (ARCHIVE, self._epoch))).fetchone() is None:
            raise Superseded(f"another process leads; this one has epoch {self._epoch}")

    async def _rows(self, query: str, link: str) -> list[tuple[Any, ...]]:
        return await (await self._db.execute(query.encode(), (link,))).fetchall()

    async def _many(self, query: str, rows: list[tuple[Any, ...]]) -> None:
        if rows:
            await self._db.execute(query.encode(), [list(column) for column in zip(*rows, strict=True)])


def _head(ledger: PotLedger) -> str:
    """The part of the books that changes with every batch; journals and claims have rows of their own."""
    return _json(replace(ledger, journals={}, claims={}))


def _json(what: Any) -> str:
    return msgspec.json.encode(what).decode()
