"""`python -m tests.benchmarks drain`: how fast the messages that waited for a broker reach it.

A journal is made whose outbox is full; a station is started on it. Then the same number of messages is published by
paho alone, out of memory, with QoS 1.
"""

import argparse
import sys
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path

from controller.command_line.argument import count
from controller.commands.bench_table import (
    Figures,
    ShoeWire,
    add_bench,
    child,
    print_line,
    serve,
    write_config,
)
from controller.system.addresses import free_port
from tests.benchmarks.rows import Row

DRAIN_SECONDS = 600.0
AT_ONCE = 250  # messages in a commit while the journal is made
PAYLOAD_BYTES = 400  # a message's, about
EXAMPLES = """\
examples:
  python -m tests.benchmarks drain
  python -m tests.benchmarks drain --messages 100000 --json

exit codes: 0 measured, 69 the broker is missing or does not answer, or the station does not come up"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Starts a station whose messages have waited for the broker, and counts how many of them the broker "
        "acknowledges in a second; then as many of paho alone, which keeps nothing."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("--messages", type=count, default=5000, metavar="N", help="that wait (default: %(default)s)")
    add_bench(parser)


def measure(stack: ExitStack, folder: Path, broker: tuple[str, int], options: argparse.Namespace) -> Figures:
    wire = ShoeWire()
    config = write_config(folder, broker, free_port(), wire.path)
    _fill(config, options.messages)
    with child(__name__, "station", str(config), str(options.messages)) as station:
        began, ended = map(int, station.line(DRAIN_SECONDS).split())
    host, port = broker
    with child(__name__, "paho", host, str(port), str(options.messages)) as paho:
        bare_began, bare_ended = map(int, paho.line(DRAIN_SECONDS).split())
    return {
        "messages": options.messages,
        "station_a_second": round(options.messages / (ended - began) * 1e9),
        "paho_a_second": round(options.messages / (bare_ended - bare_began) * 1e9),
    }


def _fill(config_file: Path, messages: int) -> None:
    """A journal as a station leaves it that has not seen its broker for a while."""
    from controller.config.file import read_config
    from controller.engine.state.events import DeviceReported
    from controller.journal.records import Batch, JournalEntry, OutboxRow
    from controller.journal.sealing import Seal, read_key
    from controller.journal.store import Journal
    from controller.runtime.clock import Clock

    config, clock = read_config(config_file), Clock()
    seal = Seal(read_key(config.seal_key_file, create=True))
    entry = JournalEntry(event=DeviceReported(device="shoe", what="noise", details="bench"))
    with closing(Journal(config.journal, seal, config.mode)) as journal:
        journal.restore()
        for first in range(1, messages + 1, AT_ONCE):
            waiting = range(first, min(first + AT_ONCE, messages + 1))
            outbox = [OutboxRow(number, f"bench/drain/{number}", bytes(PAYLOAD_BYTES)) for number in waiting]
            journal.commit(Batch(stamp=clock.stamp(), entries=[entry] * len(outbox), outbox=outbox))


def rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    return [
        Row(
            "messages that waited, to the broker",
            f"{figures['station_a_second']:,} a second",
            f"{figures['paho_a_second']:,} paho alone",
        )
    ]


def run_station(config_file: str, messages: str) -> None:
    """The station as `run` runs it; says when the first of them was acknowledged and when the last."""
    from controller.config.file import read_config
    from controller.runtime.bus import BrokerAcknowledged
    from controller.station import Station

    times: list[int] = []

    def acknowledged(of: BrokerAcknowledged) -> None:
        sequence = of.sequence
        if sequence == 1 or sequence == int(messages):
            times.append(time.monotonic_ns())
        if sequence == int(messages):
            print_line(f"{times[0]} {times[-1]}")

    async def opened() -> Station:
        station = await Station.open(read_config(Path(config_file)))
        station.bus.subscribe(BrokerAcknowledged, acknowledged)
        return station

    serve(opened())


def run_paho(host: str, port: str, messages: str) -> None:
    """What is published without journal or order; says when the first was acknowledged and when the last."""
    import paho.mqtt.client as paho
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    times: list[int] = []
    done = threading.Event()

    def acknowledged(*_: object) -> None:
        times.append(time.monotonic_ns())
        if len(times) == int(messages):
            done.set()

    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.on_publish = acknowledged
    client.connect(host, int(port))
    client.loop_start()
    print_line("ready")
    for number in range(int(messages)):
        client.publish(f"bench/drain/{number}", bytes(PAYLOAD_BYTES), qos=1)
    done.wait()
    print_line(f"{times[0]} {times[-1]}")
    client.loop_stop()


if __name__ == "__main__":
    if sys.argv[1] == "station":
        run_station(*sys.argv[2:])
    else:
        run_paho(*sys.argv[2:])
