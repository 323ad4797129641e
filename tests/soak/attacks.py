"""A table that plays while strangers attack its console's port: `python -m tests.soak.attacks [NAME…]` prints a table.

The attackers have one core, the table with its devices, its broker and its screens the other.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from controller.console.pins import PinHasher, changing_pins
from simulators.station_toml import PINS as ROBOT_PINS
from tests.soak import attackers
from tests.station.processes import Bench, Daemon, Mosquitto, daemon_of, ended_at_last, forget_peak, peak_kib

PINS = {"ana": "274951", "rui": "862043"}
SECONDS = 12.0
CALM_SECONDS = 3.0
LOG_IN_SECONDS = 30.0
PAUSE_SECONDS = 0.02  # between two inputs
TABLE_CORE, ATTACKERS_CORE = 0, 1

ATTACKS: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "2 000 half-open": ("half_open",),
    "2 000 half-open and requests": ("half_open", "requests"),
    "slowloris 1 500": ("slowloris",),
    "3 000 streams": ("streams",),
    "64 KiB bodies and one-octet chunks": ("bodies",),
    "connect and close × 1": ("knocks",),
    "connect and close × 2": ("knocks", "knocks"),
    "requests × 1": ("requests",),
    "requests × 2": ("requests", "requests"),
    "unread pipelined × 1": ("pipelined",),
    "unread pipelined × 2": ("pipelined", "pipelined"),
    "mixed": ("mixed", "mixed"),
}


class Found(msgspec.Struct):
    """What was measured under an attack; inputs are those of a person who is logged in on a screen of his own."""

    attack: str
    inputs: int
    p50_ms: float
    p99_ms: float
    longest_ms: float
    rounds: int
    peak_mb: float
    log_in_s: float
    logged_in: bool
    statuses: set[int]  # of the inputs; 0 for one without an answer


class Screen:
    """A screen whose connection is opened again when it is closed."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._shown: dict[str, str] = {}
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, content: object = None, seconds: float = LOG_IN_SECONDS) -> tuple[int, Any]:
        """An answer, however often it has to be asked for. Raises TimeoutError."""
        until = time.monotonic() + seconds
        body = None if content is None else json.dumps(content).encode()
        while time.monotonic() < until:
            try:
                if self._connection is None:
                    self._connection = http.client.HTTPConnection(*self._address, timeout=until - time.monotonic())
                self._connection.request(method, path, body, {"Content-Type": "application/json", **self._shown})
                answer = self._connection.getresponse()
                answered = json.loads(answer.read())
                if cookie := answer.headers["set-cookie"]:
                    self._shown = {"Cookie": cookie.partition(";")[0], "Dealer-Station-Key": answered["key"]}
                return answer.status, answered
            except (OSError, http.client.HTTPException):
                self.close()
                time.sleep(0.005)
        raise TimeoutError

    def log_in(self, name: str) -> float:
        """The seconds until this person is logged in. Raises TimeoutError."""
        began = time.monotonic()
        status, answered = self.ask("POST", "/session", {"name": name, "pin": PINS[name]})
        assert status == 200, answered
        return time.monotonic() - began

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def stale(actor: str) -> dict[str, object]:
    """An input of a step that is over: it comes as far as the engine, and changes nothing."""
    return {"input_id": uuid.uuid4().hex, "step_id": "0/begin", "actor": actor, "kind": "begin_round"}


class Inputs:
    """Posts inputs on a screen, one after the other, until ended; the nanoseconds of each."""

    def __init__(self, screen: Screen) -> None:
        self.took: list[int] = []
        self.statuses: set[int] = set()
        self._screen = screen
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._post)
        self._thread.start()

    def _post(self) -> None:
        while not self._ending.wait(PAUSE_SECONDS):
            began = time.perf_counter_ns()
            try:
                self.statuses.add(self._screen.ask("POST", "/inputs", stale("rui"))[0])
            except TimeoutError:
                self.statuses.add(0)
            self.took.append(time.perf_counter_ns() - began)

    def end(self) -> list[int]:
        """The times, shortest first."""
        self._ending.set()
        self._thread.join()
        return sorted(self.took)


