"""What the MQTT client has in flight."""

import asyncio
from collections.abc import Callable

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.floor.broker import Broker
from controller.floor.mqtt import MOST_IN_FLIGHT, AcknowledgedClient, PublishRefused
from tests.floor.informing_station import Station

TAKEN, DENIED = (ReasonCode(PacketTypes.PUBACK, identifier=code) for code in (0x00, 0x87))


class Wire(AcknowledgedClient):
    """A client whose broker the test is."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.sent: list[bytes] = []
        self._answers: dict[bytes, Callable[[ReasonCode], None]] = {}

    def send(
        self,
        topic: str,
        payload: bytes,
        answered: Callable[[ReasonCode], None],
        properties: Properties | None = None,
    ) -> None:
        self.sent.append(payload)
        self._answers[payload] = answered

    async def answer(self, payload: bytes, reason: ReasonCode = TAKEN) -> None:
        self._answers.pop(payload)(reason)
        for _ in range(3):
            await asyncio.sleep(0)


async def test_a_refusal_in_the_middle_is_repeated_from_there_one_at_a_time() -> None:
    station, wire = Station(Broker("127.0.0.1", 1)), Wire(at_once=3)
    for number in range(1, 8):
        station.say("card", b"%d" % number)
    work = asyncio.create_task(station.client._deliver_rows(wire, float("inf")))
    await asyncio.sleep(0)
    assert wire.sent == [b"1", b"2", b"3"]
    await wire.answer(b"1")
    assert wire.sent == [b"1", b"2", b"3", b"4"] and station.acknowledged == 1
    await wire.answer(b"3")
    assert station.acknowledged == 1, "only what has all before it is done with"
    await wire.answer(b"2", DENIED)
    with pytest.raises(PublishRefused, match="the broker refuses dealer/events/card: Not authorized"):
        await work
    station.client._failed(True, "denied")
    assert station.acknowledged == 1 and [sequence for sequence, _ in station.untaken] == [2]
    wire.sent.clear()
    work = asyncio.create_task(station.client._deliver_rows(wire, float("inf")))
    await asyncio.sleep(0)
    for alone in (b"2", b"3"):
        assert wire.sent[-1] == alone
        await wire.answer(alone)
    assert wire.sent == [b"2", b"3", b"4", b"5", b"6"], "those that were not in flight are several again"
    for rest in (b"4", b"5", b"6", b"7"):
        await wire.answer(rest)
    assert await work and station.acknowledged == 7


async def test_no_more_are_in_flight_than_the_broker_receives_at_once() -> None:
    client = AcknowledgedClient("127.0.0.1")
    assert client.at_once == MOST_IN_FLIGHT
    for stated, at_once in ((3, 3), (60_000, MOST_IN_FLIGHT)):
        properties = Properties(PacketTypes.CONNACK)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = stated
        client._connected = asyncio.Future()
        client._on_connect(client._client, None, None, ReasonCode(PacketTypes.CONNACK), properties)
        assert client.at_once == at_once
