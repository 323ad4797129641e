"""Processes of a pit with one linked pot."""

import itertools
import subprocess
import sys
from pathlib import Path

from tests.station.processes import Mosquitto


class Pits:
    """One process leads, the others wait for its end."""

    def __init__(self, folder: Path, broker: Mosquitto, database: str, tables: int, processes: int = 2) -> None:
        self._command = [sys.executable, "-m", "tests.pit.link_pit", str(broker.port), database]
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
