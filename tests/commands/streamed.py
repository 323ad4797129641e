"""Commands with standard streams as a shell gives them. One interpreter has imported all; each command is a fork of it.

`python -m tests.commands.streamed` reads a line of JSON on standard input for each command, `[program, arguments,
situation]`, and answers with `[exit code, standard output, standard error]`, both in base 64.
"""

import base64
import gc
import importlib
import io
import json
import os
import pkgutil
import pty
import select
import subprocess
import sys
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import controller

PROGRAMS = {"dealer-station": "controller.__main__", "dealer-pit": "controller.pit.__main__"}


class Situation(NamedTuple):
    """What a command's streams are: `closed` descriptors, those on a full disk, the encoding of Python's streams.

    `terminal` is standard output on one; `lines` is how many of it are read before the reader has enough.
    """

    closed: tuple[int, ...] = ()
    full: tuple[int, ...] = ()
    encoding: str = "utf-8"
    terminal: bool = False
    lines: int | None = None


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: bytes
    err: bytes


class Commands:
    """The interpreter that forks."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, program: str, arguments: Sequence[str], situation: Situation) -> Ended:
        """Run a command to its end."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([program, arguments, situation]) + "\n")
        self._process.stdin.flush()
        code, out, err = json.loads(self._process.stdout.readline())
        return Ended(code, base64.b64decode(out), base64.b64decode(err))


@contextmanager
def commands() -> Iterator[Commands]:
    """One interpreter, ended at last."""
    command = [sys.executable, "-m", "tests.commands.streamed"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Commands(process)
        assert process.stdin is not None
        process.stdin.close()


def _serve() -> None:
    for module in pkgutil.walk_packages(controller.__path__, "controller."):
        importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        program, arguments, situation = json.loads(line)
        code, out, err = _forked(program, arguments, Situation(*situation))
        print(json.dumps([code, base64.b64encode(out).decode(), base64.b64encode(err).decode()]), flush=True)


def _forked(program: str, arguments: Sequence[str], situation: Situation) -> Ended:
    (out, out_end), (err, err_end) = pty.openpty() if situation.terminal else os.pipe(), os.pipe()
    if situation.terminal:
        tty.setraw(out_end)
    child = os.fork()
    if child == 0:
        os.close(out)
        os.close(err)
        os._exit(_become(program, arguments, situation, out_end, err_end))
    os.close(out_end)
    os.close(err_end)
    read = _read({out: situation.lines, err: None})
    _, status = os.waitpid(child, 0)
    return Ended(os.waitstatus_to_exitcode(status), read[out], read[err])


def _read(wanted: dict[int, int | None]) -> dict[int, bytes]:
    found = dict.fromkeys(wanted, b"")
    waiting = set(wanted)
    while waiting:
        for stream in select.select(waiting, [], [])[0]:
            chunk = b""
            with suppress(OSError):  # a terminal whose other side is gone
                chunk = os.read(stream, 1 << 16)
            found[stream] += chunk
            lines = wanted[stream]
            if not chunk or (lines is not None and found[stream].count(b"\n") >= lines):
                waiting.remove(stream)
                os.close(stream)
    return found


def _become(program: str, arguments: Sequence[str], situation: Situation, out: int, err: int) -> int:
    null, full = os.open(os.devnull, os.O_RDONLY), os.open("/dev/full", os.O_WRONLY)
    for number, given in enumerate((null, out, err)):
        os.dup2(full if number in situation.full else given, number)
    os.closerange(3, 256)
    for number in situation.closed:
        os.close(number)
    streams: list[Any] = []
    for number, mode in enumerate("rww"):  # as an interpreter does at its start
        open_one = number not in situation.closed
        errors = "backslashreplace" if number == 2 else "strict"
        streams.append(
            open(number, mode, encoding=situation.encoding, errors=errors, closefd=False) if open_one else None  # noqa: SIM115 it outlives the line
        )
    sys.stdin, sys.stdout, sys.stderr = streams
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = streams  # type: ignore[misc]
    try:
        code = importlib.import_module(PROGRAMS[program]).main([*arguments])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        with suppress(BaseException):
            traceback.print_exc()
        code = 1
    # And as it does at its end.
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError) as failure:
            with suppress(BaseException):
                print(f"Exception ignored in: {failure!r}", file=sys.stderr, flush=True)
            code = 120
    return int(code)


if __name__ == "__main__":
    assert isinstance(sys.stdout, io.TextIOWrapper)
    _serve()
