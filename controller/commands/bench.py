"""`dealer-station bench latency`: a card report complete on the wire, durable, and acknowledged by the broker.

Three processes: this one is the shoe and the clock, one runs the station, one is a bare bridge without journal or rules
(a pyserial thread that publishes what it reads through paho). Both are asked in turn, so that a change in the machine's
speed meets both alike; with a replay every other round has one, for which a process more asks. Times are
CLOCK_MONOTONIC, one clock for all processes of a machine.
"""

import argparse
import os
import signal
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from controller.command_line.argument import count
from controller.command_line.output import EXIT_UNAVAILABLE
from controller.commands.bench_table import (
    CARDS_A_ROUND,
    BenchFailed,
    Dealer,
    Figures,
    ShoeWire,
    add_bench,
    child,
    percentiles,
    print_head,
    print_line,
    print_progress,
    print_row,
    run_bench,
    serve,
    write_config,
)
from controller.system.addresses import free_port

REPORT_BYTES = 8
WIRE_MILLISECONDS = 16.7  # 8 bytes of 10 bits at 4800 baud
EXAMPLES = """\
examples:
  dealer-station bench latency
  dealer-station bench latency --cards 10000 --json
  dealer-station bench latency --replay                       and while the floor has messages repeated
  dealer-station bench latency --dir /var/lib/dealer-station   with the journal on the disk that will hold it

exit codes: 0 measured, 69 the broker is missing or does not answer"""
HELP = "a card report complete on the wire, durable, and acknowledged by the broker"
TABLE = "dealer/bench/table"
REPEATS = 100  # messages asked for at once, again and again: as many are there once two rounds are played
PAUSE_SECONDS = 0.002  # between two reports: each finds the processes asleep, as a card at a table does


def add_arguments(parser: argparse.ArgumentParser) -> None:
    measures = parser.add_subparsers(required=True, metavar="MEASURE")
    add_latency(measures.add_parser("latency", help=HELP))


