"""A log, or an account of the rounds, that no one reads stops no table: it is dropped, counted, and reported."""

import fcntl
import logging
import os
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from controller.telemetry import logs, writing
from controller.telemetry.health import notify
from controller.telemetry.writing import TextWriter
from tests.station.forked import Forked
from tests.station.processes import patiently

SECONDS = 60.0
SIMULATE = ("simulate", "--speed", "max", "--seed", "3")


@contextmanager
def unread_pipe() -> Iterator[tuple[int, int]]:
    """A pipe that takes nothing more, with its two ends."""
    reading, writing_end = os.pipe()
    fcntl.fcntl(writing_end, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing_end, False)
    try:
        while True:
            os.write(writing_end, b"." * 4096)
    except BlockingIOError:
        os.set_blocking(writing_end, True)
    try:
        yield reading, writing_end
    finally:
        os.close(reading)


def read_on(reading: int) -> bytes:
    """Everything until the last who writes has ended."""
    found = b""
    while chunk := os.read(reading, 1 << 16):
        found += chunk
    return found


def test_a_writer_never_waits_and_reports_how_much_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_LINES", 50)
    with unread_pipe() as (reading, end):
        writer = TextWriter(end, lambda count: f"{count} left out\n")
        for number in range(1000):
            writer.write(f"{number}\n")
        output = b""
        while b"left out\n" not in output:
            output += os.read(reading, 4096)
        writer.wait()
        writer.write("and on\n")
        writer.wait()
        assert os.read(reading, 4096) == b"and on\n"
        os.close(end)
    *lines, last = output.lstrip(b".").decode().splitlines()
    assert lines == [str(number) for number in range(len(lines))] and 50 <= len(lines) <= 52
    assert last == f"{1000 - len(lines)} left out"


def test_a_writer_continues_where_its_descriptor_takes_something_again() -> None:
    with open("/dev/full", "wb", buffering=0) as full:
        writer = TextWriter(full.fileno(), lambda count: "")
        writer.write("lost\n")
        writer.wait()
        assert isinstance(writer.failure, OSError)
        reading, end = os.pipe()
        os.dup2(end, full.fileno())
        os.close(end)
        writer.write("taken\n")
        writer.wait()
        assert os.read(reading, 100) == b"taken\n"
        assert not writer.failure
        os.close(reading)


def is_over(folder: Path) -> bool:
    """Whether the table has closed, by its journal."""
    try:
        with closing(sqlite3.connect(f"file:{folder / 'state' / 'journal.db'}?mode=ro", uri=True)) as db:
            row = db.execute("SELECT body FROM events ORDER BY id DESC LIMIT 1").fetchone()
    except sqlite3.OperationalError:
        return False
    return row is not None and b'"table_closed"' in row[0]


@pytest.mark.parametrize("stream", ["stderr", "stdout"])
def test_a_table_plays_on_while_no_one_reads(tmp_path: Path, stream: str) -> None:
    """With faults, each of which the log of the station and the robot report."""
    given = ["--rounds", "2", "--faults", "0.5", "--verbose", "--state-dir", str(tmp_path)]
    with unread_pipe() as (reading, end), open(os.devnull, "wb") as null:
        with open(end, "wb") as unread:
            stdout, stderr = (unread, null) if stream == "stdout" else (null, unread)
            process = Forked("controller", *SIMULATE, *given, stdout=stdout, stderr=stderr)
        try:
            patiently(lambda: is_over(tmp_path), SECONDS, "the end of the table")
            if stream == "stderr":
                assert process.wait(SECONDS) == 0, "though no one reads its log"
            reader = threading.Thread(target=read_on, args=[reading])
            reader.start()
            assert process.wait(SECONDS) == 0
            reader.join()
        finally:
            process.kill()
            process.wait(SECONDS)


def test_a_service_manager_that_does_not_read_holds_nothing_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        while notify("STATUS=closed"):
            pass
        assert manager.recv(100) == b"STATUS=closed"
        assert notify("READY=1")
    assert notify("READY=1"), "one that is gone gets nothing"


def test_what_libraries_log_and_warn_of_goes_into_the_same_log() -> None:
    """Else asyncio's own reports would wait for the reader of standard error."""
    with capture_logs() as output:
        logs._RECORDS.emit(logging.LogRecord("asyncio", logging.ERROR, "x.py", 1, "never %s", ("retrieved",), None))
    assert output == [{"event": "never retrieved", "logger": "asyncio", "log_level": "error"}]
