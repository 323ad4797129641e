"""A table played while its daemon is killed again and again: aimed at every phase, counted by what was really hit.

The aim is the screen's stream: the daemon is killed when the wanted phase appears there, plus up to 5 ms. What was hit
is read from the journal afterwards, since that is what a restart continues from.
"""

import random
import re
import statistics
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import msgspec

from controller.rulebook.steps import Phase
from simulators.broker import free_port
from tests.station.floor_ear import FloorEar, Published, redelivered, round_messages, sequenced
from tests.station.journal_eye import JournalEye
from tests.station.processes import Bench, Daemon, Mosquitto, ended_at_last, patiently
from tests.station.screen import Stream
from tests.station.simulated import check_ledger, judged

PHASES: tuple[str, ...] = get_args(Phase)
# Nothing is decided or turned in a game that is dealt face up, and a dispenser is not waited for to shuffle.
PHASES_FACE_UP = ("wagers", "deal", "settle", "claims")
PHASES_OF = {
    "fortune-8": PHASES_FACE_UP,
    "blackjack-21": ("wagers", "deal", "decisions", "settle", "claims"),
}
BETWEEN = "between rounds"
AIM_SECONDS = 3.0  # then whatever happens is killed
LONGEST_DELAY_SECONDS = 0.005
ANYTIME_SHARE = 0.2  # of the kills are not aimed at all; they hit the start of the daemon too
LEDGER = (
    "initial", "pot", "reserve", "overflow", "pending", "contributions", "returned", "paid", "house_funded",
    "adjustments",
)  # fmt: skip
_PHASE = re.compile(rb'"phase":"(\w+)"')


@dataclass
class Account:
    """What came of it."""

    rounds: int = 0
    hit: Counter[str] = field(default_factory=Counter)
    restarts: list[float] = field(default_factory=list)
    redelivered: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        hit = ", ".join(f"{phase} {self.hit[phase]}" for phase in (*PHASES, BETWEEN) if self.hit[phase])
        restarts = sorted(self.restarts)
        return (
            f"{self.rounds} rounds in {self.seconds:.0f} s, {self.hit.total()} kills: {hit}; "
            f"restart to first answer {statistics.median(restarts):.2f} s (median), {restarts[-1]:.2f} s (longest); "
            f"{self.redelivered} messages redelivered"
        )


