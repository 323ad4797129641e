"""Envelopes in frames: byte for byte, found by number, and put together without one being lost."""

import asyncio
import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from controller.command_line.output import EXIT_CONFIGURATION, EXIT_OUTPUT, EXIT_PIPE
from controller.pit import archive as archive_module
from controller.pit import envelopes as envelopes_module
from controller.pit import frames
from controller.pit.__main__ import main
from controller.pit.archive import Archive, Superseded
from controller.pit.database import connected
from controller.pit.envelopes import ENOUGH, LAST, of_journal
from controller.pit.frames import FAST, SMALL, ArchivedMessage, dictionary_of, packed, trained, unpacked
from controller.pit.inbox import Message, TableJournal
from tests.pit.broadcasting import JOURNAL, message
from tests.pit.conftest import opened, pit_toml, rows
from tests.pit.kept import kept, received

AT = datetime(2026, 11, 28, 12, 30, 0, 123456, tzinfo=UTC)
OTHER = TableJournal("macau-1", "t-2", "j-2")


@pytest.mark.parametrize("level", [FAST, SMALL])
def test_a_frame_is_read_as_it_was_written_whatever_is_in_it(level: int) -> None:
    chance = random.Random(44)
    at = [AT, AT + timedelta(microseconds=1)]
    given = [
        ArchivedMessage(number, chance.choice(at), chance.randbytes(chance.choice([0, 1, 70, 100_000])))
        for number in [1, 2, 3, 7, 8, 2**63 - 1]
    ]
    frame = packed(given, level)
    assert [*unpacked(frame, {trained().dict_id: trained()})] == given
    assert dictionary_of(frame) == trained().dict_id != 0
    with pytest.raises(frames.zstd.ZstdError):
        [*unpacked(frame[:-1], {trained().dict_id: trained()})]


async def stored_in_turns(archive: Archive, sizes: list[int]) -> list[Message]:
    """Batches of two journals; the second journal has a message that no row can be made of."""
    found: list[Message] = []
    first = 1
    for size in sizes:
        own = [*map(message, range(first, first + size))]
        other = [message(sent.sequence, OTHER) for sent in own]
        if first == 1:
            other[1] = message(2, OTHER, kind="round", began="yesterday")
        await archive.store([*own, *other])
        found += own + [sent for sent in other if sent.type != "dealer.station.round"]
        first += size
    return sorted(found, key=lambda row: (row.journal, row.sequence))


async def test_rows_of_few_messages_are_put_together_and_each_keeps_its_bytes_and_its_time(database: str) -> None:
    archive = await opened(database)
    assert not await archive.merge()
    published = await stored_in_turns(archive, [3, 5, ENOUGH + 1, 2, 1, 4])
    assert kept(database) == published
    with psycopg.connect(database) as connection:
        before = received(connection)
    assert not await archive.merge(), "few, and another may come soon"
    more = [message(number) for number in range(ENOUGH + 17, 2 * ENOUGH + 8)]
    await archive.store(more)
    assert await archive.merge() and not await archive.merge()
    with psycopg.connect(database) as connection:
        found = received(connection)
    assert [sent for sent in found if sent.message not in more] == before
    assert rows(database, f"SELECT first, last FROM pit.messages WHERE journal = '{JOURNAL.name}' ORDER BY 1") == [
        (1, 509), (510, 511), (512, 512), (513, 516), (517, 1007),
    ]  # fmt: skip
    await archive.close()


