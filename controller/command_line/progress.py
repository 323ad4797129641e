"""Shows the progress of long work on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress

from controller.journal.auditing import Report


@contextmanager
def bar(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal; each call advances it by one."""
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as shown:
        task = shown.add_task(what, total=total)
        yield lambda: shown.advance(task)


@contextmanager
def progress(hidden: bool) -> Iterator[Report]:
    """A bar on a terminal, with the number of events that are done."""
    with Progress(console=Console(stderr=True), disable=hidden or not sys.stderr.isatty()) as shown:
        bar = shown.add_task("events")
        yield lambda done, total: shown.update(bar, completed=done, total=total)
