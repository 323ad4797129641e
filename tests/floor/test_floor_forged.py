"""What another client puts on a table's retained topics is corrected, and reported."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiomqtt
import pytest

from controller.floor.broker import Broker
from tests.floor.coded_broker import CodedBroker
from tests.floor.informing_station import informing
from tests.floor.quiet_table import quiet_status
from tests.station.processes import Mosquitto

PATIENCE_SECONDS = 10


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