def add_latency(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the measure to its parser."""
    parser.epilog = EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--cards", type=count, default=2000, metavar="N", help="reports to measure (default: %(default)s)"
    )
    parser.add_argument("--replay", action="store_true", help="as many again while the floor asks for messages")
    add_bench(parser)


def run(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    try:
        return measure_latency(options)
    except BenchFailed as failure:
        print(f"dealer-station: {failure}", file=sys.stderr)
        return EXIT_UNAVAILABLE


def measure_latency(options: argparse.Namespace) -> int:
    """Measures and prints; returns the exit code 0. Raises BenchFailed."""
    return run_bench(options, _measure, _print)


def _measure(stack: ExitStack, folder: Path, broker: tuple[str, int], options: argparse.Namespace) -> Figures:
    station_wire, bridge_wire = ShoeWire(), ShoeWire()
    console = free_port()
    config = write_config(folder, broker, console, station_wire.path)
    host, port = broker
    station = stack.enter_context(child(__name__, "station", str(config)))
    bridge = stack.enter_context(child(__name__, "bridge", bridge_wire.path, host, str(port)))
    asker = stack.enter_context(child(__name__, "asker", host, str(port))) if options.replay else None
    dealer = Dealer(console)
    durable, acknowledged, bare, meanwhile = [], [], [], []
    count, lasted = 0, 0
    plain = 1 + -(-options.cards // CARDS_A_ROUND)  # the first finds cold caches and is not counted
    for number in range(1, 2 * plain if asker else 1 + plain):
        replaying = asker if number > 1 and number % 2 else None
        dealer.until_the_deal(number)
        if replaying:
            os.kill(replaying.pid, signal.SIGUSR1)
            replaying.line()
        for card in range(CARDS_A_ROUND):
            began = station_wire.card(card)
            committed, answered = map(int, station.line().split())
            if replaying:
                meanwhile.append(answered - began)
            else:
                durable.append(committed - began)
                acknowledged.append(answered - began)
            time.sleep(PAUSE_SECONDS)
            began = bridge_wire.card(card)
            received_at = int(bridge.line())
            if not replaying:
                bare.append(received_at - began)
            time.sleep(PAUSE_SECONDS)
            print_progress(len(durable), plain * CARDS_A_ROUND, "cards")
        if replaying:
            os.kill(replaying.pid, signal.SIGUSR2)
            messages, nanoseconds = map(int, replaying.line().split())
            count, lasted = count + messages, lasted + nanoseconds
        dealer.after_the_deal(number)
    figures: Figures = {
        "cards": len(durable) - CARDS_A_ROUND,
        "station_durable": percentiles(durable[CARDS_A_ROUND:]),
        "station_acknowledged": percentiles(acknowledged[CARDS_A_ROUND:]),
        "bare_bridge_acknowledged": percentiles(bare[CARDS_A_ROUND:]),
    }
    figures["ratio_p50"] = round(
        figures["station_acknowledged"]["p50_ms"] / figures["bare_bridge_acknowledged"]["p50_ms"], 2
    )
    if asker:
        figures["station_acknowledged_during_replay"] = percentiles(meanwhile)
        figures["repeated_a_second"] = round(count / lasted * 1e9)
    return figures


def _print(figures: Figures) -> None:
    print_head(f"{figures['cards']} card reports of {REPORT_BYTES} bytes, from complete on the pseudo-terminal to")
    print_row("station: durable in the journal", figures["station_durable"])
    print_row("station: PUBACK of its message", figures["station_acknowledged"])
    if "repeated_a_second" in figures:
        again = f"station: PUBACK while {figures['repeated_a_second']} messages a second are repeated"
        print_row(again, figures["station_acknowledged_during_replay"])
    print_row("bare bridge (pyserial thread, paho QoS 1): PUBACK", figures["bare_bridge_acknowledged"])
    print(f"  the station takes {figures['ratio_p50']} times the bare bridge (p50)")
    print(
        f"The wire itself takes {WIRE_MILLISECONDS} ms for such a report at 4800 baud, which is not in these figures."
    )


def run_station(config_file: str) -> None:
    """Run the station as `run` does; print when each card was durable and when its message was acknowledged."""
    from controller.config.file import read_config
    from controller.rulebook.events import CardsDealt
    from controller.runtime.bus import BrokerAcknowledged, CommitPublished, Committed
    from controller.station import Station

    waiting: dict[int, int] = {}

    def committed(commit: Committed) -> None:
        now = time.monotonic_ns()
        for event, row in zip(commit.events, commit.outbox, strict=False):
            if isinstance(event, CardsDealt):
                waiting[row.sequence] = now

    def acknowledged(message: BrokerAcknowledged) -> None:
        if message.sequence in waiting:
            print_line(f"{waiting.pop(message.sequence)} {time.monotonic_ns()}")

    async def opened() -> Station:
        station = await Station.open(read_config(Path(config_file)))
        station.bus.subscribe(CommitPublished, committed)
        station.bus.subscribe(BrokerAcknowledged, acknowledged)
        return station

    serve(opened())


def run_bridge(wire: str, host: str, port: str) -> None:
    """Run a bridge without journal, rules or order: it reads a report, publishes it with QoS 1, and receives the
    PUBACK.
    """
    import paho.mqtt.client as paho
    import serial
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.on_publish = lambda *_: print_line(str(time.monotonic_ns()))
    client.connect(host, int(port))
    if isinstance(connection := client.socket(), socket.socket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.loop_start()
    line = serial.Serial(wire, 4800)
    print_line("ready")
    while True:
        report = line.read(REPORT_BYTES)
        client.publish("bench/bridge", report.hex(), qos=1)


def run_asker(host: str, port: str) -> None:
    """Run a client that requests messages again from SIGUSR1 to SIGUSR2; print when the first came, then how many."""
    import paho.mqtt.client as paho
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    asking, came, began = False, 0, 0
    how = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    answers = how.ResponseTopic = f"{TABLE}/answers/bench"

    def connected(client: paho.Client, *_: object) -> None:
        client.subscribe(answers, qos=1)

    def ask() -> None:
        client.publish(f"{TABLE}/requests/replay", f'{{"first": 1, "last": {REPEATS}}}', qos=1, properties=how)

    def received_at(_client: object, _data: object, message: paho.MQTTMessage) -> None:
        nonlocal came, began
        if b"dealer.station.answer" in message.payload and not asking:
            print_line(f"{came} {time.monotonic_ns() - began}")
        elif b"dealer.station.answer" in message.payload:
            ask()
        else:
            came += 1
            if came == 1:
                began = time.monotonic_ns()
                print_line("asking")

    signals = {signal.SIGUSR1, signal.SIGUSR2}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.on_message = received_at
    client.on_connect = connected
    client.on_subscribe = lambda *_: print_line("ready")
    client.connect(host, int(port))
    client.loop_start()
    while True:
        asking = signal.sigwait(signals) == signal.SIGUSR1
        if asking:
            came = 0
            ask()


if __name__ == "__main__":
    if sys.argv[1] == "station":
        run_station(sys.argv[2])
    elif sys.argv[1] == "bridge":
        run_bridge(*sys.argv[2:])
    else:
        run_asker(*sys.argv[2:])
