"""What the floor has: the retained status at a table's own intervals, and a consumer that loses no round."""

import base64
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.floor.moody_broker import SilentProxy
from tests.floor.test_floor_example import (
    EXAMPLE,
    FORMER,
    SOURCE,
    UNREADABLE,
    Answering,
    continued,
    numbered,
    say,
    through_losses,
)
from tests.station.floor_ear import BASE, kept_messages
from tests.station.processes import Daemon, Mosquitto, ended_at_last, fast_table, lone_daemon
from tests.station.processes import patiently as wait_until

TRUE_AFTER_SECONDS = 25.0
LOOKS_SECONDS = 30.0  # a will comes 15 seconds after the last octet, the status again after 20

pytestmark = pytest.mark.timeout(400)
each_protocol = pytest.mark.parametrize("protocol", ["5", "3.1.1"])


def is_online(broker: Mosquitto) -> bool:
    """What a subscriber is given that comes now."""
    online: bool = json.loads(kept_messages(broker.port)[f"{BASE}/status"])["data"]["online"]
    return online


def stays(broker: Mosquitto, online: bool) -> None:
    """From 25 seconds after what has just been done, the status is this at every look."""
    time.sleep(TRUE_AFTER_SECONDS)
    until = time.monotonic() + LOOKS_SECONDS
    while time.monotonic() < until:
        assert is_online(broker) is online
        time.sleep(1)


def speaking(daemon: Daemon, protocol: str) -> Daemon:
    """The same, with this version of MQTT."""
    text = daemon.config.read_text(encoding="utf-8")
    assert 'protocol = "5"' in text
    daemon.config.write_text(text.replace('protocol = "5"', f'protocol = "{protocol}"'), encoding="utf-8")
    return daemon


@contextmanager
def playing(folder: Path, protocol: str, speed: str) -> Iterator[tuple[Mosquitto, SilentProxy, Daemon]]:
    """A table that plays until its end, at a broker behind a proxy."""
    with Mosquitto(folder / "broker") as broker, SilentProxy(broker.port) as proxy:
        options = ("--rounds", "100000", "--speed", speed, "--broker", f"mqtt://127.0.0.1:{proxy.port}")
        with fast_table(folder / "table", *options) as (_, daemon):
            speaking(daemon, protocol)
            daemon.start()
            daemon.wait_answering()
            yield broker, proxy, daemon


@each_protocol
@pytest.mark.parametrize("speed", ["max", "1"])
def test_a_table_that_is_cut_off_silently_is_online_again(tmp_path: Path, protocol: str, speed: str) -> None:
    with playing(tmp_path, protocol, speed) as (broker, proxy, _):
        time.sleep(5)
        assert is_online(broker)
        proxy.silence()
        stays(broker, True)


@each_protocol
def test_a_table_at_which_nothing_happens_is_online_again(tmp_path: Path, protocol: str) -> None:
    with Mosquitto(tmp_path / "broker") as broker, SilentProxy(broker.port) as proxy:
        daemon = speaking(lone_daemon(tmp_path, f"mqtt://127.0.0.1:{proxy.port}"), protocol)
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            time.sleep(5)
            assert is_online(broker)
            proxy.silence()
            stays(broker, True)


@each_protocol
def test_a_table_that_is_cut_off_for_a_while_is_offline_and_then_online(tmp_path: Path, protocol: str) -> None:
    with playing(tmp_path, protocol, "1") as (broker, proxy, _):
        time.sleep(5)
        assert is_online(broker)
        proxy.silence(lets_in=False)
        stays(broker, False)
        proxy.silence()
        time.sleep(30)  # it tries every 30 seconds by now
        stays(broker, True)


@each_protocol
def test_a_table_that_was_killed_is_offline_and_its_successor_online(tmp_path: Path, protocol: str) -> None:
    with playing(tmp_path, protocol, "max") as (broker, _, daemon):
        time.sleep(5)
        assert is_online(broker)
        daemon.kill()
        stays(broker, False)
        daemon.start()
        stays(broker, True)


