"""The connection to a broker: aiomqtt, made to tell what a PUBACK says and to let go when it is asked to."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from functools import cache
from types import TracebackType
from typing import Any, Self, TypeVar

import aiomqtt
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.floor.broker import Broker

MOST_IN_FLIGHT = 64  # fewer where the broker's receive maximum says so
ACKNOWLEDGE_SECONDS = 5.0  # a broker that takes longer is as good as gone; the message is sent again
# A DISCONNECT's "session taken over", and what paho makes of a connection that was closed without one.
CLOSED = (0x8E, 0x80)
CONTENT_TYPE = "application/cloudevents+json"
# Octets of a PUBLISH beside topic and payload: kind, length, two lengths, number, properties, and in these two.
MOST_OF_A_HEAD = 10 + 2 + 3 + len(CONTENT_TYPE)
_T = TypeVar("_T")


class PublishRefused(Exception):
    """The broker does not take a message, as it has answered or said before; the message stays in the outbox."""


class TooLong(PublishRefused):
    """The broker has said that it takes none of this length, and was not asked."""


class _Failures(logging.Handler):
    """What is wrong with a connection, paho tells its log alone. Its other lines are never made: each takes time."""

    last = "the broker hung up before it let the station in"

    def emit(self, record: logging.LogRecord) -> None:
        self.last = record.getMessage()


class CancellableClient(aiomqtt.Client):
    """Whoever waits for an answer of the broker can be cancelled at any moment, also just when the answer comes."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Disconnect. Raises MqttError, but not in place of a cancellation."""
        try:
            await super().__aexit__(kind, error, traceback)
        except aiomqtt.MqttError:
            if not isinstance(error, asyncio.CancelledError):
                raise

    async def _wait_for(self, fut: Awaitable[_T], timeout: float | None) -> _T:
        """For every answer that aiomqtt waits for, it is this. Raises MqttError.

        Its own way, `asyncio.wait_for`, swallows in Python 3.11 a cancellation that comes together with the answer; and
        `asyncio.timeout` becomes a cancellation in Python 3.11.2 after a TaskGroup in the same task has failed.
        """
        answer = asyncio.ensure_future(fut)
        try:
            await asyncio.wait([answer], timeout=self.timeout if timeout is None else timeout)
        finally:
            answered = answer.done()
            answer.cancel()
        if not answered:
            raise aiomqtt.MqttError("Operation timed out")
        return answer.result()


class AcknowledgedClient(CancellableClient):
    """aiomqtt waits for the PUBACK but drops what it says: here a denied publish is an error.

    It also waits on for a CONNACK when the broker has hung up: here that is an error at once, with its cause. A message
    above what the CONNACK allows is not sent, for such a broker hangs up on it and says nothing.
    """

    refused: ReasonCode | None = None
    longest: int | None = None  # octets of a packet; None where the broker has not said
    at_once = MOST_IN_FLIGHT  # messages that it lets be in flight
    closed = False  # whether the broker closed the connection, for no cause of its own that it gave

    def __init__(self, hostname: str, **options: Any) -> None:
        logger = logging.Logger("mqtt", logging.ERROR)
        logger.addHandler(failures := _Failures())
        super().__init__(hostname, logger=logger, max_inflight_messages=MOST_IN_FLIGHT, **options)
        self._disconnected.add_done_callback(_noticed)  # nobody waits where a publish was refused just before
        self._failures = failures
        self._described = described if options.get("protocol") == aiomqtt.ProtocolVersion.V5 else lambda _: None
        self._sent: dict[int, Callable[[ReasonCode], None]] = {}

    def _on_connect(
        self, client: PahoClient, userdata: Any, flags: Any, reason: Any, properties: Properties | None = None
    ) -> None:
        self.longest = getattr(properties, "MaximumPacketSize", None)
        self.at_once = min(MOST_IN_FLIGHT, getattr(properties, "ReceiveMaximum", MOST_IN_FLIGHT))
        super()._on_connect(client, userdata, flags, reason, properties)

    def _on_disconnect(
        self, client: PahoClient, userdata: Any, flags: Any, reason: ReasonCode, properties: Properties | None = None
    ) -> None:
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError(self._failures.last))
        elif not self._disconnected.done():
            self.closed = reason.value in CLOSED
        super()._on_disconnect(client, userdata, flags, reason, properties)

    def _on_publish(
        self, client: PahoClient, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        if sent := self._sent.pop(mid, None):
            sent(reason_code)
            return
        if reason_code.is_failure:
            self.refused = reason_code
        super()._on_publish(client, userdata, mid, reason_code, properties)

    async def __aenter__(self) -> Self:
        """Connect. Raises MqttError."""
        try:
            await super().__aenter__()
        except asyncio.CancelledError as cancelled:
            # Cancelled is the future, too, of a broker that has not answered: there is nobody to take leave of.
            if self._connected.done() and not self._connected.cancelled() and not self._disconnected.done():
                await self.__aexit__(type(cancelled), cancelled, None)
            raise
        return self

    async def deliver(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Publish with QoS 1 and return after a PUBACK that says success. Raises PublishRefused or MqttError."""
        self._check(topic, payload)
        await self.publish(
            topic, payload, qos=1, retain=retain, properties=self._described(payload), timeout=ACKNOWLEDGE_SECONDS
        )
        if self.refused is not None:
            reason, self.refused = self.refused, None
            raise PublishRefused(f"the broker refuses {topic}: {reason}")

    def send(
        self,
        topic: str,
        payload: bytes,
        answered: Callable[[ReasonCode], None],
        properties: Properties | None = None,
    ) -> None:
        """Publish with QoS 1; `answered` is called with what the PUBACK says. Raises PublishRefused or MqttError."""
        self._check(topic, payload)
        sent = self._client.publish(topic, payload, 1, False, properties or self._described(payload))
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise aiomqtt.MqttCodeError(sent.rc, "Could not publish message")
        self._sent[sent.mid] = answered

    def _check(self, topic: str, payload: bytes) -> None:
        octets = len(topic.encode()) + len(payload) + MOST_OF_A_HEAD
        if self.longest is not None and octets > self.longest:
            raise TooLong(f"{topic} has {octets} octets; the broker takes packets of {self.longest} at most")


def _noticed(lost: "asyncio.Future[None]") -> None:
    if not lost.cancelled():
        lost.exception()


def connection(broker: Broker, will: aiomqtt.Will | None = None) -> AcknowledgedClient:
    """A client of this broker, not yet connected."""
    return AcknowledgedClient(
        hostname=broker.host,
        port=broker.port,
        identifier=broker.client_id,
        username=broker.username,
        password=broker.password,
        protocol=aiomqtt.ProtocolVersion.V5 if broker.protocol == "5" else aiomqtt.ProtocolVersion.V311,
        will=will,
        keepalive=broker.keepalive,
        timeout=ACKNOWLEDGE_SECONDS,
        tls_context=broker.tls,
        socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
    )


def described(payload: bytes, packet: int = PacketTypes.PUBLISH) -> Properties | None:
    """The properties of a message: a CloudEvent in UTF-8; none of one that only clears a topic."""
    return _of_cloud_event(packet) if payload else None


@cache
def _of_cloud_event(packet: int) -> Properties:
    properties = Properties(packet)  # type: ignore[no-untyped-call]
    properties.PayloadFormatIndicator = 1
    properties.ContentType = CONTENT_TYPE
    return properties
