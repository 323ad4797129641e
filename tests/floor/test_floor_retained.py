"""A table's retained topics: what another client puts there is corrected, and one that is denied is named."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from controller.floor import client
from controller.floor.broker import Broker
from controller.floor.mqtt import PublishRefused, connection
from controller.floor.outbox import UnsentMessage
from simulators.broker import free_port
from tests.floor.informing_station import EVENTS, Station, informing, quiet_status
from tests.floor.moody_broker import CodedBroker
from tests.station.processes import Mosquitto

PATIENCE_SECONDS = 60


def at(mosquitto: Mosquitto, protocol: str = "5") -> Broker:
    return Broker("127.0.0.1", mosquitto.port, protocol=protocol)


@asynccontextmanager
async def someone(mosquitto: Mosquitto) -> AsyncIterator[aiomqtt.Client]:
    async with asyncio.timeout(PATIENCE_SECONDS), aiomqtt.Client("127.0.0.1", mosquitto.port) as client:
        await client.subscribe("dealer/#")
        yield client


async def received(client: aiomqtt.Client, topic: str, payload: bytes) -> None:
    async for message in client.messages:
        if (str(message.topic), message.payload) == (topic, payload):
            return


@pytest.mark.parametrize(
    ("topic", "retained"),
    [("dealer/state", b"state"), ("dealer/status", quiet_status(30, True)), ("dealer/alarms/journal", b"")],
)
async def test_a_message_of_someone_else_is_replaced_by_the_own_one_and_reported(
    mosquitto: Mosquitto, topic: str, retained: bytes
) -> None:
    async with informing(at(mosquitto), session=29) as station, someone(mosquitto) as other:
        await station.until(lambda: station.acknowledged >= 1)
        for forged in (b"forged", quiet_status(20, True)):
            await other.publish(topic, forged, qos=1, retain=True)
            await received(other, topic, forged)
            await received(other, topic, retained)
        assert station.forged == [topic, topic] and station.edges == ["back"]


@pytest.mark.parametrize("topic", ["dealer/status", "dealer/state"])
@pytest.mark.parametrize(
    "payload", [b"forged", b'{"source": "/dealer/site/t1/another"}'], ids=["forged", "another station"]
)
async def test_a_message_of_someone_else_before_the_station_has_its_acknowledgement_is_replaced_too(
    topic: str, payload: bytes
) -> None:
    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        CodedBroker() as broker,
        informing(Broker("127.0.0.1", broker.port)) as station,
    ):
        broker.before_acknowledgement[topic] = payload
        await broker.until(lambda: broker.published.count(topic) >= 2)
        assert station.forged == ([topic] if payload == b"forged" else [])


async def test_what_someone_put_there_while_the_station_was_away_is_cleared(mosquitto: Mosquitto) -> None:
    async with someone(mosquitto) as other:
        await other.publish("dealer/alarms/unknown", b"forged", qos=1, retain=True)
        async with informing(at(mosquitto)) as station:
            await received(other, "dealer/alarms/unknown", b"")
            assert station.forged == ["dealer/alarms/unknown"]


async def test_what_the_station_says_itself_is_no_forgery(mosquitto: Mosquitto) -> None:
    async with informing(at(mosquitto)) as station, someone(mosquitto) as other:
        for number in range(50):
            station.state["back"] = b"state %d" % number
            station.say("more")
        await received(other, "dealer/state", b"state 49")
        await other.publish("dealer/state", b"forged", qos=1, retain=True)
        await received(other, "dealer/state", b"state 49")
        assert station.forged == ["dealer/state"]


async def test_the_will_of_a_connection_that_broke_off_is_corrected_and_no_forgery(mosquitto: Mosquitto) -> None:
    async with informing(at(mosquitto), session=30) as station, someone(mosquitto) as other:
        await station.until(lambda: station.acknowledged >= 1)
        for session in (station.session - 1, station.session - 20):  # of this process, and of one before it
            will = quiet_status(session, False)
            await other.publish("dealer/status", will, qos=1, retain=True)
            await received(other, "dealer/status", will)
            await received(other, "dealer/status", quiet_status(station.session, True))
        assert station.forged == []


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_only_what_an_earlier_station_left_is_cleared(mosquitto: Mosquitto, protocol: str) -> None:
    async with someone(mosquitto) as other:
        for left in ("devices/shoe", "alarms/journal"):
            await other.publish(f"dealer/{left}", b"of before", qos=1, retain=True)
            await received(other, f"dealer/{left}", b"of before")
        maybe = [f"dealer/alarms/{name}" for name in ("journal", "defect", "disk", "shuffler")]
        async with informing(at(mosquitto, protocol), left=["dealer/devices/shoe"], maybe_retained=maybe) as station:
            cleared = []
            async for message in other.messages:
                cleared += [str(message.topic)] if not message.payload else []
                if {"dealer/devices/shoe", "dealer/alarms/journal"} <= {*cleared}:
                    break
            await station.until(lambda: station.acknowledged >= 1)
            station.state["back"] = b"state, once more"
            station.say("more")
            async for message in other.messages:
                cleared += [str(message.topic)] if not message.payload else []
                if message.payload == b"state, once more":
                    break
            assert station.forged == []
            few = ["dealer/devices/shoe", "dealer/alarms/journal"]
            assert sorted(cleared) == sorted(few if protocol == "5" else {*few, *maybe})


DENIED = "topic read dealer/#\ntopic write dealer/events/#\ntopic write dealer/status\n"


class Clock:
    """The time of the clients, which continues by itself and a while at once."""

    later = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.later


@asynccontextmanager
async def served(folder: Path, settings: str = "") -> AsyncIterator[tuple[Mosquitto, Station, aiomqtt.Client]]:
    """A broker whose list denies the state, a table, and someone who receives all."""
    (folder / "acl").write_text(DENIED)
    with Mosquitto(folder / "broker", f"allow_anonymous true\nacl_file {folder / 'acl'}\n{settings}") as broker:
        async with asyncio.timeout(PATIENCE_SECONDS), aiomqtt.Client("127.0.0.1", broker.port) as floor:
            await floor.subscribe("dealer/#", qos=1)
            async with informing(Broker("127.0.0.1", broker.port)) as station:
                yield broker, station, floor


# Where nothing bounds its queues, as in the other tests, this mosquitto hangs up after each denial.
@pytest.mark.parametrize("hangs_up", [False, True])
async def test_one_denied_topic_is_named_and_holds_up_no_other_until_it_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs_up: bool
) -> None:
    clock = Clock()
    monkeypatch.setattr(client, "time", clock)
    async with served(tmp_path, "" if hangs_up else "max_queued_messages 1000") as (broker, station, floor):
        await station.until(lambda: bool(station.refused))
        assert station.refused == ["the broker refuses dealer/state: Not authorized"]
        for number in range(5):
            station.state = dict.fromkeys(station.state, b"state %d" % number)
            station.say("card", b"%d" % number)
            await received(floor, EVENTS + "card", b"%d" % number)
        assert station.edges[-1] == "back" and station.edges.count("lost") == hangs_up
        assert all("refuses dealer/state" in reason for reason in station.reasons), "why it hung up"
        assert len(station.refused) == 1, "it is not tried again with each change"
        (tmp_path / "acl").write_text("topic readwrite #\n")
        broker.read_settings_again()
        clock.later = client.REFUSED_AGAIN_SECONDS
        station.say("card")
        await received(floor, "dealer/state", b"state 4")
        assert station.edges[-1] == "back" and len(station.refused) == 1


async def test_a_topic_that_is_still_denied_is_reported_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(client, "time", clock)
    async with served(tmp_path, "max_queued_messages 1000") as (_, station, _):
        await station.until(lambda: len(station.refused) == 1)
        clock.later = client.REFUSED_AGAIN_SECONDS
        station.say("card")
        await station.until(lambda: len(station.refused) == 2)
        assert station.edges == ["back"]


async def test_a_denied_message_is_named_where_the_hang_up_behind_it_is_noticed_first(tmp_path: Path) -> None:
    (tmp_path / "acl").write_text("topic read dealer/#\ntopic write dealer/status\ntopic write dealer/state\n")
    with Mosquitto(tmp_path / "broker", f"allow_anonymous true\nacl_file {tmp_path / 'acl'}") as broker:
        async with asyncio.timeout(PATIENCE_SECONDS), informing(Broker("127.0.0.1", broker.port)) as station:
            head = station.outbox.head

            async def slow(after: int = 0) -> UnsentMessage | None:
                if after:
                    await asyncio.Event().wait()  # for ever: anyone who sends the next receives no answer to the first
                return await head(after)

            station.outbox.head = slow  # type: ignore[method-assign]
            station.say("card")
            await station.until(lambda: bool(station.untaken))
    denied = "the broker refuses dealer/events/card: Not authorized"
    assert (station.causes, station.reasons, station.untaken) == (["not_authorised"], [denied], [(1, denied)])


async def test_why_no_one_is_at_the_brokers_address_is_reported_without_the_systems_number() -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), informing(Broker("127.0.0.1", free_port())) as station:
        await station.until(lambda: bool(station.reasons))
    assert station.reasons == ["Connection refused"]


async def test_a_broker_that_hangs_up_behind_a_denial_leaves_no_word_of_the_event_loop_in_the_log(
    tmp_path: Path,
) -> None:
    alarms: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: alarms.append(context))
    (tmp_path / "acl").write_text(DENIED)
    with Mosquitto(tmp_path / "broker", f"allow_anonymous true\nacl_file {tmp_path / 'acl'}") as broker:
        async with connection(Broker("127.0.0.1", broker.port)) as denied:
            with pytest.raises(PublishRefused):
                await denied.deliver("dealer/state", b"state", retain=True)
            await asyncio.wait([denied._disconnected], timeout=PATIENCE_SECONDS)
        del denied
        gc.collect()
    assert alarms == []
