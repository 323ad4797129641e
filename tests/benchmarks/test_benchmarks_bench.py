"""`python -m tests.benchmarks` and `dealer-station bench latency`: the shape of what they find; no figure of it."""

import json
import os
import subprocess
import sys
import time
from typing import Any

import pytest

from controller.engine.state.applied import Event, fold
from controller.engine.state.table import Table
from tests.benchmarks import __main__ as benchmarks
from tests.benchmarks import engine, journal
from tests.benchmarks.__main__ import MEASURES, main
from tests.benchmarks.engine import Rounds, decks
from tests.benchmarks.screens import FRAME, work_of_frames
from tests.benchmarks.station import resident, taken


def measured(name: str, *options: str) -> Any:
    """What a measure finds, which its rows can be made of."""
    command = [sys.executable, "-m", "tests.benchmarks", name, *options, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert MEASURES[name].rows(found)
    return found


def test_a_round_of_the_engine_s_table_is_whole_and_folds_to_the_same() -> None:
    rounds = Rounds()
    for deck in decks(2):
        rounds.play(deck)
    events: list[Event] = [event for _, decision in rounds.taken() for event in decision.events]
    assert rounds.taken() == [] and rounds.table.rounds == 2 and rounds.table.round is None
    assert fold(Table(), events) == rounds.table and not rounds.table.slots


def test_a_hit_among_the_rounds_of_the_engine_is_paid() -> None:
    rounds = Rounds()
    for deck in decks(60):
        rounds.play(deck)
    assert rounds.table.rounds == 60 and rounds.table.meter is not None
    assert [hit.state for hit in rounds.table.meter.hits] == ["paid"]


def test_rounds_and_events_of_the_engine() -> None:
    found = engine.measure(rounds=1)
    assert len(engine.rows(found)) == 2
    assert found.pop("rounds") == 3 and all(value > 0 for value in found.values())
    assert list(found) == [
        "events_a_round", "rounds_a_second", "events_folded_a_second", "events_written_as_json_a_second"
    ]  # fmt: skip


def test_commits_and_bytes_of_the_journal(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "--rounds", "1", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert len(journal.rows(found)) == 4 and found["rounds_judged_a_second"] > 0
    assert found["rounds"] == 1 and found["commits"] > 40 and found["bytes_a_round"] > found["event_bytes_a_round"] > 0
    assert 0 < found["segment_bytes_a_round"] < found["event_bytes_a_round"]
    assert set(found["commit"]) == set(found["plain_file"]) == {"p50_ms", "p99_ms", "longest_ms"}


@pytest.mark.soak
def test_memory_of_a_station_that_was_started_for_it() -> None:
    found = measured("memory", "--rounds", "1")
    assert found["rounds"] == 1 and found["station_mb"] > found["bare_bridge_mb"] > 0
    own, libraries = found["import"], found["import_of_libraries"]
    assert found["station_mb"] > own["mb"] > libraries["mb"] > 0 and own["ms"] > 0 < libraries["ms"]


def test_what_a_process_takes_is_what_its_threads_take() -> None:
    before, began = taken(os.getpid()), time.process_time_ns()
    sum(range(3_000_000))
    worked, now = time.process_time_ns() - began, taken(os.getpid())
    assert now[0] - before[0] >= worked / 2 and now[1] >= before[1] and resident(os.getpid()) > 10


def test_one_table_of_all_that_could_be_measured(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def measured(command: list[str]) -> tuple[int, bytes]:
        figures = {"station_percent": 0.5, "bare_bridge_percent": 0.1} if "idle" in command else None
        return 69 * (figures is None), json.dumps(figures).encode()

    monkeypatch.setattr(benchmarks, "_measured", measured)
    assert main(["all"]) == 69
    assert capfd.readouterr().out.splitlines() == [
        "| Measured | Here | Beside it, in the same run |",
        "| --- | --- | --- |",
        "| a processor's time, table at rest | 0.50 % | 0.10 % bare bridge |",
    ]
    assert main(["all", "--json"]) == 69
    assert json.loads(capfd.readouterr().out) == {"idle": {"station_percent": 0.5, "bare_bridge_percent": 0.1}}


def test_the_work_of_a_frame_has_what_is_inside_another_once() -> None:
    def event(name: str, at: int, took: int) -> dict[str, Any]:
        return {"name": name, "ph": "X", "ts": at, "dur": 2 * took, "tdur": took}

    events = [
        event(FRAME, 0, 10), event("FireAnimationFrame", 1000, 500), event("FunctionCall", 1100, 400),
        event("Layout", 2500, 250), event("RunTask", 2900, 900), event(FRAME, 4000, 10),
    ]  # fmt: skip
    assert work_of_frames(events) == [0.75]


def test_a_few_cards_beside_a_bare_bridge_and_a_replay() -> None:
    command = [sys.executable, "-m", "controller", "bench", "latency", "--cards", "1", "--replay", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found.pop("cards") == 24 and found.pop("ratio_p50") > 0 and found.pop("repeated_a_second") > 0
    assert list(found) == [
        "station_durable", "station_acknowledged", "bare_bridge_acknowledged", "station_acknowledged_during_replay"
    ]  # fmt: skip
    assert all(0 < row["p50_ms"] <= row["p99_ms"] <= row["longest_ms"] for row in found.values())
