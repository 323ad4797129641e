"""The connection to a broker: aiomqtt with the reason of a loss, the content of a PUBACK, and an end when asked."""

import asyncio
import logging
import socket
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from traceback import walk_tb
from types import TracebackType
from typing import Any, Self, TypeVar

import aiomqtt
import structlog
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.client import DisconnectFlags, MQTTMessage
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.floor.broker import BadConnectionFile, Broker, password, tls_context
from controller.floor.causes import BrokerLost, cause_of, cause_of_code
from controller.floor.incoming import RECEIVE_MAXIMUM, UNREADABLE, Guard, Incoming, is_too_long, limits
from controller.floor.seldom import Seldom
from controller.rulebook.parts.faults import LossCause
from drivers.unheld import unheld

READ_SECONDS = 0.005  # at once; then all else has its turn
MOST_IN_FLIGHT = 64  # fewer where the broker's receive maximum says so
ACKNOWLEDGE_SECONDS = 5.0  # a broker that takes longer is as good as gone; the message is sent again
# A DISCONNECT's "session taken over", and what paho makes of a connection that was closed without one.
CLOSED = (0x8E, 0x80)
KEEP_ALIVE_TIMEOUT, PROTOCOL_ERROR = 0x8D, 0x82  # as paho calls what it finds itself
HUNG_UP = "the broker hung up"
HUNG_UP_AT_ONCE = "the broker hung up before it let the station in"
CONTENT_TYPE = "application/cloudevents+json"
MERGE_PATCH = "application/merge-patch+json"
# Octets of a PUBLISH beside topic and payload: kind, length, two lengths, number, properties, and in these two.
MOST_OF_A_HEAD = 10 + 2 + 3 + len(CONTENT_TYPE)
_T = TypeVar("_T")

log = structlog.get_logger()

_TOO_LONG, _DROPPED = Seldom(), Seldom()  # of all clients of this process


class PublishRefused(Exception):
    """The broker refuses a message, by its answer or by limits it announced; the message stays in the outbox."""

    def __init__(self, reason: str, cause: LossCause = "refused") -> None:
        super().__init__(reason)
        self.cause: LossCause = cause


class TooLong(PublishRefused):
    """The message is longer than the broker accepts, and was not sent."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "too_large")


class _Failures(logging.Handler):
    """The system's errors of a connection, which paho gives to its log alone; its other lines are never made."""

    last: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        self.last = next((argument for argument in record.args or () if isinstance(argument, BaseException)), self.last)


