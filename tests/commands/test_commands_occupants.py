"""The process that has a lock or a port is named by number and command line, for the person who has to free it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.system import occupants

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
