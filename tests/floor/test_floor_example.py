"""The example of a consumer: no round lost nor doubled, whoever is killed and whatever is lost on the way."""

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
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from controller.floor.requests import Requests
from controller.journal.records import OutboxRow
from tests.engine.playing import IDENTITY
from tests.floor.happened import NOW, messages
from tests.paho_end import hang_up
from tests.station.processes import Mosquitto
from tests.station.processes import patiently as wait_until

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "floor_consumer.py"
GAME = "taiwan-pai-kao"
BASE = IDENTITY.base
# As it is run by hand, but that it asks again sooner.
RUN = """
import asyncio, sys
import floor_consumer
floor_consumer.LOOK_SECONDS, floor_consumer.AGAIN_SECONDS = 0.05, 0.3
asyncio.run(floor_consumer.main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
"""
LOST = 7  # every so manieth message is lost on its way to the consumer


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
            return [sequence for (sequence,) in db.execute("SELECT sequence FROM told ORDER BY sequence")]
        except sqlite3.OperationalError:  # its tables are not there yet
            return []


def test_a_message_twice_is_one_row_and_a_lost_one_is_a_hole(tmp_path: Path) -> None:
    module, told = example(), numbered()[:30]
    with closing(sqlite3.connect(tmp_path / "rounds.db")) as db:
        db.executescript(module.TABLES)
        gaps = [module.keep(db, payload) for _, payload in [*told[:10], *told[5:20], *told[24:]]]
        assert gaps == [False] * 25 + [True] + [False] * 5
        assert [hole[1:] for hole in db.execute(module.HOLES)] == [(21, 24)]
        for _, payload in told:
            module.keep(db, payload)
        assert db.execute(module.HOLES).fetchall() == []
    assert kept(tmp_path / "rounds.db") == [*range(1, 31)]


@pytest.mark.timeout(60)
def test_no_round_is_lost_nor_doubled_while_messages_go_lost_the_consumer_is_killed_and_the_broker_restarts(
    tmp_path: Path,
) -> None:
    told, file, broker = numbered(), tmp_path / "rounds.db", Mosquitto(tmp_path / "broker")
    broker.start()

    def consumer() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", RUN, "127.0.0.1", str(broker.port), file],
            stderr=subprocess.DEVNULL, cwd=EXAMPLE.parent,
        )  # fmt: skip

    def until(count: int) -> None:
        wait_until(lambda: len(kept(file)) >= count, 30, f"{count} messages")

    running = consumer()
    wait_until(file.exists, 30, "the consumer")
    said = 0
    table = Answering(broker.port, told)
    try:
        for number, share in enumerate((0.2, 0.4, 0.6, 0.8, 1.0)):
            said_now = told[said : int(len(told) * share)]
            say(broker.port, said_now, (lambda: bool(kept(file))) if number == 0 else None)
            said += len(said_now)
            if number % 2 == 0:
                until(said - len(said_now) // 2)
                running.send_signal(signal.SIGKILL)
                running.wait()
                running = consumer()
            else:
                broker.stop()
                broker.start()
        until(len(told))
    finally:
        running.kill()
        running.wait()
        table.close()
        broker.stop()
    assert len(table.again) >= len(told) // LOST, "each that was lost was asked for"
    assert kept(file) == [*range(1, len(told) + 1)]
    rounds = [json.loads(payload)["data"] for topic, payload in told if topic == "rounds"]
    with closing(sqlite3.connect(file)) as db:
        assert [json.loads(data) for (data,) in db.execute("SELECT data FROM rounds ORDER BY round")] == rounds


class Answering:
    """A table that says again what it is asked for, as a station does."""

    def __init__(self, port: int, told: list[tuple[str, bytes]]) -> None:
        self.again: set[int] = set()
        rows = [OutboxRow(number, topic, payload) for number, (topic, payload) in enumerate(told, 1)]
        self._requests = Requests(
            IDENTITY, (), lambda: (1, len(rows)), lambda first, most: rows[first - 1 : first - 1 + most],
            lambda archive, through: None, lambda: NOW,
        )  # fmt: skip
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.on_connect = lambda client, *_: client.subscribe(f"{BASE}/requests/replay", qos=1)
        self._client.on_message = self._heard
        self._client.reconnect_delay_set(1, 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _heard(self, client: mqtt.Client, _: object, message: mqtt.MQTTMessage) -> None:
        self._requests.hear(message.topic, bytes(message.payload), message.properties)
        while self._requests.waiting:
            for answer in self._requests.take(20):
                client.publish(answer.topic, answer.payload, qos=1)
                self.again.add(json.loads(answer.payload)["data"].get("sequence"))

    def close(self) -> None:
        hang_up(self._client)


def say(port: int, told: list[tuple[str, bytes]], heard: Callable[[], bool] | None = None) -> None:
    """Publish as a station does, each acknowledged, but those that are lost; the first until it is `heard`."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    if heard is not None:
        topic, payload = told[0]
        wait_until(lambda: client.publish(f"{BASE}/{topic}", payload, qos=1) and heard(), 30, "the subscription")
    for topic, payload in told:
        if json.loads(payload)["data"]["sequence"] % LOST or (topic, payload) == told[-1]:
            client.publish(f"{BASE}/{topic}", payload, qos=1).wait_for_publish(10)
    hang_up(client)
