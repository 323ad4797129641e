"""A flood of messages at a broker, and a broker that keeps to no protocol."""

import asyncio
from collections.abc import Iterable

import aiomqtt

from tests.floor.moody_broker import CONNECT, SUBSCRIBE, ScriptedBroker

CHUNK = b" " * 65_536
SUBACK, PUBACK = 0x90, 4


async def flood(port: int, messages: Iterable[tuple[str, bytes]], qos: int = 0, retain: bool = False) -> None:
    """Publish these as fast as the broker takes them, and return once it has them all."""
    async with aiomqtt.Client("127.0.0.1", port, max_inflight_messages=1000, timeout=100.0) as client:
        for number, (topic, payload) in enumerate(messages):
            client._client.publish(topic, payload, qos, retain)
            if number % 500 == 0:
                await asyncio.sleep(0)
                while client._client.want_write():  # noqa: ASYNC110 paho has no event for it
                    await asyncio.sleep(0.001)
        await client.publish("flood/ended", b"", qos=1)


class HostileBroker(ScriptedBroker):
    """A broker of MQTT 5 that sends one packet of a given kind and length to who subscribes, and then is a good one.

    `began` is the packet as far as it is not filled up with spaces.
    """

    def __init__(self, kind: int, began: bytes, octets: int) -> None:
        super().__init__()
        self._kind, self._began, self._octets = kind, began, octets
        self._subscribed = False
        self.acknowledged: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def answer(self, kind: int, retained: bool, body: bytes, writer: asyncio.StreamWriter) -> bool:
        if kind == CONNECT:
            writer.write(b"\x20\x03\x00\x00\x00")
        elif kind == SUBSCRIBE:
            writer.write(bytes([SUBACK, 4]) + body[:2] + b"\x00\x01")
            if not self._subscribed:
                self._subscribed = True
                await self._send(writer)
        elif kind == PUBACK:
            self.acknowledged.set_result(int.from_bytes(body[:2]))
        return True

    async def _send(self, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes([self._kind]) + length_of(self._octets) + self._began)
        left = self._octets - len(self._began)
        while left:
            writer.write(CHUNK[:left])
            left -= len(CHUNK[:left])
            await writer.drain()


def length_of(octets: int) -> bytes:
    """The length of a packet as MQTT has it."""
    found = []
    while True:
        octets, low = divmod(octets, 128)
        found.append(low | (0x80 if octets else 0))
        if not octets:
            return bytes(found)
