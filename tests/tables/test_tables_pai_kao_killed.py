"""A table of Taiwan-Pai Kao whose daemon is killed at the dice, while pairs are placed, and when the
capital has cut."""

import re
import threading
import time
from pathlib import Path

import pytest

from controller.engine.state.table import Table, next_step
from controller.rulebook.taiwan_pai_kao.state import tiles_of
from tests.station.journal_eye import JournalEye
from tests.station.kill_play import KillPlay, Sight
from tests.station.processes import Bench, Daemon
from tests.station.screen import Stream

DICE, ARRANGE, CUT = "dice", "arrange", "a settlement cut by the capital"
STEPS = {
    DICE: re.compile(rb'"step":\{"id":"\d+/dice/'),
    ARRANGE: re.compile(rb'"step":\{"id":"\d+/arrange"'),
    CUT: re.compile(rb'"step":\{"id":"\d+/confirm".*"limited":true'),
}


def hit(table: Table) -> str | None:
    """At which of the steps a table remains."""
    step = next_step(table)
    if step.kind == "confirm" and table.round is not None:
        settled = tiles_of(table.round).settlement
        return CUT if settled is not None and settled.banker and settled.banker.limited else None
    return {"dice": DICE, "arrange": ARRANGE}.get(step.kind)


class KilledAtSteps(KillPlay):
    """Kills at each of the steps until it was hit, as the screen shows it and the journal says afterwards."""

    def _play(self, bench: Bench, daemon: Daemon, sight: Sight, deadline: float) -> None:
        started = time.monotonic()
        eye = JournalEye(self._directory / "state" / "journal.db")
        daemon.start()
        daemon.wait_answering()
        while not bench.finished.is_set():
            assert not bench.failed, bench.complaints.read_text()
            assert time.monotonic() < deadline, f"not done in time: {bench.rounds} rounds, {self.account.hit}"
            missing = [step for step in STEPS if not self.account.hit[step]]
            if not missing:
                time.sleep(0.005)
            elif self._killed_at(missing, bench, daemon):
                eye.look()
                self.account.hit[hit(eye.table) or "elsewhere"] += 1
                began = time.monotonic()
                daemon.start()
                daemon.wait_answering()
                self.account.restarts.append(time.monotonic() - began)
        self.account.seconds, self.account.rounds = time.monotonic() - started, bench.rounds

    def _killed_at(self, steps: list[str], bench: Bench, daemon: Daemon) -> bool:
        """Kill the daemon as soon as the screen shows one of these steps; false when the play was over first."""
        killed = threading.Event()

        def seen(projection: bytes) -> None:
            if not killed.is_set() and any(STEPS[step].search(projection) for step in steps):
                daemon.kill()
                killed.set()

        stream = Stream(daemon.address, seen)
        try:
            while not killed.wait(0.05):
                if bench.finished.is_set() or bench.failed:
                    return False
        finally:
            stream.close()
        return True


@pytest.mark.soak
def test_a_daemon_killed_at_a_pai_kao_table_loses_and_doubles_nothing(tmp_path: Path) -> None:
    play = KilledAtSteps(tmp_path, 20, 3, 0, 3, "--game", "taiwan-pai-kao", "--places", "mixed")
    account = play.run(seconds=200)
    assert all(account.hit[step] for step in STEPS), account.hit
