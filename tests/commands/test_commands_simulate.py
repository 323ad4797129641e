"""A simulation does not continue without a part of itself."""

import argparse
import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import Any, Self

import pytest

from controller.commands import account, simulate
from controller.commands.simulators_process import SimulatedTable
from controller.runtime.bus import Bus
from controller.station import Station

PATIENCE_SECONDS = 10


class Frozen:
    """An account whose drawing has a defect."""

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    async def draw(self, _: object) -> None:
        raise RuntimeError("a defect")


class LegalStatus(SimpleNamespace):
    """A station that runs until it is stopped."""

    loop = SimpleNamespace(table=SimpleNamespace(round=None, meter=None), sequence=0)
    view = None
    bus = Bus()

    async def run(self) -> None:
        await asyncio.Event().wait()

    stopped = run


async def test_a_drawing_that_fails_ends_the_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    async def opened(*_: Any) -> LegalStatus:
        return LegalStatus()

    monkeypatch.setattr(account, "Account", Frozen)
    monkeypatch.setattr(Station, "open", opened)
    options = argparse.Namespace(rounds=None, json=False, verbose=True)
    config: Any = SimpleNamespace(path="station.toml")
    ended: asyncio.Task[Any] = asyncio.create_task(asyncio.Event().wait())
    table = SimulatedTable(ended, asyncio.Event())
    with pytest.raises(ExceptionGroup, match="unhandled errors"):
        async with asyncio.timeout(PATIENCE_SECONDS):
            await simulate._Simulation(options)._station(config, table, None)
    ended.cancel()


def test_each_fault_is_named_with_what_it_means() -> None:
    command = [sys.executable, "-m", "controller", "simulate", "--rounds", "2", "--speed", "max", "--faults", "1"]
    faults = [argument for seat in (1, 2) for argument in ("--fault", f"slots:bounce={seat}@round={seat}")]
    faults += ["--fault", "slots:stuck=3"]  # at once: before the table is ready
    printed = subprocess.run([*command, *faults], capture_output=True, text=True, timeout=60, check=True).stdout
    means = "The sensor of a seat changes twenty times in a moment."
    rounds = printed.split("\nRound ")[1:]
    assert [f"  fault slots:bounce={seat}: {means}\n" in played for seat, played in enumerate(rounds, 1)] == [True] * 2
    assert "\nfault  slots:stuck=3   The sensor of a seat stays as it is.\n" in printed
    assert len(re.findall(r"^  fault \w+:\w+(?:=\w+)?: [A-Z].*\.$", printed, re.M)) >= 3, "and those of chance"


NEVER_READY = '''
import asyncio, sys
from controller.commands import simulators_process
from controller.__main__ import main
slow = """
import os, sys
sys.stdin.read()
print("ends", file=sys.stderr, flush=True)
os.read(os.open(os.environ["RESUME"], os.O_RDONLY), 1)
open(sys.argv[1] + "/last", "w")
"""
given = []
command = [sys.executable, "-c", slow]
simulators_process.bench_arguments = lambda options, folder: given.append(folder) or [*command, str(folder)]
readline = asyncio.StreamReader.readline
def waits(reader):
    print(given[0], file=sys.stderr, flush=True)  # only now: while it is made, its process is killed at once
    return readline(reader)
asyncio.StreamReader.readline = waits
sys.exit(main(["simulate"]))
'''


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [(signal.SIGTERM, signal.SIGTERM, 143), (signal.SIGINT, signal.SIGTERM, 130), (signal.SIGTERM, signal.SIGINT, 143)],
)
def test_a_simulation_that_is_ended_before_its_devices_are_ready_leaves_no_folder(
    tmp_path: Path, first: signal.Signals, second: signal.Signals, code: int
) -> None:
    os.mkfifo(tmp_path / "resume")
    command = ["env", "--default-signal=INT", f"RESUME={tmp_path / 'resume'}", sys.executable, "-c", NEVER_READY]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as simulation:
        assert simulation.stderr is not None
        folder = Path(simulation.stderr.readline().strip())
        assert folder.is_dir() and folder.name.startswith("dealer-station-")
        simulation.send_signal(first)
        assert simulation.stderr.readline() == "ends\n"
        simulation.send_signal(second)  # what writes to the folder still does
        (tmp_path / "resume").write_bytes(b".")
        assert simulation.stderr.read() == "" and simulation.wait() == code
    assert not folder.exists()
