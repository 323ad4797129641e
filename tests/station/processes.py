"""Broker, bench and daemon as processes of their own; anyone who starts one ends it, by its own process id."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, Self

from controller.floor.access import Site, access_list
from simulators.broker import find_mosquitto, free_port
from tests.configured import configured
from tests.games import GAMES
from tests.station.forked import Forked
from tests.station.screen import Unreachable, get_table

PATIENCE_SECONDS = 100.0  # wherever a test waits for another process: on a busy machine each takes its time
START_SECONDS = END_SECONDS = PATIENCE_SECONDS
UNIT = Path(__file__).parents[2] / "systemd" / "dealer-station.service"
STOP_SECONDS = int(next(re.finditer(r"^TimeoutStopSec=(\d+)$", UNIT.read_text(), re.MULTILINE))[1])


def patiently(
    condition: Callable[[], object], seconds: float, what: str | Callable[[], str], pause: float = 0.01
) -> None:
    """Wait until `condition` holds, PATIENCE_SECONDS at least. Raises AssertionError naming `what` did not come."""
    seconds = max(seconds, PATIENCE_SECONDS)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s in vain for {what() if callable(what) else what}"
        time.sleep(pause)


LISTENERS = re.compile(r"^listener (\d+)", re.MULTILINE)


class Stoppable(Protocol):
    """Something that runs."""

    def stop(self) -> None: ...


class Mosquitto:
    """Debian's broker on one loopback port. `settings` are more lines of its configuration."""

    def __init__(self, directory: Path, settings: str = "allow_anonymous true", port: int | None = None) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.port = port or free_port()
        self.url = f"mqtt://127.0.0.1:{self.port}"
        self.log = directory / "mosquitto.log"
        self._configuration = directory / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "max_queued_messages 0", "set_tcp_nodelay true"]
        # Sessions outlive a restart; and a broker that root starts must still be root to read a test's folder.
        lines += ["persistence true", f"persistence_location {directory}/", settings]
        if os.geteuid() == 0:
            lines.append("user root")
        self._configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it serves every port of its configuration."""
        program = find_mosquitto()
        assert program is not None, "these tests need Debian's mosquitto (apt-get install mosquitto)"
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [program, "-c", self._configuration], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        ports = [int(port) for port in LISTENERS.findall(self._configuration.read_text(encoding="utf-8"))]
        patiently(lambda: all(map(_serves, ports)), START_SECONDS, "mosquitto")

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(END_SECONDS)
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def kill(self) -> None:
        """Kill it, with all that it holds in memory."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(END_SECONDS)
        self._process = None

    def read_settings_again(self) -> None:
        """Let it read its access list and passwords again, and wait until no packet is judged by the old ones."""
        assert self._process is not None
        before = self._times_read()
        self._process.send_signal(signal.SIGHUP)
        patiently(lambda: self._times_read() > before, PATIENCE_SECONDS, "mosquitto to read its files again")

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """It does nothing meanwhile, and ends no connection."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def _times_read(self) -> int:
        return self.log.read_bytes().count(b"Reloading config.")


@contextmanager
def guarded_broker(directory: Path, site: Site) -> Iterator[Mosquitto]:
    """Debian's broker, running with the access list of a site; it believes everyone's user name."""
    directory.mkdir(parents=True)
    (directory / "acl").write_text(access_list(site), encoding="utf-8")
    with Mosquitto(directory, f"allow_anonymous true\nacl_file {directory / 'acl'}") as broker:
        yield broker


def peak_kib(pid: int) -> int:
    """The most memory that a process had resident since it began, or since `forget_peak`."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1])


def forget_peak(pid: int) -> None:
    """Let the peak begin with what the process has resident now. Raises PermissionError."""
    Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="ascii")


