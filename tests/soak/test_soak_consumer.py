"""The consumer in JavaScript: no round lost nor doubled, however often it and its broker are killed."""

import json
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from tests.floor.test_floor_example import BASE, EXAMPLE, numbered
from tests.soak.npm import installed
from tests.station.processes import Mosquitto
from tests.station.processes import patiently as wait_until

HERE = Path(__file__).parent / "consumer"
STEPS = 10


def lines(file: Path) -> list[dict[str, Any]]:
    """What is kept, without a line that is being written."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


@pytest.mark.timeout(1200)
def test_the_consumer_in_javascript_loses_and_doubles_no_round(tmp_path: Path) -> None:
    folder, file, told = installed(HERE, tmp_path / "consumer"), tmp_path / "rounds.jsonl", numbered()
    example = shutil.copy(EXAMPLE.with_suffix(".mjs"), folder)
    broker = Mosquitto(tmp_path / "broker")
    broker.start()

    def consumer() -> subprocess.Popen[bytes]:
        return subprocess.Popen(["node", example, "127.0.0.1", str(broker.port), file])

    def until(count: int) -> None:
        wait_until(lambda: len(lines(file)) >= count, 60, f"{count} messages")

    def say(some: list[tuple[str, bytes]]) -> None:
        client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        client.connect("127.0.0.1", broker.port)
        client.loop_start()
        for topic, payload in some:
            client.publish(f"{BASE}/{topic}", payload, qos=1).wait_for_publish(10)
        client.disconnect()
        client.loop_stop()

    def heard() -> bool:
        say(told[:1])
        return bool(lines(file))

    running = consumer()
    try:
        wait_until(heard, 60, "the subscription")
        said = 0
        for step in range(1, STEPS + 1):
            now = told[said : len(told) * step // STEPS]
            say(now)
            said += len(now)
            if step % 2:
                until(said - len(now) // 2)
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
    kept = lines(file)
    assert sorted(one["sequence"] for one in kept) == [*range(1, len(told) + 1)]
    rounds = [json.loads(payload)["data"] for topic, payload in told if topic == "rounds"]
    assert [one["round"] for one in sorted(kept, key=lambda one: one["sequence"]) if "round" in one] == rounds
