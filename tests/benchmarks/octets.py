"""`python -m tests.benchmarks octets`: what a table of each game publishes in a round, and what its followers receive.

Each game is played at a station of its own, all beside each other, with differences of the state. A client of paho
counts the octets of the payloads by topic, and compares what a follower has made of them with every whole state.
"""

import argparse
import json
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from controller.command_line.argument import count
from controller.commands.bench_table import BenchFailed, Figures, add_bench, print_progress
from controller.rulebook.games import GAMES
from docs.examples.floor_state import Follower, merge
from tests.benchmarks.rows import Row
from tests.paho_end import hang_up
from tests.station.processes import Bench, Daemon, daemon_of, ended_at_last

ROUND_SECONDS = 600.0  # at most, whatever the speed
EXAMPLES = """\
examples:
  python -m tests.benchmarks octets
  python -m tests.benchmarks octets --speed human --rounds 9 --json

exit codes: 0 measured, 69 the broker is missing or does not answer, or a follower has another state"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Octets that a table of each game publishes in a round, by topic."
    parser.epilog = EXAMPLES
    parser.add_argument("--rounds", type=count, default=3, metavar="N", help="of each game (default: %(default)s)")
    parser.add_argument("--speed", default="8", help="as of dealer-station simulate (default: %(default)s)")
    add_bench(parser)


class _Counter:
    """The octets that each table has published, by the kind of topic."""

    def __init__(self, broker: tuple[str, int]) -> None:
        self.octets: dict[str, Counter[str]] = {game: Counter() for game in GAMES}
        self.differing: list[str] = []
        self._followers = {game: Follower(lambda: None, lambda: None) for game in GAMES}
        self.client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self.client.on_message = self._received
        self.client.connect(*broker)
        self.client.subscribe("dealer/#", 1)
        self.client.loop_start()

    def _received(self, client: paho.Client, userdata: object, message: paho.MQTTMessage) -> None:
        _, _, game, kind = message.topic.split("/", 3)
        self.octets[game][kind if kind in ("rounds", "state", "state/differences") else kind.split("/")[0]] += len(
            message.payload
        )
        follower = self._followers[game]
        if kind == "state/differences":
            follower.receive(kind, message.payload)
        elif kind == "state":
            state: dict[str, Any] = merge({}, json.loads(message.payload))
            if follower.state is None:
                follower.receive(kind, message.payload)
            elif follower.state != state:
                self.differing.append(state["id"])


def measure(stack: ExitStack, folder: Path, broker: tuple[str, int], options: argparse.Namespace) -> Figures:
    counter = _Counter(broker)
    stack.callback(hang_up, counter.client)
    tables = [_table(folder / game, game, broker, options) for game in GAMES]
    daemons, benches = [daemon for _, daemon in tables], [bench for bench, _ in tables]
    with ended_at_last(*daemons, *benches):
        for daemon in daemons:
            daemon.start()
        for number, bench in enumerate(benches, start=1):
            bench.wait_finished(ROUND_SECONDS * options.rounds)
            print_progress(number, len(benches), "games")
        for daemon in daemons:
            daemon.terminate()
    if counter.differing:
        raise BenchFailed(f"a follower had another state than {counter.differing[0]}")
    return {"rounds": options.rounds} | {
        game: {kind: round(octets / options.rounds) for kind, octets in found.items()}
        for game, found in counter.octets.items()
    }


def _table(folder: Path, game: str, broker: tuple[str, int], options: argparse.Namespace) -> tuple[Bench, Daemon]:
    host, port = broker
    own = ("--game", game, "--table", game, "--rounds", str(options.rounds), "--speed", options.speed)
    bench = Bench(folder, *own, "--broker", f"mqtt://{host}:{port}")
    bench.wait_ready()
    text = bench.config.read_text(encoding="utf-8")
    bench.config.write_text(text.replace("[floor]\n", "[floor]\nstate_differences = true\n"), encoding="utf-8")
    return bench, daemon_of(bench)


def rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    found = []
    for game in GAMES:
        own: dict[str, int] = figures[game]
        state, differences = own["state"], own["state/differences"]
        share, rest = differences / state, sum(own.values()) - differences
        found += [
            Row(
                f"{game}: differences of state, a round",
                f"{differences / 1000:.1f} kB ({share:.0%})",
                f"{state / 1000:.1f} kB whole states, {rest / 1000:.1f} kB everything else with them",
            )
        ]
    return found