async def test_the_last_rows_of_a_journal_are_put_together_after_an_hour(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not those of another month: a partition has its own."""
    archive = await opened(database)
    monkeypatch.setattr(archive_module, "_now", lambda: AT)
    for number in range(1, 5):
        await archive.store([message(number)])
    monkeypatch.setattr(archive_module, "_now", lambda: AT + timedelta(minutes=59))
    assert not await archive.merge()
    monkeypatch.setattr(archive_module, "_now", lambda: AT + timedelta(days=9))
    for number in range(5, 8):
        await archive.store([message(number)])
    monkeypatch.setattr(archive_module, "_now", lambda: AT + timedelta(days=9, minutes=61))
    assert [await archive.merge() for _ in range(3)] == [True, True, False]
    await archive.close()
    assert rows(database, "SELECT first, last, count FROM pit.messages ORDER BY 1") == [(1, 4, 4), (5, 7, 3)]
    assert kept(database) == [*map(message, range(1, 8))]


async def test_a_clock_that_goes_back_over_the_end_of_a_month_changes_no_order(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = await opened(database)
    new, old = datetime(2026, 12, 1, 0, 0, 1, tzinfo=UTC), datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC)
    turns = (new, old, old, new, new, old, new)
    for number, at in enumerate(turns, 1):
        monkeypatch.setattr(archive_module, "_now", lambda at=at: at)
        await archive.store([message(number)])
        await archive.store([message(number, OTHER)])
    monkeypatch.setattr(archive_module, "_now", lambda: new + timedelta(hours=2))
    while await archive.merge():
        pass
    await archive.close()
    ranges = "SELECT first, last FROM pit.messages WHERE journal = 'j-2' ORDER BY first"
    assert rows(database, ranges) == [(1, 1), (2, 3), (4, 5), (6, 6), (7, 7)]
    async with await connected(database) as connection:
        for first, last in [(1, LAST), (2, 6), (5, 5)]:
            found = [sent.sequence async for sent in of_journal(connection, JOURNAL, first, last)]
            assert found == [number for number in range(1, 8) if first <= number <= last]


async def test_what_is_not_read_again_as_it_was_written_replaces_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = await opened(database)
    monkeypatch.setattr(archive_module, "_now", lambda: AT)
    for number in (1, 2, 3):
        await archive.store([message(number)])
    monkeypatch.setattr(archive_module, "_now", lambda: AT + timedelta(hours=2))
    monkeypatch.setattr(envelopes_module, "packed", lambda messages, level: packed(messages[:-1], level))
    with pytest.raises(RuntimeError, match="messages 1 to 3 of"):
        await archive.merge()
    monkeypatch.setattr(envelopes_module, "packed", packed)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE pit.leases SET epoch = epoch + 1")
    with pytest.raises(Superseded):
        await archive.merge()
    await archive.close()
    assert kept(database) == [*map(message, (1, 2, 3))]
    assert rows(database, "SELECT count(*) FROM pit.messages") == [(3,)]


async def test_messages_are_found_by_journal_and_number(database: str) -> None:
    archive = await opened(database)
    published = [row for row in await stored_in_turns(archive, [3, 5, 1, 20]) if row.journal == JOURNAL]
    await archive.close()
    async with await connected(database) as connection:
        for first, last in [(1, LAST), (0, 0), (1, 1), (3, 4), (9, 9), (8, 12), (29, 40), (30, 40), (-5, 2)]:
            found = [sent async for sent in of_journal(connection, JOURNAL, first, last)]
            assert found == [sent for sent in published if first <= sent.sequence <= last]


@pytest.mark.parametrize(
    ("which", "found", "code"),
    [("j-1", [1, 2, 3], 0), ("j-1/2", [2], 0), ("j-1/2-9", [2, 3], 0), ("j-1/4", [], 2), ("j-2", [], 2),
     ("j-1/", [1, 2, 3], 0), ("j-1/x", [], 2), ("j-1/2-", [], 2), ("j-1/-2", [], 2), ("j-1/" + "9" * 19, [], 2)],
)  # fmt: skip
def test_a_command_prints_messages_by_their_id(
    database: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], which: str, found: list[int], code: int
) -> None:
    async def store() -> None:
        archive = await opened(database)
        await archive.store([*map(message, (1, 2, 3))])
        await archive.close()

    asyncio.run(store())
    config = pit_toml(tmp_path, database)
    assert main(["messages", which, "--config", str(config)]) == code
    text = capfd.readouterr()
    assert text.out == "".join(f"{message(number).content.decode()}\n" for number in found)
    assert bool(text.err) == bool(code)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_no_one_reads_or_that_is_full_is_no_failure_of_the_database(database: str, tmp_path: Path) -> None:
    async def store() -> None:
        archive = await opened(database)
        await archive.store([*map(message, range(1, 501))])
        await archive.close()

    asyncio.run(store())
    config = pit_toml(tmp_path, database)
    command = [sys.executable, "-m", "controller.pit", "messages", "j-1", "--config", str(config)]
    reading = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reading.stdout and reading.stderr
    assert reading.stdout.readline()
    reading.stdout.close()
    assert (reading.stderr.read(), reading.wait(60)) == (b"", EXIT_PIPE)
    reading.stderr.close()
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == EXIT_OUTPUT and b"No space left on device" in done.stderr


def test_a_command_that_reads_makes_no_archive(
    new_database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = pit_toml(tmp_path, new_database)
    assert main(["messages", "j-1", "--config", str(config)]) == EXIT_CONFIGURATION
    assert "has no archive" in capsys.readouterr().err
    assert rows(new_database, "SELECT count(*) FROM pg_namespace WHERE nspname = 'pit'") == [(0,)]


async def test_frames_of_another_dictionary_are_read_and_put_together_with_the_new_one(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = await opened(database)
    monkeypatch.setattr(archive_module, "_now", lambda: AT)
    await archive.store([message(1)])
    await archive.close()
    samples = [message(number).content for number in range(1, 2000)]
    another = frames.zstd.train_dict(samples, 2000)
    for module in (frames, envelopes_module):
        monkeypatch.setattr(module, "trained", lambda: another)
    archive = await opened(database)
    await archive.store([message(2)])
    assert rows(database, "SELECT count(*) FROM pit.dictionaries") == [(2,)]
    monkeypatch.setattr(archive_module, "_now", lambda: AT + timedelta(hours=2))
    assert await archive.merge()
    await archive.close()
    assert kept(database) == [*map(message, (1, 2))]
    async with await connected(database) as connection:
        assert [sent async for sent in of_journal(connection, JOURNAL)] == [*map(message, (1, 2))]
