"""Handles the standard streams of a command, which may be closed, full, without a reader, or of any encoding."""

import io
import os
import sys
from collections.abc import Callable

from controller.command_line.output import EXIT_INTERRUPTED, EXIT_OUTPUT, EXIT_PIPE

STDIN, STDOUT, STDERR = range(3)
# What a closed stream becomes: a command that needs it is refused, as by a shell, and no other file gets its number.
_CLOSED = {STDIN: os.O_WRONLY, STDOUT: os.O_RDONLY, STDERR: os.O_WRONLY}


class OutputLost(Exception):
    """Standard output cannot be written any more; the text is the system's reason."""


class _Output(io.FileIO):
    def write(self, content: object) -> int:
        try:
            return super().write(content)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.strerror) from None


class _Complaints(io.FileIO):
    """Standard error, which may be closed or on a full disk: a failed write changes nothing."""

    def write(self, content: object) -> int:
        try:
            return super().write(content)  # type: ignore[arg-type]
        except OSError:
            return len(content)  # type: ignore[arg-type]


def guarded(program: str, work: Callable[[], int]) -> int:
    """The exit code of a whole command, even where a standard stream breaks."""
    prepare_streams()
    try:
        try:
            code = work()
        except SystemExit:  # argparse has printed its help
            sys.stdout.flush()
            raise
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # its reader has seen enough
        _drop_output()
        return EXIT_PIPE
    except OutputLost as lost:
        _drop_output()
        print(f"{program}: standard output: {lost}", file=sys.stderr)
        return EXIT_OUTPUT


def prepare_streams() -> None:
    """Prepare this process's three standard streams. Streams that tests have replaced stay."""
    for number, mode in _CLOSED.items():
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # it gets the lowest number that is free: this one
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(STDIN, closefd=False)))
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(_Output(STDOUT, "w", closefd=False), sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Complaints(STDERR, "w", closefd=False), sys.stderr, at_once=True)


def _text(raw: io.FileIO, known: io.TextIOWrapper | None, at_once: bool = False) -> io.TextIOWrapper:
    """The text in the encoding of the stream: UTF-8 in files and pipes, at a terminal its own, without signs that it
    lacks.
    """
    for_person = raw.isatty()
    if known is not None:
        known.flush()
    encoding = known.encoding if for_person and known is not None else "utf-8"
    buffer = io.BufferedWriter(raw)
    return io.TextIOWrapper(buffer, encoding, errors="replace", line_buffering=for_person or at_once)


def _drop_output() -> None:
    """Discard the text that is still buffered, since no one reads it."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, STDOUT)
    os.close(null)
