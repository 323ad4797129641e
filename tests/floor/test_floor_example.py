"""The example of a consumer: no round lost nor doubled, no matter who is killed and whatever is lost on the way."""

import importlib.util
import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.floor.requests import Requests
from controller.journal.records import OutboxRow
from tests.engine.playing import IDENTITY
from tests.floor.happened import NOW, messages
from tests.paho_end import hang_up
from tests.station.processes import Mosquitto, peak_kib
from tests.station.processes import patiently as wait_until

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "floor_consumer.py"
GAME = "taiwan-pai-kao"
BASE = IDENTITY.base
# As it is run by hand, but that it asks again sooner.
RUN = """
import asyncio, sys
import floor_consumer
floor_consumer.LOOK_SECONDS, floor_consumer.AGAIN_SECONDS = 0.05, 0.3
asyncio.run(floor_consumer.main(sys.argv[1], sys.argv[2]))
"""
LOST = 7  # every so manieth message is lost on its way to the consumer, and so are the last ones
TAIL = 5
SOURCE = f"/{BASE}/{IDENTITY.journal}"
FORMER = f"/{BASE}/{IDENTITY.journal}.0"
FORGED = (
    b'{"specversion": "1.0", "source": "%s", "type": "t", "data": {"sequence": 999999, "round": 1, "as_of": 999999}}'
)
# On one topic: what cannot be read.
UNREADABLE = (
    b"no JSON", b"\xff\xfe", b"[" * 5000, b"null", b"7", b"[]", b'{"source": 7, "data": {}}',
    *(f'{{"source": "{SOURCE}", "type": "t", "data": {data}}}'.encode() for data in (
        "7", "{}", '{"sequence": "1"}', '{"sequence": true}', '{"sequence": -1}', '{"sequence": 1.5}',
        '{"sequence": 99999999999999999999999}', '{"sequence": null}',
    )),
    f'{{"source": "/{BASE}/\\ud800", "type": "t", "data": {{"sequence": 1}}}}'.encode(),
    f'{{"source": "{SOURCE}", "type": "dealer.station.round", "data": {{"sequence": 1, "round": "1"}}}}'.encode(),
    f'{{"source": "{SOURCE}", "data": {{"sequence": 1}}}}'.encode(),
)  # fmt: skip
# What is not below its own source.
FORGERIES = [
    (f"dealer/macau-1/forger/{kind}", FORGED.replace(b"%s", source.encode()))
    for kind in ("rounds", "events/cards_dealt", "state", "answers/rounds")
    for source in (SOURCE, "/dealer/macau-1/forger", "/dealer/macau-1/forger/", "", "/dealer/macau-1/x/forger/j")
]


