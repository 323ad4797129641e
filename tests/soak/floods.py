"""What very long messages and very many short ones do to a station, a pit, a witness and the example of a consumer.

`python -m tests.soak.floods` prints a row for each program: the longest gap of its event loop and its memory, idle,
under each attack, and afterwards. The broker is mosquitto without an access list: anyone may publish everywhere.
"""

import argparse
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from controller.pit.cluster import Cluster
from simulators.broker import free_port
from tests.configured import configured
from tests.floor.flooding import length_of
from tests.floor.test_floor_witness import configuration
from tests.pit.conftest import empty_database
from tests.pit.replicated import folder_of_a_database
from tests.station.processes import Mosquitto, patiently

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "floor_consumer.py"
OF_TABLE = (
    *("status", "state", "jackpot", "checkpoint", "statistics", "devices/shoe", "alarms/journal", "archives/a"),
    *("requests/replay", "requests/rebirth", "requests/acknowledge/a", "answers/rounds", "answers/pit-1"),
    *("events/cards_dealt", "rounds", "cosignatures/witness-1", "link/linked", "linked/linked"),
)
SETTLED_SECONDS = 15.0
PAYLOAD = b'{"source": "/dealer/laptop/table-1/other", "data": {"sequence": 1, "as_of": 7}}'


class Found(NamedTuple):
    """Milliseconds, and mebibytes: the most that there was, and what there is now."""

    gap: float
    peak: float
    now: float


class Program:
    """One that runs until it is stopped, and reports how late its loop was."""

    def __init__(self, name: str, folder: Path, *command: str | Path) -> None:
        self.name, self._log, self._asked = name, folder / f"{name}.err", 0
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.soak.watched_loop", *command],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
            )  # fmt: skip

    def ask(self) -> Found:
        """Since it was asked before."""
        assert self._process.poll() is None, self._log.read_text()[-3000:]
        self._process.send_signal(signal.SIGRTMIN)
        self._asked += 1
        patiently(lambda: len(self._answers()) == self._asked or self._process.poll() is not None, 60, self.name)
        assert self._process.poll() is None, self._log.read_text()[-3000:]
        found = json.loads(self._answers()[-1])
        return Found(found["gap_ms"], found["VmHWM"] / 1024, found["VmRSS"] / 1024)

    def _answers(self) -> list[str]:
        return [line for line in self._log.read_text(errors="replace").splitlines() if line.startswith('{"gap_ms"')]

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


@contextmanager
def programs(folder: Path, port: int) -> Iterator[list[Program]]:
    """All that listen at a broker."""
    with ExitStack() as stack:
        cluster = Cluster(stack.enter_context(folder_of_a_database()) / "cluster")
        cluster.start()
        stack.callback(cluster.stop, "immediate")
        url, found = f"mqtt://127.0.0.1:{port}", list[Program]()

        def started(name: str, *command: str | Path) -> None:
            found.append(Program(name, folder, *command))
            stack.callback(found[-1].stop)

        for protocol in ("5", "3.1.1"):
            name = f"station, MQTT {protocol}"
            own = folder / protocol
            own.mkdir()
            table, listen = "table-1" if protocol == "5" else "table-2", f"127.0.0.1:{free_port()}"
            file = configured(own, broker=url, protocol=protocol, listen=listen, table=table)
            started(name, "controller", "run", "--config", file)
        marks = folder / "marks"
        started("pit", "tests.pit.link_pit", str(port), empty_database(cluster), "one", "2", marks)
        started("witness", "controller", "witness", "--config", configuration(folder, url))
        started("consumer", EXAMPLE, url, folder / "rounds.db")
        time.sleep(20)
        yield found


def long_messages(port: int, topics: Sequence[str], octets: int, retain: bool, folder: Path) -> None:
    """One on each topic; what is retained is taken back at once."""
    file = folder / "long"
    file.write_bytes(b'{"data": {"x": "' + b"a" * octets + b'"}}')
    for topic in topics:
        say = ["mosquitto_pub", "-p", str(port), "-q", "1", "-t", topic]
        subprocess.run([*say, "-f", file, *(["-r"] if retain else [])], check=True, timeout=120)
        if retain:
            subprocess.run([*say, "-n", "-r"], check=True, timeout=120)
    file.unlink()


def small_messages(port: int, topics: Sequence[str], count: int) -> float:
    """So many as fast as the broker takes them; how many seconds that took."""
    some = b"".join(_packet(topic.encode(), PAYLOAD) for topic in topics)
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"\x10\x11\x00\x04MQTT\x04\x02\x00\x00\x00\x05flood")
        connection.recv(4)
        for _ in range(count // len(topics)):
            connection.sendall(some)
        connection.sendall(b"\xc0\x00")
        connection.recv(2)
    return time.monotonic() - began


def _packet(topic: bytes, payload: bytes) -> bytes:
    return b"\x30" + length_of(2 + len(topic) + len(payload)) + len(topic).to_bytes(2, "big") + topic + payload


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--octets", type=int, default=200_000_000)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--quiet", type=float, default=20.0, help="seconds without an attack")
    given = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        topics = [f"dealer/laptop/{table}/{own}" for table in ("table-1", "table-2") for own in OF_TABLE]
        topics += ["dealer/macau-1/links/linked/pot", "dealer/here/t1/checkpoint"]
        with Mosquitto(folder / "broker") as broker, programs(folder, broker.port) as all_programs:
            _ = [program.ask() for program in all_programs]
            time.sleep(given.quiet)
            found = {program.name: [program.ask()] for program in all_programs}
            for retain in (False, True):
                long_messages(broker.port, topics, given.octets, retain, folder)
                time.sleep(SETTLED_SECONDS)
                for program in all_programs:
                    found[program.name].append(program.ask())
            seconds = small_messages(broker.port, topics, given.count)
            time.sleep(SETTLED_SECONDS)
            for program in all_programs:
                found[program.name].append(program.ask())
            time.sleep(given.quiet)
            for program in all_programs:
                found[program.name].append(program.ask())
    print(f"{given.count} small messages in {seconds:.0f} s; each cell: longest gap in ms / most MiB / MiB then")
    print("| program | idle | long | long, retained | small | afterwards |\n| --- | --- | --- | --- | --- | --- |")
    for name, cells in found.items():
        print(f"| {name} |", " | ".join(f"{cell.gap:.0f} / {cell.peak:.0f} / {cell.now:.0f}" for cell in cells), "|")


if __name__ == "__main__":
    main()
