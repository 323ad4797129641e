"""Anyone who has missed something asks for it again, through a broker."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from structlog.testing import capture_logs

from controller import station as stations
from controller.config.file import read_config
from controller.floor.broker import Broker
from tests.configured import configured
from tests.floor.informing_station import EVENTS, IDENTITY, Station, informing
from tests.station.processes import Mosquitto

PATIENCE_SECONDS = 60
REQUESTS, ANSWERS = f"{IDENTITY.base}/requests", f"{IDENTITY.base}/answers/hall"


@asynccontextmanager
async def hall(mosquitto: Mosquitto) -> AsyncIterator[aiomqtt.Client]:
    version = aiomqtt.ProtocolVersion.V5
    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=version) as client,
    ):
        await client.subscribe("dealer/#", qos=1)
        yield client


async def ask(
    client: aiomqtt.Client, name: str, payload: bytes = b"", retain: bool = False, answers: str = ANSWERS
) -> None:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.ResponseTopic, properties.CorrelationData = answers, b"hall 1"
    await client.publish(f"{REQUESTS}/{name}", payload, qos=1, retain=retain, properties=properties)


async def until_the_end(client: aiomqtt.Client) -> list[aiomqtt.Message]:
    """What comes until a request is done, which is the last."""
    received = []
    async for message in client.messages:
        received.append(message)
        if str(message.topic) == ANSWERS and message.payload.startswith(b'{"id"'):
            return received
    raise AssertionError


async def started(station: Station, client: aiomqtt.Client, count: int) -> None:
    """So many messages are reported, and the station listens."""
    for number in range(count):
        station.say("card", b"card %d" % number)
    await station.until(lambda: station.acknowledged >= count)
    while True:
        await ask(client, "replay", b"nonsense", answers=ANSWERS + "/listens")
        with suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                async for message in client.messages:
                    if str(message.topic) == ANSWERS + "/listens":
                        return


async def test_messages_come_again_as_they_were_and_what_happens_meanwhile_comes_first(mosquitto: Mosquitto) -> None:
    async with hall(mosquitto) as client, informing(Broker("127.0.0.1", mosquitto.port)) as station:
        await started(station, client, 300)
        payloads = [row.payload for row in station._rows]
        await ask(client, "replay", b'{"first": 3, "last": 290}')
        answers: list[bytes] = []
        live = 0
        async for message in client.messages:
            if str(message.topic) == EVENTS + "card" and message.payload == b"now":
                live = len(answers)
            if str(message.topic) != ANSWERS:
                continue
            if not answers:
                station.say("card", b"now")
            properties = message.properties
            assert properties is not None and properties.CorrelationData == b"hall 1"  # type: ignore[attr-defined]
            assert properties.ContentType == "application/cloudevents+json"  # type: ignore[attr-defined]
            answers.append(message.payload)
            if len(answers) == 289:
                break
        assert answers[:-1] == payloads[2:290]
        assert json.loads(answers[-1])["data"] == {
            "schema": 1, "request": "replay", "first": 3, "last": 290, "count": 288
        }  # fmt: skip
        assert 0 < live < 100, "it waits for some of them, and not for all"
        assert station.edges == ["back"] and not station.forged


async def test_every_retained_topic_comes_again(mosquitto: Mosquitto) -> None:
    async with hall(mosquitto) as client, informing(Broker("127.0.0.1", mosquitto.port)) as station:
        await started(station, client, 1)
        await ask(client, "rebirth", retain=True)
        received = [str(message.topic) for message in await until_the_end(client)]
        after = received[received.index(f"{REQUESTS}/rebirth") :]
        assert {"dealer/state", "dealer/status"} < set(after)
    async with hall(mosquitto) as client, informing(Broker("127.0.0.1", mosquitto.port)) as station:
        await started(station, client, 1)
        await ask(client, "replay", b"nonsense")
        async for message in client.messages:
            if str(message.topic) == ANSWERS:
                assert json.loads(message.payload)["code"] == "request_malformed", "what was retained is not received"
                break


async def test_what_no_one_receives_is_reported_and_a_replay_to_no_one_ends(mosquitto: Mosquitto) -> None:
    async with informing(Broker("127.0.0.1", mosquitto.port)) as station:
        async with aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=aiomqtt.ProtocolVersion.V5) as client:
            await client.subscribe(ANSWERS + "/listens", qos=1)
            await started(station, client, 300)
            assert station.without_receiver.count("card") == 300
            await client.subscribe(ANSWERS, qos=1)
            await ask(client, "replay", b'{"first": 1, "last": 300}', answers=ANSWERS + "/gone")
            await ask(client, "replay", b'{"first": 1, "last": 2}')
            answers = [message for message in await until_the_end(client) if str(message.topic) == ANSWERS]
        assert [answer.payload for answer in answers[:-1]] == [row.payload for row in station._rows[:2]]
        sent = station.client._requests
        assert sent is not None and not sent.waiting


async def test_a_consumer_of_mqtt_3_1_1_asks_again_and_is_answered_below_its_name(mosquitto: Mosquitto) -> None:
    async with hall(mosquitto) as client, informing(Broker("127.0.0.1", mosquitto.port)) as station:
        await started(station, client, 5)
        payloads = [row.payload for row in station._rows]
        version = aiomqtt.ProtocolVersion.V311
        async with aiomqtt.Client("127.0.0.1", mosquitto.port, protocol=version) as old:
            await old.subscribe(f"{IDENTITY.base}/answers/old", qos=1)
            await old.publish(f"{REQUESTS}/replay", b'{"first": 2, "last": 4, "asker": "old"}', qos=1)
            answers = [(await anext(old.messages)).payload for _ in range(4)]
        assert answers[:3] == payloads[1:4] and json.loads(answers[3])["data"]["count"] == 3


async def test_what_cannot_be_answered_is_in_the_station_s_log_once_a_minute_and_all_of_it_is_counted(
    tmp_path: Path,
) -> None:
    configured(tmp_path)
    station = await stations.Station.open(read_config(tmp_path / "station.toml"))
    asked = station.floor.client._requests
    assert asked is not None
    with capture_logs() as logged:
        for _ in range(3):
            asked.receive(asked.topics[0], b'{"first": 1, "last": 2}', None)
    counted = station.metrics.requests.labels("unanswerable")._value.get()
    await station.close()
    assert counted == 3
    [line] = [entry for entry in logged if entry["log_level"] == "warning"]
    assert line["topic"] == asked.topics[0] and "no response topic" in line["reason"]


async def test_nothing_is_asked_over_mqtt_3_1_1() -> None:
    station = Station(Broker("127.0.0.1", 1, protocol="3.1.1"))
    assert station.client._requests is None and Station(Broker("127.0.0.1", 1)).client._requests is not None


async def test_an_answer_longer_than_the_broker_takes_is_left_out_of_the_count_and_ends_no_connection(
    narrow: Mosquitto,
) -> None:
    async with hall(narrow) as client, informing(Broker("127.0.0.1", narrow.port)) as station:
        await started(station, client, 2)
        # It fits on its own topic; below the answers, with the consumer's correlation data, it does not.
        station.say("card", b"x" * 1425)
        await station.until(lambda: station.acknowledged == len(station._rows))
        last = len(station._rows)
        await ask(client, "replay", b'{"first": 1, "last": %d}' % last)
        answers = [message.payload for message in await until_the_end(client) if str(message.topic) == ANSWERS]
        assert answers[:-1] == [row.payload for row in station._rows[: last - 1]]
        assert json.loads(answers[-1])["data"]["count"] == last - 1
        assert station.edges == ["back"]
