"""What is stored: once, in order, whole, and by anyone who leads."""

import asyncio
from datetime import UTC, datetime

import psycopg
import pytest

from controller.pit import archive as archive_module
from controller.pit import database as database_module
from controller.pit.archive import ARCHIVE, Archive, Superseded
from controller.pit.inbox import TableJournal, read
from tests.pit.broadcasting import JOURNAL, content_of, message
from tests.pit.conftest import opened, rows
from tests.pit.kept import kept, numbers
from tests.pit.test_pit_books import Cutting

OTHER = TableJournal("macau-1", "t-2", "j-2")


async def test_what_is_stored_is_there_byte_for_byte_and_its_journal_continues_behind_it(database: str) -> None:
    archive = await opened(database)
    await archive.store([message(1), message(2), message(1, OTHER)])
    await archive.store([message(3)])
    assert await archive.through() == {JOURNAL: 3, OTHER: 1}
    await archive.close()
    found = [sent for sent in kept(database) if sent.journal == JOURNAL]
    assert found == [message(number) for number in (1, 2, 3)]
    assert [sent.content for sent in found] == [content_of(number) for number in (1, 2, 3)]


@pytest.mark.parametrize("numbers", [[2], [1, 2], [4, 5]], ids=["again", "begun before", "behind a gap"])
async def test_nothing_is_stored_twice_or_behind_a_gap(database: str, numbers: list[int]) -> None:
    archive = await opened(database)
    await archive.store([message(1), message(2)])
    with pytest.raises(Superseded, match="j-1 is not at"):
        await archive.store([message(1, OTHER), *map(message, numbers)])
    with pytest.raises(Superseded, match="j-2 is not at 1"):
        await archive.store([message(2, OTHER)])
    assert await archive.through() == {JOURNAL: 2}, "all or nothing"
    assert len(kept(database)) == 2
    await archive.close()


async def test_what_sixty_tables_say_takes_no_more_ways_to_the_server_than_what_one_says(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "PitConnection", Cutting)
    archive = await opened(database)
    assert isinstance(archive._db, Cutting)
    turns = []
    tables = [TableJournal("macau-1", f"t-{number}", f"j-{number}") for number in range(60)]
    for journals in (tables, tables[:1], tables):
        before, through = archive._db.turns, await archive.through()
        await archive.store([message(through.get(journal, 0) + 1, journal) for journal in journals])
        turns.append(archive._db.turns - before)
    await archive.close()
    assert turns[1] == turns[2]
    assert rows(database, "SELECT min(through), max(through) FROM pit.journals") == [(2, 3)]


async def test_two_that_start_at_once_make_one_archive_and_one_of_them_leads(
    new_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "LOCK_SECONDS", 60.0)  # for which one waits until the other has made it
    first, second = await asyncio.gather(Archive.open(new_database, "one"), Archive.open(new_database, "two"))
    assert sorted(await asyncio.gather(first.lead(), second.lead())) == [False, True]
    await first.close()
    await second.close()


async def test_who_was_superseded_stores_nothing_more(database: str) -> None:
    old, new = await opened(database, "old"), await Archive.open(database, "new")
    await old.store([message(1)])
    assert not await new.lead(), "the lease has not run out"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE pit.leases SET holder = ''")
    assert await new.lead()
    with pytest.raises(Superseded, match="another process leads"):
        await old.store([message(2)])
    assert not await old.lead()
    await new.store([message(2)])
    assert rows(database, "SELECT holder, epoch FROM pit.leases") == [("new", new.epoch)]
    assert numbers(database) == [1, 2]
    await old.close()
    assert rows(database, f"SELECT holder FROM pit.leases WHERE name = '{ARCHIVE}'") == [("new",)], "not its lead"
    await new.close()
    third = await opened(database, "third")
    await third.close()


async def test_an_epoch_is_higher_than_all_before_it_also_of_a_database_that_was_restored(database: str) -> None:
    first = await opened(database, "first")
    epoch = first.epoch
    await first.close()
    assert epoch is not None
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE pit.leases SET epoch = 7")
    second = await opened(database, "second")
    restored = second.epoch
    await second.close()
    assert restored is not None and restored > epoch
    with psycopg.connect(database, autocommit=True) as connection:  # whose clock goes wrong
        connection.execute("UPDATE pit.leases SET epoch = %s", (2 * restored,))
    third = await opened(database, "third")
    begun = third.epoch
    assert begun is not None and begun > 2 * restored
    assert await third.lead() and third.epoch == begun, "while it leads it is the same"
    await third.close()


