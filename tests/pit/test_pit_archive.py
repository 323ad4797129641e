"""What is stored: once, in order, whole, and by whoever leads."""

import asyncio

import psycopg
import pytest

from controller.pit import archive as archive_module
from controller.pit.archive import ARCHIVE, Archive, Superseded
from controller.pit.inbox import Journal, read
from tests.pit.conftest import rows
from tests.pit.telling import JOURNAL, content_of, message
from tests.pit.test_pit_books import Cutting

OTHER = Journal("macau-1", "t-2", "j-2")


async def opened(database: str, holder: str = "a") -> Archive:
    archive = await Archive.open(database, holder)
    assert await archive.lead()
    return archive


async def test_what_is_stored_is_there_byte_for_byte_and_its_journal_goes_on_behind_it(database: str) -> None:
    archive = await opened(database)
    await archive.store([message(1), message(2), message(1, OTHER)])
    await archive.store([message(3)])
    assert await archive.through() == {JOURNAL: 3, OTHER: 1}
    await archive.close()
    kept = rows(database, "SELECT sequence, envelope::text FROM pit.messages WHERE journal = 'j-1' ORDER BY sequence")
    assert kept == [(number, content_of(number).decode()) for number in (1, 2, 3)]


@pytest.mark.parametrize("numbers", [[2], [1, 2], [4, 5]], ids=["again", "begun before", "behind a gap"])
async def test_nothing_is_stored_twice_or_behind_a_gap(database: str, numbers: list[int]) -> None:
    archive = await opened(database)
    await archive.store([message(1), message(2)])
    with pytest.raises(Superseded, match="j-1 is not at"):
        await archive.store([message(1, OTHER), *map(message, numbers)])
    with pytest.raises(Superseded, match="j-2 is not at 1"):
        await archive.store([message(2, OTHER)])
    assert await archive.through() == {JOURNAL: 2}, "all or nothing"
    assert rows(database, "SELECT count(*) FROM pit.messages") == [(2,)]
    await archive.close()


async def test_what_sixty_tables_say_takes_no_more_ways_to_the_server_than_what_one_says(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "AsyncConnection", Cutting)
    archive = await opened(database)
    assert isinstance(archive._db, Cutting)
    turns = []
    tables = [Journal("macau-1", f"t-{number}", f"j-{number}") for number in range(60)]
    for journals in (tables, tables[:1], tables):
        before, through = archive._db.turns, await archive.through()
        await archive.store([message(through.get(one, 0) + 1, one) for one in journals])
        turns.append(archive._db.turns - before)
    await archive.close()
    assert turns[1] == turns[2]
    assert rows(database, "SELECT min(through), max(through) FROM pit.journals") == [(2, 3)]


async def test_two_that_start_at_once_make_one_archive_and_one_of_them_leads(database: str) -> None:
    one, two = await asyncio.gather(Archive.open(database, "one"), Archive.open(database, "two"))
    assert sorted(await asyncio.gather(one.lead(), two.lead())) == [False, True]
    await one.close()
    await two.close()


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
    assert rows(database, "SELECT array_agg(sequence ORDER BY sequence) FROM pit.messages") == [([1, 2],)]
    await old.close()
    assert rows(database, f"SELECT holder FROM pit.leases WHERE name = '{ARCHIVE}'") == [("new",)], "not its lead"
    await new.close()
    third = await opened(database, "third")
    await third.close()


async def test_an_epoch_is_higher_than_all_before_it_also_of_a_database_that_was_restored(database: str) -> None:
    first = await opened(database, "first")
    heard = first.epoch
    await first.close()
    assert heard is not None
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE pit.leases SET epoch = 7")
    second = await opened(database, "second")
    restored = second.epoch
    await second.close()
    assert restored is not None and restored > heard
    with psycopg.connect(database, autocommit=True) as connection:  # whose clock goes wrong
        connection.execute("UPDATE pit.leases SET epoch = %s", (2 * restored,))
    third = await opened(database, "third")
    assert third.epoch == 2 * restored + 1
    assert await third.lead() and third.epoch == 2 * restored + 1, "while it leads it is the same"
    await third.close()


async def test_what_a_table_has_lost_is_left_out_and_said_so(database: str) -> None:
    archive = await opened(database)
    await archive.store([message(1)])
    await archive.skip(JOURNAL, 8)
    await archive.store([message(8)])
    await archive.skip(JOURNAL, 3)
    assert await archive.through() == {JOURNAL: 8}
    assert rows(database, "SELECT first FROM pit.journals") == [(8,)]
    await archive.close()


async def test_a_partition_a_month(database: str) -> None:
    archive = await opened(database)
    of_december = content_of(1).replace(b"2026-03-02", b"2026-12-31")
    await archive.store([read("macau-1", "t-1", of_december), message(2)])
    await archive.close()
    found = rows(database, "SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1")
    assert found == [("messages_2026_03",), ("messages_2026_12",)]
