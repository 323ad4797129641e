"""The archive's connection to a broker, made for thousands of messages a second."""

import asyncio
from collections.abc import Awaitable
from functools import lru_cache
from typing import Any, TypeVar

import aiomqtt
from paho.mqtt.client import PUBACK
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.floor.causes import BrokerLost
from controller.floor.incoming import RECEIVE_MAXIMUM, UNREADABLE, is_too_long
from controller.floor.mqtt import CancellableClient

KINDS = 64  # of properties, which are the same in all messages but questions and answers
RESUME_BELOW = RECEIVE_MAXIMUM // 2  # messages that were received and not taken
_MORE, _OCTET_BITS = 0x80, 7  # of an integer of variable length
_T = TypeVar("_T")


class ArchiveClient(CancellableClient):
    """A client of MQTT 5 that decodes messages itself, and sends many acknowledgements at once.

    paho makes a table of all properties, two locks and a line for its log for each message, which takes four times as
    long as all that the archive does with it.

    It reads no faster than its messages are taken, and drops none. For each message that is acknowledged, mosquitto
    2.0.11 sends about 80 of those that waited in a session, whatever the receive maximum is: soon all of an hour of
    150 tables is on its way, and each answer comes behind it.
    """

    def __init__(self, hostname: str, port: int = 1883, **options: Any) -> None:
        super().__init__(hostname, port, protocol=aiomqtt.ProtocolVersion.V5, **options)
        self._client._handle_publish = self._on_publish_packet  # type: ignore[method-assign]
        self._taken: list[int] = []  # and not acknowledged
        self._paused = False
        self._received = 0  # messages

    def _on_publish_packet(self) -> MQTTErrorCode:
        """Raises ValueError for a packet that is malformed."""
        packet: Any = self._client._in_packet
        content, qos = bytes(packet["packet"]), packet["command"] >> 1 & 3
        at = 2 + int.from_bytes(content[:2], "big")
        topic = content[2:at].decode()
        mid = int.from_bytes(content[at : at + 2], "big") if qos else 0
        at += 2 if qos else 0
        end = _end_of_properties(content, at)
        payload = UNREADABLE if is_too_long(self._client) else content[end:]
        message = aiomqtt.Message(topic, payload, qos, bool(packet["command"] & 1), mid, _properties(content[at:end]))
        self._received += 1
        self._incoming.put(message)
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    def _readable(self) -> None:
        if self._paused:  # called once more for what TLS has decrypted
            return
        super()._readable()
        connection = self._client.socket()
        if connection is not None and len(self._incoming) >= RECEIVE_MAXIMUM:
            self._paused = True
            self._loop.remove_reader(connection.fileno())

    def _resume(self) -> None:
        self._paused = False
        if (connection := self._client.socket()) is not None:
            self._loop.add_reader(connection.fileno(), self._readable)
            self._loop.call_soon(self._readable)  # TLS may hold more than the socket shows

    async def _wait_for(self, fut: Awaitable[_T], timeout: float | None) -> _T:
        """Waits for an answer as long as messages arrive or wait to be read: it comes after them. Raises MqttError."""
        answer = asyncio.ensure_future(fut)
        try:
            while True:
                received = self._received
                try:
                    return await super()._wait_for(asyncio.shield(answer), timeout)
                except BrokerLost:
                    if self._disconnected.done() or (self._received == received and not self._paused):
                        raise
        finally:
            if answer is not self._disconnected:
                answer.cancel()

    def _acknowledge(self, message: aiomqtt.Message) -> None:
        if self._paused and len(self._incoming) < RESUME_BELOW:
            self._resume()
        if message.qos:
            if not self._taken:
                self._loop.call_soon(self._acknowledge_taken)
            self._taken.append(message.mid)

    def _acknowledge_taken(self) -> None:
        taken, self._taken = self._taken, []
        if self._client.socket() is not None:
            packets = b"".join(bytes((PUBACK, 2)) + mid.to_bytes(2, "big") for mid in taken)
            self._client._packet_queue(PUBACK, packets, taken[-1], 1)


def _end_of_properties(content: bytes, at: int) -> int:
    length = shift = 0
    while True:
        octet = content[at] if at < len(content) else _MORE
        if octet & _MORE and (shift == 3 * _OCTET_BITS or at >= len(content)):
            raise ValueError("the broker's packet is malformed: its properties have no length")
        length, shift, at = length | (octet & ~_MORE) << shift, shift + _OCTET_BITS, at + 1
        if not octet & _MORE:
            break
    if at + length > len(content):
        raise ValueError("the broker's packet is malformed: its properties are longer than it is")
    return at + length


@lru_cache(KINDS)
def _properties(content: bytes) -> Properties:
    found = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    found.unpack(content)  # type: ignore[no-untyped-call]
    return found
