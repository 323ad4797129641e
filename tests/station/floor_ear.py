"""An independent MQTT client that receives everything a table says, and what must hold for all of it."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from tests.paho_end import hang_up
from tests.station.processes import PATIENCE_SECONDS

BASE = "dealer/laptop/table-1"
SESSION_SECONDS = 3600
RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
REQUIRED = {"specversion", "id", "source", "type"}  # CloudEvents 1.0, "Required attributes"

Envelope = dict[str, Any]


class Published(NamedTuple):
    """One message as it came; `kept`: the broker had it before this client subscribed."""

    topic: str
    payload: bytes
    kept: bool


class FloorEar:
    """Subscribed to `dealer/#` with a session that outlives its connection: no message is missed while it is away."""

    def __init__(self, port: int, name: str = "floor-ear", username: str | None = None, password: str = "") -> None:
        self.messages: list[Published] = []
        self._changed = threading.Condition()
        self._subscribed = threading.Event()
        self._marker = f"{name}/marker"  # its own, which no other ear receives
        self._caught_up = threading.Event()
        self._client = client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5)
        client.on_connect = self._connected
        client.on_subscribe = lambda *_: self._subscribed.set()
        client.on_message = self._received
        client.reconnect_delay_set(1, 1)
        if username is not None:
            client.username_pw_set(username, password)
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = SESSION_SECONDS
        client.connect("127.0.0.1", port, clean_start=False, properties=session)
        client.loop_start()
        assert self._subscribed.wait(PATIENCE_SECONDS), "the broker does not let the test subscribe"

    def _connected(self, client: mqtt.Client, *_: object) -> None:
        client.subscribe([("dealer/#", 1), (self._marker, 1)])

    def _received(self, client: mqtt.Client, userdata: object, message: mqtt.MQTTMessage) -> None:
        if message.topic == self._marker:
            self._caught_up.set()
            return
        with self._changed:
            self.messages.append(Published(message.topic, bytes(message.payload), message.retain))
            self._changed.notify_all()

    def close(self) -> None:
        """Unsubscribe from nothing, hang up."""
        hang_up(self._client)
        # It closes its last sockets when no one holds it any more; in a cycle the garbage collector warns of them.
        self._client.on_connect = self._client.on_subscribe = self._client.on_message = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def catch_up(self) -> None:
        """Wait until a message of its own has come back behind all that the broker had for it."""
        self._caught_up.clear()
        self._client.publish(self._marker, b"", qos=1)
        assert self._caught_up.wait(PATIENCE_SECONDS), "the broker does not give the marker back"

    def wait(self, condition: Callable[[list[Published]], object], seconds: float, what: str) -> None:
        """Wait until `condition` holds for what was reported, PATIENCE_SECONDS at least.

        Raises AssertionError naming `what` did not come.
        """
        seconds = max(seconds, PATIENCE_SECONDS)
        deadline = time.monotonic() + seconds
        with self._changed:
            while not condition(self.messages):
                left = deadline - time.monotonic()
                assert left > 0, (
                    f"waited {seconds:.0f} s in vain for {what} on MQTT; {len(self.messages)} messages came"
                )
                self._changed.wait(left)

    def wait_sequence(self, sequence: int, seconds: float) -> None:
        """Wait until the event or round with this sequence has come, as long as no silence is longer than `seconds`.

        A broker that is behind has much to say before it.
        """
        seconds = max(seconds, PATIENCE_SECONDS)
        mark, seen = b'"sequence":%d,' % sequence, 0
        with self._changed:
            while not any(mark in message.payload for message in self.messages[seen:]):
                seen = len(self.messages)
                spoke = self._changed.wait(seconds)
                assert spoke, f"waited {seconds:.0f} s in vain for sequence {sequence}; {seen} messages came before"


def kept_messages(port: int) -> dict[str, bytes]:
    """What a client that comes now is reported at once: the retained messages by topic."""
    ear = FloorEar(port, name="late-comer")
    ear.catch_up()
    ear.close()
    return {message.topic: message.payload for message in ear.messages if message.kept}


def is_sequenced(topic: str) -> bool:
    """Whether a topic's messages consume the public sequence."""
    return topic == f"{BASE}/rounds" or topic.startswith(f"{BASE}/events/")


