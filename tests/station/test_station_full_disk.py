"""A journal that cannot be written: inputs wait, an alarm is active, and nothing is lost or doubled
when space returns."""

import json
import os
import resource
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.station.floor_ear import BASE, FloorEar, Published, alarm_is_over, round_messages, sequenced
from tests.station.processes import Daemon, Mosquitto, ended_at_last, fast_table, lone_daemon, patiently
from tests.station.screen import acknowledged, active_alarms, entered, get_table, last_alarm, post
from tests.station.simulated import judged

ROUNDS = 16  # more than are played while a busy machine lets the test wait for seconds
FILLED_AT_ROUND = 4


# The journal is longer by then, so that nothing can be added to it; the index beside it, so long, can be made again.
LIMIT_OCTETS = 32768


class FullByLimit:
    """A file size limit on the daemon's process: every write that would make the journal longer fails."""

    def fill(self, daemon: Daemon) -> None:
        """From now on nothing can be written."""
        _, most = resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (LIMIT_OCTETS, most))

    def free(self, daemon: Daemon) -> None:
        """There is space again."""
        _, most = resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (most, most))

    def end(self) -> None:
        """Nothing to clear away."""


class FullDisk:
    """A small file system in memory with the journal on it, filled to the last byte. Only root can mount it."""

    def __init__(self, directory: Path) -> None:
        self._filled = threading.Event()
        self.state = directory / "state"
        self.state.mkdir(parents=True)
        mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "dealer-station-test", str(self.state)]
        self._mounted = subprocess.run(mount, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0

    @property
    def mounted(self) -> bool:
        """Whether this user may mount."""
        return self._mounted

    def fill(self, daemon: Daemon) -> None:
        """From now on nothing can be written; what the daemon gives up is taken too."""
        self._filled.clear()
        self._filling = threading.Thread(target=self._keep_full)
        self._filling.start()

    def _keep_full(self) -> None:
        with (self.state / "ballast").open("wb", buffering=0) as ballast:
            while not self._filled.wait(0.001):
                for size in (65536, 4096, 512, 1):
                    try:
                        while True:
                            ballast.write(b"\0" * size)
                    except OSError:
                        continue

    def free(self, daemon: Daemon) -> None:
        """There is space again."""
        self._filled.set()
        self._filling.join()
        (self.state / "ballast").unlink()

    def end(self) -> None:
        """Unmount it."""
        self._filled.set()
        if self._mounted:
            subprocess.run(["umount", str(self.state)], stdin=subprocess.DEVNULL, check=True)


@pytest.fixture(params=[FullByLimit, pytest.param(FullDisk, marks=pytest.mark.soak)])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FullByLimit | FullDisk]:
    disk = FullDisk(tmp_path / "table") if request.param is FullDisk else FullByLimit()
    if isinstance(disk, FullDisk) and not disk.mounted:
        assert os.geteuid() != 0 or not os.environ.get("CI"), "root of a CI machine can mount"
        pytest.skip("this user cannot mount a small file system; the file size limit stands for it")
    try:
        yield disk
    finally:
        disk.end()


def lengthen_journal(daemon: Daemon) -> None:
    """Let the journal keep some hundred answers, so that it is longer than the limit."""
    table = get_table(daemon.address)
    for _ in range(3):
        late = [entered(table, "wager", seat=1, wager="ante", amount=10_000) for _ in range(128)]
        assert post(daemon.address, late)[0] == 422


def alarm_is_active(messages: list[Published], topic: str) -> bool:
    last = [message.payload for message in messages if message.topic == topic]
    return bool(last and last[-1]) and not json.loads(last[-1])["data"]["over"]


def alarm_is_cleared(messages: list[Published], topic: str) -> bool:
    last = [message.payload for message in messages if message.topic == topic]
    return len(last) > 1 and not last[-1]


