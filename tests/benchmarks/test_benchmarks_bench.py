"""`python -m tests.benchmarks` and `dealer-station bench latency`: the shape of what they find and what they refuse."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from controller.commands.bench_table import BenchFailed, percentiles
from controller.engine.state.applied import Event, fold
from controller.engine.state.table import Table
from tests.benchmarks import __main__ as benchmarks
from tests.benchmarks import engine, journal
from tests.benchmarks.__main__ import MEASURES, main
from tests.benchmarks.browser import Draw, Load, Marks, PageClock
from tests.benchmarks.console import STAGES, SentCard, load_figures, stages
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


NO_BROKER = ("--broker", "mqtt://127.0.0.1:1")
MILLISECOND = 1_000_000


def refused(capfd: pytest.CaptureFixture[str], *options: str) -> str:
    """What is reported where it cannot be measured."""
    assert main(["console", *options]) == 69
    out, error = capfd.readouterr()
    assert out == ""
    return error


@pytest.mark.parametrize("option", ["--cards", "--loads"])
def test_a_number_that_is_none_is_refused(option: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["console", option, "0"])
    assert ended.value.code == 2
    assert f"argument {option}: '0' is not a whole number from 1" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("complaint", "output"),
    [
        ("node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file",
         'playwright\'s driver needs libatomic.so.1: "apt-get install libatomic1" as root'),
        ("node: cannot execute", "playwright's driver does not start: node: cannot execute"),
        ("", "playwright's driver does not start: exit code 127"),
    ],
)  # fmt: skip
def test_where_the_driver_of_playwright_does_not_start_it_says_what_to_install(
    complaint: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 127\n")
    node.chmod(0o755)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(node))
    assert refused(capfd, *NO_BROKER) == f"python -m tests.benchmarks: {output}\n"


def test_without_playwright_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    complaint = refused(capfd, *NO_BROKER)
    assert (
        complaint.startswith("python -m tests.benchmarks: no playwright")
        and '"make .venv/.ready" installs it' in complaint
    )


def test_without_chromium_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refused(capfd, *NO_BROKER) == (
        'python -m tests.benchmarks: no chromium on this machine: "apt-get install chromium" as root\n'
    )


def test_a_browser_that_does_not_start_is_reported(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert refused(capfd, *NO_BROKER).startswith("python -m tests.benchmarks: the browser: ")


@pytest.mark.parametrize("broker", ["localhost", "http://h:1", "mqtt://h:99999", "mqtt://[h:1"])
def test_a_broker_that_is_no_address_is_refused(capfd: pytest.CaptureFixture[str], broker: str) -> None:
    assert (
        refused(capfd, "--broker", broker)
        == f"python -m tests.benchmarks: --broker {broker}: expected mqtt://HOST:PORT\n"
    )


def test_a_folder_that_is_none_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing"
    assert (
        refused(capfd, "--dir", str(missing))
        == f"python -m tests.benchmarks: --dir {missing}: No such file or directory\n"
    )


def test_the_spread_of_times() -> None:
    times = [number * MILLISECOND for number in range(200, 0, -1)]
    assert percentiles(times) == {"p50_ms": 101.0, "p99_ms": 199.0, "longest_ms": 200.0}
    assert percentiles([1_234_567]) == {"p50_ms": 1.235, "p99_ms": 1.235, "longest_ms": 1.235}


def test_the_loads_have_a_middle_and_a_longest() -> None:
    loads = [Load(first_paint=n, drawn=2 * n, shown=3 * n) for n in (3_000_000, 9_000_000, 4_000_000)]
    assert load_figures(loads) == {
        "first_paint": {"p50_ms": 4.0, "longest_ms": 9.0},
        "table_drawn": {"p50_ms": 8.0, "longest_ms": 18.0},
        "table_shown": {"p50_ms": 12.0, "longest_ms": 27.0},
    }


def a_clock() -> PageClock:
    """Of a page whose zero is at our 1000 ms, known to 0.6 ms."""
    clock = PageClock()
    clock.answered(1009 * MILLISECOND, 10.0, 1013 * MILLISECOND)
    clock.answered(1019 * MILLISECOND + 500_000, 20.0, 1020 * MILLISECOND + 500_000)
    return clock


def test_every_answer_of_the_page_bounds_its_clock_better() -> None:
    clock = PageClock()
    clock.answered(1009 * MILLISECOND, 10.0, 1013 * MILLISECOND)
    assert (clock.moment(0.0), round(clock.bound_ms, 6)) == (1001 * MILLISECOND, 2.1)
    clock = a_clock()
    assert (clock.moment(5.0), round(clock.bound_ms, 6)) == (1005 * MILLISECOND, 0.6)


def test_a_clock_that_goes_otherwise_is_no_measure() -> None:
    clock = a_clock()
    with pytest.raises(BenchFailed, match="CLOCK_MONOTONIC"):
        clock.answered(1100 * MILLISECOND, 90.0, 1101 * MILLISECOND)


CARD = SentCard(
    place=3, version=40, began=1100 * MILLISECOND, durable=1102 * MILLISECOND, sent=1103 * MILLISECOND
)  # fmt: skip


def test_a_cards_way_is_the_sum_of_its_stages() -> None:
    marks = Marks(
        received={39: 90.0, 40: 105.0, 41: 150.0},
        draws=[Draw(version=39, cards=2, drawn=95.0, shown=98.0), Draw(version=40, cards=3, drawn=110.0, shown=124.0)],
    )
    found = stages(CARD, marks, a_clock())
    assert found == {
        "durable": 2 * MILLISECOND,
        "sent": 1 * MILLISECOND,
        "received": 2 * MILLISECOND,
        "drawn": 5 * MILLISECOND,
        "shown": 14 * MILLISECOND,
        "card_to_screen": 24 * MILLISECOND,
    }
    assert sum(found[stage] for stage in STAGES) == found["card_to_screen"]


def test_a_card_that_came_to_the_screen_with_the_next_one_waited_for_it() -> None:
    marks = Marks(received={41: 107.0}, draws=[Draw(version=41, cards=4, drawn=110.0, shown=120.0)])
    found = stages(CARD, marks, a_clock())
    assert (found["received"], found["card_to_screen"]) == (4 * MILLISECOND, 20 * MILLISECOND)


def test_a_page_that_does_not_draw_the_card_is_no_measure() -> None:
    marks = Marks(received={40: 105.0}, draws=[Draw(version=40, cards=2, drawn=110.0, shown=124.0)])
    with pytest.raises(BenchFailed, match="shows 2 cards where 3 were dealt"):
        stages(CARD, marks, a_clock())
