"""The table a bench measures: a shoe on a pseudo-terminal, a dealer over HTTP, a broker, and processes that report
times.

Times are nanoseconds of CLOCK_MONOTONIC, one clock for all processes of a machine.
"""

import argparse
import asyncio
import ctypes
import http.client
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from controller.command_line.signals import leaving_nothing, unbroken
from controller.rulebook.games import FIRST_GAME
from controller.system.addresses import free_port

if TYPE_CHECKING:
    from controller.station import Station

SEATS = 7
CARDS_A_ROUND = (SEATS + 1) * 3
PR_SET_PDEATHSIG = 1  # of Linux: a signal once the parent is gone
START_SECONDS = 60.0  # on a busy machine too
ANSWER_SECONDS = 30.0
LOCK_BYTES = 10  # STX O P t t d d ETX BCC BCC
ACK = b"\x06"

_CONFIG = """\
schema = 1
mode = "simulation"
[table]
site = "bench"
id = "table"
game = "{game}"
seats = {seats}
card_source = "shoe"
currency = "MOP"
exponent = 2
[table.limits]
min = 100
max = 100
[table.wagers]
additional = []
[people]
ana = "dealer"
rui = "supervisor"
[journal]
path = "journal.db"
seal_key_file = "seal.key"
[floor]
broker = "mqtt://{host}:{port}"
[console]
listen = "127.0.0.1:{console}"
[devices.shoe]
driver = "angel-eye"
port = "{shoe}"
"""

Figures = dict[str, Any]


Measure = Callable[[ExitStack, Path, tuple[str, int], argparse.Namespace], Figures]


class BenchFailed(Exception):
    """The bench could not be set up, or an answer did not come."""


def add_bench(parser: argparse.ArgumentParser) -> None:
    """What every measure may be given."""
    parser.add_argument("--broker", default="auto", help="mqtt://HOST:PORT (default: mosquitto on the PATH)")
    add_dir(parser)


