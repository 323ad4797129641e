"""The retained status at a table's own intervals: true 25 seconds after each cut, kill and restart, and thereafter."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.floor.silent_proxy import SilentProxy
from tests.station.floor_ear import BASE, kept_messages
from tests.station.processes import Daemon, Mosquitto, ended_at_last, fast_table, lone_daemon

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
