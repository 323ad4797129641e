"""A broker that lets the station in and hangs up on what it says: one outage, however many tries are inside it."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiomqtt
import pytest

from controller.floor import client, mqtt
from controller.floor.backoff import CEILING_SECONDS, FLOOR_SECONDS
from controller.floor.broker import KEEPALIVE_SECONDS, Broker
from controller.floor.client import HUNG_UP_TIMES
from controller.floor.mqtt import ACKNOWLEDGE_SECONDS, MOST_IN_FLIGHT
from tests.floor.informing_station import EVENTS, Station, informing
from tests.floor.moody_broker import MoodyBroker, Takes
from tests.station.processes import Mosquitto

TRIES = 12
BACK_OFF = [min(FLOOR_SECONDS * 2**number, CEILING_SECONDS) for number in range(TRIES)]


@asynccontextmanager
async def served(takes: Takes) -> AsyncIterator[tuple[MoodyBroker, Station]]:
    """A station that keeps its floor informed, through this broker."""
    async with (
        MoodyBroker(takes) as broker,
        informing(Broker("127.0.0.1", broker.port, protocol="3.1.1", keepalive=600)) as station,
    ):
        yield broker, station


def everything(topic: str, payload: bytes) -> bool:
    return True


def events(broker: MoodyBroker) -> list[str]:
    return [topic.removeprefix(EVENTS) for topic, _ in broker.messages if topic.startswith(EVENTS)]


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between the tries, none of which is waited for."""
    kept: list[float] = []

    class Jitter(float):
        def __rmul__(self, pause: float) -> float:
            kept.append(pause)
            return 0.0

    monkeypatch.setattr("random.uniform", lambda low, high: Jitter())
    return kept


async def test_an_event_it_hangs_up_on_is_one_outage_and_is_published_first_afterwards(pauses: list[float]) -> None:
    async with served(everything) as (broker, station):
        await broker.until(lambda: events(broker) == ["back"])
        assert broker.connections == 1, "a broker that takes everything is back at once"
        broker.takes = lambda topic, _: topic != EVENTS + "card"
        station.say("card")
        await broker.until(lambda: broker.hung_up == TRIES)
        assert station.edges == ["back", "lost"] and events(broker) == ["back"]
        assert pauses == BACK_OFF[: len(pauses)] and len(pauses) >= TRIES - 1
        broker.takes = everything
        await broker.until(lambda: "lost" in events(broker) and events(broker)[-1] == "back")
        assert station.edges == ["back", "lost", "back"] and events(broker) == station.sent


async def test_a_message_it_hangs_up_on_again_and_again_is_reported_once_and_put_aside_lets_the_others_pass() -> None:
    async with served(everything) as (broker, station):
        await broker.until(lambda: events(broker) == ["back"])
        broker.takes = lambda topic, _: topic != EVENTS + "card"
        station.say("card")
        await broker.until(lambda: broker.hung_up == HUNG_UP_TIMES - 1)
        assert station.untaken == []
        await broker.until(lambda: broker.hung_up == TRIES)
        assert [sequence for sequence, _ in station.untaken] == [2]
        station.outbox.done(2)
        await broker.until(lambda: events(broker)[-1:] == ["back"] and len(events(broker)) > 1)
        assert events(broker) == [name for name in station.sent if name != "card"] and len(station.untaken) == 1