@each_protocol
def test_a_computer_that_lost_its_power_is_offline_and_started_again_at_once_online(
    tmp_path: Path, protocol: str
) -> None:
    with playing(tmp_path, protocol, "max") as (broker, proxy, daemon):
        time.sleep(5)
        assert is_online(broker)
        proxy.silence()  # the broker is not reported that its connection has ended
        daemon.kill()
        stays(broker, False)
        proxy.silence()
        daemon.start()
        time.sleep(5)
        assert is_online(broker)
        proxy.silence()
        daemon.kill()
        daemon.start()
        stays(broker, True)


def installed(lock: Path, folder: Path) -> Path:
    """A folder with a `package.json`, its lock and what it wants."""
    for needed in ("node", "npm"):
        assert shutil.which(needed), f"{needed} is not here: apt-get install nodejs npm"
    shutil.copytree(lock, folder, dirs_exist_ok=True)
    npm = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    done = subprocess.run(npm, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"what {lock.name} wants cannot be had: {done.stderr[-2000:]}"
    return folder


HERE = Path(__file__).parent / "consumer"
STEPS = 10


def lines(file: Path) -> list[dict[str, Any]]:
    """What is kept, without a line that is being written."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def asking_sooner(folder: Path) -> Path:
    """The example as it is run by hand, but that it asks again sooner."""
    text = EXAMPLE.with_suffix(".mjs").read_text(encoding="utf-8")
    for by_hand, sooner in (("LOOK_MS = 5_000", "LOOK_MS = 50"), ("AGAIN_MS = 60_000", "AGAIN_MS = 300")):
        assert by_hand in text
        text = text.replace(by_hand, sooner)
    example = installed(HERE, folder) / "floor_consumer.mjs"
    example.write_text(text, encoding="utf-8")
    return example


@pytest.mark.timeout(1200)
def test_what_the_table_does_not_have_is_asked_for_until_it_has_answered(tmp_path: Path) -> None:
    example, file, broker = asking_sooner(tmp_path / "consumer"), tmp_path / "rounds.jsonl", Mosquitto(tmp_path / "b")
    messages = continued(numbered()[:30], begins=11)
    broker.start()
    table = Answering(broker.port, messages, oldest=5, aside=(15, 16))
    running = subprocess.Popen(["node", example, broker.url, file])
    own = {(SOURCE, number) for number in range(11, 31) if number not in (15, 16)}
    former = {(FORMER, number) for number in range(5, 11)}
    closed = {(SOURCE, 1, 4), (SOURCE, 5, 10), (SOURCE, 15, 16)}

    def complete() -> bool:
        kept = lines(file)
        return {(message["source"], message["sequence"]) for message in kept} >= own | former and closed == {
            (message["source"], message["first"], message["sequence"]) for message in kept if "first" in message
        }

    try:
        say(broker.port, messages[19:], len(messages), lambda: bool(lines(file)))
        wait_until(complete, 60, "what it has, and no hole before 5, before its own first, and where some is aside")
    finally:
        running.kill()
        running.wait()
        table.close()
        broker.stop()


@pytest.mark.timeout(1200)
def test_the_consumer_in_javascript_loses_and_doubles_no_round(tmp_path: Path) -> None:
    example, file, messages = asking_sooner(tmp_path / "consumer"), tmp_path / "rounds.jsonl", numbered()
    broker = Mosquitto(tmp_path / "broker")

    def consumer() -> subprocess.Popen[bytes]:
        return subprocess.Popen(["node", example, broker.url, file])

    through_losses(broker, messages, consumer, lambda: len(lines(file)), STEPS)
    kept = lines(file)
    aside = {base64.b64decode(line["payload"]) for line in lines(file.with_name(f"{file.name}.aside"))}
    assert aside == {*UNREADABLE}
    assert sorted(message["sequence"] for message in kept) == [*range(1, len(messages) + 1)]
    rounds = [json.loads(payload)["data"] for topic, payload in messages if topic == "rounds"]
    assert [row["round"] for row in sorted(kept, key=lambda row: row["sequence"]) if "round" in row] == rounds