def sequenced(messages: Iterable[Published]) -> list[tuple[str, Envelope]]:
    """Events and rounds in the order they first came, by topic, each once.

    A redelivery must be the same to the byte; sequences must run 1, 2, 3 … without a gap.
    """
    first: dict[str, bytes] = {}
    kept: list[tuple[str, Envelope]] = []
    for topic, payload, _ in messages:
        if not is_sequenced(topic):
            continue
        envelope = json.loads(payload)
        if envelope["id"] in first:
            assert first[envelope["id"]] == payload, f"{envelope['id']} came again as another message"
            continue
        first[envelope["id"]] = payload
        kept.append((topic, envelope))
    numbers = [int(envelope["sequence"]) for _, envelope in kept]
    odd = next((at for at, number in enumerate(numbers, 1) if number != at), None)
    assert odd is None, f"message {odd} has sequence {numbers[odd - 1]}; around it {numbers[max(0, odd - 4) : odd + 3]}"
    return kept


def redelivered(messages: Iterable[Published]) -> int:
    """How many events and rounds came more than once."""
    ids = [json.loads(payload)["id"] for topic, payload, _ in messages if is_sequenced(topic)]
    return len(ids) - len(set(ids))


def round_messages(messages: Iterable[Published]) -> list[dict[str, Any]]:
    """The `data` of every `rounds` message, in order."""
    return [envelope["data"] for topic, envelope in sequenced(messages) if topic == f"{BASE}/rounds"]


def alarm_is_over(messages: list[Published], alarm: str) -> bool:
    """Whether the retained alarm says that it is over, and no one has acknowledged it."""
    last = [message.payload for message in messages if message.topic == f"{BASE}/alarms/{alarm}"]
    return bool(last and last[-1]) and json.loads(last[-1])["data"]["over"] is True


def events(messages: Iterable[Published], *kinds: str) -> list[dict[str, Any]]:
    """The `data` of the events of these kinds, in order, with `kind` in them."""
    by_topic = {f"{BASE}/events/{kind}": kind for kind in kinds}
    return [
        {"kind": by_topic[topic], **envelope["data"]} for topic, envelope in sequenced(messages) if topic in by_topic
    ]  # fmt: skip


def check_envelopes(messages: Iterable[Published]) -> int:
    """Hold every message against CloudEvents 1.0; how many there were. An empty payload clears a retained topic."""
    known: dict[tuple[str, str], bytes] = {}
    count = 0
    for topic, payload, _ in messages:
        if not payload:
            continue
        count += 1
        envelope = json.loads(payload)
        assert envelope.keys() >= REQUIRED, (topic, envelope.keys())
        assert envelope["specversion"] == "1.0"
        assert all(isinstance(envelope[name], str) and envelope[name] for name in REQUIRED), topic
        assert all(re.fullmatch("[a-z0-9]+", name) for name in envelope), envelope.keys()
        if topic == f"{BASE}/status" and not envelope["data"]["online"]:
            assert "time" not in envelope, "a will is published later than it is made"
        else:
            assert RFC_3339.fullmatch(envelope["time"]), envelope["time"]
        assert ("session" in envelope) != is_sequenced(topic), topic
        assert envelope["datacontenttype"] == "application/json"
        assert isinstance(envelope["data"], dict) and envelope["data"]["schema"] == 1, topic
        kind = envelope["type"].removeprefix("dealer.station.")
        assert envelope["dataschema"] == f"urn:dealer-station:schema:1:{kind}"
        assert envelope["source"].startswith(f"/{BASE}/"), envelope["source"]
        assert ("sequence" in envelope) == is_sequenced(topic), topic
        assert not is_sequenced(topic) or envelope["sequence"] == f"{envelope['data']['sequence']:012}", topic
        same = known.setdefault((envelope["source"], envelope["id"]), payload)
        assert same == payload, f"two messages on {topic} have the id {envelope['id']}"
    return count
