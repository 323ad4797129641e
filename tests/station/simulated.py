"""A whole `dealer-station simulate` with everything it says collected, and its books compared with the referee's."""

import json
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from controller.journal.sealing import Seal
from controller.queries.replayed import replay_journal
from simulators.broker import free_port
from tests.referee.film.judge import Report, judge
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
    return Played(directory, rounds, tally, log, ear.messages, kept, screens)


E4 = 10_000  # the ledger counts in 1/10 000 of a minor unit


def judged(
    config: Path,
    camera: Path,
    rounds: list[dict[str, Any]],
    *,
    away: bool = False,
    late: float = 0.0,
    caused: tuple[str, ...] = (),
) -> Report:
    """The referee's report; raises AssertionError on any difference between what was reported and what happened.

    `away`: the daemon was killed now and then, and did not receive all that the shoe reported. `late`: seconds that a
    device is still missing after its fault is over. `caused`: the beginnings of differences that the test itself has
    caused.
    """
    report = judge(config, camera, rounds, away=away, late=late)
    differences = [difference for difference in report.differences if not difference.startswith(caused)]
    assert not differences, "\n".join(differences[:20])
    assert len(rounds) == report.rounds - report.idle == report.settled + report.void
    assert report.unpaid == [], "a jackpot was won and not handed over"
    assert not report.carried, "the table was closed over carried chips"
    return report


def decided_again(journal: Path) -> None:
    """Decide every round of a journal again; raises AssertionError where anything differs."""
    seal = Seal((journal.parent / "seal.key").read_bytes())
    found = replay_journal(journal, "simulation", seal, lambda done, total: None, processes=1)
    assert found.rounds and not found.differences, found.differences[:3]
    assert found.different_notices == 0


def check_ledger(report: Report, ledger: dict[str, int]) -> None:
    """Hold the station's ledger against the referee's meter, to the last fraction, and hold the identity."""

    def e4(amount: Fraction) -> Fraction:
        return amount * E4

    assert ledger["initial"] == e4(report.initial)
    assert ledger["pot"] == e4(report.pot)
    assert ledger["reserve"] == e4(report.reserve)
    assert ledger["overflow"] == e4(report.overflow)
    assert ledger["contributions"] == e4(report.contributions)
    assert ledger["returned"] == e4(report.returned)
    assert ledger["house_funded"] == e4(report.house_funded)
    assert ledger["paid"] + ledger["pending"] == e4(report.awards)
    assert ledger["pending"] == 0
    assert (
        ledger["initial"] + ledger["contributions"] - ledger["returned"] + ledger["house_funded"]
        - ledger["paid"] + ledger["adjustments"]
        == ledger["pot"] + ledger["reserve"] + ledger["overflow"] + ledger["pending"]
    )  # fmt: skip
