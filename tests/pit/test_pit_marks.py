"""The mark of a linked pot outside the database: a lower bound, on the disk before anything is published."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from controller.pit import marks as marks_module
from controller.pit.leader import Leader
from controller.pit.ledger.state import Ahead
from controller.pit.marks import LedgerMark, Marks, by_mark, by_pot
from tests.link.entries import Teller
from tests.link.test_link_table import POT
from tests.pit.test_pit_books import connected, led, received


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
