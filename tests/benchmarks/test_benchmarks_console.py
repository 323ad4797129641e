"""`python -m tests.benchmarks console`: what it refuses, how it computes, the shape of what it finds; no figure."""

import sys
from pathlib import Path

import pytest

from controller.commands.bench_table import BenchFailed, percentiles
from tests.benchmarks.__main__ import main
from tests.benchmarks.browser import Draw, Load, Marks, PageClock
from tests.benchmarks.console import STAGES, SentCard, load_figures, stages

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
