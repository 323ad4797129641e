"""The messages of a table to its floor: the outbox in order, over one connection; a row is done at a PUBACK of success.

Several rows are in flight at once. After a loss or a refusal they are sent again one by one, so that the one that the
broker does not take is known.
"""

import asyncio
import time
from collections import deque
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from functools import partial

import aiomqtt
import msgspec
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from controller.floor.backoff import Backoff
from controller.floor.broker import Broker
from controller.floor.causes import cause_of
from controller.floor.handler import FloorHandler, Topics
from controller.floor.mqtt import (
    ACKNOWLEDGE_SECONDS,
    CONTENT_TYPE,
    MERGE_PATCH,
    AcknowledgedClient,
    PublishRefused,
    TooLong,
    connection,
    properties_of,
    publish_refused,
    timed_out,
)
from controller.floor.other_stations import MOST_TOPICS, OtherStations
from controller.floor.outbox import Outbox, UnsentMessage
from controller.floor.requests import AnswerDue, Requests
from controller.rulebook.parts.faults import LossCause
from controller.system.tasks import apart, ended, first_exception

HUNG_UP_TIMES = 3  # over the same message, before that counts as its refusal
ANSWERS_AT_ONCE = 20  # messages in flight that someone has asked for: what has just happened waits for no more of them
NO_LISTENER = 0x10  # a PUBACK's "no matching subscribers"
GOODBYE_SECONDS = 2.0
GOODBYE_AWAY_SECONDS = 0.5  # where the broker was away just before
UNKNOWN = b"?"  # no message of ours: what the broker has on a topic before anything was sent on this connection
# A broker that does not know that a new connection replaces an earlier one publishes the will of that one when it has
# been silent for one and a half keepalives, and some time after; MQTT 3.1.1 does not report it.
STATUS_AGAIN_SECONDS = 20.0
SETTLED_SECONDS = 0.02  # a state that changes with every card is published once they pause
RETAINED_AT_LEAST_EVERY_SECONDS = 1.0  # under a backlog the state still moves
MOST_OTHERS = 16  # stations of the same table that are reported
REFUSED_AGAIN_SECONDS = 300.0  # until a retained topic is tried again: some brokers hang up after each refusal


class _Flight(msgspec.Struct):
    """A message of the outbox that was sent, and its state."""

    row: UnsentMessage
    taken: bool = False
    refused: PublishRefused | None = None


