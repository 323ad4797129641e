"""`python -m tests.benchmarks start`, `memory`, `idle`: what a station takes of the machine, beside a bare bridge."""

import argparse
import http.client
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from controller.command_line.argument import count
from controller.commands import bench
from controller.commands.bench_table import (
    START_SECONDS,
    BenchFailed,
    Dealer,
    Figures,
    ShoeWire,
    add_bench,
    child,
    ended_with_this,
    print_progress,
    write_config,
)
from controller.system.addresses import free_port
from tests.benchmarks.rows import Row

LOOK_SECONDS = 0.002  # between two questions whether it answers
IMPORTS = 5  # of each
SETTLING_SECONDS = 3.0  # after a start, until a table at rest is at rest
EXIT_CODES = "exit codes: 0 measured, 69 the broker is missing or does not answer, or the station does not come up"


def add_start(parser: argparse.ArgumentParser) -> None:
    parser.description = "Starts a station again and again on the journal it has, and a bare bridge (pyserial, paho)."
    parser.add_argument("--starts", type=count, default=15, metavar="N", help="of each (default: %(default)s)")
    _add(parser, "start --starts 50")


def add_memory(parser: argparse.ArgumentParser) -> None:
    parser.description = "What a station has resident after some deals have begun, and a bare bridge (pyserial, paho)."
    parser.add_argument("--rounds", type=count, default=20, metavar="N", help="to begin (default: %(default)s)")
    _add(parser, "memory --rounds 100")


def add_idle(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "What a table takes of a processor while nothing happens: a silent shoe, a broker, no one at the screen; and "
        "a bare bridge (pyserial, paho)."
    )
    parser.add_argument("--seconds", type=count, default=15, metavar="N", help="to look (default: %(default)s)")
    _add(parser, "idle --seconds 60")


def _add(parser: argparse.ArgumentParser, example: str) -> None:
    command = f"python -m tests.benchmarks {example}"
    parser.epilog = f"examples:\n  {command}\n  {command} --json\n\n{EXIT_CODES}"
    add_bench(parser)


class Stations:
    """Starts of a station, one after the other, whose screen is at this port."""

    def __init__(self, config: Path, port: int) -> None:
        self.config = config
        self._port = port

    @contextmanager
    def started(self) -> Iterator[tuple[int, int]]:
        """One that runs, as `dealer-station run` does: its process, and the nanoseconds until it answered."""
        command = [sys.executable, "-m", "controller", "run", "--config", str(self.config)]
        began = time.monotonic_ns()
        with ended_with_this(command) as process:
            self._until_it_answers()
            yield process.pid, time.monotonic_ns() - began

    def _until_it_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            connection = http.client.HTTPConnection("127.0.0.1", self._port)
            try:
                connection.request("GET", "/table")
                connection.getresponse().read()
                return
            except OSError:
                time.sleep(LOOK_SECONDS)
            finally:
                connection.close()
        raise BenchFailed(f"the station did not answer within {START_SECONDS:.0f} s")


class _Both:
    """A station and a bare bridge, each with a wire of its own."""

    def __init__(self, folder: Path, broker: tuple[str, int]) -> None:
        self.port = free_port()
        self._broker = broker
        self._station_wire, self._bridge_wire = ShoeWire(), ShoeWire()
        self.station = Stations(write_config(folder, broker, self.port, self._station_wire.path), self.port).started

    @contextmanager
    def bridge(self) -> Iterator[tuple[int, int]]:
        """As `station`, until it has read its wire and the broker."""
        host, port = self._broker
        began = time.monotonic_ns()
        with child(bench.__name__, "bridge", self._bridge_wire.path, host, str(port)) as bridge:
            yield bridge.pid, time.monotonic_ns() - began


def measure_start(stack: ExitStack, folder: Path, broker: tuple[str, int], options: argparse.Namespace) -> Figures:
    both = _Both(folder, broker)
    stations, bridges = [], []
    for number in range(options.starts + 1):
        with both.station() as (_, station):
            stations.append(station)
        with both.bridge() as (_, bridge):
            bridges.append(bridge)
        print_progress(number, options.starts, "starts")
    # The first has a journal to begin, and finds cold files.
    return {
        "starts": options.starts,
        "station_seconds": _seconds(stations[1:]),
        "bare_bridge_seconds": _seconds(bridges[1:]),
    }


