"""Messages that are too long, and too many of them: what a client keeps of them, and that its work continues."""

import asyncio
import tracemalloc

import aiomqtt
import pytest

from controller.floor.broker import Broker
from controller.floor.incoming import LONGEST_PACKET, MOST_WAITING, RECEIVE_MAXIMUM, UNREADABLE, Incoming
from controller.floor.mqtt import AcknowledgedClient, connection
from controller.floor.other_stations import MOST_TOPICS
from controller.rulebook.games import GAMES
from tests.floor.flooding import HostileBroker, flood
from tests.floor.happened import messages
from tests.floor.informing_station import informing, quiet_status
from tests.station.processes import Mosquitto

PATIENCE_SECONDS = 200
TOO_LONG = b'{"source":"/dealer/site/t1/other","data":{"online":false}}' + b" " * 4 * LONGEST_PACKET
HUGE = 64_000_000
TOPIC = b"\x00\x0cdealer/state"


@pytest.fixture
def longest(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How long the payloads were that a client kept, and how many waited in its queue at most."""
    found = [0, 0]
    put = Incoming.put

    def puts(incoming: Incoming, message: aiomqtt.Message) -> None:
        assert isinstance(message.payload, bytes)
        put(incoming, message)
        found[0] = max(found[0], len(message.payload))
        found[1] = max(found[1], len(incoming))

    monkeypatch.setattr(Incoming, "put", puts)
    return found


def test_a_packet_may_be_a_few_times_as_long_as_the_longest_message_of_a_table() -> None:
    longest = max(len(topic) + len(payload) for game in GAMES for topic, payload in messages(game))
    assert 4 * longest < LONGEST_PACKET < 8 * longest


@pytest.mark.parametrize("retain", [False, True])
@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_a_message_that_is_too_long_is_not_kept_and_the_link_continues(
    mosquitto: Mosquitto, protocol: str, retain: bool, longest: list[int]
) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), aiomqtt.Client("127.0.0.1", mosquitto.port) as other:
        topics = ("dealer/state", "dealer/status", "dealer/alarms/invented")
        for topic in topics if retain else ():
            await other.publish(topic, TOO_LONG, qos=1, retain=True)
        async with informing(Broker("127.0.0.1", mosquitto.port, protocol=protocol)) as station:
            await station.until(lambda: station.acknowledged >= 1)
            for topic in topics if not retain else ():
                await other.publish(topic, TOO_LONG, qos=1)
            for number in range(3):
                station.state["back"] = b"state %d" % number
                station.say("more")
            await station.until(lambda: station.acknowledged >= 4)
            assert station.edges == ["back"]
        assert longest[0] <= LONGEST_PACKET


async def test_a_retained_status_that_is_too_long_is_corrected_over_mqtt_3_1_1(mosquitto: Mosquitto) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), aiomqtt.Client("127.0.0.1", mosquitto.port) as other:
        await other.publish("dealer/status", TOO_LONG, qos=1, retain=True)
        async with informing(Broker("127.0.0.1", mosquitto.port, protocol="3.1.1")) as station:
            await station.until(lambda: station.acknowledged >= 1)
            await other.subscribe("dealer/status")
            assert (await anext(other.messages)).payload == quiet_status(station.session, True)


@pytest.mark.parametrize(
    ("protocol", "qos"),
    [("5", 1), ("3.1.1", 0), *(pytest.param(*given, marks=pytest.mark.soak) for given in (("5", 0), ("3.1.1", 1)))],
)
async def test_a_flood_of_small_messages_makes_no_queue_and_the_link_continues(
    mosquitto: Mosquitto, protocol: str, qos: int, longest: list[int]
) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        async with informing(Broker("127.0.0.1", mosquitto.port, protocol=protocol)) as station:
            await station.until(lambda: station.acknowledged >= 1)
            flooding = asyncio.create_task(
                flood(
                    mosquitto.port,
                    [(f"dealer/{name}", b"%d" % n) for n in range(3000) for name in ("state", "status")],
                    qos,
                )
            )
            station.say("more")
            await flooding
            station.say("more")
            await station.until(lambda: station.acknowledged >= 3)
            assert station.edges == ["back"] and longest[1] <= MOST_WAITING
            assert len(station.client._published) <= MOST_TOPICS


async def test_invented_topics_are_cleared_some_at_a_time_and_all_in_the_end(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.floor.client.MOST_TOPICS", 20)
    names = {f"dealer/alarms/invented-{number}" for number in range(100)}
    async with asyncio.timeout(PATIENCE_SECONDS):
        async with informing(Broker("127.0.0.1", mosquitto.port)) as station:
            await station.until(lambda: station.acknowledged >= 1)
            most, replace = 0, station.client._replace

            def replaces(topic: str) -> None:
                nonlocal most
                replace(topic)
                most = max(most, len(station.client._published))

            monkeypatch.setattr(station.client, "_replace", replaces)
            await flood(mosquitto.port, [(name, b"invented") for name in names], qos=1, retain=True)
            async with aiomqtt.Client("127.0.0.1", mosquitto.port) as other:
                await other.subscribe("dealer/alarms/+", qos=1)
                cleared = set()
                async for message in other.messages:
                    if message.payload:
                        continue
                    cleared.add(str(message.topic))
                    if await _left(mosquitto.port) == set():
                        break
            assert cleared <= names and most == 20


async def _left(port: int) -> set[str]:
    """The topics of alarms on which something is retained."""
    async with aiomqtt.Client("127.0.0.1", port) as client:
        await client.subscribe([("dealer/alarms/+", 1), ("sentinel", 1)])
        await client.publish("sentinel", b"", qos=1)
        found: set[str] = set()
        async for message in client.messages:
            if str(message.topic) == "sentinel":
                return found
            found.add(str(message.topic))
    raise AssertionError


async def test_what_is_not_taken_is_not_acknowledged_and_the_broker_holds_the_rest(mosquitto: Mosquitto) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), connection(Broker("127.0.0.1", mosquitto.port)) as client:
        await client.subscribe("many", qos=1)
        dropped: list[str] = []
        client.on_overflow = dropped.append
        many = 5 * MOST_WAITING
        await flood(mosquitto.port, [("many", b"%d" % number) for number in range(many)], qos=1)
        assert len(client.messages) <= RECEIVE_MAXIMUM
        payloads = [(await anext(client.messages)).payload for _ in range(many)]
        assert payloads == [b"%d" % number for number in range(many)] and not dropped


async def test_of_more_than_can_wait_the_newest_are_kept_and_the_others_are_reported(mosquitto: Mosquitto) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), connection(Broker("127.0.0.1", mosquitto.port)) as client:
        dropped: list[str] = []
        client.on_overflow = dropped.append
        many = 5 * MOST_WAITING
        await client.subscribe([("many", 0), ("end", 0)])
        await flood(mosquitto.port, [*(("many", b"%d" % number) for number in range(many)), ("end", b"")])
        await client.subscribe("barrier")  # its answer comes behind them
        assert len(client.messages) == MOST_WAITING and dropped == ["many"] * (many + 1 - MOST_WAITING)
        payloads = [(await anext(client.messages)).payload for _ in range(MOST_WAITING)]
        assert payloads == [*(b"%d" % number for number in range(many + 1 - MOST_WAITING, many)), b""]


async def test_a_broker_of_mqtt_5_does_not_send_what_is_too_long(mosquitto: Mosquitto) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), aiomqtt.Client("127.0.0.1", mosquitto.port) as other:
        await other.publish("dealer/state", TOO_LONG, qos=1, retain=True)
        await other.publish("dealer/status", b"short", qos=1, retain=True)
        async with connection(Broker("127.0.0.1", mosquitto.port)) as client:
            await client.subscribe("dealer/#", qos=1)
            await other.publish("dealer/state", TOO_LONG, qos=1)
            await other.publish("dealer/end", b"end", qos=1)
            assert [(await anext(client.messages)).payload for _ in range(2)] == [b"short", b"end"]


async def listened(client: AcknowledgedClient) -> aiomqtt.Message:
    async with client:
        await client.subscribe("dealer/state", qos=1)
        return await anext(client.messages)


async def test_a_broker_that_sends_what_is_too_long_fills_no_memory() -> None:
    began = TOPIC + b"\x00\x07" + b"\x00"
    async with asyncio.timeout(PATIENCE_SECONDS), HostileBroker(0x32, began, HUGE) as broker:
        tracemalloc.start()
        try:
            message = await listened(connection(Broker("127.0.0.1", broker.port)))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert (str(message.topic), message.payload) == ("dealer/state", UNREADABLE)
        assert peak < HUGE / 8
        assert await broker.acknowledged == 7


@pytest.mark.parametrize(
    ("kind", "why"),
    [(0xE0, "a packet of 64000000 octets that is no message"), (0x34, "a message of QoS 2"), (0x90, "no message")],
)
async def test_a_broker_that_keeps_to_no_protocol_is_hung_up_on(kind: int, why: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), HostileBroker(kind, TOPIC + b"\x00\x07\x00", HUGE) as broker:
        client = connection(Broker("127.0.0.1", broker.port))
        with pytest.raises(aiomqtt.MqttError):
            await listened(client)
        assert client.loss is not None and why in client.loss[1]