def test_a_full_disk_stops_the_table_loses_nothing_and_continues_when_there_is_space(
    disk: FullByLimit | FullDisk, tmp_path: Path, broker: Mosquitto
) -> None:
    topic = f"{BASE}/alarms/journal"
    options = ("--rounds", str(ROUNDS), "--seed", "5", "--broker", broker.url)
    with fast_table(tmp_path / "table", *options) as (bench, daemon), FloorEar(broker.port) as ear:
        daemon.start()
        bench.wait_rounds(FILLED_AT_ROUND, 40)
        disk.fill(daemon)

        def journal_alarm() -> bool:
            return "journal" in active_alarms(get_table(daemon.address))

        patiently(journal_alarm, 20, "the alarm on the screen")
        ear.wait(lambda messages: alarm_is_active(messages, topic), 10, "the retained alarm")
        view = get_table(daemon.address)
        for _ in range(3):
            status, answer = post(daemon.address, entered(view, "confirm"))
            assert (status, answer["error"]) == (503, "not_durable"), answer
        alarm = active_alarms(view)["journal"]
        assert set(alarm["texts"]) == {"en", "pt", "zh"} and alarm["acknowledged_by"] is None
        rounds, as_of = bench.rounds, view["as_of"]
        assert get_table(daemon.address)["as_of"] == as_of, "what is not durable is not shown"

        disk.free(daemon)
        patiently(lambda: not journal_alarm(), 20, "the end of the alarm on the screen")
        # The dealer acknowledges what is over before the next round.
        ear.wait(lambda messages: alarm_is_cleared(messages, topic), 20, "the end of the retained alarm")
        bench.wait_finished(60)
        logged = last_alarm(daemon.address, "journal")
        assert logged["raised"] == alarm["since"] < logged["cleared"] <= logged["acknowledged"]
        assert logged["acknowledged_by"] == "ana"
        assert bench.rounds > rounds
        ear.wait_sequence(get_table(daemon.address)["as_of"], 20)
        assert daemon.running, "it never went down"
        assert daemon.terminate() == 0
    # `judged` holds rounds, amounts and order against the camera; `sequenced` that nothing is missing or double.
    assert sequenced(ear.messages)
    assert judged(bench.config, bench.camera, round_messages(ear.messages)).rounds == ROUNDS
    assert "Traceback" not in daemon.log.read_text()
    assert (
        json.loads(next(sent.payload for sent in ear.messages if sent.topic == topic and sent.payload))["data"]["alarm"]
        == "journal"
    )


def test_what_an_input_was_answered_503_is_answered_again_when_there_is_space(lone: Daemon) -> None:
    disk = FullByLimit()
    lone.start()
    table = lone.wait_answering()
    opening = entered(table, "open_table")
    lengthen_journal(lone)
    disk.fill(lone)
    assert post(lone.address, opening)[0] == 503
    assert get_table(lone.address)["open"] is False
    disk.free(lone)
    assert post(lone.address, opening)[0] == 200
    assert get_table(lone.address)["open"] is True


def test_on_an_idle_table_the_alarm_is_over_by_itself_and_waits_for_someone(tmp_path: Path, broker: Mosquitto) -> None:
    topic = f"{BASE}/alarms/journal"
    daemon = lone_daemon(tmp_path, broker.url)
    disk = FullByLimit()
    with ended_at_last(daemon), FloorEar(broker.port) as ear:
        daemon.start()
        table = daemon.wait_answering()
        ear.wait(
            lambda messages: any(message.topic == f"{BASE}/devices/slots" for message in messages),
            10,
            "the devices' states",
        )
        lengthen_journal(daemon)
        disk.fill(daemon)
        assert post(daemon.address, entered(table, "open_table"))[0] == 503
        ear.wait(lambda messages: alarm_is_active(messages, topic), 20, "the retained alarm")
        disk.free(daemon)
        ear.wait(lambda messages: alarm_is_over(messages, "journal"), 20, "the retained alarm that is over")
        assert "journal" not in active_alarms(get_table(daemon.address))
        assert acknowledged(daemon.address, "journal", "rui")["acknowledged_by"] == "rui"
        ear.wait(lambda messages: alarm_is_cleared(messages, topic), 20, "the end of the retained alarm")
        assert "journal" not in {alarm["name"] for alarm in get_table(daemon.address)["alarms"]}