class CancellableClient(aiomqtt.Client):
    """An aiomqtt client in which a wait for the broker's answer can be cancelled at any moment, even as the answer
    arrives.

    `on_overflow` is called with the topic of each message that is dropped because too many wait.

    `loss` is why the connection was lost, once it is. aiomqtt waits for a CONNACK even after the broker has closed the
    connection: here that is an error at once.

    Its socket is made in a thread of its own and watched from then on by the loop alone: aiomqtt lets the thread
    register it for later, when it may be closed or be another's.
    """

    closed = False  # whether the broker closed the connection, for no cause of its own that it gave
    stays_open = False  # whether a cancellation leaves the connection open for another `async with`
    left_open = False  # whether one did

    def __init__(
        self, hostname: str, port: int = 1883, *, prepare: Callable[[PahoClient], None] | None = None, **options: Any
    ) -> None:
        """`prepare` may block, and is called before each connection; it may raise OSError or BadConnectionFile."""
        logger = logging.Logger("mqtt", logging.ERROR)
        logger.addHandler(failures := _Failures())
        if options.get("protocol") == aiomqtt.ProtocolVersion.V5:
            options["properties"] = limits(options.get("properties"))
        super().__init__(hostname, port, logger=logger, **options)
        self.on_overflow: Callable[[str], None] = lambda topic: None
        self._guard = Guard(self._client)
        self._client.manual_ack_set(True)
        self._incoming = Incoming(self, self._acknowledge, self._overflowed)
        self.loss: tuple[LossCause, str] | None = None
        self._failures = failures
        self._prepare = prepare
        self._watched = False
        for future in (self._connected, self._disconnected):  # perhaps no one waits for a connection that is given up
            future.add_done_callback(_noticed)

    @property
    def messages(self) -> Incoming:
        """The received messages, from the oldest not taken yet."""
        return self._incoming

    @property
    def certificate_ends(self) -> float | None:
        """When the broker's certificate expires, in seconds of the epoch; only with TLS."""
        connection = self._client.socket()
        shown = connection.getpeercert() if isinstance(connection, ssl.SSLSocket) else None
        return ssl.cert_time_to_seconds(str(shown["notAfter"])) if shown else None

    async def __aenter__(self) -> Self:
        """Connect, unless the connection was left open. Raises MqttError."""
        if self.left_open:
            self.left_open = False
            return self
        self.loss = None
        try:
            await unheld(self._connect_apart, lambda _: self._abandon(), "mqtt connect")
        except (OSError, ValueError, BadConnectionFile) as error:
            cause, reason = cause_of(error)
            self.loss = "no_welcome" if cause == "hung_up" else cause, reason
            raise BrokerLost(*self.loss) from error
        self._watch()
        try:
            await super().__aenter__()
        except asyncio.CancelledError:
            self._client._sock_close()  # without DISCONNECT: a broker that has just let it in publishes the will
            raise
        except aiomqtt.MqttError as error:
            self._client._sock_close()
            raise self._lost(error) from error
        if self._client.socket() is None:  # lost behind the CONNACK, which aiomqtt forgets
            self._lock.release()
            raise BrokerLost(*self.loss or ("hung_up", HUNG_UP))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Disconnect. Raises MqttError, but not in place of a cancellation."""
        if self.stays_open and isinstance(error, asyncio.CancelledError) and self._client.socket() is not None:
            self.left_open = True
            return
        try:
            await super().__aexit__(kind, error, traceback)
        except aiomqtt.MqttError:
            if not isinstance(error, asyncio.CancelledError):
                raise
        finally:
            self._client._sock_close()

    @asynccontextmanager
    async def closed_by_failure(self) -> AsyncIterator[None]:
        """A body whose failure closes the connection without DISCONNECT: the broker then publishes the will."""
        try:
            yield
        except BaseException:
            self._client._sock_close()
            raise

    async def _wait_for(self, fut: Awaitable[_T], timeout: float | None) -> _T:
        """For every answer that aiomqtt waits for; none comes once the connection is lost. Raises MqttError.

        Its own way, `asyncio.wait_for`, swallows in Python 3.11 a cancellation that comes together with the answer; and
        `asyncio.timeout` becomes a cancellation in Python 3.11.2 after a TaskGroup in the same task has failed.
        """
        answer: asyncio.Future[Any] = asyncio.ensure_future(fut)
        try:
            seconds = self.timeout if timeout is None else timeout
            await asyncio.wait({answer, self._disconnected}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            answered = answer.done()
            if answer is not self._disconnected:
                answer.cancel()
        if not answered:
            raise BrokerLost(*self.loss) if self.loss is not None else timed_out()
        result: _T = answer.result()
        return result

    def _lost(self, error: BaseException) -> BrokerLost:
        if self.loss is None:
            self.loss = cause_of(error)
        return BrokerLost(*self.loss)

    def _on_disconnect(
        self,
        client: PahoClient,
        userdata: Any,
        flags: DisconnectFlags,
        reason: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        answered = self._connected.done()
        if answered and not self._disconnected.done():
            self.closed = reason.value in CLOSED
        refused = answered and (self._connected.cancelled() or self._connected.exception() is not None)
        if self.loss is None and not refused and not self._disconnected.done() and reason.value:
            self.loss = self._why(answered, flags.is_disconnect_packet_from_server, reason, properties)
        if not answered and self.loss is not None:
            self._connected.set_exception(BrokerLost(*self.loss))
        super()._on_disconnect(client, userdata, flags, reason, properties)

    def _on_message(self, client: PahoClient, userdata: Any, message: MQTTMessage) -> None:
        if is_too_long(client):
            if count := _TOO_LONG.due():
                octets = client._in_packet["remaining_length"]
                log.warning("a message is too long", topic=message.topic, octets=octets, count=count)
            message.payload = UNREADABLE
        self._incoming.put(aiomqtt.Message._from_paho_message(message))

    def _acknowledge(self, message: aiomqtt.Message) -> None:
        if message.qos and self._client.socket() is not None:
            self._client.ack(message.mid, message.qos)

    def _overflowed(self, message: aiomqtt.Message) -> None:
        if count := _DROPPED.due():
            log.warning("more messages come than are read, and some are dropped", topic=str(message.topic), count=count)
        self.on_overflow(str(message.topic))

    def _why(
        self, accepted: bool, by_broker: bool, reason: ReasonCode, properties: Properties | None
    ) -> tuple[LossCause, str]:
        if by_broker:
            more = getattr(properties, "ReasonString", "")
            return cause_of_code(reason), f"{reason}: {more}" if more else str(reason)
        if self._failures.last is not None:
            cause, why = cause_of(self._failures.last)
            return "no_welcome" if cause == "hung_up" and not accepted else cause, why
        if reason.value == KEEP_ALIVE_TIMEOUT:
            return "keepalive", "the broker answers no ping"
        if reason.value == PROTOCOL_ERROR:
            return "misunderstood", "the broker's packet is malformed"
        return ("hung_up", HUNG_UP) if accepted else ("no_welcome", HUNG_UP_AT_ONCE)

    def _client_connect(self) -> None:
        """Does nothing: aiomqtt would work in a thread for which the end of the process waits."""

    def _connect_apart(self) -> None:
        if self._prepare is not None:
            self._prepare(self._client)
        try:
            super()._client_connect()
        except OSError as error:
            _close_all(error)
            raise

    def _abandon(self) -> None:
        if (connection := self._client.socket()) is not None:
            connection.close()

    def _watch(self) -> None:
        connection = self._client.socket()
        if connection is None:
            return
        self._watched = True
        self._loop.add_reader(connection.fileno(), self._readable)
        if self._client.want_write():
            self._loop.add_writer(connection.fileno(), self._writable)
        self._misc_task = self._loop.create_task(self._misc_loop())

    def _on_socket_open(self, client: PahoClient, userdata: Any, sock: Any) -> None:
        self._watched = False  # in the thread; see `_watch`

    def _on_socket_close(self, client: PahoClient, userdata: Any, sock: Any) -> None:
        self._unwatch(self._loop.remove_reader, sock)
        if self._misc_task is not None and not self._misc_task.done():
            self._loop.call_soon_threadsafe(self._misc_task.cancel)

    def _on_socket_register_write(self, client: PahoClient, userdata: Any, sock: Any) -> None:
        if self._watched:
            self._loop.add_writer(sock.fileno(), self._writable)

    def _on_socket_unregister_write(self, client: PahoClient, userdata: Any, sock: Any) -> None:
        self._unwatch(self._loop.remove_writer, sock)

    def _unwatch(self, remove: Callable[[int], bool], sock: Any) -> None:
        if self._watched and sock.fileno() >= 0:
            remove(sock.fileno())

    def _readable(self) -> None:
        """Reads what has arrived, for a limited time; TLS may have more than the socket shows."""
        until = time.monotonic() + READ_SECONDS
        while True:
            self._guard.has_more = False
            self._moving(self._read_packet)
            if not self._guard.has_more or len(self._incoming) >= RECEIVE_MAXIMUM or time.monotonic() > until:
                break
        connection = self._client.socket()
        if isinstance(connection, ssl.SSLSocket) and connection.pending():
            self._loop.call_soon(self._readable)

    def _read_packet(self) -> MQTTErrorCode:
        """Reads one packet or a part of it. paho's own function reads as many in a row as messages are in flight."""
        if self._client.socket() is None:
            return MQTTErrorCode.MQTT_ERR_NO_CONN
        result = self._client._packet_read()
        if result > 0:
            return self._client._loop_rc_handle(result)
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    def _writable(self) -> None:
        self._moving(self._write_packets)

    def _write_packets(self) -> None:
        """As paho's `loop_write`, but what the broker sent last is read before a failed write closes the connection.

        It is the cause: a DISCONNECT, or an alert of TLS 1.3, where the client's handshake ends before the broker has
        verified the client's certificate.
        """
        result = self._client._packet_write()
        if result > 0:
            self._readable()
            if self._client.socket() is not None:
                self._client._loop_rc_handle(result)
        elif not self._client.want_write():
            self._client._call_socket_unregister_write()

    def _moving(self, move: Callable[[], object]) -> None:
        try:
            move()
        except Exception as error:  # a connection that broke; paho does not always notice
            self._lost(error)
            if not self._disconnected.done():
                self._disconnected.set_exception(error)
            self._client._sock_close()


