"""`python -m tests.benchmarks`, behind `make bench`: what this machine does in how much time."""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from controller.command_line.argument import Parser
from controller.command_line.output import EXIT_UNAVAILABLE
from controller.command_line.signals import leaving_nothing
from controller.command_line.streams import guarded
from controller.commands import bench, bench_table
from controller.commands.bench_table import BenchFailed, Figures, add_format, ended_with_this, print_progress, run_bench
from tests.benchmarks import archive, backlog, console, drain, engine, group, journal, octets, screens, station
from tests.benchmarks.rows import Row, in_markdown, latency_rows, print_rows

PROGRAM = "python -m tests.benchmarks"


class Measure(NamedTuple):
    """One of the things that are measured."""

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    rows: Callable[[Figures], list[Row]]


def benched(
    what: str,
    add_arguments: Callable[[argparse.ArgumentParser], None],
    measure: bench_table.Measure,
    rows: Callable[[Figures], list[Row]],
) -> Measure:
    """One that `run_bench` measures, and whose rows it prints."""

    def run(options: argparse.Namespace) -> int:
        return run_bench(options, measure, lambda found: print_rows(rows(found)))

    return Measure(what, add_arguments, run, rows)


MEASURES = {
    "latency": Measure(bench.HELP, bench.add_latency, bench.measure_latency, latency_rows),
    "console": Measure(
        "the console's first paint, and a card from the shoe's wire to the screen",
        console.add_arguments,
        console.run,
        console.rows,
    ),
    "screens": Measure(
        "the display while its pot counts, and the pit with sixty tables",
        screens.add_arguments,
        screens.run,
        screens.rows,
    ),
    "start": benched("a start until the first answer", station.add_start, station.measure_start, station.start_rows),
    "backlog": benched(
        "a start, and the journal's file, after a fast table whose broker was away",
        backlog.add_arguments,
        backlog.measure,
        backlog.rows,
    ),
    "memory": benched("what a station has in memory", station.add_memory, station.measure_memory, station.memory_rows),
    "idle": benched("a processor's time at a table at rest", station.add_idle, station.measure_idle, station.idle_rows),
    "engine": Measure("rounds decided and events folded, in memory", engine.add_arguments, engine.run, engine.rows),
    "journal": benched(
        "a decision written and synced, and a round's bytes", journal.add_arguments, journal.measure, journal.rows
    ),
    "archive": Measure(
        "the pit's archive, with a month of sixty tables", archive.add_arguments, archive.run, archive.rows
    ),
    "group": Measure("a head office that follows two properties", group.add_arguments, group.run_group, group.rows),
    "octets": benched("octets of a round at the broker, by topic", octets.add_arguments, octets.measure, octets.rows),
    "drain": benched("messages that waited, to the broker", drain.add_arguments, drain.measure, drain.rows),
}


def main(arguments: Sequence[str]) -> int:
    """Measure and print; returns the exit code."""
    options = parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.measure
    try:
        return run(options)
    except BenchFailed as failure:
        print(f"{PROGRAM}: {failure}", file=sys.stderr)
        return EXIT_UNAVAILABLE


def parser() -> argparse.ArgumentParser:
    """The measures with their arguments."""
    top = Parser(prog=PROGRAM, description="Measures this machine, beside something that does without our work.")
    measures = top.add_subparsers(required=True, metavar="MEASURE")
    for name, measure in MEASURES.items():
        command = measures.add_parser(name, help=measure.help)
        command.formatter_class = argparse.RawDescriptionHelpFormatter
        measure.add_arguments(command)
        command.set_defaults(measure=measure.run)
    every = measures.add_parser("all", help="each of them, as one table")
    every.description = "Measures one after the other, with their defaults, and prints one table in Markdown."
    every.epilog = (
        f"examples:\n  {PROGRAM} all > table.md\n  {PROGRAM} all --json\n\n"
        f"exit codes: 0 measured, {EXIT_UNAVAILABLE} something could not be measured; the table then lacks it"
    )
    every.formatter_class = argparse.RawDescriptionHelpFormatter
    add_format(every)
    every.set_defaults(measure=measure_all)
    return top


def measure_all(options: argparse.Namespace) -> int:
    """Measure everything, each in a process of its own, and print one table; returns the exit code."""
    found: dict[str, Figures] = {}
    for number, name in enumerate(MEASURES, start=1):
        code, answer = _measured([sys.executable, "-m", "tests.benchmarks", name, "--json"])
        if code == 0:
            found[name] = json.loads(answer)
        print_progress(number, len(MEASURES), "measures")
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


if __name__ == "__main__":
    sys.exit(guarded(PROGRAM, lambda: main(sys.argv[1:])))
