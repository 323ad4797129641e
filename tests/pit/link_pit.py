"""A process of a pit with one linked pot, to be killed: PORT DATABASE HOLDER TABLES MARKS."""

import asyncio
import itertools
import subprocess
import sys
from pathlib import Path

from controller.engine.state.jackpot import MeterOpened
from controller.floor.broker import Broker
from controller.pit.ledger.state import PotLedger, new_ledger
from controller.pit.linking import Linking
from controller.pit.marks import Marks
from controller.pit.service import Service, ServiceIntervals
from controller.system.tasks import for_good
from tests.link.entries import FORTUNE, PARAMETERS, PIT_KEY, table_keys
from tests.pit.linked_tables import LINK

OPENED = MeterOpened(20_100, 300, PARAMETERS)


def opening(tables: int) -> PotLedger:
    """A pot of so many tables."""
    names = tuple(f"macau-1/t-{number}" for number in range(tables))
    return new_ledger(LINK, FORTUNE, names, OPENED, table_keys(*names))


class Pits:
    """One process leads, the others wait for its end."""

    def __init__(self, folder: Path, port: int, database: str, tables: int, processes: int = 2) -> None:
        self._command = [sys.executable, "-m", "tests.pit.link_pit", str(port), database]
        self._marks = folder / "marks"
        self._tables, self.log, self._numbers = str(tables), folder / "pit.log", itertools.count(1)
        self._processes = [self._start() for _ in range(processes)]

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [*self._command, f"pit {next(self._numbers)}", self._tables, str(self._marks)]
        with self.log.open("ab") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start(self) -> None:
        """Start another one."""
        self._processes.append(self._start())

    def kill_oldest(self) -> None:
        """Kill the one that has run longer."""
        process = self._processes.pop(0)
        process.kill()
        process.wait()

    def stop(self) -> None:
        """End all."""
        while self._processes:
            self.kill_oldest()


if __name__ == "__main__":
    port, database, holder, tables, marks = sys.argv[1:]
    link = Linking(opening(int(tables)), database, PIT_KEY, Marks(Path(marks)))
    pit = Service(Broker("127.0.0.1", int(port)), "pit-1", database, holder, ServiceIntervals(retry=0.2), [link])
    for_good()
    asyncio.run(pit.run())