class AcknowledgedClient(CancellableClient):
    """aiomqtt waits for the PUBACK but ignores its reason code: here a refused publish is an error.

    A message larger than the CONNACK allows is not sent, since the broker would close the connection without a reason.
    """

    refused: ReasonCode | None = None
    longest: int | None = None  # octets of a packet; None where the broker has not reported
    at_once = MOST_IN_FLIGHT  # messages that it lets be in flight

    def __init__(self, hostname: str, port: int = 1883, **options: Any) -> None:
        super().__init__(hostname, port, max_inflight_messages=MOST_IN_FLIGHT, **options)
        self._has_properties = options.get("protocol") == aiomqtt.ProtocolVersion.V5
        self._sent: dict[int, Callable[[ReasonCode], None]] = {}

    def _on_connect(
        self, client: PahoClient, userdata: Any, flags: Any, reason: Any, properties: Properties | None = None
    ) -> None:
        self.longest = getattr(properties, "MaximumPacketSize", None)
        self.at_once = min(MOST_IN_FLIGHT, getattr(properties, "ReceiveMaximum", MOST_IN_FLIGHT))
        super()._on_connect(client, userdata, flags, reason, properties)

    def _on_publish(
        self, client: PahoClient, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        if sent := self._sent.pop(mid, None):
            sent(reason_code)
            return
        if reason_code.is_failure:
            self.refused = reason_code
        super()._on_publish(client, userdata, mid, reason_code, properties)

    async def deliver(self, topic: str, payload: bytes, retain: bool = False, content_type: str = CONTENT_TYPE) -> None:
        """Publishes with QoS 1 and returns after a successful PUBACK. Raises PublishRefused or MqttError."""
        self._check(topic, payload)
        properties = self._described(payload, content_type)
        await self.publish(topic, payload, qos=1, retain=retain, properties=properties, timeout=ACKNOWLEDGE_SECONDS)
        if self.refused is not None:
            reason, self.refused = self.refused, None
            raise publish_refused(topic, reason)

    def send(
        self,
        topic: str,
        payload: bytes,
        answered: Callable[[ReasonCode], None],
        properties: Properties | None = None,
    ) -> None:
        """Publishes with QoS 1; `answered` gets the reason code of the PUBACK. Raises PublishRefused or MqttError."""
        self._check(topic, payload, len(getattr(properties, "CorrelationData", b"")))
        sent = self._client.publish(topic, payload, 1, False, properties or self._described(payload))
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise aiomqtt.MqttCodeError(sent.rc, "Could not publish message")
        self._sent[sent.mid] = answered

    def _described(self, payload: bytes, content_type: str = CONTENT_TYPE) -> Properties | None:
        return properties_of(payload, content_type=content_type) if self._has_properties else None

    def _check(self, topic: str, payload: bytes, correlation: int = 0) -> None:
        octets = len(topic.encode()) + len(payload) + MOST_OF_A_HEAD + (correlation and 3 + correlation)
        if self.longest is not None and octets > self.longest:
            raise TooLong(f"{topic} has {octets} octets; the broker takes packets of {self.longest} at most")


def _close_all(error: OSError) -> None:
    """Closes the objects that paho leaves to the garbage collector after a failed handshake."""
    for frame, _ in walk_tb(error.__traceback__):
        for value in [*frame.f_locals.values()]:
            if isinstance(value, socket.socket):
                value.close()


def _noticed(lost: "asyncio.Future[None]") -> None:
    if not lost.cancelled():
        lost.exception()


def timed_out() -> BrokerLost:
    """The error for a broker that does not answer in time."""
    return BrokerLost("no_answer", "Operation timed out")


def publish_refused(topic: str, reason: ReasonCode) -> PublishRefused:
    """The refusal in a PUBACK."""
    return PublishRefused(f"the broker refuses {topic}: {reason}", cause_of_code(reason))


def prepared(broker: Broker) -> Callable[[PahoClient], None]:
    """Reads the files of a broker for a client that is about to connect to it."""
    return partial(_prepare, broker)


def _prepare(broker: Broker, client: PahoClient) -> None:
    if broker.username is not None:
        client.username_pw_set(broker.username, password(broker))
    if broker.tls is not None:
        client.tls_set_context(tls_context(broker.tls))


def connection(broker: Broker, will: aiomqtt.Will | None = None) -> AcknowledgedClient:
    """A client of this broker, not yet connected."""
    return AcknowledgedClient(
        hostname=broker.host,
        port=broker.port,
        identifier=broker.client_id,
        prepare=prepared(broker),
        protocol=aiomqtt.ProtocolVersion.V5 if broker.protocol == "5" else aiomqtt.ProtocolVersion.V311,
        will=will,
        keepalive=broker.keepalive,
        timeout=ACKNOWLEDGE_SECONDS,
        socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
    )


def properties_of(
    payload: bytes, packet: int = PacketTypes.PUBLISH, content_type: str = CONTENT_TYPE
) -> Properties | None:
    """The properties of a message: JSON in UTF-8, mostly as a CloudEvent; empty for a message that clears a topic."""
    return _of_json(packet, content_type) if payload else None


@cache
def _of_json(packet: int, content_type: str) -> Properties:
    properties = Properties(packet)  # type: ignore[no-untyped-call]
    properties.PayloadFormatIndicator = 1
    properties.ContentType = content_type
    return properties