def example() -> Any:
    spec = importlib.util.spec_from_file_location("floor_consumer", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbered() -> list[tuple[str, bytes]]:
    """The events and rounds of a table, in order."""
    return [(topic, payload) for topic, payload in messages(GAME) if topic.startswith("events/") or topic == "rounds"]


def kept(file: Path) -> list[int]:
    if not file.exists():
        return []
    with closing(sqlite3.connect(file)) as db:
        try:
            return [sequence for (sequence,) in db.execute("SELECT sequence FROM received ORDER BY sequence")]
        except sqlite3.OperationalError:  # its tables are not there yet
            return []


def test_a_message_twice_is_one_row_and_a_lost_one_is_a_hole(tmp_path: Path) -> None:
    module, messages = example(), numbered()[:30]
    with closing(sqlite3.connect(tmp_path / "rounds.db")) as db:
        db.executescript(module.TABLES)
        some = [*messages[:10], *messages[5:20], *messages[24:]]
        gaps = [module.keep(db, f"{BASE}/{topic}", payload) for topic, payload in some]
        assert gaps == [False] * 25 + [True] + [False] * 5
        assert [hole[1:] for hole in db.execute(module.HOLES)] == [(21, 24)]
        for topic, payload in messages:
            module.keep(db, f"{BASE}/{topic}", payload)
        assert db.execute(module.HOLES).fetchall() == []
        for as_of, gap in ((30, False), (29, False), (34, True)):
            assert module.keep(db, f"{BASE}/state", state(as_of)) == gap
        assert [hole[1:] for hole in db.execute(module.HOLES)] == [(31, 34)], "behind the last message"
        assert not module.keep(db, f"{BASE}/state", b""), "a table that was removed"
    assert kept(tmp_path / "rounds.db") == [*range(1, 31)]


def test_what_cannot_be_read_is_put_aside_and_what_is_of_another_source_is_dropped(tmp_path: Path) -> None:
    module = example()
    with closing(sqlite3.connect(tmp_path / "rounds.db")) as db:
        db.executescript(module.TABLES)
        for _ in range(2):
            for payload in UNREADABLE:
                assert not module.keep(db, f"{BASE}/rounds", payload)
            for topic, payload in FORGERIES:
                assert not module.keep(db, topic, payload)
        assert {payload for (payload,) in db.execute("SELECT payload FROM aside")} == {*UNREADABLE}
        for table in ("received", "rounds", "ends"):
            assert db.execute(f"SELECT * FROM {table}").fetchall() == [], table
        assert db.execute(module.HOLES).fetchall() == []


def state(as_of: int) -> bytes:
    """The retained state, as far as a consumer reads it."""
    return json.dumps({"source": SOURCE, "type": "dealer.station.state", "data": {"as_of": as_of}}).encode()


def through_losses(
    broker: Mosquitto,
    messages: list[tuple[str, bytes]],
    consumer: Callable[[], subprocess.Popen[bytes]],
    kept: Callable[[], int],
    steps: int,
) -> None:
    """Publish all in so many steps, after which the consumer is killed or the broker restarts, until all are kept."""

    def until(count: int) -> None:
        wait_until(lambda: kept() >= count, 60, f"{count} messages")

    broker.start()
    table, running, sent = Answering(broker.port, messages), consumer(), 0
    try:
        for step in range(1, steps + 1):
            part = messages[sent : len(messages) * step // steps]
            say(broker.port, part, len(messages), (lambda: bool(kept())) if step == 1 else None)
            sent += len(part)
            if step % 2:
                until(sent - len(part) // 2)
                running.send_signal(signal.SIGKILL)
                running.wait()
                running = consumer()
            else:
                broker.stop()
                broker.start()
        until(len(messages))
    finally:
        running.kill()
        running.wait()
        table.close()
        broker.stop()
    assert len(table.again) >= len(messages) // LOST, "each that was lost was asked for"


def test_no_round_is_lost_nor_doubled_while_messages_go_lost_the_consumer_is_killed_and_the_broker_restarts(
    tmp_path: Path,
) -> None:
    messages, file, broker = numbered(), tmp_path / "rounds.db", Mosquitto(tmp_path / "broker")

    def consumer() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", RUN, broker.url, str(file)]
        return subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=EXAMPLE.parent)

    through_losses(broker, messages, consumer, lambda: len(kept(file)), steps=5)
    assert kept(file) == [*range(1, len(messages) + 1)]
    rounds = [json.loads(payload)["data"] for topic, payload in messages if topic == "rounds"]
    with closing(sqlite3.connect(file)) as db:
        assert [json.loads(data) for (data,) in db.execute("SELECT data FROM rounds ORDER BY round")] == rounds


def continued(messages: list[tuple[str, bytes]], begins: int) -> list[tuple[str, bytes]]:
    """Those before a number have the source of the journal from which theirs continues."""
    former = [(topic, payload.replace(SOURCE.encode(), FORMER.encode())) for topic, payload in messages[: begins - 1]]
    return [*former, *messages[begins - 1 :]]


def test_what_the_table_does_not_have_is_asked_for_until_it_has_answered(tmp_path: Path) -> None:
    messages, file, broker = continued(numbered()[:30], begins=11), tmp_path / "rounds.db", Mosquitto(tmp_path / "b")
    broker.start()
    table = Answering(broker.port, messages, oldest=5, aside=(15, 16))
    running = subprocess.Popen(
        [sys.executable, "-c", RUN, broker.url, file], stderr=subprocess.DEVNULL, cwd=EXAMPLE.parent
    )
    module = example()

    def complete() -> bool:
        with closing(sqlite3.connect(file)) as db:
            try:
                known = db.execute("SELECT source, sequence FROM received WHERE first = sequence").fetchall()
                return {*own, *former} <= {*known} and not module.holes_of(db)
            except sqlite3.OperationalError:  # its tables are not there yet
                return False

    own = [(SOURCE, number) for number in range(11, 31) if number not in (15, 16)]
    former = [(FORMER, number) for number in range(5, 11)]
    try:
        say(broker.port, messages[19:], len(messages), lambda: bool(kept(file)))
        wait_until(complete, 30, "no hole, though there is no message before 5, of 15 and 16, nor of its own before 11")
    finally:
        running.kill()
        running.wait()
        table.close()
        broker.stop()


def test_a_flood_makes_no_memory_and_the_next_round_is_kept(tmp_path: Path) -> None:
    messages, file, broker = numbered(), tmp_path / "rounds.db", Mosquitto(tmp_path / "broker")
    broker.start()
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    client.publish(f"{BASE}/state", b" " * 30_000_000, qos=1, retain=True).wait_for_publish(10)
    running = subprocess.Popen([sys.executable, EXAMPLE, broker.url, file], stderr=subprocess.DEVNULL)
    try:
        (topic, payload), *others = messages
        wait_until(lambda: client.publish(f"{BASE}/{topic}", payload, qos=1) and kept(file), 30, "the subscription")
        before = peak_kib(running.pid)
        client.publish(f"{BASE}/rounds", b" " * 30_000_000, qos=1).wait_for_publish(10)
        for number in range(12_000):
            sent = client.publish(f"{BASE}/events/flood", b'{"flood": %d}' % number + b" " * 5000)
            if number % 200 == 0:
                sent.wait_for_publish(30)
        for topic, payload in others[:50]:
            client.publish(f"{BASE}/{topic}", payload, qos=1)
        wait_until(lambda: len(kept(file)) == 51, 60, "what came behind the flood")
        assert peak_kib(running.pid) - before < 40_000
    finally:
        running.kill()
        running.wait()
        hang_up(client)
        broker.stop()


class Answering:
    """A table that says again what it is asked for, as a station does, without what is aside or before the oldest."""

    def __init__(
        self, port: int, messages: list[tuple[str, bytes]], oldest: int = 1, aside: tuple[int, ...] = ()
    ) -> None:
        self.again: set[int] = set()
        rows = [OutboxRow(number, topic, payload) for number, (topic, payload) in enumerate(messages, 1)]
        self._requests = Requests(
            IDENTITY, (), lambda: (oldest, len(rows)),
            lambda first, most: [row for row in rows[first - 1 :] if row.sequence not in aside][:most],
            lambda archive, through: None, lambda: NOW,
        )  # fmt: skip
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.on_connect = lambda client, *_: client.subscribe(f"{BASE}/requests/replay", qos=1)
        self._client.on_message = self._received
        self._client.reconnect_delay_set(1, 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _received(self, client: mqtt.Client, _: object, message: mqtt.MQTTMessage) -> None:
        self._requests.receive(message.topic, bytes(message.payload), message.properties)
        while self._requests.waiting:
            for answer in self._requests.take(20):
                properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
                if answer.correlation is not None:
                    properties.CorrelationData = answer.correlation
                client.publish(answer.topic, answer.payload, qos=1, properties=properties)
                self.again.add(json.loads(answer.payload).get("data", {}).get("sequence"))

    def close(self) -> None:
        hang_up(self._client)


def say(port: int, messages: list[tuple[str, bytes]], last: int, received: Callable[[], bool] | None = None) -> None:
    """Publish as a station does, each acknowledged, but those that are lost; the first until it is `received`.

    Behind them a forger publishes, and the state says how far they go; `last` is the number of the last of all.
    """
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    if received is not None:
        topic, payload = messages[0]
        wait_until(lambda: client.publish(f"{BASE}/{topic}", payload, qos=1) and received(), 30, "the subscription")
    for topic, payload in messages:
        sequence = json.loads(payload)["data"]["sequence"]
        if sequence % LOST and sequence <= last - TAIL:
            client.publish(f"{BASE}/{topic}", payload, qos=1).wait_for_publish(10)
    for topic, payload in (*((f"{BASE}/rounds", text) for text in UNREADABLE), *FORGERIES):
        client.publish(topic, payload, qos=1).wait_for_publish(10)
    client.publish(f"{BASE}/state", state(sequence), qos=1, retain=True).wait_for_publish(10)
    hang_up(client)
