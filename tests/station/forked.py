"""The program's processes, forked from an interpreter that has imported it: a start costs no import.

Two such interpreters for each program take turns, so that a process never has the hash seed of the one before it. A
process gets its standard streams, its environment and its arguments, and runs the program as `python -m` does.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn

# What a process of each program imports in the end, besides what these import.
IMPORTED = {
    "controller": ("controller.commands.simulate", "controller.commands.account", "controller.station"),
    "tests.recordings.patient": ("controller.commands.simulate", "controller.station"),
    "tests.pit.dying": ("duckdb", "psycopg", "controller.pit.__main__", "controller.pit.retention"),
    "simulators": ("simulators.simulated_table", "simulators.playback_command", "simulators.usb_backend"),
}
MOST_OCTETS = 1 << 17
TREE = Path(__file__).parents[2]
END_SECONDS = 100.0


class Nursery:
    """An interpreter with the program imported, which forks a process for each order."""

    def __init__(self, program: str) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.station.forked", program, str(theirs.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()], cwd=TREE,
            )  # fmt: skip
        atexit.register(self._end)

    def _end(self) -> None:
        self._orders.close()
        self._process.wait(END_SECONDS)

    def start(self, order: Mapping[str, object], streams: Sequence[int]) -> tuple[int, socket.socket]:
        """A new process with these as its standard streams; its process id, and where its exit code
        will be reported."""
        watch, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            socket.send_fds(self._orders, [json.dumps(order).encode()], [*streams, theirs.fileno()])
        return int(watch.recv(100)), watch


_nurseries: dict[str, list[Nursery]] = {}


def _next_nursery(program: str) -> Nursery:
    """Another one than the time before."""
    nurseries = _nurseries.setdefault(program, [])
    if len(nurseries) < 2:
        nurseries.insert(0, Nursery(program))
    else:
        nurseries.reverse()
    return nurseries[0]


class Forked:
    """A process of a program: what `subprocess.Popen([sys.executable, "-m", program, *arguments], …)` would be."""

    def __init__(
        self,
        program: str,
        *arguments: str,
        stdin: IO[bytes] | None = None,
        stdout: IO[bytes],
        stderr: IO[bytes],
        env: Mapping[str, str] | None = None,
    ) -> None:
        order = {"arguments": arguments, "cwd": os.getcwd(), "environment": dict(os.environ if env is None else env)}
        with open(os.devnull, "rb") as null:
            streams = [(stdin or null).fileno(), stdout.fileno(), stderr.fileno()]
            self.pid, self._watch = _next_nursery(program).start(order, streams)
        self._watch.setblocking(False)
        self.returncode: int | None = None
        self._asking = threading.Lock()

    def poll(self) -> int | None:
        """The exit code, the negated signal where one ended it, None while it runs."""
        with self._asking:
            if self.returncode is None:
                with suppress(BlockingIOError):
                    self.returncode = int(self._watch.recv(100))
                    self._watch.close()
            return self.returncode

    def wait(self, timeout: float) -> int:
        """The exit code, once it has ended. Raises subprocess.TimeoutExpired."""
        deadline = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.01)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, if it runs. Its process id is its own until its exit code was read."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)


def forked_run(program: str, *arguments: str, seconds: float) -> tuple[int, str, str]:
    """Run one to its end; its exit code and what it reported on stdout and stderr. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = Forked(program, *arguments, stdout=stdout, stderr=stderr)
        try:
            code = process.wait(seconds)
        except BaseException:
            process.kill()
            process.wait(END_SECONDS)
            raise
        for output in (stdout, stderr):
            output.seek(0)
        return code, stdout.read().decode(), stderr.read().decode()


def _serve(program: str, orders: socket.socket) -> Sequence[str]:
    """Fork at each order until there are no more; returns the arguments, in the process that shall run the program."""
    for module in IMPORTED.get(program, ()):
        importlib.import_module(module)
    assert threading.active_count() == 1, "a fork takes one thread along"
    gc.collect()
    gc.freeze()
    while True:
        octets, descriptors, _, _ = socket.recv_fds(orders, MOST_OCTETS, 4)
        if not octets:
            _end_with_all()
        if os.fork() == 0:
            orders.close()
            *streams, watch = descriptors
            with socket.socket(fileno=watch) as watched:
                child = os.fork()
                if child:
                    for descriptor in streams:
                        os.close(descriptor)
                    _report_end_of(child, watched)
            return _become(json.loads(octets), streams)
        for descriptor in descriptors:
            os.close(descriptor)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _end_with_all() -> NoReturn:
    with suppress(ChildProcessError):
        while True:
            os.wait()
    sys.exit(0)


def _report_end_of(child: int, watched: socket.socket) -> NoReturn:
    """Report the process id, then the exit code; keep the process id taken until that was read."""
    try:
        watched.send(b"%d" % child)
        ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        watched.send(b"%d" % (ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status))
        watched.recv(1)
    except OSError:
        pass  # anyone who asked is gone
    except BaseException:
        traceback.print_exc()
    os.waitpid(child, 0)
    os._exit(0)


def _become(order: Mapping[str, object], streams: Sequence[int]) -> Sequence[str]:
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    os.closerange(3, 1024)
    os.environ.clear()
    os.environ.update(order["environment"])  # type: ignore[call-overload]
    os.chdir(str(order["cwd"]))
    return order["arguments"]  # type: ignore[return-value]


if __name__ == "__main__":
    program, number = sys.argv[1:]
    arguments = _serve(program, socket.socket(fileno=int(number)))
    sys.argv[1:] = arguments
    # Its exit is that of this interpreter.
    runpy.run_module(program, run_name="__main__", alter_sys=True)