class FloorClient:
    """Keeps the floor informed of the table of `handler`, until cancelled; then `say_goodbye` ends its connection.

    It receives `requests` only over MQTT 5. It reports a second station of the same table; after a while it no longer
    replaces that station's messages, until that station has left.
    """

    def __init__(
        self,
        broker: Broker,
        outbox: Outbox,
        handler: FloorHandler,
        topics: Topics,
        requests: Requests | None = None,
        status_again: float = STATUS_AGAIN_SECONDS,
    ) -> None:
        self._broker = broker
        self._backoff = Backoff()
        self._status_again = status_again
        self._outbox = outbox
        self._handler = handler
        self._subscribed = topics.subscribed
        self._own = topics.own if broker.protocol == "5" else ()
        self._requests = requests if broker.protocol == "5" else None
        self._in_flight: deque[_Flight] = deque()
        self._moved = asyncio.Event()  # one of them was answered
        self._alone = 0  # up to this message, one at a time
        self._failures = 0  # in a row over the first of them
        self._reported_untaken = 0
        self._maybe_retained = {*topics.left, *topics.maybe_retained}  # until the broker has sent what is there
        self._published = dict.fromkeys(topics.left if self._own else self._maybe_retained, UNKNOWN)
        self._online = handler.status(True)
        self._others = OtherStations()
        self._reported_others: set[str] = set()
        self._listened = False  # to an earlier connection
        self._restoring: str | None = None  # the topic of the message in flight, until someone else publishes there
        self._looks_again = False  # more topics are to be cleared than are remembered
        self.certificate_ends: float | None = None  # the broker's, of the last connection over TLS
        self._last_client: AcknowledgedClient | None = None  # its connection is left open when it is cancelled
        self._connected = False  # some time, so that an earlier status at the broker was this station's
        self._refused: dict[str, tuple[float, str]] = {}  # retained topics, when each is tried again, and why
        self._refusal_is_reported = True
        self._refused_last: PublishRefused | None = None  # of the last message, if it was
        self._probed_topic = topics.probed_topic if self._own else ""
        self._looks = HUNG_UP_TIMES  # that are left
        self._last_payloads: dict[str, deque[bytes]] = {}  # the last messages of each retained topic
        self._untaken: tuple[str, bytes] | None = None  # the retained message that was in flight at a loss

    async def run(self) -> None:
        """Connect, send the outbox, and connect again after every loss."""
        lost_at, tries = time.monotonic(), 0
        back_at = lost_at
        reported: LossCause | None = None  # of the present outage
        before: LossCause | None = None  # of the try before
        while True:
            tries += 1
            self._refused_last = None
            if self._requests is not None:
                self._requests.clear()
            self._begin_session()
            client = self._last_client = self._client()
            try:
                async with client:
                    self.certificate_ends = client.certificate_ends
                    await self._look(client)
                    await apart(self._watched(client, self._try_out(client)))
                    back_at = time.monotonic()
                    self._handler.on_link(None, back_at - lost_at, tries, "unknown")
                    reported, before, tries = None, None, 0
                    await apart(self._watched(client, self._drain(client), self._own))
            except* (aiomqtt.MqttError, PublishRefused, OSError) as group:
                error = self._refusal() or first_exception(group)
                cause, reason = self._why(error, client)
            if reported is None:
                lost_at = time.monotonic()
            if reported is None or (cause != reported and cause == before):
                self._handler.on_link(reason, 0.0, tries, cause)
                reported = cause
            before = cause
            self._failed(isinstance(error, PublishRefused), reason)
            if tries:
                self._backoff.failed()
            else:
                self._lost(lost_at - back_at, client.closed)
            await asyncio.sleep(self._backoff.pause())

    def _begin_session(self) -> None:
        self._handler.begin_session()
        self._others.begin(self._handler.status(True)[1])
        self._forget_others()

    def _lost(self, connected_seconds: float, closed: bool) -> None:
        """A connection over which the floor was informed is lost: perhaps to another client with the same id."""
        self._backoff.lost(connected_seconds, closed)
        if self._broker.client_id is not None and self._backoff.seems_contested and not self._backoff.contested:
            self._backoff.contested = True
            self._handler.on_contested()

    def _refusal(self) -> PublishRefused | None:
        """The broker's answer to the first message in flight: some hang up behind it, which may be noticed first."""
        return self._in_flight[0].refused if self._in_flight else None

    def _why(self, error: Exception, client: AcknowledgedClient) -> tuple[LossCause, str]:
        refused = self._refused_last if self._refused_last is not None else error  # some brokers hang up behind it
        if isinstance(refused, PublishRefused):
            return refused.cause, str(refused)
        cause, reason = client.loss or cause_of(error)
        # A broker of MQTT 3.1.1 cannot say it, and mosquitto 2.0.11 does not.
        return "taken_over" if cause == "hung_up" and self._backoff.contested else cause, reason

    async def _look(self, client: AcknowledgedClient) -> None:
        """Reads the retained messages before the station replaces them; a broker that closes the connection for it
        is not asked again.
        """
        if not self._looks:
            return
        self._looks -= 1
        status = self._online[0]
        topics = [status, self._probed_topic] if self._probed_topic else [status]
        await client.subscribe([(topic, 0) for topic in topics])
        await client.unsubscribe(topics)  # its answer comes behind what was retained
        for _ in range(len(client.messages)):
            message = await anext(client.messages)
            if str(message.topic) == status:
                self._found_status(_octets(message))
            elif self._handler.overtakes(_octets(message)):
                while not self._handler.on_hold():
                    await self._outbox.changed()
        self._looks, self._probed_topic = HUNG_UP_TIMES, ""

    def _found_status(self, payload: bytes) -> None:
        """The status at the broker before the station replaces it, unless another station's came meanwhile."""
        other = self._others.source(payload)
        if other is not None and self._connected and not self._backoff.contested:
            self._backoff.contested = True
            self._reported_others.add(other)
            self._handler.on_other(other)

    async def _watched(
        self, client: AcknowledgedClient, work: Coroutine[None, None, None], own: Sequence[str] = ()
    ) -> None:
        # A publish in flight does not fail when the link drops: the reader notices, and takes the work down with it.
        async with asyncio.TaskGroup() as group:
            reader = group.create_task(self._read(client, own))
            group.create_task(work).add_done_callback(lambda _: reader.cancel())

    async def _read(self, client: AcknowledgedClient, own: Sequence[str]) -> None:
        with suppress(aiomqtt.MqttError):  # a broker that does not let it listen takes its messages all the same
            if own:
                topics = _retained_too(own)
                if self._requests is not None:
                    # One that was retained is as old as it may be.
                    fresh = SubscribeOptions(qos=1, noLocal=True, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)
                    topics += [(topic, fresh) for topic in self._requests.topics]
                await client.subscribe(topics)
                if self._listened:
                    self._maybe_retained.clear()  # what is there now was put there since
                self._listened = True
            if self._subscribed:
                await client.subscribe([(topic, 1) for topic in self._subscribed])
        async for message in client.messages:
            topic = str(message.topic)
            payload = _octets(message)
            if self._requests is not None and self._requests.receive(topic, payload, message.properties):
                self._outbox.wake()
            elif any(message.topic.matches(topic_filter) for topic_filter in self._subscribed):
                self._handler.on_received(topic, payload, bool(message.retain))
            else:
                self._received(topic, payload, message.retain)

    def _received(self, topic: str, payload: bytes, was_there: bool) -> None:
        """A retained message came on a topic of the table: from the station itself, or from another client."""
        if payload == self._published.get(topic, b""):
            return
        self._handler.overtakes(payload)
        if (other := self._others.source(payload)) is not None:
            self._received_of_other(other, topic, payload, was_there)
            return
        # An earlier message of the station may come after a later one.
        is_own = payload in self._last_payloads.get(topic, ())
        if not is_own or topic != self._restoring:
            self._replace(topic)
        self._outbox.wake()
        if self._others.is_earlier_will(payload):
            return
        if was_there and topic in self._maybe_retained:
            self._maybe_retained.discard(topic)
            return
        if not is_own:
            self._handler.on_forged(topic)

    def _replace(self, topic: str) -> None:
        """Replaces next what other clients published there. If too many topics wait for that, it is looked up later."""
        if topic == self._restoring:
            self._restoring = None
        if topic in self._published or len(self._published) < MOST_TOPICS:
            self._published[topic] = UNKNOWN
        else:
            self._looks_again = True

    def _received_of_other(self, other: str, topic: str, payload: bytes, was_there: bool) -> None:
        """A station with another journal publishes for this table, or did before this one came."""
        left = self._others.has_left(payload)
        if left:
            self._forget_others()
            self._published = dict.fromkeys(self._published, UNKNOWN)
            self._looks_again = True
        elif self._others.may_replace(topic):
            self._replace(topic)
        self._outbox.wake()
        is_new = other not in self._reported_others and len(self._reported_others) < MOST_OTHERS
        if not was_there and not left and is_new:
            self._reported_others.add(other)
            self._handler.on_other(other)

    def _forget_others(self) -> None:
        self._others.forget()
        self._reported_others.clear()

    async def _try_out(self, client: AcknowledgedClient) -> None:
        """Returns once the broker accepts the messages: a connection alone does not prove that it will."""
        topic, payload = self._online = self._handler.status(True)
        restored = await self._restored(client, topic, payload)
        self._published = {**dict.fromkeys(self._published, UNKNOWN), topic: restored}
        until = time.monotonic() + RETAINED_AT_LEAST_EVERY_SECONDS
        await self._deliver_rows(client, until)
        if self._untaken is not None:
            # As it was then: the state may be shorter during the outage, and as long again once the floor is back.
            await self._retain(client, *self._untaken)
        await self._deliver_retained(client)
        self._connected = True

    async def _drain(self, client: AcknowledgedClient) -> None:
        again = asyncio.get_running_loop().call_later(self._status_again, self._publish_status_again)
        try:
            await self._drain_all(client)
        finally:
            again.cancel()

    def _publish_status_again(self) -> None:
        self._published[self._online[0]] = UNKNOWN
        self._outbox.wake()

    async def _drain_all(self, client: AcknowledgedClient) -> None:
        published_at = 0.0
        while True:
            for topic, payload in self._handler.due():
                client.send(topic, payload, lambda reason: None)
            overdue_at = published_at + RETAINED_AT_LEAST_EVERY_SECONDS
            overdue = time.monotonic() >= overdue_at
            if await self._deliver_rows(client, overdue_at) and not overdue:
                continue
            if not overdue and await self._more_soon():
                continue
            await self._deliver_retained(client)
            await self._look_again(client)
            published_at = time.monotonic()
            if await self._deliver_answers(client):
                continue
            if (self._outbox.empty or self._handler.on_hold()) and self._retained_now() == self._published:
                await self._outbox.changed()

    async def _look_again(self, client: AcknowledgedClient) -> None:
        """Makes the broker send retained messages again, if there were more than could be remembered."""
        if self._looks_again and self._own:
            self._looks_again = False
            await client.subscribe(_retained_too(self._own))

    async def _more_soon(self) -> bool:
        """Whether an event comes before the state has settled: events are published before the state."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLED_SECONDS):
                await self._outbox.changed()
                return True
        return False

    async def _deliver_rows(self, client: AcknowledgedClient, until: float) -> bool:
        """Sends waiting messages, at least one and others until a time, and returns once they are acknowledged;
        whether there were any.

        Raises PublishRefused or MqttError.
        """
        sent = 0
        while True:
            # Behind a message that is refused, or too long to be sent, no other goes out.
            while len(self._in_flight) < (1 if sent < self._alone else client.at_once) and not self._is_refused:
                row = await self._outbox.head(sent) if not sent or time.monotonic() < until else None
                if row is None or self._handler.on_hold():
                    break
                self._send(client, row)
                sent = row.sequence
            if not self._in_flight:
                return sent > 0
            await self._first_answered()

    @property
    def _is_refused(self) -> bool:
        return any(flight.refused is not None for flight in self._in_flight)

    def _send(self, client: AcknowledgedClient, row: UnsentMessage) -> None:
        flight = _Flight(row)
        self._in_flight.append(flight)
        try:
            client.send(row.topic, row.payload, partial(self._answered, flight))
        except PublishRefused as refused:
            flight.refused = refused
            self._moved.set()

    def _answered(self, flight: _Flight, reason: ReasonCode) -> None:
        if reason.is_failure:
            flight.refused = publish_refused(flight.row.topic, reason)
        flight.taken = not reason.is_failure
        if reason.value == NO_LISTENER:
            self._handler.on_undelivered(flight.row)
        # At once: where the link is lost next, a task that waits is cancelled before it receives this.
        while self._in_flight and self._in_flight[0].taken:
            sequence = self._in_flight.popleft().row.sequence
            self._failures = 0
            self._refused_last = None
            self._outbox.done(sequence)
            self._handler.on_acknowledged(sequence)
        self._moved.set()

    async def _first_answered(self) -> None:
        """Waits until a message in flight is answered. Raises PublishRefused if the first of them is refused."""
        if self._in_flight[0].refused is None:
            self._moved.clear()
            try:
                async with asyncio.timeout(ACKNOWLEDGE_SECONDS):
                    await self._moved.wait()
            except TimeoutError:
                # After a standstill of this computer an answer and the end of the time come in the same turn.
                if not self._moved.is_set():
                    raise timed_out() from None
        if self._in_flight and (refused := self._in_flight[0].refused) is not None:
            raise refused

    def _failed(self, refused: bool, reason: str) -> None:
        """The connection is lost. If it was lost again over the same message, that refusal is reported once."""
        if not self._in_flight:
            return
        row, self._alone = self._in_flight[0].row, self._in_flight[-1].row.sequence
        self._in_flight.clear()
        self._failures += 1
        if (refused or self._failures >= HUNG_UP_TIMES) and row.sequence != self._reported_untaken:
            self._reported_untaken = row.sequence
            self._handler.on_untaken(row, reason)

    async def _deliver_retained(self, client: AcknowledgedClient) -> None:
        wanted = self._retained_now()
        try:
            for topic, payload in self._handler.differences():
                await self._restore(client, topic, payload, retain=False)
            for topic in [*wanted, *(topic for topic in self._published if topic not in wanted)]:
                payload = wanted.get(topic, b"")
                if self._published.get(topic) != payload or 0 < self._refused.get(topic, (0.0,))[0] <= time.monotonic():
                    await self._retain(client, topic, payload)
                if topic not in wanted and self._published[topic] == payload:
                    del self._published[topic]
        finally:
            if not self._refusal_is_reported:
                self._refusal_is_reported = True
                self._handler.on_refused([reason for _, reason in self._refused.values()])

    async def _deliver_answers(self, client: AcknowledgedClient) -> bool:
        """Sends some messages of an answer; returns whether more remain."""
        if self._requests is None or not self._requests.waiting or self._handler.on_hold():
            return False
        if (reborn := self._requests.rebirth) is not None:
            self._published = dict.fromkeys(self._published, UNKNOWN)
            await self._deliver_retained(client)
            reborn.count = len(self._published)
        unanswered = 0
        moved = asyncio.Event()

        def answered(answer: AnswerDue, reason: ReasonCode) -> None:
            nonlocal unanswered
            unanswered -= 1
            moved.set()
            if answer.asked is not None and (reason.is_failure or reason.value == NO_LISTENER):
                self._requests.no_listener(answer.asked)  # type: ignore[union-attr]

        for answer in self._requests.take(min(ANSWERS_AT_ONCE, client.at_once)):
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.PayloadFormatIndicator = 1
            properties.ContentType = answer.content_type
            if answer.correlation is not None:
                properties.CorrelationData = answer.correlation
            try:
                client.send(answer.topic, answer.payload, partial(answered, answer), properties)
                unanswered += 1
            except PublishRefused:  # too long for this broker
                if answer.asked is not None:
                    answer.asked.count -= 1
        try:
            while unanswered:
                moved.clear()
                async with asyncio.timeout(ACKNOWLEDGE_SECONDS):
                    await moved.wait()
        except TimeoutError:
            raise timed_out() from None
        return self._requests.waiting

    def _retained_now(self) -> dict[str, bytes]:
        topic, payload = self._online
        return {topic: payload, **self._handler.retained()}

    async def _retain(self, client: AcknowledgedClient, topic: str, payload: bytes) -> None:
        self._untaken = topic, payload
        self._note(topic, payload)
        self._published[topic] = await self._restored(client, topic, payload)
        self._untaken = None

    async def _restored(self, client: AcknowledgedClient, topic: str, payload: bytes) -> bytes:
        """The message that the broker then retains; UNKNOWN if another client published before the acknowledgement."""
        self._restoring = topic
        await self._restore(client, topic, payload)
        return payload if self._restoring == topic else UNKNOWN

    async def _restore(self, client: AcknowledgedClient, topic: str, payload: bytes, retain: bool = True) -> None:
        if time.monotonic() < self._refused.get(topic, (0.0,))[0]:
            return
        try:
            await client.deliver(topic, payload, retain, CONTENT_TYPE if retain else MERGE_PATCH)
            self._refused.pop(topic, None)
            self._refused_last = None
        except PublishRefused as refused:
            again = 0.0 if isinstance(refused, TooLong) else time.monotonic() + REFUSED_AGAIN_SECONDS
            self._refused_last = refused
            self._refused[topic] = again, str(refused)
            self._refusal_is_reported = False

    def _note(self, topic: str, payload: bytes) -> None:
        self._last_payloads.setdefault(topic, deque(maxlen=8)).append(payload)

    async def say_goodbye(self, with_state: bool = True) -> None:
        """After the client was cancelled: publish that the station has stopped, after the last state, and disconnect.

        It goes over the client's connection, since the broker may accept no new one; over a new one if that was lost.
        If it fails, the connection is closed without DISCONNECT, so that the broker publishes the will.
        """
        client, seconds = self._last_client, GOODBYE_SECONDS
        if client is None or not client.left_open:
            client, seconds = self._client(), GOODBYE_AWAY_SECONDS
        goodbye = asyncio.create_task(self._say_goodbye(client, with_state))
        await asyncio.wait([goodbye], timeout=seconds)
        await ended(goodbye)
        if not goodbye.cancelled():
            goodbye.result()

    async def _say_goodbye(self, client: AcknowledgedClient, with_state: bool) -> None:
        try:
            async with client, client.closed_by_failure():
                # The last state may have been on its way when the client was cancelled.
                with suppress(PublishRefused):
                    if with_state:
                        await self._deliver_retained(client)
                await client.deliver(*self._handler.status(False), retain=True)
        except (aiomqtt.MqttError, PublishRefused, OSError):
            pass  # the will reports it, or the broker is away and its own loss is known

    def _client(self) -> AcknowledgedClient:
        topic, payload = self._handler.status(False)
        properties = properties_of(payload, PacketTypes.WILLMESSAGE) if self._broker.protocol == "5" else None
        client = connection(self._broker, aiomqtt.Will(topic, payload, qos=1, retain=True, properties=properties))
        client.on_overflow = self._handler.on_overflow
        client.stays_open = True
        return client


def _retained_too(topics: Sequence[str]) -> list[tuple[str, SubscribeOptions]]:
    """A subscription to the table's own topics: it also receives retained messages, but none of the station's own."""
    options = SubscribeOptions(qos=1, noLocal=True)
    return [(topic, options) for topic in topics]


def _octets(message: aiomqtt.Message) -> bytes:
    return bytes(message.payload) if isinstance(message.payload, bytes) else b""
