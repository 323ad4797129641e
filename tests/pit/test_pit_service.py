"""The pit beside a real broker and a real database: what was lost on the way is asked for, nothing is stored twice."""

import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import aiomqtt
import psycopg
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from structlog.testing import capture_logs

from controller.floor.broker import Broker
from controller.pit import archive as archive_module
from controller.pit import asking as asking_module
from controller.pit import service as service_module
from controller.pit.alarms import FAILED, GAPS, Alarms
from controller.pit.archive import Archive, Superseded
from controller.pit.envelopes import merge_small_rows
from controller.pit.inbox import Message, TableJournal, read
from controller.pit.linking import Linking
from controller.pit.marks import Marks
from controller.pit.service import Service, ServiceIntervals
from controller.system.tasks import ended
from tests.link.entries import PIT_KEY
from tests.pit.broadcasting import JOURNAL, content_of, retained
from tests.pit.conftest import rows, until
from tests.pit.kept import kept
from tests.pit.link_pit import opening
from tests.station.processes import Mosquitto

BASE = f"dealer/{JOURNAL.site}/{JOURNAL.table}"
BEFORE = TableJournal(JOURNAL.site, JOURNAL.table, "j-0")
END_OF_PIT_SESSIONS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'dealer-pit' AND datname = current_database()
"""


class Table:
    """A table that has so many messages, and says them again from `first` on when it is asked, but those put aside."""

    def __init__(self, client: aiomqtt.Client, first: int = 1) -> None:
        self.client, self.first, self.last = client, first, 0
        self.aside: set[int] = set()
        self.spoilt: dict[int, bytes] = {}  # what is written instead of the last name of an envelope
        self.loses: set[int] = set()  # of what it says again, until it is asked for something else
        self.begins = 1  # its journal, which continues from another
        self.asked: list[tuple[int, int]] = []
        self.acknowledged = 0

    async def publish(self, last: int, *lost: int) -> None:
        """Say all up to this message, but those that get lost on the way."""
        for number in range(self.last + 1, last + 1):
            if number not in lost:
                await self.client.publish(f"{BASE}/events/cards_dealt", self.content(number), qos=1)
        self.last = last

    def content(self, number: int) -> bytes:
        content = content_of(number, JOURNAL if number >= self.begins else BEFORE)
        return content.replace(b'"specversion"', self.spoilt.get(number, b'"specversion"'))

    async def say_state(self) -> None:
        state = json.loads(content_of(1)) | {"data": {"as_of": self.last}}
        await self.client.publish(f"{BASE}/state", json.dumps(state), qos=1, retain=True)

    async def serve(self) -> None:
        await self.client.subscribe(f"{BASE}/requests/#", qos=1)
        async for message in self.client.messages:
            asked = json.loads(bytes(message.payload))
            if str(message.topic).endswith("/requests/acknowledge/pit-1"):
                self.acknowledged = asked["through"]
                continue
            question = asked["first"], asked["last"]
            if self.asked and self.asked[-1] != question:
                self.loses.clear()
            self.asked.append(question)
            numbers = [number for number in range(asked["first"], asked["last"] + 1) if number not in self.aside]
            problem = {"code": "kept_no_longer", "title": "…", "status": 410, "oldest": self.first}
            end = {"specversion": "1.0", "type": "dealer.station.answer", "data": {**asked, "count": len(numbers)}}
            answers = [
                *(self.content(number) for number in numbers if number not in self.loses),
                json.dumps(end).encode(),
            ]
            if asked["first"] < self.first:
                answers = [json.dumps(problem).encode()]
            await self._answer(message.properties, answers)

    async def _answer(self, asked: Properties | None, answers: list[bytes]) -> None:
        how = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        how.CorrelationData = asked.CorrelationData  # type: ignore[union-attr]
        for content in answers:
            await self.client.publish(str(asked.ResponseTopic), content, qos=1, properties=how)  # type: ignore[union-attr]


@asynccontextmanager
async def table_at(broker: Mosquitto, first: int = 1) -> AsyncIterator[Table]:
    async with aiomqtt.Client("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        table = Table(client, first)
        serving = asyncio.create_task(table.serve())
        yield table
        await ended(serving)
        await client.publish(f"{BASE}/state", b"", qos=1, retain=True)


@asynccontextmanager
async def running(
    broker: Mosquitto, database: str, holder: str = "one", alarms: Alarms | None = None, links: Sequence[Linking] = ()
) -> AsyncIterator[None]:
    own = re.search(r"dbname=(\w+)", database)
    assert own is not None
    # No test takes what the session of another still holds.
    client = Broker("127.0.0.1", broker.port, client_id=f"{own[1]}-{holder}")
    pace = ServiceIntervals(ask_after=0.1, again=0.5, retry=0.05, merge=0.05, look=0.1)
    service = Service(client, "pit-1", database, holder, pace, links, alarms=alarms)
    task = asyncio.create_task(service.run())
    try:
        yield
    finally:
        await ended(task)


async def stored(database: str) -> list[int]:
    """The numbers of a table's messages, read in a thread: a partition may wait for this event loop."""
    found = await asyncio.to_thread(kept, database)
    return [message.sequence for message in found if message.journal.site == "macau-1"]


