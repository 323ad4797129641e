"""For how long the journal's disk still has room, predicted from lasting growth."""

import itertools
import os
from collections import deque
from pathlib import Path
from typing import NamedTuple

DAY_SECONDS = 86_400.0
MEASURED_SECONDS = 3600.0  # the growth is that of the last hour
LEAST_SECONDS = 600.0  # of a shorter time it would be that of one moment
PARTS = 3  # of what is measured: growth that lasts is there in each of them
SOON_SECONDS = 3600.0  # a disk that lasts longer is looked at for half of MEASURED_SECONDS first


class Measured(NamedTuple):
    """A look at a disk: when, in seconds; how many bytes are free, and how many the journal takes."""

    at: float
    free: int
    journal: int


class Filling(NamedTuple):
    """A disk that is filling: the seconds until it is full, and the bytes written in the last `over` seconds."""

    seconds: float
    free: int
    over: float
    written: int
    by_journal: int


class Disk:
    """The free space of the journal's disk over the last hour."""

    def __init__(self) -> None:
        self._seen: deque[Measured] = deque()
        self._reported = 0

    def look(self, at: float, free: int, journal: int) -> Filling | None:
        """Note what is free; how the disk fills, where that takes less than a day and was not yet reported.

        It is reported again when half of what was left then is used up, or after twice as much was free again.
        """
        self._seen.append(Measured(at, free, journal))
        while at - self._seen[0].at > MEASURED_SECONDS:
            self._seen.popleft()
        if free > 2 * self._reported:
            self._reported = 0
        began = self._seen[0]
        over, growth = at - began.at, self._lasting_growth()
        if over < LEAST_SECONDS or growth <= 0:
            return None
        seconds = free / growth
        if seconds >= DAY_SECONDS or (seconds > SOON_SECONDS and over < MEASURED_SECONDS / 2):
            return None
        if self._reported and free > self._reported // 2:
            return None
        self._reported = free
        return Filling(seconds, free, over, began.free - free, journal - began.journal)

    def _lasting_growth(self) -> float:
        """The bytes a second by which the disk fills in each part of the time measured."""
        first, last = self._seen[0], self._seen[-1]
        part = (last.at - first.at) / PARTS
        if part <= 0:
            return 0.0
        begins = [next(sample for sample in self._seen if sample.at >= first.at + n * part) for n in range(PARTS)]
        pairs = itertools.pairwise([*begins, last])
        return min((a.free - b.free) / (b.at - a.at) if b.at > a.at else 0.0 for a, b in pairs)


def free_bytes(folder: Path) -> int:
    """The free space for a file in a folder, in bytes. Raises OSError."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def taken_bytes(folder: Path) -> int:
    """The bytes taken by the files below a folder; a file that is deleted meanwhile counts 0. Raises OSError."""
    taken = 0
    for at, _, names in os.walk(folder):
        for name in names:
            try:
                taken += os.lstat(os.path.join(at, name)).st_blocks * 512
            except FileNotFoundError:
                continue
    return taken