@pytest.fixture
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A station that waits for answers that are withheld, also over a standstill of this computer: see `stop_reading`.

    A second of backlog is enough for it to want all answers before it sends more, and five without one are a loss.
    """
    monkeypatch.setattr(client, "RETAINED_AT_LEAST_EVERY_SECONDS", 1000.0)
    for module in (client, mqtt):
        monkeypatch.setattr(module, "ACKNOWLEDGE_SECONDS", 1000.0)


def stop_reading(topic: str, payload: bytes) -> bool:
    """Take everything; keep station and broker from doing anything for longer than the patience with a backlog."""
    if topic == EVENTS + "card 2":
        time.sleep(1.1)
    return True


@pytest.mark.usefixtures("no_hurry")
async def test_several_messages_are_in_flight_at_once_and_no_more_than_the_most() -> None:
    async with served(everything) as (broker, station):
        await broker.until(lambda: events(broker) == ["back"])
        broker.takes = stop_reading
        broker.late = MOST_IN_FLIGHT - 1
        for number in range(3 * MOST_IN_FLIGHT):
            station.say(f"card {number}")
        await broker.until(lambda: events(broker) == station.sent)
        await station.until(lambda: station.acknowledged == len(station.sent))
        assert station.edges == ["back"]


@pytest.mark.usefixtures("no_hurry")
async def test_of_several_in_flight_the_one_it_hangs_up_on_is_named_though_its_answers_to_the_others_are_lost() -> None:
    async with served(everything) as (broker, station):
        await broker.until(lambda: events(broker) == ["back"])

        def takes(topic: str, payload: bytes) -> bool:
            stop_reading(topic, payload)
            if topic == EVENTS + "card 5":
                broker.late = 0
            return topic != EVENTS + "card 5"

        broker.takes, broker.late = takes, 2 * MOST_IN_FLIGHT
        for number in range(20):
            station.say(f"card {number}")
        await broker.until(lambda: broker.hung_up == TRIES)
        assert [sequence for sequence, _ in station.untaken] == [1 + station.sent.index("card 5")]
        assert "card 6" not in events(broker), "nothing passes it"
        broker.takes = everything
        await broker.until(lambda: events(broker)[-1] == "back" and len(events(broker)) > 20)
        assert [*dict.fromkeys(events(broker)[1:])] == [*dict.fromkeys(station.sent[1:])], "all of them, in order"


async def test_a_retained_message_it_hangs_up_on_is_one_outage(pauses: list[float]) -> None:
    async with served(lambda topic, _: topic != "dealer/state") as (broker, station):
        await broker.until(lambda: broker.hung_up == TRIES)
        assert station.edges == ["lost"]
        assert pauses == BACK_OFF[: len(pauses)] and len(pauses) >= TRIES - 1
        broker.takes = everything
        await broker.until(lambda: events(broker) == ["lost", "back"])


async def test_what_the_return_itself_makes_too_long_ends_in_an_outage_and_not_in_a_loop() -> None:
    async with served(lambda *_: False) as (broker, station):
        station.state = {"back": b"a state that is too long", "lost": b"a short one"}
        await broker.until(lambda: station.edges == ["lost"])
        broker.takes = lambda topic, payload: topic == "dealer/status" or len(payload) < 20
        hung_up = broker.hung_up
        await broker.until(lambda: broker.hung_up == hung_up + TRIES)
        assert station.edges == ["lost", "back", "lost"]
        broker.takes = everything
        await broker.until(lambda: events(broker) == ["lost", "back", "lost", "back"])


async def test_what_is_not_taken_of_the_state_holds_up_no_event() -> None:
    async with served(lambda topic, _: topic != "dealer/state") as (broker, station):
        await broker.until(lambda: broker.hung_up == 1)
        for _ in range(TRIES):
            station.say("card")
        hung_up = broker.hung_up
        await broker.until(lambda: "lost" in station.sent and events(broker) == station.sent)
        assert broker.hung_up <= hung_up + 2, "they do not wait for a try each"


async def test_a_broker_that_takes_everything_and_hangs_up_is_tried_ever_more_rarely(
    pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Time:
        now = 1000.0

        def monotonic(self) -> float:
            return self.now

    clock = Time()
    monkeypatch.setattr(client, "time", clock)
    async with served(everything) as (broker, station):
        for number in range(1, TRIES + 1):
            await broker.until(lambda meta=number: events(broker).count("back") == meta)  # type: ignore[misc]
            broker.hang_up()
        await broker.until(lambda: events(broker).count("back") == TRIES + 1)
        assert pauses == BACK_OFF
        clock.now += CEILING_SECONDS
        broker.hang_up()
        await broker.until(lambda: events(broker).count("back") == TRIES + 2)
        assert pauses[TRIES:] == BACK_OFF[:1], "a link that was up for a while is soon back"
        assert station.contested == 0, "the broker knows no other client by the id of this one, which has none"


async def test_a_broker_that_says_nothing_any_more_is_lost_though_the_connection_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert ACKNOWLEDGE_SECONDS <= 5 < KEEPALIVE_SECONDS, "a message that waits notices it first"
    async with served(everything) as (broker, station):
        await broker.until(lambda: events(broker) == ["back"])
        monkeypatch.setattr(client, "ACKNOWLEDGE_SECONDS", 0.2)
        broker.mute = True
        station.say("card")
        await station.until(lambda: station.edges == ["back", "lost"])
        broker.mute = False
        await broker.until(lambda: events(broker)[-1] == "back" and len(events(broker)) > 1)
        assert broker.hung_up == 0 and set(events(broker)) == {"back", "card", "lost"}


async def test_what_is_longer_than_the_broker_takes_is_not_sent_and_named(narrow: Mosquitto) -> None:
    async with informing(Broker("127.0.0.1", narrow.port)) as station:
        station.say("card", b"x" * 1439)
        await station.until(lambda: station.acknowledged >= 2)
        station.say("round", b"x" * 1500)
        await station.until(lambda: "lost" in station.edges)
        assert station.causes == ["too_large"]
        assert station.reasons == ["dealer/events/round has 1562 octets; the broker takes packets of 1500 at most"]


async def test_nothing_overtakes_what_is_longer_than_the_broker_takes(narrow: Mosquitto) -> None:
    async with informing(Broker("127.0.0.1", narrow.port)) as station:
        await station.until(lambda: station.acknowledged == 1)
        async with aiomqtt.Client("127.0.0.1", narrow.port) as floor:
            await floor.subscribe("dealer/events/#", qos=1)
            for event, payload in (("before", b""), ("long", b"x" * 1500), ("one", b""), ("two", b"")):
                station.say(event, payload)
            await station.until(lambda: station.edges.count("lost") == 1)
            await floor.publish("dealer/events/marker", b"marker", qos=1)
            received = [str((await anext(floor.messages)).topic)]
            while received[-1] != "dealer/events/marker":
                received.append(str((await anext(floor.messages)).topic))
            assert received == ["dealer/events/before", "dealer/events/marker"]
            # A person puts it aside: what waited behind it goes out in order.
            assert [number for number, _ in station.untaken] == [3]
            station.outbox.done(3)
            station.outbox.wake()
            assert [str((await anext(floor.messages)).topic) for _ in range(3)] == [
                "dealer/events/one",
                "dealer/events/two",
                "dealer/events/lost",
            ]


async def test_a_message_says_that_it_is_a_cloud_event_in_utf_8(narrow: Mosquitto) -> None:
    async with informing(Broker("127.0.0.1", narrow.port)) as station:
        await station.until(lambda: station.acknowledged >= 1)
        async with aiomqtt.Client("127.0.0.1", narrow.port, protocol=aiomqtt.ProtocolVersion.V5) as floor:
            await floor.subscribe("dealer/#", qos=1)
            received = await anext(floor.messages)
    meta = received.properties
    assert meta is not None and (meta.ContentType, meta.PayloadFormatIndicator) == ("application/cloudevents+json", 1)  # type: ignore[attr-defined]
