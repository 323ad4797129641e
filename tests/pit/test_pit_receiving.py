"""The archive's client takes messages apart as paho does, and acknowledges each."""

import asyncio
import ssl
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.floor.causes import BrokerLost
from controller.floor.incoming import MOST_WAITING, RECEIVE_MAXIMUM
from controller.floor.mqtt import CancellableClient, timed_out
from controller.pit.receiving import ArchiveClient, _end_of_properties
from tests.floor.access_control import Authority
from tests.floor.flooding import flood
from tests.floor.moody_broker import read_packet
from tests.pit.conftest import until
from tests.station.processes import Mosquitto

COUNT = 300
WAITING = 40 * MOST_WAITING  # messages of a session, while its client is offline


def described(number: int) -> Properties | None:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    if number % 3 == 0:
        return None
    properties.ContentType = "application/json"
    if number % 3 == 1:
        properties.CorrelationData = b"\0" * (number % 200)  # a length of one octet, and of two
        properties.ResponseTopic = "answers/牌"
    return properties


def seen(message: aiomqtt.Message) -> tuple[Any, ...]:
    properties = message.properties
    assert properties is not None
    return str(message.topic), message.payload, message.qos, message.retain, str(properties)


def packets(count: int) -> bytes:
    """So many messages of QoS 1, whose payloads are their numbers from 1 on."""
    return b"".join(b"\x32\x0a\x00\x01t%c%c\x00%04d" % (*divmod(n, 256), n) for n in range(1, count + 1))


async def test_messages_are_those_of_paho_and_each_is_acknowledged_once(broker: Mosquitto) -> None:
    session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    session.SessionExpiryInterval = 100
    of_paho = CancellableClient("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5)
    options: dict[str, Any] = {"identifier": "archive", "clean_start": False, "properties": session}
    own = ArchiveClient("127.0.0.1", broker.port, **options)
    async with of_paho, own, aiomqtt.Client("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5) as sender:
        for client in (of_paho, own):
            await client.subscribe("t/#", qos=1)

        async def send() -> None:
            for number in range(COUNT):
                await sender.publish(f"t/{number}/澳門", b"x" * number, 1, bool(number % 2), described(number))

        sending = asyncio.create_task(send())
        found = []
        for client in (of_paho, own):
            taken = [seen(await anext(client.messages)) for _ in range(COUNT)]
            found.append(taken)
        await sending
        await asyncio.sleep(0)  # the last acknowledgements are sent, and this is answered behind them:
        await own.unsubscribe("nothing")
    assert found[0] == found[1]
    assert [message[0] for message in found[1]] == [f"t/{number}/澳門" for number in range(COUNT)]
    async with ArchiveClient("127.0.0.1", broker.port, **options) as again:
        async with aiomqtt.Client("127.0.0.1", broker.port) as sender:
            await sender.publish("t/last", b"", qos=1)
        assert str((await anext(again.messages)).topic) == "t/last", "the broker kept none of the others"


async def test_a_session_that_has_many_messages_drops_none(broker: Mosquitto) -> None:
    def client() -> ArchiveClient:
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = 100
        return ArchiveClient("127.0.0.1", broker.port, identifier="offline", clean_start=False, properties=session)

    async with client() as before:
        await before.subscribe("hour", qos=1)
    await flood(broker.port, [("hour", b"%d" % number) for number in range(WAITING)], qos=1)
    dropped: list[str] = []
    async with asyncio.timeout(60), client() as after:
        after.on_overflow = dropped.append
        taken = [(await anext(after.messages)).payload]  # the broker sends all others now
        await asyncio.sleep(0.1)  # no one takes any
        while len(taken) < WAITING:
            taken.append((await anext(after.messages)).payload)
            if len(taken) % MOST_WAITING == 0:
                await asyncio.sleep(0.01)
    assert taken == [b"%d" % number for number in range(WAITING)] and not dropped


@pytest.mark.parametrize("count", [RECEIVE_MAXIMUM - 1, WAITING])  # all are received, or most wait to be read
async def test_an_answer_is_waited_for_while_messages_come_before_it(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    times = 0

    async def impatient(client: ArchiveClient, answer: asyncio.Future[Any], _: float | None) -> Any:
        """Its time is over as soon as a message has come, or while none is read."""
        nonlocal times
        received = client._received
        while not answer.done():
            await asyncio.sleep(0.001)
            if client._received != received or client._paused:
                times += 1
                raise timed_out()
        return answer.result()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_packet(reader)
        writer.write(b"\x20\x03\x00\x00\x00")
        await read_packet(reader)
        writer.write(packets(count))
        await until(lambda: times)
        writer.write(b"\x40\x02\x00\x01")
        await reader.read()  # acknowledgements, until the client is closed
        writer.close()

    async with (
        asyncio.timeout(60),
        await asyncio.start_server(serve, "127.0.0.1", 0) as server,
        ArchiveClient("127.0.0.1", server.sockets[0].getsockname()[1]) as client,
    ):
        monkeypatch.setattr(CancellableClient, "_wait_for", impatient)
        answer = asyncio.create_task(client.publish("other", b"", qos=1))
        await until(lambda: answer.done() or times >= (3 if count == WAITING else 1))
        taken = [(await anext(client.messages)).payload for _ in range(count)]
        await answer
        monkeypatch.undo()
    assert taken == [b"%04d" % number for number in range(1, count + 1)]


async def test_an_answer_that_does_not_come_is_given_up(broker: Mosquitto) -> None:
    async with ArchiveClient("127.0.0.1", broker.port) as client:
        patience, client.timeout = client.timeout, 0.1
        with broker.suspended(), pytest.raises(BrokerLost, match="timed out"):
            await client.publish("other", b"", qos=1)
        client.timeout = patience


async def test_a_record_of_tls_with_many_messages_drops_none(tmp_path: Path) -> None:
    """What was decrypted waits for its turn as the rest does: a broker may send hundreds of messages in a record."""
    authority = Authority(tmp_path)
    serves = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serves.load_cert_chain(*authority.sign("broker"))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_packet(reader)
        writer.write(b"\x20\x03\x00\x00\x00" + packets(499))
        await reader.read()  # acknowledgements, until the client is closed
        writer.close()

    dropped: list[str] = []
    async with asyncio.timeout(60), await asyncio.start_server(serve, "127.0.0.1", 0, ssl=serves) as server:
        port = server.sockets[0].getsockname()[1]
        trusts = ssl.create_default_context(cafile=authority.file)
        client = ArchiveClient("127.0.0.1", port, prepare=lambda paho: paho.tls_set_context(trusts))
        client.on_overflow = dropped.append
        async with client:
            await asyncio.sleep(0.1)  # no one takes any
            taken = [(await anext(client.messages)).payload for _ in range(1, 500)]
    assert taken == [b"%04d" % number for number in range(1, 500)] and not dropped


@pytest.mark.parametrize("content", [b"", b"\x80", b"\x80\x80\x80\x80\x01", b"\x05abcd", b"\x80\x01" + b"x" * 127])
def test_properties_without_an_end_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="malformed"):
        _end_of_properties(b"ab" + content, 2)


def test_the_length_of_properties_has_one_octet_or_more() -> None:
    assert _end_of_properties(b"ab\0rest", 2) == 3
    assert _end_of_properties(b"\x80\x01" + b"x" * 130, 0) == 130
