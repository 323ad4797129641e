"""Limits what a client receives: packets up to a length, a queue up to a length; messages are acknowledged when taken.

A broker of MQTT 5 knows both limits from the CONNECT. Against any other broker the client keeps to them by itself.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

import aiomqtt
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

LONGEST_PACKET = 65_536  # octets; the longest message of a table, a state, has 11 203
RECEIVE_MAXIMUM = 64  # messages of QoS 1 that the broker sends before the first of them is acknowledged
MOST_WAITING = 128  # messages in the queue: those, and as many of QoS 0
UNREADABLE = b"\0"  # in place of a payload that is too long: no decoder accepts it
_AT_ONCE = 65_536  # octets of a packet that is too long, read and thrown away
_PUBLISH, _QOS_2 = 0x30, 0x04  # in the first octet of a packet


class Incoming(aiomqtt.client.MessagesIterator):
    """Messages that were received and not taken yet. If there are too many, the oldest is dropped.

    `acknowledge` is called with each message that leaves, `overflowed` with each that was dropped.
    """

    def __init__(
        self,
        client: aiomqtt.Client,
        acknowledge: Callable[[aiomqtt.Message], None],
        overflowed: Callable[[aiomqtt.Message], None],
    ) -> None:
        super().__init__(client)
        self._acknowledge, self._overflowed = acknowledge, overflowed
        self._waiting: deque[aiomqtt.Message] = deque()
        self._came: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, message: aiomqtt.Message) -> None:
        """A message was received."""
        if len(self._waiting) == MOST_WAITING:
            self._overflowed(self._take())
        self._waiting.append(message)
        if not self._came.done():
            self._came.set_result(None)

    async def __anext__(self) -> aiomqtt.Message:
        """The oldest message. Raises MqttError if there is none and the connection is lost."""
        while not self._waiting:
            lost = self._client._disconnected
            self._came = asyncio.get_running_loop().create_future()
            await asyncio.wait({self._came, lost}, return_when=asyncio.FIRST_COMPLETED)
            if not self._waiting and lost.done():
                raise aiomqtt.MqttError("Disconnected during message iteration") from lost.exception()
        return self._take()

    def _take(self) -> aiomqtt.Message:
        message = self._waiting.popleft()
        self._acknowledge(message)
        return message


def limits(properties: Properties | None) -> Properties:
    """The properties of a CONNECT, with both limits."""
    found = Properties(PacketTypes.CONNECT) if properties is None else properties  # type: ignore[no-untyped-call]
    found.MaximumPacketSize = LONGEST_PACKET
    found.ReceiveMaximum = RECEIVE_MAXIMUM
    return found


class Guard:
    """Lets a client keep only the beginning of a packet that is too long.

    paho reads a packet's length first, and then asks the socket for as much as is missing.
    """

    def __init__(self, client: PahoClient) -> None:
        self.has_more = False
        """Whether the socket may have more than was read last."""
        self._client, self._receive = client, client._sock_recv
        client._sock_recv = self._bounded  # type: ignore[method-assign]

    def _bounded(self, bufsize: int) -> bytes:
        packet: Any = self._client._in_packet
        if packet["have_remaining"] and not packet["packet"]:
            _refuse(packet)
        if is_too_long(self._client):
            del packet["packet"][LONGEST_PACKET:]
            bufsize = min(bufsize, _AT_ONCE)
        self.has_more = False
        octets = self._receive(bufsize)
        self.has_more = True
        return octets


def _refuse(packet: Any) -> None:
    """Raises ConnectionError for a packet that only a broker sends which does not keep to the protocol."""
    is_publish = packet["command"] & 0xF0 == _PUBLISH
    if is_publish and packet["command"] & 0x06 == _QOS_2:
        raise ConnectionError("the broker sends a message of QoS 2, which this client does not subscribe to")
    if not is_publish and packet["remaining_length"] > LONGEST_PACKET:
        raise ConnectionError(f"the broker sends a packet of {packet['remaining_length']} octets that is no message")


def is_too_long(client: PahoClient) -> bool:
    """Whether the packet that is being read is longer than allowed."""
    return bool(client._in_packet["remaining_length"] > LONGEST_PACKET)
