"""Two stations of one site and table at a broker: each says so once, and they do not put each other right for ever."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, Self

import pytest

from controller.engine.state.events import JournalOvertaken
from controller.floor import client as floor_client
from controller.floor.broker import Broker
from controller.floor.client import FloorClient
from controller.floor.handler import Topics
from controller.floor.other_stations import LONGEST_NAME, REPLACED_TIMES, OtherStations, overtaken_by
from controller.floor.outbox import Outbox
from tests.floor.informing_station import QuietTable
from tests.made_up_time import in_made_up_time

STATE, STATUS = "dealer/here/t1/state", "dealer/here/t1/status"
LONG = 600.0


class FakeBroker:
    """Keeps what is retained, and hands each message on to everybody else who listens."""

    def __init__(self) -> None:
        self.retained: dict[str, bytes] = {}
        self.count: Counter[str] = Counter()
        self.listening: list[FakeClient] = []


class FakeClient:
    at_once = 1
    certificate_ends = None
    left_open = False

    def __init__(self, broker: FakeBroker) -> None:
        self._broker = broker
        self.queue = asyncio.Queue[Any]()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *how: object) -> None:
        if self in self._broker.listening:
            self._broker.listening.remove(self)

    async def unsubscribe(self, topics: object) -> None:
        self._broker.listening.remove(self)

    async def subscribe(self, topics: object) -> None:
        for topic, payload in self._broker.retained.items():
            self.receive(topic, payload, True)
        self._broker.listening.append(self)

    def receive(self, topic: str, payload: bytes, was_there: bool) -> None:
        self.queue.put_nowait(SimpleNamespace(topic=topic, payload=payload, retain=was_there))

    @property
    def messages(self) -> "MessagesOf":
        return MessagesOf(self.queue)

    def closed_by_failure(self) -> nullcontext[None]:
        return nullcontext()

    async def deliver(self, topic: str, payload: bytes, retain: bool = False, content_type: str = "") -> None:
        await asyncio.sleep(0.001)
        self._broker.retained[topic] = payload
        self._broker.count[topic] += 1
        for other in self._broker.listening:
            if other is not self:
                other.receive(topic, payload, False)


class MessagesOf:
    """The messages of a client."""

    def __init__(self, queue: "asyncio.Queue[Any]") -> None:
        self._queue = queue

    def __len__(self) -> int:
        return self._queue.qsize()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        return await self._queue.get()


def message(journal: str, **data: object) -> bytes:
    return json.dumps({"source": f"/dealer/here/t1/{journal}", "data": data}).encode()


async def no_rows(after: int, limit: int) -> Sequence[Any]:
    return []


class Station(QuietTable):
    """A station of the table with this journal, whose state is a number."""

    def __init__(self, journal: str) -> None:
        self.number = 0
        self.others: list[str] = []
        self.forged: list[str] = []
        self.outbox = Outbox(no_rows, 0)
        self.state: Callable[[], bytes] = lambda: message(journal, state=self.number)
        self._journal = journal
        self.client = FloorClient(Broker("nowhere", 0), self.outbox, self, Topics(own=[STATUS, STATE]))
        self._running = asyncio.create_task(self.client.run())

    def retained(self) -> dict[str, bytes]:
        return {STATE: self.state()}

    def status(self, online: bool) -> tuple[str, bytes]:
        return STATUS, message(self._journal, online=online)

    def on_forged(self, topic: str) -> None:
        self.forged.append(topic)

    def on_other(self, source: str) -> None:
        self.others.append(source)

    async def stop(self) -> None:
        self._running.cancel()
        await asyncio.wait([self._running])
        await self.client.say_goodbye()


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> FakeBroker:
    fake = FakeBroker()
    monkeypatch.setattr(floor_client, "connection", lambda *_: FakeClient(fake))
    return fake


@in_made_up_time
async def both(broker: FakeBroker) -> None:
    first = Station("one")
    await asyncio.sleep(1)
    other = Station("other")
    await asyncio.sleep(LONG)
    assert first.others == ["/dealer/here/t1/other"] and other.others == ["/dealer/here/t1/one"]
    assert first.forged == other.forged == []
    for topic in (STATE, STATUS):
        again = 2 if topic == STATUS else 0  # some time after each connection
        assert broker.count[topic] <= 2 * (REPLACED_TIMES + 1) + again
    stated = broker.count[STATE]
    for number in range(1, 6):  # play continues at both: each says its own, and answers nothing of the other's
        first.number = other.number = number
        first.outbox.wake()
        other.outbox.wake()
        await asyncio.sleep(LONG)
    assert broker.count[STATE] == stated + 10
    await other.stop()
    await asyncio.sleep(LONG)
    assert broker.retained == {STATE: first.state(), STATUS: message("one", online=True)}
    third = Station("third")
    await asyncio.sleep(LONG)
    assert first.others[1:] == ["/dealer/here/t1/third"], "another is reported again"
    await third.stop()
    await first.stop()


def test_each_says_so_once_and_they_leave_each_other_alone_until_one_has_left(broker: FakeBroker) -> None:
    both(broker)


@in_made_up_time
async def one_after_the_other(broker: FakeBroker) -> None:
    broker.retained["dealer/here/t1/alarms/slots-mute"] = message("earlier")
    station = Station("later")
    await asyncio.sleep(LONG)
    assert broker.retained["dealer/here/t1/alarms/slots-mute"] == b""
    assert station.others == station.forged == []
    await station.stop()


def test_what_an_earlier_journal_left_there_is_cleared_and_no_second_station(broker: FakeBroker) -> None:
    one_after_the_other(broker)


def test_what_no_station_says_names_no_second_one() -> None:
    others = OtherStations()
    others.begin(b'{"source": "/here/t1/ours"}')
    assert others.source(b'{"source": "/here/t1/theirs"}') == "/here/t1/theirs"
    # The name is written down with the alarm: without end, or as no text, it would stop the station.
    for name in ("ours", "", "\\ud800", "\\n", "x" * (LONGEST_NAME + 1)):
        assert others.source(b'{"source": "/here/t1/%s"}' % name.encode()) is None
    assert others.source(b"[" * 200_000) is None and others.source(b'{"source":' * 200_000) is None


@pytest.mark.parametrize(
    ("name", "stated", "shows"),
    [
        ("one.b", 13, True), ("one.b", 12, False), ("one.b", 10**12, False), ("one.b", "13", False),
        ("one.b", True, False),
        ("one", 13, False), ("one.a", 999, False), ("one.c", 1, True), ("one.c", 0, False), ("one.c\u00e9", 1, False),
        (f"one.{'c' * LONGEST_NAME}", 1, False), ("other", 13, False), ("onef.b", 13, False),
    ],
)  # fmt: skip
def test_a_later_time_of_this_journal_is_known_by_its_number_or_by_an_epoch_that_it_does_not_have(
    name: str, stated: Any, shows: bool
) -> None:
    found = overtaken_by(message(name, as_of=stated), ["one", "one.a", "one.b"], 12)
    assert found == (JournalOvertaken(name, stated, 12) if shows else None)
    assert overtaken_by(b"nonsense", ["one"], 0) is None
