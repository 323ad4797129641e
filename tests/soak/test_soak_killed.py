"""The long kill tests: daemon, broker, pit and database are killed again and again, and nothing is lost or doubled."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.pit.kept import kept
from tests.pit.replicated import Replicated, folder_of_a_database
from tests.pit.test_pit_views import differences
from tests.station.asking import Subscriber, played
from tests.station.kill_play import KillPlay
from tests.station.kill_questions import INSURANCE, ON_HOLD, PRIZE, SPLIT, QuestionKills
from tests.station.processes import Mosquitto, archived_table, patiently


def test_two_hundred_rounds_with_five_kills_in_every_phase_equal_the_referees(tmp_path: Path) -> None:
    KillPlay(tmp_path, 200, 120, 5, 23).run(seconds=900)


@pytest.mark.parametrize(
    "options",
    [
        ("--source", "shoe"),
        ("--faults", "0.3"),
        ("--source", "shoe", "--faults", "0.3"),
        ("--game", "fortune-3-card-poker-2008", "--faults", "0.3"),
        ("--game", "fortune-8", "--faults", "0.3"),
        ("--game", "fortune-8", "--source", "shoe", "--faults", "0.3"),
        ("--game", "blackjack-21", "--faults", "0.1"),
        ("--game", "blackjack-21", "--source", "shoe", "--faults", "0.1"),
        ("--game", "taiwan-pai-kao", "--faults", "0.1"),
    ],
)
def test_a_hundred_rounds_killed_by_the_shoe_and_with_faults_equal_the_referees(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    KillPlay(tmp_path, 100, 60, 1, 31, *options).run(seconds=900)


@pytest.mark.parametrize("options", [(), ("--faults", "0.1")], ids=["calm", "faults"])
def test_four_hundred_rounds_of_black_jack_killed_at_every_kind_of_moment_equal_the_referees(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    least = {SPLIT: 15, INSURANCE: 15, PRIZE: 3, ON_HOLD: 10}
    QuestionKills(tmp_path, 400, least, 3, "--chip-rate", "1", *options).run(seconds=900)


def test_every_message_of_three_hundred_rounds_is_there_though_the_broker_was_killed_twenty_times(
    tmp_path: Path,
) -> None:
    print(played(tmp_path, 300, 20, 900))


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
            patiently(
                lambda: subscriber.through >= last, 120, lambda: f"the archive's word; {pit.log.read_text()[-2000:]}"
            )
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
