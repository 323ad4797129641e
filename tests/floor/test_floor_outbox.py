"""What waits for the broker, also while it is killed."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.floor.broker import Broker
from controller.floor.outbox import WINDOW, Outbox
from controller.journal.records import OutboxRow
from tests.floor.informing_station import informing
from tests.station.processes import Mosquitto


def rows(first: int, last: int) -> list[OutboxRow]:
    return [OutboxRow(sequence=number, topic="t", payload=b"%d" % number) for number in range(first, last + 1)]


class Kept:
    """A journal of messages; `while_reading` happens between the reading and its answer."""

    def __init__(self, last: int = 0) -> None:
        self.kept = rows(1, last)
        self.reads: list[tuple[int, int]] = []
        self.while_reading: list[tuple[Outbox, int]] = []

    async def read(self, after: int, limit: int) -> Sequence[OutboxRow]:
        self.reads.append((after, limit))
        found = [row for row in self.kept if row.sequence > after][:limit]
        await asyncio.sleep(0)
        for outbox, last in self.while_reading:
            self.add(outbox, last)
        self.while_reading = []
        return found

    def add(self, outbox: Outbox, last: int) -> None:
        new = rows(self.kept[-1].sequence + 1 if self.kept else 1, last)
        self.kept += new
        outbox.add(new)


async def drained(outbox: Outbox) -> list[int]:
    numbers = []
    while (row := await outbox.head()) is not None:
        numbers.append(row.sequence)
        outbox.done(row.sequence)
    return numbers


async def test_what_the_journal_holds_at_the_start_comes_first_and_in_order() -> None:
    kept = Kept(last=3)
    outbox = Outbox(kept.read, last=3)
    kept.add(outbox, 5)
    assert not outbox.empty
    assert await drained(outbox) == [1, 2, 3, 4, 5]
    assert outbox.acknowledged == 5 and await outbox.head() is None


async def test_a_backlog_larger_than_the_window_is_read_in_windows_and_in_order() -> None:
    kept = Kept(last=3 * WINDOW + 7)
    outbox = Outbox(kept.read, last=3 * WINDOW + 7)
    assert await drained(outbox) == [*range(1, 3 * WINDOW + 8)]
    assert [after for after, _ in kept.reads] == [0, WINDOW, 2 * WINDOW, 3 * WINDOW]
    assert all(limit == WINDOW for _, limit in kept.reads)


async def test_what_passes_the_window_while_no_one_takes_it_is_read_from_the_journal() -> None:
    kept = Kept()
    outbox = Outbox(kept.read, last=0)
    for last in range(1, 2 * WINDOW + 1):
        kept.add(outbox, last)
    assert len(outbox._window) == WINDOW
    assert await drained(outbox) == [*range(1, 2 * WINDOW + 1)]
    kept.add(outbox, 2 * WINDOW + 1)
    reads = len(kept.reads)
    assert await drained(outbox) == [2 * WINDOW + 1] and len(kept.reads) == reads


async def test_a_message_that_comes_while_the_journal_is_read_is_not_lost() -> None:
    kept = Kept()
    outbox = Outbox(kept.read, last=4)  # 1 to 4 were acknowledged and are gone from the journal

    async def add_fifth(after: int, limit: int) -> Sequence[OutboxRow]:
        await asyncio.sleep(0)
        outbox.add(rows(5, 5))
        kept.kept = rows(5, 5)
        return []

    outbox._read = add_fifth
    first = await outbox.head()
    outbox._read = kept.read
    second = first or await outbox.head()
    assert second is not None and second.sequence == 5


async def test_the_head_stays_until_it_is_acknowledged() -> None:
    outbox = Outbox(Kept(last=2).read, last=2)
    first = await outbox.head()
    assert first == await outbox.head() and first is not None and first.sequence == 1


async def test_an_empty_outbox_waits_until_something_is_added_or_someone_wakes_it() -> None:
    kept = Kept()
    outbox = Outbox(kept.read, last=0)
    assert await outbox.head() is None and outbox.empty
    stirs: list[Callable[[], None]] = [lambda: kept.add(outbox, 1), outbox.wake]
    for stir in stirs:
        waiting = asyncio.create_task(outbox.changed())
        await asyncio.sleep(0)
        assert not waiting.done()
        stir()
        await waiting


async def test_emptied_comes_with_the_last_acknowledgement() -> None:
    outbox = Outbox(Kept(last=2).read, last=2)
    waiting = asyncio.create_task(outbox.emptied())
    for sequence in (1, 2):
        await asyncio.sleep(0)
        assert not waiting.done()
        await outbox.head()
        outbox.done(sequence)
    await waiting


async def test_a_message_put_aside_while_it_is_in_flight_takes_no_other_with_it() -> None:
    outbox = Outbox(Kept(last=3).read, last=3)
    assert await outbox.head() is not None
    outbox.done(1)  # put aside
    outbox.done(1)  # the broker took it all the same
    assert await drained(outbox) == [2, 3]


@settings(max_examples=60)
@given(
    st.integers(0, WINDOW * 2),
    st.lists(st.tuples(st.sampled_from(["add", "take", "add while reading"]), st.integers(1, WINDOW)), max_size=12),
)
def test_any_course_publishes_every_message_once_and_in_order(backlog: int, course: list[tuple[str, int]]) -> None:
    async def run() -> None:
        kept = Kept(last=backlog)
        outbox = Outbox(kept.read, last=backlog)
        numbers: list[int] = []
        for what, count in course:
            last = kept.kept[-1].sequence if kept.kept else 0
            if what == "take":
                for _ in range(count):
                    row = await outbox.head()
                    if row is None:
                        break
                    numbers.append(row.sequence)
                    outbox.done(row.sequence)
            elif what == "add":
                kept.add(outbox, last + count)
            else:
                kept.while_reading = [(outbox, last + count)]
                await outbox.head()
                for pending, wanted in kept.while_reading:
                    kept.add(pending, wanted)
                kept.while_reading = []
        numbers += await drained(outbox)
        assert numbers == [row.sequence for row in kept.kept]
        assert outbox.empty

    asyncio.run(run())


# ---- A broker that is killed again and again: the station connects again, and the event loop complains of nothing.


SECONDS = 60.0
TIMES = 8


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", lambda low, high: 0.0)


@pytest.fixture
async def complaints() -> list[dict[str, Any]]:
    """What the event loop says of its callbacks."""
    alarms: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: alarms.append(context))
    return alarms


async def test_a_broker_that_is_killed_again_and_again(tmp_path: Path, complaints: list[dict[str, Any]]) -> None:
    broker = Mosquitto(tmp_path)
    async with asyncio.timeout(SECONDS):
        await asyncio.to_thread(broker.start)
        async with informing(Broker("127.0.0.1", broker.port)) as station:
            for time in range(1, TIMES + 1):
                for number in range(20):
                    station.say("card", b"%d" % number)
                await station.until(lambda time=time: station.edges.count("back") == time)  # type: ignore[misc]
                for number in range(200):
                    station.say("card", b"%d" % number)
                await asyncio.to_thread(broker.kill)
                await station.until(lambda: station.edges[-1] == "lost")
                await asyncio.to_thread(broker.start)
            await station.until(lambda: station.acknowledged == len(station.sent))
    broker.stop()
    assert complaints == []
    assert set(station.causes) <= {"hung_up", "nothing_listens", "no_welcome"}
