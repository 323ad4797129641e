"""`dealer-station watch` beside real stations, on a terminal and off one, with an address and without."""

import os
import pty
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.commands import watch
from controller.commands.running import Running, running
from tests.interruptible import interruptible
from tests.station.processes import Daemon, ended_at_last, lone_daemon, patiently
from tests.station.screen import entered, post

PATIENCE_SECONDS = 40.0
BACK_FROM_THE_SCREEN = b"\x1b[?1049l"


class Watching:
    """A running watch and what it has printed so far; on a terminal of its own where `terminal` says so."""

    def __init__(self, address: tuple[str, int], terminal: bool) -> None:
        command = interruptible("controller", "watch", "--url", f"http://{address[0]}:{address[1]}")
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "50"}
        read, write = pty.openpty() if terminal else os.pipe()
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=write, stderr=write, env=environment)
        os.close(write)
        self.printed = b""
        self._reading = threading.Thread(target=self._read, args=(read,))
        self._reading.start()

    def _read(self, descriptor: int) -> None:
        with open(descriptor, "rb", buffering=0) as pipe:
            try:
                while octets := pipe.read(65536):
                    self.printed += octets
            except OSError:
                pass  # a terminal whose last user has left

    def wait(self, text: str) -> None:
        """Wait until it has printed this."""
        patiently(lambda: text.encode() in self.printed, PATIENCE_SECONDS, text)

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(PATIENCE_SECONDS)
        self._reading.join()
        return code

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._reading.join()


@contextmanager
def watched(address: tuple[str, int], terminal: bool) -> Iterator[Watching]:
    watching = Watching(address, terminal)
    try:
        yield watching
    finally:
        watching.stop()


def opened(daemon: Daemon) -> None:
    assert post(daemon.address, entered(daemon.wait_answering(), "open_table"))[0] == 200


def test_the_watch_waits_for_a_station_follows_it_and_survives_its_restart(tmp_path: Path) -> None:
    daemon = lone_daemon(tmp_path)
    with ended_at_last(daemon), watched(daemon.address, False) as plain, watched(daemon.address, True) as live:
        for screen in (plain, live):
            screen.wait("Connection refused; trying again")
        daemon.start()
        for screen in (plain, live):
            screen.wait("The table is closed. Open it to begin.")
        opened(daemon)
        for screen in (plain, live):
            screen.wait("the table is open")
        refusals = plain.printed.count(b"trying again")
        daemon.kill()
        patiently(lambda: plain.printed.count(b"trying again") > refusals, PATIENCE_SECONDS, "the daemon away")
        daemon.start()
        plain.wait("answers again")
        begins = entered(daemon.wait_answering(), "begin_round")
        assert post(daemon.address, begins)[0] == 200
        for screen in (plain, live):
            screen.wait("round 1 begins")
        assert (plain.interrupt(), live.interrupt()) == (130, 130)
        assert BACK_FROM_THE_SCREEN in live.printed[-40:]
        assert b"\x1b" not in plain.printed and b"Traceback" not in plain.printed + live.printed


TOML = '[table]\nsite = "laptop"\nid = "{table}"\n[console]\nlisten = "{listen}"\n'


def process(folder: Path, number: int, *words: str, cwd: Path | None = None) -> None:
    """A process as /proc has it."""
    (folder / str(number)).mkdir(parents=True)
    (folder / str(number) / "cmdline").write_bytes("".join(f"{word}\0" for word in words).encode())
    if cwd is not None:
        (folder / str(number) / "cwd").symlink_to(cwd)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "station.toml").write_text(TOML.format(table="table-1", listen="127.0.0.1:8123"))
    return tmp_path


def test_a_simulated_table_is_found_by_the_folder_of_its_simulators(table: Path) -> None:
    proc = table / "proc"
    process(proc, 1, "/sbin/init")
    process(proc, 70, "python", "/venv/bin/dealer-station", "simulate")
    process(proc, 71, "/venv/bin/python", "-m", "simulators", "bench", "--dir", str(table), "--speed", "20")
    assert running(proc) == [Running(("127.0.0.1", 8123), "laptop/table-1")]


@pytest.mark.parametrize("option", [("--config", "station.toml"), ("--config=station.toml",)])
def test_an_installed_station_is_found_by_its_configuration(table: Path, option: tuple[str, ...]) -> None:
    process(table / "proc", 9, "/opt/python", "/opt/bin/dealer-station", "run", *option, cwd=table)
    assert running(table / "proc") == [Running(("127.0.0.1", 8123), "laptop/table-1")]


def test_a_table_is_found_once_and_an_ipv6_address_is_read(table: Path) -> None:
    (table / "station.toml").write_text(TOML.format(table="t", listen="[::1]:80"))
    process(table / "proc", 8, "dealer-station-sim", "bench", "--dir", str(table))
    process(table / "proc", 9, "dealer-station", "run", "--config", str(table / "station.toml"))
    assert running(table / "proc") == [Running(("::1", 80), "laptop/t")]


def test_what_is_no_station_and_what_cannot_be_read_is_passed_over(table: Path) -> None:
    proc = table / "proc"
    process(proc, 5, "vim", "run", "--config", str(table / "station.toml"))
    process(proc, 6, "dealer-station", "run", "--config")
    process(proc, 7, "dealer-station", "run", "--config", str(table / "away.toml"))
    process(proc, 8, "dealer-station", "run", "--config", str(table))
    (table / "other.toml").write_text("[console]\nlisten = 1\n")
    process(proc, 9, "dealer-station", "run", "--config", str(table / "other.toml"))
    (proc / "10").mkdir()
    assert running(proc) == []


def test_several_are_listed_to_choose_from(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(watch, "running", lambda: [Running(("h", 1), "laptop/a"), Running(("::1", 2), "laptop/b")])
    assert main(["watch"]) == 2
    assert capsys.readouterr().err.splitlines()[1:] == [
        "  dealer-station watch --url http://h:1  (laptop/a)",
        "  dealer-station watch --url http://[::1]:2  (laptop/b)",
    ]