async def until_stored(database: str, *numbers: int) -> None:
    while await stored(database) != [*numbers]:  # noqa: ASYNC110 it notifies no one
        await asyncio.sleep(0.02)


async def test_what_was_lost_on_the_way_is_asked_for_and_the_table_receives_how_far_the_archive_is(
    broker: Mosquitto, database: str
) -> None:
    async with table_at(broker) as table, running(broker, database):
        await table.publish(4)
        await table.say_state()
        await until_stored(database, 1, 2, 3, 4)
        await table.publish(20, 5, 6, 7, 11, 19, 20)
        await table.say_state()
        await until_stored(database, *range(1, 21))

        await until(lambda: table.acknowledged == 20)
        later = [question for question in table.asked if question[1] > 4]
        assert later[0] == (5, 7) and all(first <= to for first, to in later)


async def test_what_the_table_no_longer_has_is_left_out(broker: Mosquitto, database: str) -> None:
    async with table_at(broker, first=9) as table:
        await table.publish(12, *range(1, 13))
        await table.say_state()
        async with running(broker, database):
            await until_stored(database, 9, 10, 11, 12)
        assert rows(database, "SELECT first, through FROM pit.journals") == [(9, 12)]


async def test_what_the_table_has_put_aside_is_passed_over(broker: Mosquitto, database: str) -> None:
    async with table_at(broker) as table:
        table.aside, table.loses = {1, 5, 6, 9}, {8}
        await table.publish(10, *range(1, 11))
        await table.say_state()
        async with running(broker, database):
            await until_stored(database, 2, 3, 4, 7, 8, 10)
            await table.publish(12, 11)
            await table.say_state()
            await until_stored(database, 2, 3, 4, 7, 8, 10, 11, 12)
        assert rows(database, "SELECT first, through FROM pit.journals") == [(2, 12)]
        assert [*dict.fromkeys(table.asked)] == [(1, 10), (1, 1), (5, 6), (8, 9), (11, 11)], (
            "again where an answer is late"
        )