@contextmanager
def playing(folder: Path) -> Iterator[tuple[Bench, Daemon]]:
    """A table that asks for PINs and plays, a round every two seconds or so."""
    broker = Mosquitto(folder / "broker")
    broker.start()
    bench = Bench(folder / "table", "--speed", "60", "--broker", broker.url, "--pins")
    bench.wait_ready()
    state = bench.config.parent / "state"
    state.mkdir(exist_ok=True)
    with changing_pins(state / "pins.json") as kept:
        kept.update({name: PinHasher().hash(pin) for name, pin in PINS.items()})
    answered = bench.config.parent / ROBOT_PINS
    answered.touch(0o600)
    answered.write_text(json.dumps(PINS), encoding="utf-8")
    daemon = daemon_of(bench, service=True)
    with ended_at_last(daemon, bench, broker):
        daemon.start()
        daemon.wait_answering()
        bench.wait_rounds(2, 60)
        yield bench, daemon


@contextmanager
def attacked(kinds: tuple[str, ...], port: int) -> Iterator[None]:
    """A process for each attacker."""
    with ExitStack() as stack:
        for kind in kinds:
            command = [sys.executable, "-m", attackers.__name__, kind, str(port), str(ATTACKERS_CORE)]
            process = stack.enter_context(subprocess.Popen(command))
            stack.callback(process.kill)
        yield


def measured(name: str, bench: Bench, daemon: Daemon, lawful: Screen) -> Found:
    """What a table does under an attack."""
    forget_peak(daemon.pid)
    with attacked(ATTACKS[name], daemon.address[1]):
        time.sleep(1.0)
        inputs, before = Inputs(lawful), bench.rounds
        time.sleep(SECONDS / 2)
        another = Screen(daemon.address)
        try:
            log_in = another.log_in("ana")
            logged_in = True
        except TimeoutError:
            log_in, logged_in = LOG_IN_SECONDS, False
        another.close()
        time.sleep(SECONDS / 2)
        rounds, took = bench.rounds - before, inputs.end()
        assert inputs.statuses <= {0, 409}, inputs.statuses
    found = Found(
        attack=name,
        inputs=len(took),
        p50_ms=took[len(took) // 2] / 1e6,
        p99_ms=took[len(took) * 99 // 100] / 1e6,
        longest_ms=took[-1] / 1e6,
        rounds=rounds,
        peak_mb=peak_kib(daemon.pid) / 1024,
        log_in_s=log_in,
        logged_in=logged_in,
        statuses=inputs.statuses,
    )
    time.sleep(CALM_SECONDS)
    return found


def measure(names: tuple[str, ...]) -> Iterator[Found]:
    """Each attack after the other on one table, the idle one first."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {TABLE_CORE})
    try:
        with tempfile.TemporaryDirectory() as folder, playing(Path(folder)) as (bench, daemon):
            lawful = Screen(daemon.address)
            lawful.log_in("rui")
            for name in names:
                yield measured(name, bench, daemon, lawful)
            log = daemon.log.read_text()
            print(f"{log.count('Traceback')} tracebacks, {len(log.splitlines())} lines in the log", file=sys.stderr)
    finally:
        os.sched_setaffinity(0, before)


def main() -> None:
    """Print a line for each attack."""
    names = tuple(name for name in ATTACKS if not sys.argv[1:] or any(word in name for word in sys.argv[1:]))
    print(f"{'attack':36} inputs  p50 ms   p99 ms  longest rounds     MB log-in s")
    for row in measure(names):
        print(
            f"{row.attack:36} {row.inputs:6} {row.p50_ms:7.1f} {row.p99_ms:8.1f} {row.longest_ms:8.1f} {row.rounds:6}"
            f" {row.peak_mb:6.0f} {row.log_in_s:8.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
