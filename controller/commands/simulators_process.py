"""Runs the simulated table as a separate process, which ends with its standard input."""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from controller.command_line.output import EXIT_REFUSED
from controller.system.addresses import bracketed
from controller.telemetry import logs

SIMULATORS = "simulators"  # the program of the simulated table; one with other games as well goes by its own name
READY_SECONDS = 60.0
END_SECONDS = 1.0  # for what the simulators still complain of
PLAY_TIMES = 8  # as fast as people
STOP_SECONDS = 5.0
LONGEST_LINE = 1 << 16  # of those of the simulated table on standard output


class SimulatedTable(NamedTuple):
    """The simulators' process."""

    ended: "asyncio.Task[int]"
    """Done when the process has ended; gives its exit code."""
    finished: asyncio.Event
    """Set once the robot dealer has played the rounds asked for."""


class SimulatorsFailed(Exception):
    """The simulators' process did not come up, or ended before its time."""


class WrongUsage(Exception):
    """The simulators' process has refused its options, and has printed why."""


class _Printed(msgspec.Struct, frozen=True):
    """A line of the simulated table on standard output: its end, or a fault and what it means."""

    finished: bool = False
    fault: str = ""
    means: str = ""


def bench_arguments(options: argparse.Namespace, folder: Path) -> list[str]:
    """The command line of the simulators' process."""
    speed = options.speed or ("max" if options.json else str(PLAY_TIMES) if options.play else "20")
    arguments = ["--dir", str(folder), "--speed", speed, *options.bench]
    if not options.json:
        arguments.append("--panel")
    if options.pins is not None:
        arguments.append("--pins")
    if options.listen is not None:
        host, port = options.listen
        arguments += ["--listen", f"{bracketed(host)}:{port}"]
    return [sys.executable, "-m", SIMULATORS, "bench", *arguments]


@asynccontextmanager
async def bench(
    options: argparse.Namespace, folder: Path, struck: Callable[[str, str], None]
) -> AsyncIterator[SimulatedTable]:
    """The simulators' process, ready. It ends when its standard input does."""
    finished = asyncio.Event()
    process = await asyncio.create_subprocess_exec(
        *bench_arguments(options, folder),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the station, which then ends the table in its own order
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    complaining = asyncio.create_task(_hand_on(process.stderr))
    reading: asyncio.Task[None] | None = None
    try:
        try:
            async with asyncio.timeout(READY_SECONDS):  # `wait_for` swallows a cancellation that comes with the line
                line = await process.stdout.readline()
                while line and not line.startswith(b"ready "):
                    _take(line, finished, struck)  # a fault without conditions comes before the table is ready
                    line = await process.stdout.readline()
        except TimeoutError:
            raise SimulatorsFailed(f"the simulated table was not ready within {READY_SECONDS:.0f} s") from None
        if not line and await process.wait() == EXIT_REFUSED:
            raise WrongUsage
        if not line:
            raise SimulatorsFailed("the simulated table did not come up; its output is above")
        reading = asyncio.create_task(_read(process.stdout, finished, struck))
        yield SimulatedTable(asyncio.create_task(process.wait()), finished)
    finally:
        process.stdin.close()
        await _end(process)
        await asyncio.wait([complaining], timeout=END_SECONDS)  # before the report of its end
        complaining.cancel()
        if reading is not None:
            reading.cancel()


async def _hand_on(stream: asyncio.StreamReader) -> None:
    """Writes the simulators' complaints on standard error; the simulators do not wait for its reader."""
    while chunk := await stream.read(1 << 16):
        with suppress(OSError):
            logs.STDERR.write(chunk.decode(errors="replace"))
    await asyncio.to_thread(logs.STDERR.writer.wait, END_SECONDS)


async def _read(stream: asyncio.StreamReader, finished: asyncio.Event, struck: Callable[[str, str], None]) -> None:
    """Read what the simulated table prints, one JSON object a line; other lines are skipped."""
    rest = b""
    while chunk := await stream.read(LONGEST_LINE):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[-LONGEST_LINE:]
        for line in lines:
            _take(line, finished, struck)


def _take(line: bytes, finished: asyncio.Event, struck: Callable[[str, str], None]) -> None:
    with suppress(msgspec.MsgspecError):
        printed = msgspec.json.decode(line, type=_Printed)
        if printed.finished:
            finished.set()
        if printed.fault:
            struck(printed.fault, printed.means)


async def _end(process: asyncio.subprocess.Process) -> None:
    signals: list[Callable[[], None]] = [lambda: None, process.terminate, process.kill]
    for send in signals:
        if process.returncode is None:
            send()
            try:
                await asyncio.wait_for(process.wait(), STOP_SECONDS)
            except TimeoutError:
                continue
