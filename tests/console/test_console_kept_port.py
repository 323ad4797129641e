"""The console's port is kept while the station restarts, and only its users may connect to it."""

import asyncio
import errno
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.command_line.failures import blaming
from controller.command_line.output import EXIT_UNAVAILABLE
from controller.console import listening
from controller.console.app import make_app
from controller.console.server import ConsoleServer
from tests.console.test_console_page import Face

SYSTEMD = Path(__file__).parents[2] / "systemd"
Address = tuple[str, int]


@pytest.fixture
def unit() -> Iterator[socket.socket]:
    """What a socket unit holds."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as listener:
        yield listener


@pytest.fixture
def handed(unit: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    """The station is started with it."""
    monkeypatch.setattr(listening, "FIRST_KEPT", os.dup(unit.fileno()))
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", "1")


@contextmanager
def serving(address: Address) -> Iterator[ConsoleServer]:
    face = Face("live")
    server = ConsoleServer(make_app(face, face.answer, "127.0.0.1", None), address, None)
    thread = threading.Thread(target=lambda: asyncio.run(server.run()))
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


def asked(address: Address) -> socket.socket:
    line = socket.create_connection(address, 100)
    line.sendall(b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
    return line


def answer(line: socket.socket) -> bytes:
    with line:
        return line.recv(12)


@pytest.mark.usefixtures("handed")
def test_no_one_takes_the_port_while_the_station_restarts_and_who_asks_meanwhile_is_answered(
    unit: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    address: Address = unit.getsockname()
    with serving(address) as first:
        assert first.kept and answer(asked(address)) == b"HTTP/1.1 200"
    with socket.socket() as squatter:
        squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with pytest.raises(OSError, match="Address already in use") as taken:
            squatter.bind(address)
        assert taken.value.errno == errno.EADDRINUSE
    waiting = asked(address)
    monkeypatch.setattr(listening, "FIRST_KEPT", os.dup(unit.fileno()))
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", "1")
    with serving(address) as second:
        assert second.kept and answer(waiting) == b"HTTP/1.1 200"


@pytest.mark.usefixtures("handed")
def test_a_socket_unit_that_listens_elsewhere_is_reported(
    unit: socket.socket, capsys: pytest.CaptureFixture[str]
) -> None:
    def start() -> int:
        ConsoleServer(make_app(Face("live"), Face("live").answer, "127.0.0.1", None), ("127.0.0.1", 9), None)
        return 0

    assert blaming(start) == EXIT_UNAVAILABLE
    complaint = capsys.readouterr().err
    assert f"the socket unit listens at 127.0.0.1:{unit.getsockname()[1]}. Run dealer-station setup" in complaint
    assert "LISTEN_FDS" not in os.environ, "no child takes it for its own"


@pytest.mark.usefixtures("handed")
def test_what_is_meant_for_another_process_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    server = ConsoleServer(make_app(Face("live"), Face("live").answer, "127.0.0.1", None), ("127.0.0.1", 0), None)
    assert not server.kept
    server.close()


def test_the_unit_and_the_rules_name_the_port_of_the_example() -> None:
    [listen] = re.findall(r'^listen = "(\S+)"', (SYSTEMD / "station.toml").read_text(), re.M)
    assert f"\nListenStream={listen}\n" in (SYSTEMD / "dealer-station.socket").read_text()
    assert f"define console = {listen.rpartition(':')[2]}\n" in (SYSTEMD / "dealer-station.nft").read_text()


def test_nft_accepts_the_rules(tmp_path: Path) -> None:
    rules = (SYSTEMD / "dealer-station.nft").read_text().replace('"kiosk", "dealer-station"', "1000, 1001")
    (tmp_path / "rules").write_text(rules)
    done = subprocess.run(["nft", "-c", "-f", tmp_path / "rules"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 or "Operation not permitted" in done.stderr, done.stderr


NAMESPACE = """
import asyncio, fcntl, os, socket, struct, subprocess, sys
with socket.socket() as any:
    fcntl.ioctl(any, 0x8914, struct.pack("16sh", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
subprocess.run(["nft", "-f", sys.argv[1]], check=True)
server = socket.create_server(("127.0.0.1", 8080))
from controller.console.listening import rules_hold
print(*(asyncio.run(rules_hold(port)) for port in (8080, 8081)), flush=True)
for user in map(int, sys.argv[2:]):
    if os.fork() == 0:
        os.setresuid(user, user, user)
        try:
            socket.socket().connect(("127.0.0.1", 8080))
        except ConnectionRefusedError:
            print(user, "refused", flush=True)
        else:
            print(user, "connected", flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a network of its own and loads rules there")
def test_only_the_users_of_the_rules_connect_to_the_port_and_root_does_not(tmp_path: Path) -> None:
    """In a network of its own, which ends with the test."""
    rules = (SYSTEMD / "dealer-station.nft").read_text().replace('"kiosk", "dealer-station"', "1000, 1001")
    (tmp_path / "rules").write_text(rules)
    words = ["unshare", "--net", sys.executable, "-c", NAMESPACE, str(tmp_path / "rules"), "0", "1000", "1001", "1002"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "True False",
        "0 refused",
        "1000 connected",
        "1001 connected",
        "1002 refused",
    ], done.stderr
