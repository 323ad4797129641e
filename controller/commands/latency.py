"""`dealer-station bench latency`: a card report complete on the wire, durable, and acknowledged by the broker.

Three processes: this one is the shoe and the clock, one runs the station, one is a bare bridge without journal or rules
(a pyserial thread that publishes what it reads through paho). Both are asked in turn, so that a change in the machine's
speed meets both alike. Times are CLOCK_MONOTONIC, one clock for all processes of a machine.
"""

import argparse
import asyncio
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

REPORT_BYTES = 8
WIRE_MILLISECONDS = 16.7  # 8 bytes of 10 bits at 4800 baud
SEATS = 7
CARDS_A_ROUND = (SEATS + 1) * 3
PAUSE_SECONDS = 0.002  # between two reports: each finds the processes asleep, as a card at a table does
START_SECONDS = 10.0
ANSWER_SECONDS = 5.0
LOCK_BYTES = 10  # STX O P t t d d ETX BCC BCC
ACK = b"\x06"

_CONFIG = """\
schema = 1
mode = "simulation"
[table]
site = "bench"
id = "latency"
game = "fortune-3-card-poker-2025"
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


class BenchFailed(Exception):
    """The bench could not be set up, or an answer did not come."""


class Wire:
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


def bench_latency(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    try:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dealer-station-", dir=options.dir)))
            host, port = stack.enter_context(_broker(options.broker, folder))
            figures = _measure(stack, folder, host, port, options.cards)
    except BenchFailed as failure:
        print(f"dealer-station: {failure}", file=sys.stderr)
        return 69
    if options.json:
        print(json.dumps(figures))
    else:
        _print(figures)
    return 0


def _measure(stack: ExitStack, folder: Path, host: str, port: int, cards: int) -> dict[str, Any]:
    station_wire, bridge_wire = Wire(), Wire()
    console = _free_port()
    config = folder / "station.toml"
    config.write_text(_CONFIG.format(seats=SEATS, host=host, port=port, console=console, shoe=station_wire.path))
    station = stack.enter_context(_child("station", str(config)))
    bridge = stack.enter_context(_child("bridge", bridge_wire.path, host, str(port)))
    dealer = Dealer(console)
    durable, acknowledged, bare = [], [], []
    measured = 0
    for number in range(1, -(-cards // CARDS_A_ROUND) + 1):
        dealer.until_the_deal(number)
        for card in range(CARDS_A_ROUND):
            began = station_wire.card(card)
            committed, answered = map(int, _line(station).split())
            durable.append(committed - began)
            acknowledged.append(answered - began)
            time.sleep(PAUSE_SECONDS)
            began = bridge_wire.card(card)
            bare.append(int(_line(bridge)) - began)
            time.sleep(PAUSE_SECONDS)
            measured += 1
            _progress(measured, cards)
        dealer.after_the_deal(number)
    warm = CARDS_A_ROUND  # the first round finds cold caches and is not counted
    figures: dict[str, Any] = {
        "cards": measured - warm,
        "station_durable": _percentiles(durable[warm:]),
        "station_acknowledged": _percentiles(acknowledged[warm:]),
        "bare_bridge_acknowledged": _percentiles(bare[warm:]),
    }
    figures["ratio_p50"] = round(
        figures["station_acknowledged"]["p50_ms"] / figures["bare_bridge_acknowledged"]["p50_ms"], 2
    )
    return figures


class Dealer:
    """Takes each round to its deal and away from it, over the HTTP face."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
        self._inputs = 0
        self._until_up()
        self._say("open/1", {"kind": "open_table"})

    def until_the_deal(self, number: int) -> None:
        """Begin, shuffle, bet, close."""
        self._say(f"{number}/begin", {"kind": "begin_round"})
        self._say(f"{number}/shuffle", {"kind": "shuffled"})
        bets: list[dict[str, Any]] = [
            {"kind": "wager", "seat": seat, "wager": "ante", "amount": 100} for seat in range(1, SEATS + 1)
        ]
        self._say(f"{number}/wagers", *bets)
        self._say(f"{number}/wagers", {"kind": "lock_in"})

    def after_the_deal(self, number: int) -> None:
        """Everybody folds; the bank is turned and the round closed."""
        folds = [{"kind": "decide", "seat": seat, "decision": "fold"} for seat in range(1, SEATS + 1)]
        self._say(f"{number}/decisions", *folds)
        self._say(f"{number}/reveal/bank", {"kind": "reveal", "to": "bank"})
        self._say(f"{number}/confirm", {"kind": "confirm"})
        self._say(f"{number}/claims", {"kind": "close_claims"})

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

    def _say(self, step: str, *inputs: dict[str, Any]) -> None:
        said = []
        for input in inputs:
            self._inputs += 1
            said.append({"input_id": f"bench-{self._inputs}", "step_id": step, "actor": "ana", **input})
        self._connection.request("POST", "/inputs", json.dumps(said), {"content-type": "application/json"})
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise BenchFailed(f"the station refused an answer to {step}: {body.decode()}")


