"""How soon an input is answered while strangers, readers and a babbling device want something at once.

`python -m tests.station.crowd --inputs 1000` starts a simulated table whose shuffler babbles in every round. Another
process holds two thousand half-open connections, and has forty readers ask for rounds without a pause. Inputs are sent
each on a connection of its own.
"""

import argparse
import http.client
import multiprocessing
import tempfile
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from socket import create_connection, socket

from controller.commands.bench_table import spread
from tests.station.processes import Bench, Mosquitto, daemon_of, ended_at_last
from tests.station.screen import Address, entered, get_table, post

HALF_OPEN, READERS = 2000, 40
SETTLING_SECONDS = 5.0


def read(address: Address) -> None:
    while True:
        connection = http.client.HTTPConnection(*address, timeout=10)
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/rounds?last=100")
            connection.getresponse().read()
        connection.close()


def crowd(address: Address) -> None:
    """Connections that ask for nothing, of which one that was closed is opened again, and readers beside them."""
    for _ in range(READERS):
        threading.Thread(target=read, args=(address,), daemon=True).start()
    held = deque[socket](maxlen=HALF_OPEN)
    while True:
        with suppress(OSError):
            held.append(create_connection(address, timeout=10))
            held[-1].sendall(b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n")
        if len(held) == HALF_OPEN:
            time.sleep(0.01)


def measured(folder: Path, inputs: int) -> dict[str, float]:
    broker = Mosquitto(folder / "broker")
    with ended_at_last(broker):
        broker.start()
        babbles = [one for number in range(1, 200) for one in ("--fault", f"shuffler:babble@round={number}")]
        bench = Bench(folder / "table", "--rounds", "200", "--speed", "20", "--broker", broker.url, *babbles)
        bench.wait_ready()
        daemon, took = daemon_of(bench, service=True), list[int]()
        strangers = multiprocessing.get_context("spawn").Process(target=crowd, args=(daemon.address,), daemon=True)
        with ended_at_last(daemon, bench):
            daemon.start()
            bench.wait_rounds(3, 120)
            table = get_table(daemon.address)
            strangers.start()
            try:
                time.sleep(SETTLING_SECONDS)
                for _ in range(inputs):
                    began = time.monotonic_ns()
                    post(daemon.address, entered(table, "confirm"))
                    took.append(time.monotonic_ns() - began)
                    time.sleep(0.02)
            finally:
                strangers.terminate()
                strangers.join()
    return spread(took)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1000, help="to send (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        print(measured(Path(name), options.inputs))
