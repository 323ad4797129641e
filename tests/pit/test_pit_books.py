"""The ledger of a linked pot in PostgreSQL, whatever breaks, and the mark that is a lower bound outside of it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace
from psycopg import AsyncConnection
from structlog.testing import capture_logs

from controller.link.messages import Claimed, Counted, Paid, Returned, Totals
from controller.pit import marks as marks_module
from controller.pit.archive import Superseded
from controller.pit.books import Books
from controller.pit.leader import Leader
from controller.pit.ledger.state import Ahead, PitDecision, Propose
from controller.pit.marks import LedgerMark, Marks, by_mark, by_pot
from tests.link.entries import PARAMETERS, TO_POT, TO_RESERVE, Teller, wins
from tests.link.test_link_table import POT
from tests.pit.conftest import opened, rows


class Cutting(AsyncConnection[Any]):
    """Loses its server before one of its turns on the wire, or behind it: then no one receives how that ended."""

    turns = 0
    at = -1
    behind = False

    async def wait(self, *given: Any, **other: Any) -> Any:
        self.turns += 1
        if self.turns != self.at:
            return await super().wait(*given, **other)
        if self.behind:
            await super().wait(*given, **other)
        pid = self.info.backend_pid
        with psycopg.connect(self.info.dsn, autocommit=True) as other_one:
            other_one.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        if self.behind:
            raise psycopg.OperationalError("the answer was lost")
        return await super().wait(*given, **other)


async def led(database: str) -> int:
    """The epoch of a process that leads; its lease is left to run out."""
    archive = await opened(database)
    epoch = archive.epoch
    await archive.abandon()
    assert epoch is not None
    return epoch


async def connected(database: str, epoch: int) -> tuple[Cutting, Books]:
    connection = await Cutting.connect(database, autocommit=True)
    return connection, Books(connection, epoch)


def played(teller: Teller) -> list[Callable[[], Any]]:
    """What two tables do one after the other."""
    units = TO_POT + TO_RESERVE
    return [
        lambda: teller.chips("t1", 3),
        lambda: teller.chips("t2", 5, round=4),
        lambda: teller.say("t1", Returned(2, 1, units)),
        lambda: teller.say("t2", Claimed("t2-1/4", 4, wins((3, "royal_flush"), (4, "flush")))),
        lambda: teller.say("t2", Paid("t2-1/4", teller.grant("t2-1/4").amount)),
        lambda: teller.chips("t1", 4, round=2),
        lambda: teller.chips("t1", 9, round=3),
        lambda: teller.say("t2", Counted(Totals(5, 5 * units, 0, 1, teller.grant("t2-1/4").amount))),
    ]


def received(leader: Leader, teller: Teller) -> None:
    for entries_of_table in teller.entries.values():
        for entry in entries_of_table:
            leader.receive(entry)


async def test_a_batch_is_kept_whole_and_loaded_as_it_was(database: str) -> None:
    epoch = await led(database)
    connection, books = await connected(database, epoch)
    teller = Teller()
    begun = await books.open(teller.fresh())
    assert begun == teller.fresh()
    leader = Leader(begun, epoch)
    for step in played(teller):
        step()
        received(leader, teller)
        leader.ask(PitDecision(Propose(replace(PARAMETERS, increment_bp=leader.ledger.revision)), "nuno", "dealer"))
        batch, _ = leader.batch(50)
        assert batch is not None
        await books.commit(batch)
        leader.committed()
        assert await books.load("link") == batch.after
    assert leader.ledger.journals == teller.ledger.journals
    assert await books.open(teller.fresh()) == leader.ledger, "it is begun once"
    kept = rows(
        database, "SELECT pot_e4, reserve_e4, pending_e4 FROM pit.link_revisions ORDER BY revision DESC LIMIT 1"
    )
    pot = leader.ledger.pot
    assert kept == [(pot.pot_e4, pot.reserve_e4, pot.pending_e4)]
    assert rows(database, "SELECT count(*), count(decided) FROM pit.link_revisions") == [(8, 8)]
    await connection.close()


async def test_the_entries_that_are_kept_give_the_same_pot_again(database: str) -> None:
    connection, books = await connected(database, await led(database))
    teller = Teller()
    leader = Leader(await books.open(teller.fresh()), 1)
    for step in played(teller):
        step()
        received(leader, teller)
        batch, _ = leader.batch(50)
        assert batch is not None
        await books.commit(batch)
        leader.committed()
    entries = await books.entries("link")
    assert entries == teller.entries
    again = await books.rebuilt("link", entries, teller.grants)
    ledger = await books.load("link")
    assert (again.pot, again.journals, again.claims) == (ledger.pot, ledger.journals, ledger.claims)
    with pytest.raises(KeyError):
        await books.rebuilt("another", entries, [])
    with pytest.raises(KeyError):
        await books.load("another")
    await connection.close()


async def test_who_was_superseded_writes_nothing(database: str) -> None:
    epoch = await led(database)
    connection, old = await connected(database, epoch)
    teller = Teller()
    begun = await old.open(teller.fresh())
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("UPDATE pit.leases SET holder = ''")
    later = await led(database)
    assert later > epoch
    late, quick = Leader(begun, epoch), Leader(begun, later)
    for leader in (late, quick):
        received(leader, teller)
    of_late, of_quick = late.batch(50)[0], quick.batch(50)[0]
    assert of_late is not None and of_quick is not None
    with pytest.raises(Superseded, match="another process leads"):
        await old.commit(of_late)
    with pytest.raises(Superseded, match="another process leads"):
        await old.open(replace(teller.fresh(), link="another"))
    new = Books(connection, later)
    await new.commit(of_quick)
    with pytest.raises(Superseded, match="not at revision 0"):
        await new.commit(of_quick)
    assert await new.has(of_quick) and not await new.has(of_late)
    assert rows(database, "SELECT count(*) FROM pit.link_entries") == [(2,)]
    await connection.close()


@pytest.mark.parametrize("behind", [False, True], ids=["before a statement", "behind it, its outcome unknown"])
async def test_a_server_that_is_lost_between_any_two_statements_loses_and_doubles_nothing(
    database: str, behind: bool
) -> None:
    epoch = await led(database)
    teller = Teller()
    connection, books = await connected(database, epoch)
    ledger = await books.open(teller.fresh())
    steps, durable, turn, reached = played(teller), 0, 0, True
    while reached or steps:
        turn += reached
        if ledger.journals == teller.ledger.journals:  # else once more
            (steps.pop(0) if steps else lambda: teller.chips("t1", 1, round=9))()
        leader = Leader(ledger, epoch)
        received(leader, teller)
        batch, _ = leader.batch(50)
        assert batch is not None
        connection.turns, connection.at, connection.behind = 0, turn, behind
        failed = await _fails(books.commit(batch))
        reached = connection.turns >= turn
        connection.at = -1
        assert failed == reached
        ledger = batch.after
        if failed:
            await connection.close()
            connection, books = await connected(database, epoch)
            known = await books.has(batch)
            durable += known
            ledger = await books.load("link")
            assert ledger == (batch.after if known else batch.before)
    assert turn > 7 and bool(durable) == behind, "one turn is that of the commit"
    ledger = await books.load("link")
    assert (ledger.pot, ledger.journals, ledger.claims) == (
        teller.ledger.pot,
        teller.ledger.journals,
        teller.ledger.claims,
    )
    assert await books.entries("link") == teller.entries
    await connection.close()


async def _fails(commit: Awaitable[None]) -> bool:
    try:
        await commit
    except psycopg.Error:
        return True
    return False


def test_a_mark_is_read_as_it_was_written(tmp_path: Path) -> None:
    marks, ledger = Marks(tmp_path / "marks"), replace(Teller().ledger, revision=7, epoch=3)
    assert marks.read("link") is None
    marks.write(ledger)
    assert marks.read("link") == LedgerMark(3, 7, ledger.chain) and marks.read("other") is None


@pytest.mark.parametrize("content", [b"", b"{}", b'{"epoch":1,"revision":-1,"chain":""}', b"\xff"])
def test_a_mark_that_cannot_be_read_is_logged_and_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "link.mark").write_bytes(content)
    with capture_logs() as logs:
        assert Marks(tmp_path).read("link") is None
    assert [entry["event"] for entry in logs] == ["the mark of the linked pot cannot be read"]


def test_a_mark_that_cannot_be_written_is_logged_once_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    marks = Marks(tmp_path)
    monkeypatch.setattr(marks_module, "write_whole", full)
    with capture_logs() as logs:
        for _ in range(3):
            marks.write(Teller().ledger)
    assert [entry["event"] for entry in logs] == ["the mark of the linked pot cannot be written"]
    monkeypatch.undo()
    marks.write(Teller().ledger)
    assert marks.read("link") is not None


async def test_linked_pot_1_an_older_mark_of_the_same_history_is_no_evidence_and_another_history_is(
    database: str,
) -> None:
    connection, books = await connected(database, epoch := await led(database))
    teller = Teller()
    leader, chains = Leader(await books.open(teller.fresh()), epoch), dict[int, str]()
    for _ in range(2):
        received(leader, teller)
        batch, _ = leader.batch(9)
        assert batch is not None
        await books.commit(batch)
        leader.committed()
        chains[leader.ledger.revision] = leader.ledger.chain
        teller.chips("t1", 1)
    ledger = leader.ledger
    for mark, went_back in (
        (None, False),
        (LedgerMark(epoch, 1, chains[1]), False),
        (LedgerMark(epoch, 2, chains[2]), False),
        (LedgerMark(epoch, 1, chains[2]), True),
        (LedgerMark(epoch, 3, chains[2]), True),
    ):
        found = await by_mark(books, ledger, mark)
        assert (found is not None) == went_back, mark
    await connection.execute("DELETE FROM pit.link_revisions WHERE revision = 1")
    assert await by_mark(books, ledger, LedgerMark(epoch, 1, "")) is None, "skipped, as by books that were rebuilt"
    await connection.close()


def test_linked_pot_1_a_retained_pot_is_evidence_where_its_revision_is_above_the_books() -> None:
    ledger = replace(Teller().ledger, revision=50)
    assert POT.revision == 50
    assert by_pot(ledger, POT) is None
    assert by_pot(ledger, replace(POT, revision=51)) == Ahead("the broker's retained pot", 3, 51)
    assert by_pot(ledger, replace(POT, revision=51, stopped="went_back")) is None
    assert by_pot(ledger, replace(POT, revision=51, link="other")) is None
