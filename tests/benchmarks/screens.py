"""`python -m tests.benchmarks screens`: the players' display while its pot counts, and the pit with sixty tables.

Of the display: script and layout of each frame, as the browser's trace has them, and what its animations change. Of the
pit: a cold load until the first paint, and an alarm from its message until the frame that shows it, while the other
tables publish. The wait for that frame includes the driver's own.
"""

import argparse
import json
import time
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from controller.command_line.argument import count
from controller.commands.bench_table import Figures, show_figures
from tests.benchmarks.browser import ARGUMENTS, running_chromium
from tests.benchmarks.rows import Row, print_rows
from tests.console.conftest import chromium
from tests.console.displayed import displayed, show, stages_of
from tests.console.test_console_pit import ALARM, CALM, MANY, Pit, floor_of
from tests.games import FORTUNE_3_2025
from tests.pit.broadcasting import retained

ALARMS, LOADS = 100, 10
SIZE = (1920, 1080)
WATCHED_MS = 3000  # the pot counts for 2.4 s
PUBLISH_SECONDS = 0.05  # between two messages of the other tables
CATEGORIES = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
]
FRAME = "BeginMainThreadFrame"
WORK = ("FireAnimationFrame", "FunctionCall", "RunMicrotasks", "UpdateLayoutTree", "Layout", "PrePaint")
ANIMATED = """() => {
  const timing = ['offset', 'easing', 'composite', 'computedOffset'];
  const frames = document.getAnimations().flatMap((animation) => animation.effect.getKeyframes());
  return [...new Set(frames.flatMap((frame) => Object.keys(frame)))].filter((name) => !timing.includes(name));
}"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
SHOWN = "table => document.querySelector(`[data-first=${table}][data-need=warning]`)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many alarms and loads."""
    parser.add_argument("--alarms", type=count, default=ALARMS, help=f"alarms at the pit (default {ALARMS})")
    parser.add_argument("--loads", type=count, default=LOADS, help=f"loads of the pit's page (default {LOADS})")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")


def run(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code. Raises BenchFailed."""
    with running_chromium():  # says what is missing
        pass
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        figures = {**_display(browser), **_pit(browser, Path(folder), options.loads, options.alarms)}
        browser.close()
    return show_figures(options, figures, lambda found: print_rows(rows(found)))


def rows(figures: Figures) -> list[Row]:
    """The lines of the table."""
    frame = figures["display_frame_ms"]
    alarm, paint = figures["pit_alarm_ms"], figures["pit_first_paint_ms"]
    return [
        Row("display, script and layout of a frame, p50", f"{_share(frame, 0.5):.2f} ms"),
        Row("display, script and layout of a frame, p99", f"{_share(frame, 0.99):.2f} ms"),
        Row("display, script and layout of a frame, longest", f"{max(frame):.2f} ms"),
        Row("display, the same in the first round of a page", f"{max(figures['display_first_frame_ms']):.2f} ms"),
        Row("display, what its animations change", ", ".join(figures["display_animates"])),
        Row(f"pit of {MANY} tables, first paint, p50", f"{_share(paint, 0.5):.0f} ms"),
        Row(f"pit of {MANY} tables, an alarm to the screen, p50", f"{_share(alarm, 0.5):.0f} ms"),
        Row(f"pit of {MANY} tables, an alarm to the screen, p99", f"{_share(alarm, 0.99):.0f} ms"),
    ]


def _share(found: list[float], share: float) -> float:
    return sorted(found)[min(len(found) - 1, int(share * len(found)))]


def _display(browser: Browser) -> Figures:
    """A pot counts up, then a win is shown, in two rounds: the fonts and scripts of the second are loaded."""
    stages = {stage: {**shown, "past": None} for stage, shown in stages_of(FORTUNE_3_2025).items()}  # 18.º 1
    rounds = []
    with displayed(browser, stages["bets"], SIZE) as page:
        page.wait_for_selector(".rehearsal", state="detached")
        for pot in (612_345, 623_456):
            browser.start_tracing(page=page, categories=CATEGORIES)
            show(page, {**stages["bets"], "pot": pot})
            page.wait_for_timeout(WATCHED_MS)
            show(page, {**stages["result"], "pot": pot})
            page.wait_for_selector(".win")
            animated = page.evaluate(ANIMATED)
            page.wait_for_timeout(WATCHED_MS)
            rounds.append(work_of_frames(json.loads(browser.stop_tracing())["traceEvents"]))
    first, second = rounds
    return {"display_first_frame_ms": first, "display_frame_ms": second, "display_animates": animated}


def work_of_frames(events: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of the processor that script and layout took from the begin of each frame to that of the next."""
    begun = sorted(event["ts"] for event in events if event["name"] == FRAME)
    work = sorted(
        (event["ts"], event.get("dur", 0), event.get("tdur", event.get("dur", 0)))
        for event in events
        if event["name"] in WORK and event["ph"] == "X"
    )
    found = []
    for first, following in pairwise(begun):
        total, until = 0, 0
        for at, took, of_processor in work:
            if first <= at < following and at >= until:  # what is inside another is counted there
                total, until = total + of_processor, at + took
        found.append(total / 1000)
    return found


def _pit(browser: Browser, folder: Path, loads: int, alarms: int) -> Figures:
    with floor_of(browser, folder, MANY) as (pit, page):
        paints = []
        for _ in range(loads):
            context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]})
            cold = context.new_page()
            cold.goto(page.url)
            cold.wait_for_selector(f"[data-tables='{MANY}']:has(.shape)")
            paints.append(float(cold.evaluate(PAINTED)))
            context.close()
        over = Event()
        others = Thread(target=_publish, args=[pit, over])
        others.start()
        shown = []
        try:
            for _ in range(alarms):
                began = time.monotonic()
                pit.receive("t-1", "state", retained("state", **{**CALM, "alarms": [ALARM]}))
                page.wait_for_function(SHOWN, arg="t-1")
                shown.append((time.monotonic() - began) * 1000)
                pit.receive("t-1", "state", retained("state", **CALM))
                page.wait_for_function(f"table => !({SHOWN})(table)", arg="t-1")
        finally:
            over.set()
            others.join()
    return {"pit_first_paint_ms": paints, "pit_alarm_ms": shown}


def _publish(pit: Pit, over: Event) -> None:
    """Each of the other tables has another day's win, one after the other."""
    number = 1
    while not over.wait(PUBLISH_SECONDS):
        number = number % (MANY - 1) + 1
        pit.receive(f"t-{number + 1}", "statistics", retained("statistics", win=time.monotonic_ns() % 1_000_000))
