"""The daemon as a service: it says when it is ready and alive, and ends in order before the service manager
would kill it."""

import json
import os
import signal
import socket
import threading
from pathlib import Path

import pytest

from controller.telemetry.health import watchdog_interval
from tests.station.floor_ear import BASE, FloorEar, kept_messages
from tests.station.processes import (
    PATIENCE_SECONDS,
    STOP_SECONDS,
    Daemon,
    Mosquitto,
    ended_at_last,
    fast_table,
    lone_daemon,
    patiently,
)
from tests.station.screen import Stream, active_alarms, entered, get_table, post


def has_ended(line: socket.socket) -> bool:
    """Read a stream to its end; whether there is one in time."""
    line.settimeout(PATIENCE_SECONDS)
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    return True


def test_sigterm_in_mid_play_ends_it_in_time_with_streams_closed_and_status_offline(
    tmp_path: Path, broker: Mosquitto
) -> None:
    with fast_table(tmp_path, "--broker", broker.url, service=True) as (bench, daemon):
        daemon.start()
        bench.wait_rounds(2, 30)
        with FloorEar(broker.port), socket.create_connection(daemon.address, PATIENCE_SECONDS) as line:
            line.sendall(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            line.recv(1000)
            assert daemon.terminate() == 0
            assert has_ended(line)
    assert json.loads(kept_messages(broker.port)[f"{BASE}/status"])["data"]["online"] is False
    assert "Traceback" not in daemon.log.read_text()


def test_sigint_ends_it_in_time_without_devices_and_without_a_broker(lone: Daemon) -> None:
    lone.start()
    lone.wait_answering()
    os.kill(lone.pid, signal.SIGINT)
    assert lone.wait_exit(STOP_SECONDS) == 0
    assert "Traceback" not in lone.log.read_text()


def test_it_ends_in_time_though_the_broker_accepts_and_never_answers(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        daemon = lone_daemon(tmp_path, f"mqtt://127.0.0.1:{mute.getsockname()[1]}")
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            mute.settimeout(PATIENCE_SECONDS)
            with mute.accept()[0] as line:
                line.settimeout(PATIENCE_SECONDS)
                assert line.recv(1) == b"\x10", "CONNECT"
                assert daemon.terminate() == 0


def test_it_ends_in_time_though_clients_hold_streams_they_do_not_read(lone: Daemon) -> None:
    lone.start()
    table = lone.wait_answering()
    lines = [socket.create_connection(lone.address, 5) for _ in range(20)]
    try:
        for line in lines:
            line.sendall(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert post(lone.address, entered(table, "open_table"))[0] == 200
        assert lone.terminate() == 0
    finally:
        for line in lines:
            line.close()


def test_the_service_manager_receives_ready_then_watchdog_then_stopping(tmp_path: Path) -> None:
    received: list[str] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        watched = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "400000"}
        daemon = lone_daemon(tmp_path, environment=watched)

        def receive() -> None:  # always: the kernel keeps a few messages for anyone who does not
            while text := manager.recv(1000):
                received.extend(text.decode().splitlines())

        receiver = threading.Thread(target=receive, daemon=True)
        receiver.start()
        with ended_at_last(daemon):
            daemon.start()
            patiently(lambda: "READY=1" in received, 20, "that it is ready")
            table = get_table(daemon.address)  # it answers anyone who connects now
            assert post(daemon.address, entered(table, "open_table"))[0] == 200
            patiently(lambda: any(text.startswith("STATUS=between two rounds") for text in received), 20, "the status")
            first_ready = received.index("READY=1")
            patiently(lambda: received.count("WATCHDOG=1") >= 7, 20, "that it continues")
            assert daemon.terminate() == 0
            patiently(lambda: "STOPPING=1" in received, 20, "that it stops")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
            last.sendto(b"", str(tmp_path / "notify"))
        receiver.join()
    assert first_ready > next(at for at, text in enumerate(received) if text.startswith("STATUS=closed"))


def begin_round(daemon: Daemon) -> None:
    daemon.start()
    daemon.wait_answering()
    for kind in ("open_table", "begin_round"):
        assert post(daemon.address, entered(get_table(daemon.address), kind))[0] == 200


def test_a_station_that_a_newer_one_waits_for_leaves_when_its_round_is_over(lone: Daemon) -> None:
    begin_round(lone)
    os.kill(lone.pid, signal.SIGUSR1)
    void = entered(get_table(lone.address), "void_round", "rui", reason="no cards", step_id="1/report")
    assert post(lone.address, void)[0] == 200
    for kind in ("confirm", "close_claims"):
        assert lone.running and (before := get_table(lone.address))["round"] is not None
        assert post(lone.address, entered(before, kind))[0] == 200
    assert lone.wait_exit() == 0
    lone.start()
    assert lone.wait_answering()["round"] is None


def test_a_newer_station_waits_for_the_round_no_longer_than_is_configured(lone: Daemon) -> None:
    lone.config.write_text(lone.config.read_text() + "\n[update]\nwait_minutes = 0\n")
    begin_round(lone)
    os.kill(lone.pid, signal.SIGUSR1)
    assert lone.wait_exit() == 0
    lone.start()
    assert lone.wait_answering()["round"]["id"] == 1


def test_half_of_what_the_service_manager_allows_is_between_two_signs_of_life(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "400000")
    assert watchdog_interval() == 0.2
    monkeypatch.delenv("WATCHDOG_USEC")
    assert watchdog_interval() is None


def test_ready_is_not_sent_before_the_journal_is_found_good(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(0.2)
        daemon = lone_daemon(tmp_path, environment={"NOTIFY_SOCKET": str(tmp_path / "notify")})
        (tmp_path / "state").mkdir()
        (tmp_path / "state" / "journal.db").write_bytes(b"no journal" * 500)
        with ended_at_last(daemon):
            daemon.start()
            assert daemon.wait_exit() == 65
        with pytest.raises(TimeoutError):
            manager.recv(1000)


def test_a_station_that_is_sent_nothing_stays_up_and_says_so(lone: Daemon) -> None:
    """An absent device or broker is a state, not an exit."""
    lone.start()
    lone.wait_answering()
    over = threading.Event()
    shown: list[bytes] = []

    def see(projection: bytes) -> None:
        shown.append(projection)
        if all(b'"%s":"down"' % name in projection for name in (b"shuffler", b"slots", b"sign", b"shoe", b"floor")):
            over.set()

    stream = Stream(lone.address, see)
    try:
        assert over.wait(PATIENCE_SECONDS), shown[-1:]
    finally:
        stream.close()
    alarms = set(active_alarms(get_table(lone.address)))
    assert alarms == {"device-shuffler", "device-slots", "device-sign", "device-shoe", "device-floor"}


def test_a_station_without_the_socket_unit_says_that_others_may_take_its_port(lone: Daemon) -> None:
    text = lone.config.read_text(encoding="utf-8")
    lone.config.write_text(text.replace("[console]\n", "[console]\npins = true\n"), encoding="utf-8")
    lone.start()
    lone.wait_answering()
    assert lone.terminate() == 0
    assert "the console's port is anybody's while the station restarts" in lone.log.read_text(encoding="utf-8")