@pytest.mark.parametrize("placed", [True, False], ids=["no type", "no JSON"])
async def test_nothing_is_acknowledged_past_what_the_archive_lacks_until_a_person_has_decided(
    broker: Mosquitto, database: str, placed: bool
) -> None:
    alarms = Alarms()

    async def acknowledged(last: int) -> None:
        await until(lambda: table.acknowledged == last)

    async with table_at(broker) as table:
        table.spoilt = {3: b'"type":"","specversion"' if placed else b'specversion"'}
        await table.publish(6, *range(1, 7))
        await table.say_state()
        async with running(broker, database, alarms=alarms):
            await until_stored(database, 1, 2, 4, 5, 6)
            await acknowledged(2)
            await table.publish(8)
            await until_stored(database, 1, 2, 4, 5, 6, 7, 8)

            await until(lambda: bool(alarms.active()))
        [alarm] = alarms.active()
        assert alarm.name == GAPS and "1 messages fewer than macau-1/t-1" in alarm.texts["en"]
        async with running(broker, database, "two", alarms=alarms):
            await table.publish(9)
            await table.say_state()
            await until_stored(database, 1, 2, 4, 5, 6, 7, 8, 9)
            assert table.acknowledged == 2
            archive = await Archive.open(database, "gaps")
            [gap] = await archive.gaps()
            assert (gap.first, gap.last, gap.kept) == (3, 3, placed)
            assert await archive.decide_gaps(JOURNAL.site, JOURNAL.table, "rui") == 1
            await archive.close()
            await acknowledged(9)
        assert alarms.active() == ()


