"""Station, broker, pit and database are killed in turn while a table plays: the archive has every message once."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.pit.kept import kept
from tests.pit.replicated import Replicated, folder_of_a_database
from tests.pit.test_pit_views import differences
from tests.station.asking import Subscriber
from tests.station.processes import Mosquitto, archived_table, patiently

KILLS = 30  # of each
ROUNDS = 240
SECONDS = 1500
CONFIG = '[floor]\nbroker = "{broker}"\n[archive]\nname = "hall"\ndatabase = "{database}"\n'


class Pit:
    """Two processes of `dealer-pit run`: one leads, the other waits for it to fall."""

    def __init__(self, folder: Path, broker: str, database: str) -> None:
        folder.mkdir()
        self._config = folder / "pit.toml"
        self._config.write_text(CONFIG.format(broker=broker, database=database))
        self.log = folder / "log"
        self._processes = [self._start(), self._start()]

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "controller.pit", "run", "--config", str(self._config)]
        with self.log.open("ab") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self) -> None:
        """Kill the one that has run longer, which leads as far as nothing else has happened, and start it again."""
        self._processes[0].kill()
        self._processes.pop(0).wait()
        self._processes.append(self._start())

    def stop(self) -> list[int]:
        """End both; their exit codes."""
        for process in self._processes:
            process.terminate()
        return [process.wait(20) for process in self._processes]


@contextmanager
def nodes() -> Iterator[Replicated]:
    with folder_of_a_database() as folder:
        found = Replicated(folder)
        try:
            yield found
        finally:
            found.stop()


@pytest.mark.timeout(SECONDS + 300)
def test_the_archive_has_every_message_once_whichever_process_is_killed(tmp_path: Path) -> None:
    with (
        nodes() as database,
        Mosquitto(tmp_path / "broker") as broker,
        archived_table(tmp_path / "table", broker, "hall", "--rounds", str(ROUNDS), "--seed", "9") as (bench, daemon),
        closing(Subscriber(broker.port)) as subscriber,
    ):
        pit = Pit(tmp_path / "pit", broker.url, database.database)

        def kill(number: int) -> None:
            match number % 4:
                case 0:
                    pit.kill()
                case 1:
                    broker.kill()
                    broker.start()
                case 2:
                    database.fail_over()
                case _:
                    daemon.kill()
                    daemon.start()

        try:
            daemon.start()
            for number in range(4 * KILLS):
                bench.wait_rounds(1 + number * (ROUNDS - 2) // (4 * KILLS), SECONDS)
                kill(number)
            bench.wait_finished(SECONDS)
            last = daemon.wait_answering()["as_of"]
            patiently(lambda: subscriber.through >= last, 120, f"the archive's word; {pit.log.read_text()[-2000:]}")
            subscriber.catch_up(last, 120)
            found = kept(database.database)[:last]
            assert [message.sequence for message in found] == list(range(1, last + 1))
            assert {message.sequence: message.content for message in found} == {
                sequence: subscriber.kept[sequence] for sequence in range(1, last + 1)
            }
            assert {counts[1:] for counts in differences(database.database).values()} == {(0, 0)}, (
                "rows of the messages"
            )
            print(f"{ROUNDS} rounds, {KILLS} kills of each, {last} messages, each once")
            assert daemon.terminate() == 0
        finally:
            ended = pit.stop()
        assert ended == [0, 0], pit.log.read_text()[-2000:]
