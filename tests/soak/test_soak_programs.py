"""The programs of the benchmarks, in the shape of their rows, and the console's tests at pages that draw late."""

import subprocess
import sys
from pathlib import Path

from controller.rulebook.games import GAMES
from tests.benchmarks.console import STAGES
from tests.benchmarks.test_benchmarks_bench import measured


def test_the_archive_is_filled_and_asked() -> None:
    found = measured("archive", "--rounds", "2000")
    assert 1000 < found["rounds"] <= 2000 < found["lines"]
    assert len(found["questions"]) == 12, "ten, and two answers to the page"
    assert found["kb_a_round_of_the_month"] > 0 and found["kb_a_round"]["messages"] > 0


def test_a_follower_of_differences_receives_less() -> None:
    found = measured("octets", "--rounds", "1", "--speed", "max")
    assert all(0 < found[game]["state/differences"] < found[game]["state"] for game in GAMES)


def test_a_head_office_follows_two_properties() -> None:
    found = measured("group", "--seconds", "1", "--cut", "1")
    assert found["messages"] == 2 * 4 * 15 and found["lag"]["p99_ms"] > 0 and found["wal_mb_when_given_up"] > 0


def test_messages_that_waited_are_drained() -> None:
    found = measured("drain", "--messages", "300")
    assert found["messages"] == 300 and found["station_a_second"] > 0 and found["paho_a_second"] > 0


def test_a_start_after_a_backlog() -> None:
    found = measured("backlog", "--rounds", "20", "--pace", "100", "--starts", "1")
    assert (found["messages"], found["events"]) == (920, 1200)
    assert all(value > 0 for value in found["start_seconds"].values())
    assert 100 > found["file_mb"]["written"] >= found["file_mb"]["settled"] > 0
    assert found["below_100_mb_after_seconds"] == 0.0


def test_a_few_cards_and_a_load_in_a_browser() -> None:
    found = measured("console", "--cards", "2", "--loads", "1")
    assert (found.pop("loads"), found.pop("cards")) == (1, 2)
    assert found.pop("browser") and found.pop("clock_bound_ms") > 0
    for name in ("first_paint", "table_drawn", "table_shown"):
        load = found.pop(name)
        assert 0 < load["p50_ms"] == load["longest_ms"]
    assert list(found) == [*STAGES, "card_to_screen"]
    assert all(set(row) == {"p50_ms", "p99_ms", "longest_ms"} for row in found.values())
    assert all(0 < row["p50_ms"] <= row["longest_ms"] for name, row in found.items() if name != "received")


CONSOLE = Path(__file__).parents[1] / "console"


def test_every_test_of_the_console_waits_for_what_it_looks_at() -> None:
    # The browser holds a loop of its own in its thread.
    command = [sys.executable, "-m", "pytest", "-q", "--late", str(CONSOLE)]
    done = subprocess.run(command, cwd=CONSOLE.parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
