"""A simulation does not continue without a part of itself, and plays at a broker of the floor's own."""

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import Any, Self

import pytest

from controller.__main__ import main
from controller.commands import account, simulate
from controller.commands.simulators_process import SimulatedTable
from controller.floor.access import Site, TableUser, access_list
from controller.runtime.bus import Bus
from controller.station import Station
from tests.floor.access_control import PASSWORD, Guarded
from tests.station.processes import patiently

PATIENCE_SECONDS = 60


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
    printed = subprocess.run([*command, *faults], capture_output=True, text=True, timeout=200, check=True).stdout
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
simulators_process.STOP_SECONDS = 100.0
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


SITE = Site((TableUser("macau-1", "table-9", "table-9"),), consumers=("floor",))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    guarded_broker = Guarded(tmp_path_factory.mktemp("guarded"), access_list(SITE), ["table-9", "floor"])
    guarded_broker.broker.start()
    yield guarded_broker
    guarded_broker.broker.stop()


def simulated(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["simulate", "--site", "macau-1", "--table", "table-9", "--rounds", "2", "--json", *options]
    return subprocess.run(
        [sys.executable, "-m", "controller", *command], capture_output=True, text=True, timeout=200, cwd=folder
    )


@pytest.mark.parametrize(
    ("proof", "protocol"),
    [
        ("password", "5"),
        ("certificate", "3.1.1"),
        pytest.param("password", "3.1.1", marks=pytest.mark.soak),
        pytest.param("certificate", "5", marks=pytest.mark.soak),
    ],
)
def test_the_floor_s_broker_has_every_message_of_a_simulated_table(
    guarded: Guarded, tmp_path: Path, proof: str, protocol: str
) -> None:
    """The files are named as a shell's user names them, relative to where he is."""
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    certificate, key = guarded.authority.sign("table-9")
    proofs = {
        "password": [f"mqtts://127.0.0.1:{guarded.secure}", "--username", "table-9", "--password-file", "password"],
        "certificate": [
            f"mqtts://127.0.0.1:{guarded.certified}",
            "--cert-file",
            f"{certificate}",
            "--key-file",
            f"{key}",
        ],
    }
    with closing(guarded.by_certificate("floor")) as reader:
        assert reader.connect()
        reader.subscribe("dealer/macau-1/+/rounds")
        done = simulated(
            tmp_path, "--broker", *proofs[proof], "--ca-file", str(guarded.authority.file), "--protocol", protocol
        )
        assert done.returncode == 0, done.stderr
        tally = json.loads(done.stdout)
        assert tally["published"] == tally["acknowledged"] > 20
        patiently(lambda: len(reader.given) == 2, 10, "two rounds")


@pytest.mark.parametrize("wrong", [["--broker", "http://h:1"], ["--protocol", "4"], ["--username", "floor"]])
def test_what_cannot_be_is_refused_as_wrong_usage(wrong: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = main(["simulate", "--rounds", "1", "--json", *wrong])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    assert wrong[0].removeprefix("--") in capfd.readouterr().err
