"""Logs to stderr: one JSON object a line under systemd, with its priority; readable lines on a terminal.

A thread writes them. Logging waits for no reader: while none reads, lines are dropped and counted.
"""

import atexit
import logging
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, WrappedLogger

from controller.telemetry.writing import stderr_aside

END_SECONDS = 1.0  # for what is still to be written when the process ends
_PRIORITY = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}


class _Journald:
    """JSON after the ``<N>`` prefix from which systemd takes a line's priority."""

    def __init__(self) -> None:
        self._render = structlog.processors.JSONRenderer(ensure_ascii=False)

    def __call__(self, logger: WrappedLogger, name: str, event: EventDict) -> str:
        return f"<{_PRIORITY.get(str(event.get('level')), 6)}>{self._render(logger, name, event)}"  # type: ignore[str-bytes-safe]


class _Stderr:
    """Standard error that never blocks: a log on a full disk, or without a reader, stops no table."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            STDERR.write(text)
        return len(text)

    def flush(self) -> None: ...


class _Records(logging.Handler):
    """Records and warnings of libraries, as lines of this log."""

    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger()
        say = log.error if record.levelno >= logging.ERROR else log.warning
        failure = {"exc_info": record.exc_info} if record.exc_info else {}
        with suppress(Exception):  # a log stops no table
            say(record.getMessage(), logger=record.name, **failure)


def complain(text: str) -> None:
    """Writes a line for persons on standard error, by the log's own thread: for callers that must not wait for a
    reader.
    """
    with suppress(OSError):
        STDERR.write(f"{text}\n")


def configure(quiet: bool = False) -> None:
    """Set the log up for this process; `quiet` keeps warnings and worse."""
    under_systemd = "JOURNAL_STREAM" in os.environ
    render = (
        _Journald()
        if under_systemd
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    first = (
        structlog.processors.format_exc_info
        if under_systemd
        else structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False)
    )
    structlog.configure(
        processors=[structlog.processors.add_log_level, first, render],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING if quiet else logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _Stderr())),
        cache_logger_on_first_use=False,
    )
    if STDERR.is_real() and _RECORDS not in logging.root.handlers:
        logging.captureWarnings(True)
        logging.root.addHandler(_RECORDS)
        atexit.register(STDERR.writer.wait, END_SECONDS)


def _lost(count: int) -> str:
    event: EventDict = {"event": "lines of the log were dropped, since no one read them", "count": count}
    for processor in structlog.get_config()["processors"]:
        event = processor(None, "warning", event)
    return f"{event}\n"


STDERR = stderr_aside(_lost)
"""Standard error, for all that is written there while a table runs."""
_RECORDS = _Records(logging.WARNING)
