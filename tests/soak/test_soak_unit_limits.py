"""The limits of the unit against what a station takes of memory, tasks and files, at rest and under attack."""

import os
import re
import resource
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.station.processes import Bench, Daemon, Mosquitto, daemon_of, ended_at_last, forget_peak, patiently, peak_kib
from tests.station.screen import active_alarms, get_table

UNIT = (Path(__file__).parents[2] / "systemd" / "dealer-station.service").read_text(encoding="utf-8")
ATTEMPTS = 3000
pytestmark = pytest.mark.timeout(600)


def limit(key: str) -> int:
    """A number of the unit; memory in MiB."""
    [value] = re.findall(rf"^{key}=(\d+)M?$", UNIT, re.MULTILINE)
    return int(value)


class Taken:
    """The most that a daemon and its children have taken in any state."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self.seen: dict[str, dict[str, int]] = {}

    def look(self, state: str) -> None:
        process = Path("/proc", str(self._daemon.pid))
        self.seen[state] = {
            "MiB": peak_kib(self._daemon.pid) >> 10,
            "tasks": len(os.listdir(process / "task")),
            "files": len(os.listdir(process / "fd")),
        }
        with suppress(PermissionError):
            forget_peak(self._daemon.pid)  # the peak of the next state is its own


def test_a_station_takes_less_than_half_of_what_its_unit_allows(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most >= ATTEMPTS + 500, "this test needs more descriptors (ulimit -Hn)"
    bench = Bench(tmp_path / "table", "--rounds", "300", "--speed", "max", "--broker", broker.url)
    bench.wait_ready()
    daemon = daemon_of(bench, service=True)
    taken = Taken(daemon)
    with ended_at_last(daemon, bench, broker), ExitStack() as stack:
        daemon.start()
        daemon.wait_answering()
        taken.look("started")
        bench.wait_rounds(100, 200)
        taken.look("100 rounds")
        broker.stop()
        bench.wait_finished(300)
        taken.look("200 rounds without a broker")
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (least, most))
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        for _ in range(ATTEMPTS):
            connection = stack.enter_context(socket.socket())
            connection.setblocking(False)
            with suppress(BlockingIOError):
                connection.connect(daemon.address)
            with suppress(OSError):
                connection.send(b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n")
        get_table(daemon.address)
        taken.look(f"{ATTEMPTS} connections")
        assert daemon.terminate() == 0
        daemon.start()
        daemon.wait_answering()
        broker.start()
        patiently(lambda: "device-floor" not in active_alarms(get_table(daemon.address)), 120, "the floor")
        taken.look("started with a backlog, and sent it")
    for state, found in taken.seen.items():
        print(f"{state}: {found}")
    for found in taken.seen.values():
        assert found["MiB"] < limit("MemoryMax") / 2
        assert found["tasks"] < limit("TasksMax") / 2
        assert found["files"] < limit("LimitNOFILE") / 2