def add_dir(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the folder of a measurement that writes to the disk."""
    parser.add_argument("--dir", type=Path, metavar="DIR", help="where the journal is while measuring")
    add_format(parser)


def add_format(parser: argparse.ArgumentParser) -> None:
    """The option for the form of the output."""
    parser.add_argument("--json", action="store_true", help="one JSON object")


def show_figures(options: argparse.Namespace, figures: Figures, show: Callable[[Figures], None]) -> int:
    """Print the figures as the options ask; returns the exit code."""
    if options.json:
        print(json.dumps(figures))
    else:
        show(figures)
    return 0


def run_bench(options: argparse.Namespace, measure: Measure, show: Callable[[Figures], None]) -> int:
    """Measures in a folder of its own, with the broker that the options name, and prints the result; returns the exit
    code.

    Raises BenchFailed.
    """
    with leaving_nothing(), ExitStack() as stack:
        folder = stack.enter_context(_folder(options.dir))
        address = stack.enter_context(_broker(options.broker, folder)) if "broker" in options else ("", 0)
        figures = measure(stack, folder, address, options)
    return show_figures(options, figures, show)


def write_config(folder: Path, broker: tuple[str, int], console: int, shoe: str) -> Path:
    """The station.toml of a table with every seat taken and no jackpot, read by a shoe."""
    path = folder / "station.toml"
    host, port = broker
    path.write_text(_CONFIG.format(game=FIRST_GAME, seats=SEATS, host=host, port=port, console=console, shoe=shoe))
    return path


class ShoeWire:
    """The shoe's side of a pseudo-terminal: reports out, locks acknowledged."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._sequence = 0
        threading.Thread(target=self._acknowledge_locks, daemon=True).start()

    def card(self, number: int) -> int:
        """Send the report of one card; returns the moment its last byte was handed to the wire (nanoseconds)."""
        self._sequence = self._sequence % 9 + 1
        suit, rank = number // 13 % 4 + 1, number % 13 + 1
        covered = bytes([0x30 + self._sequence, 0x44, 0x81, 0x80 | suit << 4 | rank, 0x03])
        check = 0
        for byte in covered:
            check ^= byte
        report = b"\x05" + covered + b"%02X" % check
        began = time.monotonic_ns()
        os.write(self._master, report)
        return began

    def _acknowledge_locks(self) -> None:
        received = b""
        while True:
            try:
                received += os.read(self._master, 256)
            except OSError:
                return
            while len(received) >= LOCK_BYTES:
                received = received[LOCK_BYTES:]
                os.write(self._master, ACK)


class Dealer:
    """Plays each round up to its deal and after it, over HTTP."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
        self._inputs = 0
        self._until_up()
        self.say("open/1", {"kind": "open_table"})

    def until_the_deal(self, number: int) -> None:
        """Begin, shuffle, cut, bet, close."""
        self.say(f"{number}/begin", {"kind": "begin_round"})
        self.say(f"{number}/shuffle", {"kind": "shuffled"})
        self.say(f"{number}/cut", {"kind": "cut", "by": "bank"})
        bets: list[dict[str, Any]] = [
            {"kind": "wager", "seat": seat, "wager": "ante", "amount": 100} for seat in range(1, SEATS + 1)
        ]
        self.say(f"{number}/wagers", *bets)
        self.say(f"{number}/wagers", {"kind": "lock_in"})

    def after_the_deal(self, number: int) -> None:
        """The cards are counted, everybody folds; the bank is turned and the round closed."""
        self.say(f"{number}/count/1", {"kind": "cards_counted", "count": CARDS_A_ROUND})
        folds = [{"kind": "decide", "seat": seat, "decision": "fold"} for seat in range(1, SEATS + 1)]
        self.say(f"{number}/decisions", *folds)
        self.say(f"{number}/reveal/bank", {"kind": "reveal", "to": "bank"})
        self.say(f"{number}/confirm", {"kind": "confirm"})
        self.say(f"{number}/claims", {"kind": "close_claims"})

    def _until_up(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self._connection.request("GET", "/table")
                links = json.loads(self._connection.getresponse().read())["devices"]
                if links.get("shoe") == links.get("floor") == "up":
                    return
            except OSError:
                self._connection.close()
            if time.monotonic() > deadline:
                raise BenchFailed(f"the station did not come up within {START_SECONDS:.0f} s")
            time.sleep(0.05)

    def say(self, step: str, *inputs: dict[str, Any]) -> None:
        """Enters inputs at a step; the dealer is the actor if an input names none. Raises BenchFailed on a refusal."""
        batch = []
        for input in inputs:
            self._inputs += 1
            batch.append({"input_id": f"bench-{self._inputs}", "step_id": step, "actor": "ana", **input})
        self._connection.request("POST", "/inputs", json.dumps(batch), {"content-type": "application/json"})
        answer = self._connection.getresponse()
        body = answer.read()
        self._connection.close()  # the station closes it too, where a deal lasts longer than a few seconds
        if answer.status != 200:
            raise BenchFailed(f"the station refused an answer to {step}: {body.decode()}")


class ProcessOutput:
    """The output of a process of the bench, line by line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id of the station."""
        return self._process.pid

    def line(self, seconds: float = ANSWER_SECONDS) -> str:
        """The next line. Raises BenchFailed if there is none."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise BenchFailed(f"a process of the bench printed nothing for {seconds:.0f} s") from None
        if not line:
            raise BenchFailed("a process of the bench ended too early; its output is above")
        return line.strip()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as batch:
            for line in batch:
                self._lines.put(line)
        self._lines.put("")


@contextmanager
def child(module: str, role: str, *arguments: str) -> Iterator[ProcessOutput]:
    """A process of the bench, `python -m module role …`, that has printed ``ready``; it is ended with the context."""
    command = [sys.executable, "-m", module, role, *arguments]
    with ended_with_this(command, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        output = ProcessOutput(process)
        if output.line(START_SECONDS) != "ready":
            raise BenchFailed(f"the {role} did not come up")
        yield output


def print_line(text: str) -> None:
    """Print a line for the process that measures."""
    print(text, flush=True)


def serve(opening: Coroutine[Any, Any, "Station"]) -> None:
    """Run a station as `run` does, and print when it is ready."""
    from controller.telemetry import logs

    async def main() -> None:
        station = await opening
        print_line("ready")
        await station.run()

    logs.configure(quiet=True)
    asyncio.run(main())


def percentiles(nanoseconds: Sequence[int]) -> dict[str, float]:
    """The median, the 99th percentile and the maximum, in milliseconds."""
    ordered = sorted(nanoseconds)
    at = {
        name: ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for name, share in (("p50", 50), ("p99", 99))
    }
    return {f"{name}_ms": round(value / 1e6, 3) for name, value in {**at, "longest": ordered[-1]}.items()}


def print_head(title: str, columns: Sequence[str] = ("p50", "p99", "longest")) -> None:
    """The line over a table of figures."""
    print(f"{title:<74}" + "".join(f" {column:>10}" for column in columns))


def print_row(text: str, row: dict[str, float], columns: Sequence[str] = ("p50", "p99", "longest")) -> None:
    """Print one line of the table of results; `row` is a result of `percentiles`."""
    print(f"  {text:<72}" + "".join(f" {row[f'{column}_ms']:7.2f} ms" for column in columns))


def print_progress(done: int, of: int, what: str) -> None:
    """Prints the progress on a terminal."""
    if sys.stderr.isatty() and (done % 10 == 0 or done == of):
        print(f"\r{done} of {of} {what}", end="\n" if done == of else "", file=sys.stderr, flush=True)


@contextmanager
def _folder(inside: Path | None) -> Iterator[Path]:
    try:
        folder = tempfile.TemporaryDirectory(prefix="dealer-station-", dir=inside)
    except OSError as error:
        raise BenchFailed(f"--dir {inside}: {error.strerror}") from None
    with folder as name:
        yield Path(name)


def _broker_named(wanted: str) -> tuple[str, int]:
    try:
        url = urlsplit(wanted)
        host, port = url.hostname, url.port
    except ValueError:
        host = port = None
    if host is None or url.scheme != "mqtt":
        raise BenchFailed(f"--broker {wanted}: expected mqtt://HOST:PORT")
    return host, 1883 if port is None else port


@contextmanager
def _broker(wanted: str, folder: Path) -> Iterator[tuple[str, int]]:
    """The broker named, or a mosquitto of this bench's own."""
    if wanted != "auto":
        yield _broker_named(wanted)
        return
    # Debian keeps it out of an ordinary user's PATH.
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if program is None:
        raise BenchFailed("no mosquitto on this machine: install it, or name a broker with --broker mqtt://HOST:PORT")
    port = free_port()
    settings = folder / "mosquitto.conf"
    settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n")
    # mosquitto loses a SIGTERM that comes while it starts
    with ended_with_this([program, "-c", settings], signal.SIGKILL):
        deadline = time.monotonic() + START_SECONDS
        while socket.socket().connect_ex(("127.0.0.1", port)):
            if time.monotonic() > deadline:
                raise BenchFailed(f"mosquitto did not listen within {START_SECONDS:.0f} s")
            time.sleep(0.05)
        yield "127.0.0.1", port


@contextmanager
def ended_with_this(
    command: Sequence[str | Path], end: signal.Signals = signal.SIGTERM, **given: Any
) -> "Iterator[subprocess.Popen[Any]]":
    """Runs a process during the body; it ends when this process ends, even if this one is killed."""
    process = None
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        with unbroken():
            process = subprocess.Popen(command, preexec_fn=_end_with_parent, **(given or quiet))
        yield process
    finally:
        if process is not None:
            process.send_signal(end)
            process.wait()


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