async def test_rows_that_cannot_be_put_together_end_nothing(
    broker: Mosquitto, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def defective(*_: object) -> bool:
        raise RuntimeError("messages 1 to 3 are not read again as written")

    again = asyncio.Event()

    async def once_more(connection: psycopg.AsyncConnection[Any], now: datetime) -> bool:
        again.set()
        return await merge_small_rows(connection, now)

    monkeypatch.setattr(archive_module, "merge_small_rows", defective)
    async with table_at(broker) as table, running(broker, database):
        with capture_logs() as logs:
            await table.publish(3)

            await until(lambda: any(entry["event"] == "rows cannot be put together" for entry in logs))
        monkeypatch.setattr(archive_module, "merge_small_rows", once_more)
        await table.publish(6)
        await until_stored(database, *range(1, 7))
        await again.wait()


async def test_a_defect_at_one_message_ends_nothing(
    broker: Mosquitto, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alarms = Alarms()

    def defective(site: str, table: str, content: bytes) -> Message:
        found = read(site, table, content)
        if found.sequence == 3:
            raise UnicodeEncodeError("latin-1", "牌", 0, 1, "a defect")
        return found

    async def receive(*_: object) -> None:
        raise ValueError("a defect of a linked pot")

    for module in (service_module, asking_module):
        monkeypatch.setattr(module, "read", defective)
    monkeypatch.setattr(Linking, "receive", receive)
    link = Linking(opening(1), database, PIT_KEY, Marks(tmp_path))
    async with table_at(broker) as table, running(broker, database, alarms=alarms, links=[link]):
        await table.publish(6)
        await table.say_state()
        await until_stored(database, 1, 2, 4, 5, 6)
        assert FAILED in {alarm.name for alarm in alarms.active()}
        await table.client.publish(f"{BASE}/link/{link.link}", b"{}", qos=1)
        await until(lambda: any("/link/" in alarm.details for alarm in alarms.active()))
        await table.publish(7)
        await until_stored(database, 1, 2, 4, 5, 6, 7)


async def test_a_journal_that_continues_from_a_copy_begins_where_the_copy_ends(
    broker: Mosquitto, database: str
) -> None:
    async with table_at(broker) as table, running(broker, database):
        table.begins = 4
        await table.publish(6, 1, 2)
        await table.say_state()
        await until_stored(database, *range(1, 7))
        found = rows(database, "SELECT journal, first, through FROM pit.journals ORDER BY journal")
        assert found == [("j-0", 1, 3), ("j-1", 4, 6)]


async def test_what_a_table_says_of_its_day_is_kept_hour_by_hour(broker: Mosquitto, database: str) -> None:
    async with table_at(broker) as table, running(broker, database):
        await table.publish(2)
        await table.say_state()
        await until_stored(database, 1, 2)
        for content in (retained("statistics", round_count=3), b"{}", retained("statistics", round_count=4)):
            await table.client.publish(f"{BASE}/statistics", content, qos=1, retain=True)

        await until(lambda: rows(database, "SELECT rounds FROM pit.figures") == [(4,)])
        await table.client.publish(f"{BASE}/statistics", b"", qos=1, retain=True)


async def test_figures_that_the_database_does_not_take_are_dropped_and_the_others_kept() -> None:
    kept: list[object] = []

    class Particular(Archive):
        def __init__(self) -> None:
            pass

        async def keep_figures(self, rows: Sequence[Sequence[object]]) -> None:
            if any(row[1] == "t-2" for row in rows):
                raise psycopg.errors.NumericValueOutOfRange("bigint out of range")
            kept.extend(row[1] for row in rows)

    service = Service(Broker("127.0.0.1", 1), "pit-1", "", "one")
    keys = {("macau-1", table): ("macau-1", table) for table in ("t-1", "t-2", "t-3")}
    with capture_logs() as numbers:
        await service._keep_figures(Particular(), keys)
    assert kept == ["t-1", "t-3"]
    assert [line["topic"] for line in numbers] == ["dealer/macau-1/t-2/statistics"]


async def test_why_a_table_refuses_acknowledgements_is_in_the_log_once() -> None:
    service = Service(Broker("127.0.0.1", 1), "pit-1", "", "one")

    async def refused(code: str) -> None:
        problem = json.dumps({"code": code, "title": "…", "status": 403}).encode()
        archive: Any = None
        await service._take(archive, f"{BASE}/answers/pit-1", problem, archive, None)

    with capture_logs() as logged:
        for code in ("no_such_archive", "no_such_archive", "another_journal"):
            await refused(code)
    assert [(line["table"], line["reason"]) for line in logged] == [
        (BASE.rpartition("/")[2], "no_such_archive"), (BASE.rpartition("/")[2], "another_journal")
    ]  # fmt: skip


async def test_who_waits_for_the_broker_to_take_an_acknowledgement_keeps_no_row_away() -> None:
    stored: asyncio.Queue[int] = asyncio.Queue()

    class Particular(Archive):
        def __init__(self) -> None:
            pass

        async def store(self, messages: Sequence[Message]) -> list[Message]:
            for message in messages:
                stored.put_nowait(message.sequence)
            return []

    class Silent:
        async def publish(self, *given: object, **other: object) -> None:
            await asyncio.Event().wait()

    service, archive = Service(Broker("127.0.0.1", 1), "pit-1", "", "one"), Particular()
    works = [service._store(Silent(), archive), service._acknowledge(Silent())]  # type: ignore[arg-type]
    tasks = [asyncio.create_task(work) for work in works]
    try:
        for number in (1, 2, 3):
            service._inbox.receive(read(JOURNAL.site, JOURNAL.table, content_of(number)))
            assert await stored.get() == number
    finally:
        for task in tasks:
            await ended(task)


async def test_a_database_that_went_away_in_between_loses_and_doubles_nothing(broker: Mosquitto, database: str) -> None:
    async with table_at(broker) as table, running(broker, database):
        for last in (10, 20, 30):
            await table.publish(last)
            await table.say_state()
            # The service may not have its connection yet, or not again.
            await until(lambda: rows(database, END_OF_PIT_SESSIONS))
            await until_stored(database, *range(1, last + 1))


async def test_a_connection_to_the_database_on_which_nothing_comes_any_more_is_given_up(
    broker: Mosquitto, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (service_module, archive_module):
        monkeypatch.setattr(module, "LEASE_SECONDS", 2.0)
    async with table_at(broker) as table, running(broker, database):
        await table.publish(10)
        await table.say_state()
        await until_stored(database, *range(1, 11))
        [[hung]] = rows(database, "SELECT pid FROM pg_stat_activity WHERE application_name = 'dealer-pit'")
        assert isinstance(hung, int)
        # Within a transaction it would hold locks, for which the next connection waits.
        idle = f"SELECT count(*) FROM pg_stat_activity WHERE pid = {hung} AND state = 'idle'"
        os.kill(hung, signal.SIGSTOP)
        while rows(database, idle) != [(1,)]:
            os.kill(hung, signal.SIGCONT)
            await asyncio.sleep(0.01)
            os.kill(hung, signal.SIGSTOP)
        try:
            await table.publish(20)
            await table.say_state()
            await until_stored(database, *range(1, 21))
        finally:
            os.kill(hung, signal.SIGCONT)


async def test_a_database_that_says_nothing_of_what_it_has_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Archive):
        def __init__(self) -> None: ...

        async def through(self) -> dict[TableJournal, int]:
            await asyncio.Event().wait()
            raise AssertionError

    monkeypatch.setattr(service_module, "OPEN_SECONDS", 0.01)
    with pytest.raises(Superseded, match=r"has not answered for 0.01 s"):
        await Service(Broker("127.0.0.1", 1), "pit-1", "", "one")._lead(Silent())


async def test_a_lead_that_another_has_had_meanwhile_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another process has stored or decided is not known here."""

    class Again(Archive):
        def __init__(self) -> None:
            self._at = 4

        @property
        def epoch(self) -> int:
            return self._at

        async def lead(self) -> bool:
            self._at = 6
            return True

    monkeypatch.setattr(service_module, "LEASE_SECONDS", 0.01)
    with pytest.raises(Superseded, match="another process has taken the lead"):
        await Service(Broker("127.0.0.1", 1), "pit-1", "", "one")._keep_the_lead(Again())


@pytest.mark.parametrize(
    "data",
    [
        {"source": "/dealer/macau-1/t-1/j-\0", "data": {"as_of": 3}},
        {"source": "/dealer/macau-1/t-1/" + "j" * 201, "data": {"as_of": 3}},
        {"source": "/dealer/macau-1/t-1/j-1", "data": {"as_of": 2**63}},
        {"source": "/dealer/macau-1/t-1/j-1", "data": {"as_of": -1}},
    ],
)
def test_a_state_that_no_database_keeps_is_asked_of_no_one(data: dict[str, object]) -> None:
    service = Service(Broker("127.0.0.1", 1), "pit-1", "", "one")
    service._take_figures("macau-1", "t-1", json.dumps(data).encode())
    assert not service._inbox.missing()


def test_an_oldest_message_that_no_database_keeps_is_no_answer() -> None:
    assert asking_module._answer(b'{"code":"kept_no_longer","oldest":9}') is not None
    assert asking_module._answer(b'{"code":"kept_no_longer","oldest":9223372036854775808}') is None


@pytest.mark.parametrize("opens", [True, False])
async def test_one_that_waits_to_lead_notices_that_its_database_says_nothing(
    monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    """It would wait for ever, and for nothing once the one that leads is gone."""
    abandoned: list[str] = []

    class Silent(Archive):
        def __init__(self) -> None:
            pass

        @classmethod
        async def open(cls, database: str, holder: str) -> "Silent":
            return cls() if opens else await asyncio.Event().wait()  # type: ignore[return-value]

        async def lead(self) -> bool:
            return await asyncio.Event().wait()

        async def abandon(self) -> None:
            abandoned.append("abandoned")

        async def close(self) -> None:
            abandoned.append("closed")

    monkeypatch.setattr(service_module, "Archive", Silent)
    for name in ("LEASE_SECONDS", "OPEN_SECONDS"):
        monkeypatch.setattr(service_module, name, 0.01)
    with pytest.raises(Superseded, match="not answered for"):
        await Service(Broker("127.0.0.1", 1), "pit-1", "", "two")._lead_once()
    assert abandoned == (["abandoned", "closed"] if opens else [])


async def test_the_second_continues_where_the_first_was(broker: Mosquitto, database: str) -> None:
    async with table_at(broker) as table, AsyncExitStack() as second:
        async with running(broker, database, "one"):
            await until_stored(database)
            await second.enter_async_context(running(broker, database, "two"))
            await table.publish(10)
            await table.say_state()
            await until_stored(database, *range(1, 11))
        await table.publish(20)
        await table.say_state()
        await until_stored(database, *range(1, 21))
        assert rows(database, "SELECT holder FROM pit.leases") == [("two",)]
