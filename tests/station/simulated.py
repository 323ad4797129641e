"""A whole `dealer-station simulate` with everything it says collected: MQTT, screen, log, camera, final JSON."""

import json
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulators.broker import free_port
from tests.station.floor_ear import FloorEar, Published, kept_messages
from tests.station.forked import forked_run
from tests.station.processes import Mosquitto
from tests.station.screen import Stream, Unreachable, request

SECONDS = 220.0  # below the time limit of a test


@dataclass
class Played:
    """What a simulation left behind."""

    directory: Path
    rounds: int
    exit_code: int
    tally: dict[str, Any]
    log: str
    messages: list[Published]
    kept: dict[str, bytes]
    screens: list[bytes] = field(default_factory=list)

    @property
    def config(self) -> Path:
        """Its station.toml."""
        return self.directory / "station.toml"

    @property
    def camera(self) -> Path:
        """Its film."""
        return self.directory / "camera.jsonl"

    @property
    def journal(self) -> Path:
        """Its journal."""
        return self.directory / "state" / "journal.db"

    def film(self) -> list[dict[str, Any]]:
        """The camera's lines."""
        return [json.loads(line) for line in self.camera.read_text(encoding="utf-8").splitlines()]


@contextmanager
def watched_screen(address: tuple[str, int]) -> Iterator[list[bytes]]:
    """Every body of /stream, and of /table asked for now and then."""
    screens: list[bytes] = []
    over = threading.Event()

    def ask() -> None:
        while not over.wait(0.1):
            with suppress(Unreachable):
                screens.append(request(address, "GET", "/table")[1])

    asking = threading.Thread(target=ask)
    asking.start()
    stream = Stream(address, screens.append)
    try:
        yield screens
    finally:
        over.set()
        asking.join()
        stream.close()


def simulate(
    directory: Path,
    rounds: int,
    *options: str,
    speed: str = "max",
    seconds: float = SECONDS,
    program: str = "controller",
    watched: bool = False,
) -> Played:
    """Play and collect, the screens too where they are `watched`; `seconds` is how long it may take at most."""
    port = free_port()
    command = ["simulate", "--json", "--verbose", "--rounds", str(rounds), "--speed", speed]
    command += ["--listen", f"127.0.0.1:{port}", "--state-dir", str(directory)]
    command += ["--camera", str(directory / "camera.jsonl"), *options]
    with Mosquitto(directory / "broker") as broker, FloorEar(broker.port) as ear:
        unwatched: AbstractContextManager[list[bytes]] = nullcontext([])
        with watched_screen(("127.0.0.1", port)) if watched else unwatched as screens:
            code, stdout, log = forked_run(program, *command, "--broker", broker.url, seconds=seconds)
        assert code == 0, log[-3000:]
        tally = json.loads(stdout)
        ear.wait_sequence(tally["last_sequence"], 10)
        ear.catch_up()
        kept = kept_messages(broker.port)
    return Played(directory, rounds, code, tally, log, ear.messages, kept, screens)