class Sight:
    """Watches the stream and says when a phase appears."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._wanted: str | None = None
        self._last: str | None = None
        self._there = threading.Event()
        self._stream = Stream(address, self._seen)

    def _seen(self, projection: bytes) -> None:
        found = _PHASE.search(projection)
        phase = found[1].decode() if found else None
        if phase != self._last and phase == self._wanted:
            self._there.set()
        self._last = phase

    def wait(self, phase: str, seconds: float) -> bool:
        """Wait until this phase begins; false when it did not in time."""
        self._there.clear()
        self._wanted = phase
        return self._there.wait(seconds)

    def close(self) -> None:
        """Stop watching."""
        self._stream.close()


class KillPlay:
    """Rounds with kills spread over them; `least` kills in every phase, or AssertionError; `options` for the bench."""

    killed_again = ANYTIME_SHARE / 2  # of the starts

    def __init__(self, directory: Path, rounds: int, kills: int, least: int, seed: int, *options: str) -> None:
        self._directory = directory
        self._rounds, self._kills, self._least, self._seed = rounds, kills, least, seed
        self._options = options
        self._random = random.Random(seed)
        self.account = Account()
        self._phases = next((PHASES_OF[option] for option in options if option in PHASES_OF), PHASES)

    def run(self, seconds: float) -> Account:
        """Play, kill, and hold everything against the referee; within so many seconds."""
        address = ("127.0.0.1", free_port())
        with Mosquitto(self._directory / "broker") as broker:
            options = ["--rounds", str(self._rounds), "--speed", "max", "--seed", str(self._seed)]
            options += ["--broker", broker.url, "--listen", f"127.0.0.1:{address[1]}", *self._options]
            bench = Bench(self._directory, *options)
            daemon = Daemon(bench.config, address)
            with ended_at_last(daemon, bench):
                bench.wait_ready()
                ear = FloorEar(broker.port)
                sight = Sight(address)
                try:
                    self._play(bench, daemon, sight, time.monotonic() + seconds)
                    self._end(daemon, ear)
                finally:
                    sight.close()
                    ear.close()
        self._judge(bench, ear.messages)
        return self.account

    def _play(self, bench: Bench, daemon: Daemon, sight: Sight, deadline: float) -> None:
        began = time.monotonic()
        eye = JournalEye(self._directory / "state" / "journal.db")
        daemon.start()
        daemon.wait_answering()
        while not bench.finished.is_set():
            assert not bench.failed, bench.complaints.read_text()
            assert time.monotonic() < deadline, f"not done in time: {bench.rounds} rounds, {self.account.hit}"
            if self._killed(bench, daemon, sight):
                self._note(eye)
                self._restart(daemon, eye)
        self.account.seconds = time.monotonic() - began
        self.account.rounds = bench.rounds

    def _killed(self, bench: Bench, daemon: Daemon, sight: Sight) -> bool:
        """Kill the daemon; false when it is not the time for it."""
        # The kills are spread: no more of them than the share of the rounds that is over, or else they pile up.
        if self.account.hit.total() * self._rounds > bench.rounds * self._kills or bench.rounds == self._rounds:
            time.sleep(0.005)
            return False
        if self._random.random() < ANYTIME_SHARE:
            time.sleep(self._random.uniform(0, 0.5))
        else:
            fewest = min(self._phases, key=lambda phase: (self.account.hit[phase], self._random.random()))
            sight.wait(fewest, AIM_SECONDS)
            time.sleep(self._random.uniform(0, LONGEST_DELAY_SECONDS))
        if bench.finished.is_set():
            return False
        daemon.kill()
        return True

    def _note(self, eye: JournalEye) -> None:
        """What the journal has after a kill."""
        self.account.hit[eye.look() or BETWEEN] += 1

    def _restart(self, daemon: Daemon, eye: JournalEye) -> None:
        began = time.monotonic()
        daemon.start()
        while self._random.random() < self.killed_again:
            time.sleep(self._random.uniform(0, 0.6))  # a start takes about so long
            daemon.kill()
            self._note(eye)
            began = time.monotonic()
            daemon.start()
        daemon.wait_answering()
        self.account.restarts.append(time.monotonic() - began)

    def _end(self, daemon: Daemon, ear: FloorEar) -> None:
        table = daemon.wait_answering()
        ear.wait_sequence(table["as_of"], 20)
        # The floor's last link message may still be on its way to the journal.
        patiently(lambda: self._all_published(daemon, ear), 10, "the end of the outbox")
        assert daemon.terminate() == 0

    def _all_published(self, daemon: Daemon, ear: FloorEar) -> bool:
        return bool(len(sequenced(ear.messages)) == daemon.wait_answering()["as_of"])

    def _judge(self, bench: Bench, messages: list[Published]) -> None:
        assert len(sequenced(messages)) > 0
        self.account.redelivered = redelivered(messages)
        print(f"\nkills: {self.account}")
        report = judged(bench.config, bench.camera, round_messages(messages), away=True)
        self.account.notes = report.notes
        assert report.rounds == self._rounds
        eye = JournalEye(self._directory / "state" / "journal.db")
        eye.look()
        meter = eye.table.meter
        assert (meter is None) == (report.initial == 0), "a game without a jackpot has no meter"
        if meter is not None:
            books = msgspec.to_builtins(meter)
            check_ledger(report, {name: books[f"{name}_e4"] for name in LEDGER})
        for note in self.account.notes:
            print(f"  {note}")
        few = [phase for phase in self._phases if self.account.hit[phase] < self._least]
        assert not few, f"fewer than {self._least} kills in {few}: {self.account}"