async def test_what_cannot_be_had_is_passed_over_and_is_a_gap_until_a_person_has_decided(database: str) -> None:
    archive = await opened(database)
    await archive.pass_over(JOURNAL, 3, "the table keeps it no longer")
    await archive.store([message(3)])
    await archive.pass_over(JOURNAL, 8, "the table keeps it no longer")
    await archive.store([message(8)])
    await archive.pass_over(JOURNAL, 3, "late")
    await archive.pass_over(JOURNAL, 10)
    assert await archive.through() == {JOURNAL: 9}
    assert rows(database, "SELECT first FROM pit.journals") == [(3,)]
    assert [(gap.journal, gap.first, gap.last, gap.kept) for gap in await archive.gaps()] == [
        (JOURNAL, 1, 2, False),
        (JOURNAL, 4, 7, False),
    ]
    assert await archive.decide_gaps("macau-1", "t-2", "rui") == 0
    assert await archive.decide_gaps("macau-1", "t-1", "rui") == 2
    assert await archive.gaps() == []
    assert rows(database, "SELECT DISTINCT decided_by FROM pit.gaps") == [("rui",)]
    await archive.close()


def at(monkeypatch: pytest.MonkeyPatch, year: int, month: int) -> None:
    """The pit's clock is moved."""
    monkeypatch.setattr(archive_module, "_now", lambda: datetime(year, month, 28, 23, 59, tzinfo=UTC))


def partitions(database: str) -> list[object]:
    query = (
        "SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' AND relname LIKE 'messages%' ORDER BY 1"
    )
    return [name for (name,) in rows(database, query)]


async def test_a_partition_a_month_of_receipt_is_there_before_the_month(
    new_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = await opened(new_database)
    at(monkeypatch, 2026, 11)
    await archive.store([message(1)])
    assert partitions(new_database) == ["messages_2026_11"]
    await archive.make_months()
    made = ["messages_2026_11", "messages_2026_12", "messages_2027_01"]
    assert partitions(new_database) == made
    await archive.close()
    again = await opened(new_database)
    await again.make_months()
    await again.store([message(2)])
    assert partitions(new_database) == made
    await again.close()


@pytest.mark.parametrize("year", ["0001", "9999"])
async def test_a_message_is_kept_whatever_the_tables_clock_says(new_database: str, year: str) -> None:
    archive = await opened(new_database)
    content = content_of(1).replace(b'"2026-03-02', f'"{year}-12-31'.encode())
    await archive.store([read("macau-1", "t-1", content), message(2)])
    await archive.close()
    found = kept(new_database)
    assert found[0].content == content and str(found[0].time).startswith(year)
    assert len(found) == 2 and partitions(new_database) == [f"messages_{datetime.now(UTC):%Y_%m}"]


async def test_a_time_that_is_none_keeps_no_message_away(database: str) -> None:
    archive = await opened(database)
    await archive.store([read("macau-1", "t-1", content_of(1).replace(b'"2026-', b'"then-')), message(2)])
    assert await archive.gaps() == []
    await archive.close()
    assert [sent.time is None for sent in kept(database)] == [True, False]


async def test_what_is_received_again_in_another_month_is_stored_once(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = await opened(database)
    at(monkeypatch, 2026, 11)
    await archive.store([message(1)])
    at(monkeypatch, 2026, 12)
    with pytest.raises(Superseded, match="j-1 is not at 0"):
        await archive.store([message(1)])
    await archive.store([message(2)])
    await archive.close()
    found = rows(database, "SELECT first, tableoid::regclass::text FROM pit.messages ORDER BY 1")
    assert found == [(1, "pit.messages_2026_11"), (2, "pit.messages_2026_12")]


async def test_two_tables_with_journals_of_one_name_keep_nothing_of_each_other_away(database: str) -> None:
    archive = await opened(database)
    other = TableJournal("macau-2", "t-9", JOURNAL.name)
    await archive.store([message(1), message(1, other)])
    await archive.close()
    assert len(kept(database)) == 2


async def test_what_a_database_does_not_read_is_kept_as_bytes_and_keeps_no_other_away(database: str) -> None:
    """A time that is none of its kind is known before; what only the database refuses is found out, one among many."""
    archive = await opened(database)
    round_ = content_of(3, kind="round", began="yesterday")
    refused = message(5, kind="event.entry_made", name="\0")
    messages_read = [*map(message, (1, 2)), read("macau-1", "t-1", round_), message(4, text="\0"), refused, message(6)]
    assert [sent.sequence for sent in await archive.store(messages_read)] == [3, 5]
    gaps = await archive.gaps()
    assert [(gap.first, gap.last, gap.kept) for gap in gaps] == [(3, 3, True), (5, 5, True)]
    assert "it is no dealer.station.round" in gaps[0].reason and "NUL" in gaps[1].reason
    assert await archive.through() == {JOURNAL: 6}
    await archive.close()
    assert numbers(database) == [1, 2, 4, 6]
    assert rows(database, "SELECT content FROM pit.gaps ORDER BY first") == [(round_,), (refused.content,)]


async def test_a_partition_that_was_taken_away_is_made_again(database: str) -> None:
    archive = await opened(database)
    await archive.store([message(1)])
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"DROP TABLE pit.messages_{datetime.now(UTC):%Y_%m}".encode())
    with pytest.raises(psycopg.errors.CheckViolation):
        await archive.store([message(2)])
    assert await archive.store([message(2)]) == []
    await archive.close()
