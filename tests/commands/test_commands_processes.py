"""Processes: what a command loads, what a signal ends, who has a lock or a port, and a port that is kept free."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.command_line.signals import leaving_nothing, unbroken, until_signal
from controller.system import occupants
from controller.system.addresses import free_port

OF_A_STATION = {"controller.station", "serial", "starlette", "usb", "uvicorn"}


@pytest.mark.parametrize(
    "program", ["controller.commands.witness", "controller.commands.audit", "controller.pit.__main__"]
)
def test_what_is_no_station_loads_none(program: str) -> None:
    code = f"import sys, {program}; print(*sorted({OF_A_STATION} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_second_signal_does_not_end_what_ends_already(first: signal.Signals) -> None:
    done: list[str] = []
    behind = asyncio.Event()

    async def work() -> int:
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, behind.set)
        os.kill(os.getpid(), first)
        try:
            await asyncio.Event().wait()
        finally:
            for number in (signal.SIGTERM, signal.SIGUSR1):
                os.kill(os.getpid(), number)
            await behind.wait()
            done.append("put away")
        return 1

    assert await until_signal(work()) is None
    assert done == ["put away"]


async def test_what_ends_by_itself_gives_what_it_gives() -> None:
    async def work() -> int:
        return 3

    assert await until_signal(work()) == 3


async def test_what_is_cancelled_and_was_not_ordered_to_end_is_no_good_end() -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await until_signal(work())


def test_a_signal_within_what_is_unbroken_takes_effect_at_its_end() -> None:
    done: list[str] = []
    with pytest.raises(SystemExit) as ended, leaving_nothing():
        with unbroken():
            signal.raise_signal(signal.SIGTERM)
            done.append("whole")
        done.append("not reached")
    assert (ended.value.code, done) == (128 + signal.SIGTERM, ["whole"])


FORKS = """
import os, signal
from controller.commands.bench_table import ended_with_this
from controller.command_line.signals import leaving_nothing
os.register_at_fork(after_in_parent=lambda: signal.raise_signal(signal.SIGTERM))
with leaving_nothing(), ended_with_this(["sleep", "60"]):
    print("the signal is lost", flush=True)
"""


def test_a_signal_that_comes_while_a_process_is_forked_is_not_lost() -> None:
    ended = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + signal.SIGTERM, "", "")


LOCKS = "import fcntl, sys; file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_EX); print(0, flush=True); input()"
LISTENS = "import socket; s = socket.create_server((sys.argv[1], 0)); print(s.getsockname()[1], flush=True); input()"


@contextmanager
def running(program: str, argument: object) -> Iterator[tuple[int, int]]:
    """The number of a process, and the number that it printed."""
    command = [sys.executable, "-c", f"import sys; {program}", str(argument)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())
        process.kill()


def test_who_has_a_lock(tmp_path: Path) -> None:
    lock = tmp_path / "journal.db.lock"
    lock.touch()
    assert occupants.lock_holder(lock) == "" == occupants.lock_holder(tmp_path / "missing")
    with running(LOCKS, lock) as (process, _):
        named = occupants.lock_holder(lock)
        assert named.startswith(f"process {process} ({Path(sys.executable).name} -c import sys; ")
        assert len(named) < 260, "a long command line is cut"
    assert occupants.lock_holder(lock) == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_who_listens_at_a_port(host: str) -> None:
    with running(LISTENS, host) as (process, port):
        assert occupants.listener_at(port).startswith(f"process {process} (")
    assert occupants.listener_at(port) == ""


def test_a_command_line_moves_no_terminal(tmp_path: Path) -> None:
    lock = tmp_path / "\x1b[2J"
    lock.touch()
    with running("x = '\x1b[2J'; " + LOCKS, lock):
        assert "\x1b" not in occupants.lock_holder(lock)


def test_where_the_system_reports_nothing_no_process_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occupants, "PROC", tmp_path)
    assert occupants.lock_holder(tmp_path) == "" == occupants.listener_at(80)


def test_a_free_port_is_given_to_no_one_else_and_to_a_server_that_names_it() -> None:
    port = free_port()
    with socket.socket() as other, pytest.raises(OSError, match="Address already in use"):
        other.bind(("127.0.0.1", port))
    with socket.socket() as own, pytest.raises(ConnectionRefusedError):
        own.connect(("127.0.0.1", port))  # nor does it answer itself
    with socket.create_server(("127.0.0.1", port)) as server, socket.create_connection(("127.0.0.1", port)) as far:
        near, at = server.accept()
        near.close()
        assert at == far.getsockname()
    assert free_port() != port
