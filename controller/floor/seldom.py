"""Limits log lines about events from outside to one a minute, with their number. No I/O here."""

import time

SECONDS = 60.0


class Seldom:
    """Counts occurrences of one kind."""

    def __init__(self) -> None:
        self._count = 0
        self._quiet_until = float("-inf")

    def due(self) -> int:
        """Counts one occurrence; returns their number since the last line if a line is due, else 0."""
        self._count += 1
        if time.monotonic() < self._quiet_until:
            return 0
        count, self._count = self._count, 0
        self._quiet_until = time.monotonic() + SECONDS
        return count