def _seconds(nanoseconds: list[int]) -> dict[str, float]:
    return {"p50": round(median(nanoseconds) / 1e9, 3), "longest": round(max(nanoseconds) / 1e9, 3)}


def start_rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    station, bridge = figures["station_seconds"], figures["bare_bridge_seconds"]
    return [Row("start to first answer, p50", f"{station['p50']:.2f} s", f"{bridge['p50']:.2f} s bare bridge")]


def measure_memory(stack: ExitStack, folder: Path, broker: tuple[str, int], options: argparse.Namespace) -> Figures:
    both = _Both(folder, broker)
    with both.station() as (station, _), both.bridge() as (bridge, _):
        begun = resident(station)
        dealer = Dealer(both.port)
        for number in range(1, options.rounds + 1):
            dealer.until_the_deal(number)
            _break_off(dealer, number)
        return {
            "rounds": options.rounds,
            "station_mb": resident(station),
            "station_at_first_mb": begun,
            "bare_bridge_mb": resident(bridge),
            "import": imported("controller.station"),
            "import_of_libraries": imported(*libraries_of("controller.station")),
        }


def libraries_of(program: str) -> list[str]:
    """The modules that a program loads and that are not of this project, in the order in which they are loaded."""
    code = f"""
import sys, {program}
for name, module in list(sys.modules.items()):
    spec = getattr(module, "__spec__", None)
    if spec is not None and spec.name == name and name.partition(".")[0] not in ("controller", "drivers"):
        print(name)
"""
    return _child(code).split()


def imported(*modules: str) -> Figures:
    """What a fresh interpreter takes once it has imported these: its memory, and the middle of its processor times."""
    code = f"""
import importlib, time
began = time.process_time()
for name in {list(modules)}:
    importlib.import_module(name)
taken = time.process_time() - began
print(taken, next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS:")))
"""
    seconds, kib = zip(*(_child(code).split() for _ in range(IMPORTS)), strict=True)
    megabytes = median(map(int, kib)) * 1024 / 1e6
    return {"ms": round(1000 * median(map(float, seconds)), 1), "mb": round(megabytes, 1)}


def _child(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def _break_off(dealer: Dealer, number: int) -> None:
    """A supervisor voids the round before its first card, and it is closed."""
    dealer.say(f"{number}/report", {"kind": "void_round", "reason": "bench", "actor": "rui"})
    dealer.say(f"{number}/confirm/void", {"kind": "confirm"})
    dealer.say(f"{number}/claims", {"kind": "close_claims"})


def resident(process: int) -> float:
    """What a process has in memory, in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    [kib] = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return round(int(kib) * 1024 / 1e6, 1)


def memory_rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    what = f"memory after {figures['rounds']} rounds"
    own, libraries = figures["import"], figures["import_of_libraries"]
    return [
        Row(what, f"{figures['station_mb']:.0f} MB", f"{figures['bare_bridge_mb']:.0f} MB bare bridge"),
        Row("memory once imported", f"{own['mb']:.0f} MB", f"{libraries['mb']:.0f} MB its libraries alone"),
        Row("a processor's time to import", f"{own['ms']:.0f} ms", f"{libraries['ms']:.0f} ms its libraries alone"),
    ]


def measure_idle(stack: ExitStack, folder: Path, broker: tuple[str, int], options: argparse.Namespace) -> Figures:
    both = _Both(folder, broker)
    with both.station() as (station, _), both.bridge() as (bridge, _):
        time.sleep(SETTLING_SECONDS)
        looked = {"station": station, "bare_bridge": bridge}
        before = {name: taken(process) for name, process in looked.items()}
        time.sleep(options.seconds)
        figures: Figures = {"seconds": options.seconds}
        for name, process in looked.items():
            worked, switches = (now - then for now, then in zip(taken(process), before[name], strict=True))
            figures[f"{name}_percent"] = round(worked / 1e7 / options.seconds, 2)
            figures[f"{name}_switches_a_second"] = round(switches / options.seconds, 1)
        return figures


def taken(process: int) -> tuple[int, int]:
    """The nanoseconds a process had of a processor, and how often it gave one back because it had to wait."""
    worked = switches = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        worked += int((thread / "schedstat").read_text().split()[0])
        status = (thread / "status").read_text()
        switches += int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    return worked, switches


def idle_rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    return [
        Row(
            "a processor's time, table at rest",
            f"{figures['station_percent']:.2f} %",
            f"{figures['bare_bridge_percent']:.2f} % bare bridge",
        )
    ]
