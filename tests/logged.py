"""What a process logs meanwhile, for a test that looks at it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from controller.system.log import log


@contextmanager
def capture_logs() -> Iterator[list[dict[str, Any]]]:
    """Each entry as its values, with its event and level."""
    entries: list[dict[str, Any]] = []

    def take(level: str, event: str, values: Mapping[str, Any]) -> None:
        entries.append({**values, "event": event, "log_level": level})

    before, log.take = log.take, take
    try:
        yield entries
    finally:
        log.take = before
