"""The example of a consumer: no round lost nor doubled, however often it and its broker are killed."""

import importlib.util
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from tests.floor.happened import messages
from tests.station.processes import Mosquitto
from tests.station.processes import patiently as wait_until

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "floor_consumer.py"
GAME = "taiwan-pai-kao"
BASE = "dealer/site/t1"


def example() -> Any:
    spec = importlib.util.spec_from_file_location("floor_consumer", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbered() -> list[tuple[str, bytes]]:
    """The events and rounds of a table, in order."""
    return [
        (topic, payload) for topic, payload in messages(GAME, 2) if topic.startswith("events/") or topic == "rounds"
    ]


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
        for _, payload in [*told[:10], *told[5:20], *told[24:]]:
            module.keep(db, payload)
        assert [hole[1:] for hole in db.execute(module.HOLES)] == [(21, 24)]
        for _, payload in told:
            module.keep(db, payload)
        assert db.execute(module.HOLES).fetchall() == []
    assert kept(tmp_path / "rounds.db") == [*range(1, 31)]


@pytest.mark.timeout(60)
def test_no_round_is_lost_nor_doubled_while_the_consumer_is_killed_and_the_broker_restarts(tmp_path: Path) -> None:
    told, file, broker = numbered(), tmp_path / "rounds.db", Mosquitto(tmp_path / "broker")
    broker.start()

    def consumer() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, EXAMPLE, "127.0.0.1", str(broker.port), file], stderr=subprocess.DEVNULL
        )

    def until(count: int) -> None:
        wait_until(lambda: len(kept(file)) >= count, 30, f"{count} messages")

    running = consumer()
    wait_until(file.exists, 30, "the consumer")
    said = 0
    try:
        for number, share in enumerate((0.2, 0.4, 0.6, 0.8, 1.0)):
            said_now = told[said : int(len(told) * share)]
            say(broker.port, said_now, first=number == 0, file=file)
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
        broker.stop()
    assert kept(file) == [*range(1, len(told) + 1)]
    rounds = [json.loads(payload)["data"] for topic, payload in told if topic == "rounds"]
    with closing(sqlite3.connect(file)) as db:
        assert [json.loads(data) for (data,) in db.execute("SELECT data FROM rounds ORDER BY round")] == rounds


def say(port: int, told: list[tuple[str, bytes]], *, first: bool, file: Path) -> None:
    """Publish as a station does, each acknowledged; the first not before the consumer's session hears."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    if first:
        topic, payload = told[0]
        wait_until(lambda: client.publish(f"{BASE}/{topic}", payload, qos=1) and kept(file), 30, "the subscription")
    for topic, payload in told:
        client.publish(f"{BASE}/{topic}", payload, qos=1).wait_for_publish(10)
    client.disconnect()
    client.loop_stop()