def _serves(port: int) -> bool:
    """Whether the broker itself answers: it loses a SIGTERM that comes between its first listening and its loop."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), START_SECONDS) as connection:
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)  # the end of the connection, or an alert of TLS
        return True
    return False


class Bench:
    """The simulated table with its robot dealer, as `dealer-station-sim bench` runs it."""

    def __init__(self, directory: Path, *options: str, program: str = "simulators") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.config = directory / "station.toml"
        self.camera = directory / "camera.jsonl"
        self.complaints = directory / "bench.err"
        self.rounds = 0
        self.finished = threading.Event()
        self._ready = threading.Event()
        asked, self._stdin = os.pipe()
        reading, stdout = os.pipe()
        with self.complaints.open("ab") as complaints, open(asked, "rb") as stdin, open(stdout, "wb") as output:
            arguments = ("bench", "--dir", str(directory), "--camera", str(self.camera), *options)
            self._process = Forked(program, *arguments, stdin=stdin, stdout=output, stderr=complaints)
        self._reading = threading.Thread(target=self._read, args=[reading])
        self._reading.start()

    def _read(self, reading: int) -> None:
        with open(reading, encoding="utf-8") as stdout:
            for line in stdout:
                if line.startswith("ready "):
                    self._ready.set()
                elif '"finished"' in line:
                    self.finished.set()
                elif '"round"' in line:
                    self.rounds = int(json.loads(line)["round"])

    def wait_ready(self) -> None:
        """Wait until every device is on its wire."""
        assert self._ready.wait(START_SECONDS), f"the bench did not come up: {self.complaints.read_text()}"

    def wait_rounds(self, rounds: int, seconds: float) -> None:
        """Wait until so many rounds are played."""
        patiently(
            lambda: self.rounds >= rounds or self.failed, seconds, lambda: f"{rounds} rounds; {self.rounds} were played"
        )
        assert not self.failed, self.complaints.read_text()

    def wait_finished(self, seconds: float) -> None:
        """Wait until all rounds are played and the table is closed."""
        patiently(
            lambda: self.finished.is_set() or self.failed,
            seconds,
            lambda: f"the end of play; {self.rounds} rounds were played; {self.complaints.read_text()}",
        )
        assert not self.failed, self.complaints.read_text()

    @property
    def failed(self) -> bool:
        """Whether it has ended by itself."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """End it, if it runs."""
        os.close(self._stdin)
        self._process.terminate()
        self._process.wait(END_SECONDS)
        self._reading.join(END_SECONDS)


class Daemon:
    """`dealer-station run` as a service manager runs it, restarted as often as asked; the log is kept in one file.

    With `service` true each start is an interpreter of its own, as on a table; otherwise a fork of one.
    """

    def __init__(
        self,
        config: Path,
        address: tuple[str, int],
        name: str = "daemon",
        environment: Mapping[str, str] | None = None,
        service: bool = False,
        program: str = "controller",
    ) -> None:
        self.config = config
        self.address = address
        self.log = config.parent / f"{name}.err"
        self._environment = {**os.environ, **(environment or {})}
        self._service, self._program = service, program
        self._process: subprocess.Popen[bytes] | Forked | None = None

    def start(self) -> None:
        """Start it; it is not yet ready."""
        arguments = ("run", "--config", str(self.config))
        with self.log.open("ab") as log:
            if self._service:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", self._program, *arguments],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment,
                )  # fmt: skip
            else:
                self._process = Forked(self._program, *arguments, stdout=log, stderr=log, env=self._environment)

    def wait_answering(self, seconds: float = START_SECONDS) -> dict[str, Any]:
        """Wait until its screen answers; the table it shows."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return get_table(self.address)
            except Unreachable:
                assert self.running, f"the daemon ended with {self.exit_code}: {self.log.read_text()[-2000:]}"
                assert time.monotonic() < deadline, "the daemon does not answer"
                time.sleep(0.005)

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """How it ended, None while it runs."""
        assert self._process is not None
        return self._process.poll()

    def kill(self) -> None:
        """SIGKILL, at once."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(END_SECONDS)

    def wait_exit(self, seconds: float = END_SECONDS) -> int:
        """Wait until it has ended; the exit code."""
        assert self._process is not None
        return self._process.wait(seconds)

    def terminate(self) -> int:
        """SIGTERM; the exit code, within the time after which the service manager would kill it."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(STOP_SECONDS)

    def stop(self) -> None:
        """End it, if it runs."""
        if self.running:
            self.kill()


def daemon_of(bench: Bench, service: bool = False) -> Daemon:
    """The station of a bench that is ready, not yet started."""
    found = re.search(r'listen = "([\d.]+):(\d+)"', bench.config.read_text(encoding="utf-8"))
    assert found
    return Daemon(bench.config, (found[1], int(found[2])), service=service)


@contextmanager
def fast_table(folder: Path, *options: str, service: bool = False) -> Iterator[tuple[Bench, Daemon]]:
    """A bench that is ready and plays as fast as it can, and its station, not yet started; both end at last."""
    bench = Bench(folder, "--speed", "max", *options)
    with ended_at_last(bench):
        bench.wait_ready()
        daemon = daemon_of(bench, service)
        with ended_at_last(daemon):
            yield bench, daemon


@contextmanager
def archived_table(folder: Path, broker: Mosquitto, archive: str, *options: str) -> Iterator[tuple[Bench, Daemon]]:
    """The same, whose messages an archive is to have."""
    with fast_table(folder, "--broker", broker.url, *options) as (bench, daemon):
        text = bench.config.read_text(encoding="utf-8")
        bench.config.write_text(text.replace("[floor]\n", f'[floor]\narchives = ["{archive}"]\n'), encoding="utf-8")
        yield bench, daemon


@contextmanager
def ended_at_last(*started: Stoppable) -> Iterator[None]:
    """End these in the order given, whatever happens."""
    try:
        yield
    finally:
        for process in started:
            process.stop()


def lone_daemon(
    directory: Path, broker: str | None = None, environment: Mapping[str, str] | None = None, service: bool = False
) -> Daemon:
    """A daemon, not yet started, on a good configuration without any device behind it, and perhaps no broker."""
    port = free_port()
    config = configured(
        directory,
        game=GAMES[0],
        seats=6,
        source="shuffler",
        broker=broker or f"mqtt://127.0.0.1:{free_port()}",
        listen=f"127.0.0.1:{port}",
    )
    return Daemon(config, ("127.0.0.1", port), environment=environment, service=service)