def _percentiles(nanoseconds: Sequence[int]) -> dict[str, float]:
    ordered = sorted(nanoseconds)
    at = {
        name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] for name, share in (("p50", 0.5), ("p99", 0.99))
    }
    return {f"{name}_ms": round(value / 1e6, 3) for name, value in at.items()}


def _print(figures: dict[str, Any]) -> None:
    title = f"{figures['cards']} card reports of {REPORT_BYTES} bytes, from complete on the pseudo-terminal to"
    print(f"{title:<74} {'p50':>9} {'p99':>9}")
    rows = {
        "station_durable": "station: durable in the journal",
        "station_acknowledged": "station: PUBACK of its message",
        "bare_bridge_acknowledged": "bare bridge (pyserial thread, paho QoS 1): PUBACK",
    }
    for key, text in rows.items():
        row = figures[key]
        print(f"  {text:<72} {row['p50_ms']:6.2f} ms {row['p99_ms']:6.2f} ms")
    print(f"  the station takes {figures['ratio_p50']} times the bare bridge (p50)")
    print(
        f"The wire itself takes {WIRE_MILLISECONDS} ms for such a report at 4800 baud, which is not in these figures."
    )


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty() and done % 50 == 0:
        print(f"\r{done} of {of} cards", end="\n" if done >= of else "", file=sys.stderr, flush=True)


@contextmanager
def _broker(wanted: str, folder: Path) -> Iterator[tuple[str, int]]:
    """The broker named, or a mosquitto of this bench's own."""
    if wanted != "auto":
        url = urlsplit(wanted)
        if url.scheme != "mqtt" or not url.hostname:
            raise BenchFailed(f"--broker {wanted}: expected mqtt://HOST:PORT")
        yield url.hostname, url.port or 1883
        return
    # Debian keeps it out of an ordinary user's PATH.
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if program is None:
        raise BenchFailed("no mosquitto on this machine: install it, or name a broker with --broker mqtt://HOST:PORT")
    port = _free_port()
    settings = folder / "mosquitto.conf"
    settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n")
    process = subprocess.Popen([program, "-c", settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + START_SECONDS
        while socket.socket().connect_ex(("127.0.0.1", port)):
            if time.monotonic() > deadline:
                raise BenchFailed(f"mosquitto did not listen within {START_SECONDS:.0f} s")
            time.sleep(0.05)
        yield "127.0.0.1", port
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _child(role: str, *arguments: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "controller.commands.latency", role, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1)
    try:
        if _line(process) != "ready":
            raise BenchFailed(f"the {role} did not come up")
        yield process
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise BenchFailed("a process of the bench ended before its time; what it said stands above")
    return line.strip()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _say_line(text: str) -> None:
    print(text, flush=True)


def run_station(config_file: str) -> None:
    """The station as `run` runs it; says when each card was durable and when its message was acknowledged."""
    from controller import logs
    from controller.config import read_config
    from controller.loop import Committed
    from controller.rulebook.events import CardsDealt
    from controller.station import Station

    waiting: dict[int, int] = {}

    def committed(commit: Committed) -> None:
        now = time.monotonic_ns()
        for event, row in zip(commit.events, commit.outbox, strict=False):
            if isinstance(event, CardsDealt):
                waiting[row.sequence] = now

    def acknowledged(sequence: int) -> None:
        if sequence in waiting:
            _say_line(f"{waiting.pop(sequence)} {time.monotonic_ns()}")

    async def main() -> None:
        station = await Station.open(read_config(Path(config_file)), committed, acknowledged)
        _say_line("ready")
        await station.run()

    logs.configure(quiet=True)
    asyncio.run(main())


def run_bridge(wire: str, host: str, port: str) -> None:
    """What a bridge without journal, rules or order does: read a report, publish it with QoS 1, hear the PUBACK."""
    import paho.mqtt.client as paho
    import serial
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.on_publish = lambda *_: _say_line(str(time.monotonic_ns()))
    client.connect(host, int(port))
    if isinstance(connection := client.socket(), socket.socket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.loop_start()
    line = serial.Serial(wire, 4800)
    _say_line("ready")
    while True:
        report = line.read(REPORT_BYTES)
        client.publish("bench/bridge", report.hex(), qos=1)


if __name__ == "__main__":
    if sys.argv[1] == "station":
        run_station(sys.argv[2])
    else:
        run_bridge(*sys.argv[2:])
