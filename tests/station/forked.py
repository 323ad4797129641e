"""The program's processes, forked from an interpreter that has imported it: a start costs no import.

Two such interpreters take turns, so that a process of a program never has the hash seed of the one before it. A process
gets its standard streams, its environment and its arguments, and runs the program as `python -m` does.
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
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

# What the stations and the benches import in the end, besides what these import.
TABLE = (
    "controller.commands.run", "controller.commands.simulate", "controller.commands.account", "controller.station",
    "drivers.adu218.slots", "drivers.adu218.make", "drivers.alpha.serial_sign", "drivers.alpha.make",
    "drivers.angel_eye.shoe", "drivers.angel_eye.make", "drivers.shuffler_link.shuffler", "drivers.shuffler_link.make",
    "simulators.simulated_table", "simulators.playback_command", "simulators.usb_backend", "simulators.usbip.command",
    "simulators.devices.adu218", "simulators.devices.alpha", "simulators.devices.angel_eye",
    "simulators.devices.shuffler_link", "anyio._backends._asyncio", "encodings.idna", "iso4217", "uvicorn.lifespan.off",
)  # fmt: skip
# The same of each program that is none of these.
IMPORTED = {"tests.pit.dying": ("duckdb", "psycopg", "controller.pit.__main__", "controller.pit.retention")}
MOST_OCTETS = 1 << 17
TREE = Path(__file__).parents[2]
END_SECONDS = 100.0


class Nursery:
    """An interpreter with these modules imported, which forks a process for each order."""

    def __init__(self, modules: Sequence[str]) -> None:
        # A PYTHONPATH that a test sets is for its own processes alone.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.station.forked", str(theirs.fileno()), *modules],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()], cwd=TREE,
                env=environment,
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


_nursery = cache(lambda modules, turn: Nursery(modules))
_turns: Counter[str] = Counter()


def _next_nursery(program: str) -> Nursery:
    """Another one than the program had the time before."""
    _turns[program] += 1
    return _nursery(IMPORTED.get(program, TABLE), _turns[program] % 2)


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
        environment = dict(os.environ if env is None else env)
        order = {"program": program, "arguments": arguments, "cwd": os.getcwd(), "environment": environment}
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


def _serve(orders: socket.socket) -> str:
    """Fork at each order until there are no more; returns the program, in the process that shall run it."""
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


def _become(order: Mapping[str, Any], streams: Sequence[int]) -> str:
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    os.closerange(3, 1024)
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    os.chdir(order["cwd"])
    sys.argv[1:] = order["arguments"]
    return str(order["program"])


if __name__ == "__main__":
    for module in sys.argv[2:]:
        importlib.import_module(module)
    # Its exit is that of this interpreter.
    runpy.run_module(_serve(socket.socket(fileno=int(sys.argv[1]))), run_name="__main__", alter_sys=True)
