"""A thread beside the table that cannot do its work, a log that no one reads: the table plays, and it is reported."""

import asyncio
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
from msgspec.structs import replace
from structlog.testing import capture_logs

from controller.config.file import Config, read_config
from controller.engine.decisions.alarms import Acknowledge
from controller.engine.outcomes import Accepted
from controller.engine.state.applied import Event
from controller.engine.state.events import ComplaintOpened, KeyReleased, RoundAdjusted
from controller.journal.records import JournalCorrupt
from controller.journal.wires import folder_of
from controller.rulebook.events import RoundVoided
from controller.runtime.bus import CommitPublished, Committed
from controller.runtime.flight import FlightRecorder
from controller.station import Station
from controller.telemetry import logs, writing
from controller.telemetry.health import notify
from controller.telemetry.writing import TextWriter
from simulators.broker import free_port
from tests.configured import table_toml
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
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "never"))
    assert notify("READY=1")


def test_what_libraries_log_and_warn_of_goes_into_the_same_log() -> None:
    """Else asyncio's own reports would wait for the reader of standard error."""
    with capture_logs() as output:
        logs._RECORDS.emit(logging.LogRecord("asyncio", logging.ERROR, "x.py", 1, "never %s", ("retrieved",), None))
    assert output == [{"event": "never retrieved", "logger": "asyncio", "log_level": "error"}]


DEFECT = "defect"


def recording(folder: Path) -> Config:
    text = table_toml(listen=f"127.0.0.1:{free_port()}")
    (folder / "station.toml").write_text(f"{text}\n[recorder]\n", encoding="utf-8")
    config = read_config(folder / "station.toml")
    config.journal.parent.mkdir(exist_ok=True)
    return config


async def test_without_room_for_the_recorder_the_table_plays_on_with_an_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = recording(tmp_path)
    folder_of(config.journal).write_text("in the way")
    monkeypatch.setattr("controller.runtime.flight.SEAL_SECONDS", 0.01)
    alarmed = asyncio.Event()

    def watch(committed: Committed) -> None:
        if "recorder" in committed.table.alarms:
            alarmed.set()

    station = await Station.open(config)
    station.bus.subscribe(CommitPublished, watch)
    running = asyncio.create_task(station.run())
    await alarmed.wait()
    assert station.loop.table.alarms["recorder"].details == "File exists"
    actor = next(iter(config.people))
    input = Acknowledge(input_id="1", step_id="table", actor=actor, alarm="recorder")
    [answer] = await station.loop.answer([input])  # type: ignore[misc]
    assert isinstance(answer, Accepted) and "recorder" not in station.loop.table.alarms
    assert b"dealer_station_recorder_dropped_bytes_total 0.0" not in station.metrics.text()
    station.stop()
    await running


@pytest.mark.parametrize(
    ("error", "name", "details"),
    [
        (KeyError("7h"), DEFECT, "test_station_unread.py:"),
        (JournalCorrupt("j.db: event 5 is not as it was written"), "journal", "event 5 is not as it was written"),
    ],
)
@pytest.mark.parametrize(
    ("work", "thread"), [("verifying.Verifier.verify", "verifier"), ("closing.Closer._close", "closer")]
)
async def test_an_error_that_ends_what_works_on_the_journal_is_an_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str, thread: str, error: Exception, name: str, details: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(f"controller.journal.{work}", fails)
    monkeypatch.setattr("controller.journal.closing.LOOK_SECONDS", 0.0)
    alarmed = asyncio.Event()
    station = await Station.open(recording(tmp_path))
    station.bus.subscribe(CommitPublished, lambda now: alarmed.set() if name in now.table.alarms else None)
    running = asyncio.create_task(station.run())
    try:
        async with asyncio.timeout(100):
            await alarmed.wait()
    finally:
        station.stop()
        await running
    alarm = station.loop.table.alarms[name]
    assert alarm.code == (f"ended/{thread}" if name == DEFECT else "changed")
    assert details in alarm.details and "7h" not in alarm.details


async def test_a_round_complained_of_void_adjusted_or_whose_key_is_released_is_kept_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    monkeypatch.setattr(FlightRecorder, "keep", lambda _, round: kept.append(round))
    station = await Station.open(recording(tmp_path))
    events: tuple[Event, ...] = (
        ComplaintOpened(complaint=1, round=4, seat=1, what="payment", by="", actor="rui"),
        RoundAdjusted(5, seat=1, amount=-5, actor="rui", reason="paid twice", second="sol", after_claims=False),
        KeyReleased(round=6, actor="rui", reason="the inspection asks", second="sol"),
        RoundVoided(article="17.º 1 1)", code="misdealt", values={}),
    )
    table = replace(station.loop.table, rounds=7)
    station.bus.publish(CommitPublished("2026-01-02T03:04:05.678Z", events, table, (), (), 0))
    assert kept == [4, 5, 6, 7]
    await station.close()
