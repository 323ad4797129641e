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

    killed_again = 0.0

    def _note(self, eye: JournalEye) -> None:
        eye.look()
        self.account.hit[hit(eye.table) or "elsewhere"] += 1

    def _killed(self, bench: Bench, daemon: Daemon, sight: Sight) -> bool:
        """Kill the daemon as soon as the screen shows a step that is missing; false when the play was over first."""
        steps = [step for step in STEPS if not self.account.hit[step]]
        if not steps:
            time.sleep(0.005)
            return False
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
