"""`dealer-station bench`: what this machine does in how much time."""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

from controller.command_line.exit_codes import EXIT_UNAVAILABLE
from controller.command_line.signals import leaving_nothing
from controller.commands import (
    bench_backlog,
    bench_console,
    bench_drain,
    bench_engine,
    bench_journal,
    bench_station,
    latency,
)
from controller.commands.bench_table import Figures, Row, add_json, ended_with_this, progress


class Measure(NamedTuple):
    """One of the things that are measured."""

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    rows: Callable[[Figures], list[Row]]


MEASURES = {
    "latency": Measure(
        "a card report complete on the wire, durable, and acknowledged by the broker",
        latency.add_arguments,
        latency.run,
        latency.rows,
    ),
    "console": Measure(
        "the console's first paint, and a card from the shoe's wire to the screen",
        bench_console.add_arguments,
        bench_console.run,
        bench_console.rows,
    ),
    "start": Measure(
        "a start until the first answer", bench_station.add_start, bench_station.run_start, bench_station.start_rows
    ),
    "backlog": Measure(
        "a start, and the journal's file, after a fast table whose broker was away",
        bench_backlog.add_arguments,
        bench_backlog.run,
        bench_backlog.rows,
    ),
    "memory": Measure(
        "what a station has in memory", bench_station.add_memory, bench_station.run_memory, bench_station.memory_rows
    ),
    "idle": Measure(
        "a processor's time at a table at rest", bench_station.add_idle, bench_station.run_idle, bench_station.idle_rows
    ),
    "engine": Measure(
        "rounds decided and events folded, in memory", bench_engine.add_arguments, bench_engine.run, bench_engine.rows
    ),
    "journal": Measure(
        "a decision written and synced, and a round's bytes",
        bench_journal.add_arguments,
        bench_journal.run,
        bench_journal.rows,
    ),
    "drain": Measure(
        "messages that waited, to the broker", bench_drain.add_arguments, bench_drain.run, bench_drain.rows
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    measures = parser.add_subparsers(required=True, metavar="MEASURE")
    for name, measure in MEASURES.items():
        one = measures.add_parser(name, help=measure.help)
        measure.add_arguments(one)
        one.set_defaults(measure=measure.run)
    every = measures.add_parser("all", help="each of them, as one table")
    every.description = "Measures one after the other, with their defaults, and prints one table in Markdown."
    every.epilog = (
        "examples:\n  dealer-station bench all > table.md\n  dealer-station bench all --json\n\n"
        f"exit codes: 0 measured, {EXIT_UNAVAILABLE} something could not be measured; the table then lacks it"
    )
    every.formatter_class = argparse.RawDescriptionHelpFormatter
    add_json(every)
    every.set_defaults(measure=measure_all)


def run(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    measure: Callable[[argparse.Namespace], int] = options.measure
    return measure(options)


def measure_all(options: argparse.Namespace) -> int:
    """Measure everything, each in a process of its own, and print one table; returns the exit code."""
    found: dict[str, Figures] = {}
    for number, name in enumerate(MEASURES, start=1):
        command = [sys.executable, "-m", "controller", "bench", name, "--json"]
        code, answer = _measured(command)
        if code == 0:
            found[name] = json.loads(answer)
        progress(number, len(MEASURES), "measures")
    if options.json:
        print(json.dumps(found))
    else:
        print(in_markdown([row for name, figures in found.items() for row in MEASURES[name].rows(figures)]))
    return 0 if len(found) == len(MEASURES) else EXIT_UNAVAILABLE


def _measured(command: list[str]) -> tuple[int, bytes]:
    """Its exit code and its answer. At a signal it ends its own processes first."""
    with leaving_nothing(), ended_with_this(command, stdout=subprocess.PIPE) as process:
        answer, _ = process.communicate()
        return process.returncode, answer


def in_markdown(rows: list[Row]) -> str:
    """The table of the documentation."""
    lines = [Row("Measured", "Here", "Beside it, in the same run"), Row("---", "---", "---"), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
