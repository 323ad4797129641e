"""How long the journal's disk still has room, from what was measured of it."""

import os
from collections import deque
from pathlib import Path

DAY_SECONDS = 86_400.0
MEASURED_SECONDS = 3600.0  # the growth is that of the last hour
LEAST_SECONDS = 600.0  # of a shorter time it would be that of one moment


class Disk:
    """The free space of a disk over the last hour."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()
        self._told = 0

    def look(self, now: float, free: int) -> float | None:
        """Note how many bytes are free; in how many hours it is full, where that is less than a day and not yet told.

        It is told again when half of what was left then is used up.
        """
        self._seen.append((now, free))
        while now - self._seen[0][0] > MEASURED_SECONDS:
            self._seen.popleft()
        began, then = self._seen[0]
        if now - began < LEAST_SECONDS or free >= then:
            return None
        seconds = free * (now - began) / (then - free)
        if seconds >= DAY_SECONDS:
            self._told = 0
            return None
        if self._told and free > self._told // 2:
            return None
        self._told = free
        return seconds / 3600


def free_bytes(folder: Path) -> int:
    """What a file in a folder may still take. Raises OSError."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
