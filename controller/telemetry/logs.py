"""Logs to stderr: one JSON object a line under systemd, with its priority; readable lines on a terminal."""

import logging
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, WrappedLogger

_PRIORITY = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}


class _Journald:
    """JSON behind the ``<N>`` prefix from which systemd takes a line's priority."""

    def __init__(self) -> None:
        self._render = structlog.processors.JSONRenderer(ensure_ascii=False)

    def __call__(self, logger: WrappedLogger, name: str, event: EventDict) -> str:
        return f"<{_PRIORITY.get(str(event.get('level')), 6)}>{self._render(logger, name, event)}"  # type: ignore[str-bytes-safe]


class _Stderr:
    """Standard error that takes what it can: a log on a full disk, or without a reader, stops no table."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            sys.stderr.flush()


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
    stamp = [] if under_systemd else [structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False)]
    structlog.configure(
        processors=[structlog.processors.add_log_level, *stamp, render],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING if quiet else logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Stderr())),
        cache_logger_on_first_use=False,
    )
