"""Logs to stderr: one JSON object a line under systemd, with its priority; readable lines on a terminal.

A thread writes them. Logging waits for no reader: while none reads, lines are dropped and counted.
"""

import atexit
import json
import logging
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from controller.system.log import log
from controller.telemetry.writing import stderr_aside

END_SECONDS = 1.0  # for what is still to be written when the process ends
_PRIORITY = {"info": 6, "warning": 4, "error": 3}
_BOLD, _DIM, _MAGENTA, _CYAN = 1, 2, 35, 36
_COLOURS = {"info": 32, "warning": 33, "error": 31}


class _Records(logging.Handler):
    """What libraries log or warn of, as lines of this log."""

    def emit(self, record: logging.LogRecord) -> None:
        report = log.error if record.levelno >= logging.ERROR else log.warning
        failure = {"exc_info": record.exc_info} if record.exc_info else {}
        with suppress(Exception):  # a log stops no table
            report(record.getMessage(), logger=record.name, **failure)


def complain(text: str) -> None:
    """A line for persons on standard error, by the log's own thread: for what must not wait for its reader."""
    with suppress(OSError):
        STDERR.write(f"{text}\n")


def configure(quiet: bool = False) -> None:
    """Set the log up for this process; `quiet` keeps warnings and worse."""
    render = _render()

    def take(level: str, event: str, values: Mapping[str, Any]) -> None:
        if level != "info" or not quiet:
            complain(render(level, event, values))

    log.take = take
    if STDERR.is_real() and _RECORDS not in logging.root.handlers:
        logging.captureWarnings(True)
        logging.root.addHandler(_RECORDS)
        atexit.register(STDERR.writer.wait, END_SECONDS)


def _render() -> Callable[[str, str, Mapping[str, Any]], str]:
    if "JOURNAL_STREAM" in os.environ:
        return as_json
    return partial(as_text, colours=sys.stderr.isatty())


def as_json(level: str, event: str, values: Mapping[str, Any]) -> str:
    """One object behind the ``<N>`` prefix from which systemd takes a line's priority."""
    told, exception = _apart(values)
    line = {**told, "event": event, "level": level} | ({"exception": exception} if exception else {})
    return f"<{_PRIORITY[level]}>{json.dumps(line, ensure_ascii=False, default=repr)}"


def as_text(level: str, event: str, values: Mapping[str, Any], colours: bool) -> str:
    """The time of day, the level, the event and its values by name, for persons."""
    told, exception = _apart(values)

    def painted(text: str, colour: int) -> str:
        return f"\033[{colour}m{text}\033[0m" if colours else text

    shown = [f"{painted(name, _CYAN)}={painted(_shown(told[name]), _MAGENTA)}" for name in sorted(told)]
    head = f"{painted(time.strftime('%H:%M:%S'), _DIM)} [{painted(f'{level:9}', _COLOURS[level])}]"
    line = " ".join([head, painted(f"{event:30}", _BOLD), *shown]).rstrip()
    return f"{line}\n{exception}" if exception else line


def _apart(values: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The values, and the text of the exception among them."""
    told = dict(values)
    failure = told.pop("exc_info", None)
    return told, "".join(traceback.format_exception(*failure)).rstrip() if failure else ""


def _shown(value: object) -> str:
    return value if isinstance(value, str) and value.isprintable() and not set(value) & set(" =\"'") else repr(value)


def _lost(count: int) -> str:
    return _render()("warning", "lines of the log were dropped, since no one read them", {"count": count}) + "\n"


STDERR = stderr_aside(_lost)
"""Standard error, for all that is written there while a table runs."""
_RECORDS = _Records(logging.WARNING)
