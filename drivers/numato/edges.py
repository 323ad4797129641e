"""The number of rising edges of each input on a board without counters, from readings and notifications. No I/O
here.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final

from drivers.numato.codec import LINES

COUNTER_RANGE: Final = 65536
BOUNCING: Final = 4  # edges between two readings: a chip placed and lifted twice within 20 ms
LATE_SECONDS: Final = 0.1  # an edge that a reading showed first is notified within this or by the next one, or never


class EdgeCounts:
    """Counts from 0, beginning with the first reading.

    The number of a line's edges is even or odd according to its level, and at least the number of notified edges. So an
    edge seen by both a reading and a notification counts once, and a chip that was present only between two readings
    counts too. More than one edge between two readings is a bouncing contact: its edges count as notified, so that the
    counter shows how unstable it is.
    """

    def __init__(self, inputs: int, value: int) -> None:
        self.counters = [0] * LINES
        self._inputs = inputs
        self._value = value & inputs
        self._unnotified = [0] * LINES  # edges that readings have shown and no notification yet
        self._unnotified_since = [0.0] * LINES
        self._notified = [0] * LINES  # since the last reading, less those counted in `_unnotified`

    @property
    def levels(self) -> tuple[bool, ...]:
        """The levels by line number; a line that is not an input is low."""
        return tuple(bool(self._value >> line & 1) for line in range(LINES))

    def notified(self, edges: int) -> None:
        """These lines have changed once before the next reading; a running reading may already show it."""
        for line in range(LINES):
            if edges & self._inputs & 1 << line:
                if self._unnotified[line]:
                    self._unnotified[line] -= 1
                else:
                    self._notified[line] += 1

    def read(self, value: int, now: float, meanwhile: Sequence[int] = ()) -> None:
        """All lines have been read at `now` (seconds of any steady clock).

        `meanwhile` are edges notified during the reading. They count as later than the reading: to count an edge too
        late is harmless, too early is not.
        """
        came = reduce(or_, meanwhile, 0)
        for line in range(LINES):
            if self._inputs & 1 << line:
                if now - self._unnotified_since[line] > LATE_SECONDS and not came & 1 << line:
                    self._unnotified[line] = 0
                self._read_line(line, value >> line & 1, now)
        self._value = value & self._inputs
        for edges in meanwhile:
            self.notified(edges)

    def _read_line(self, line: int, level: int, now: float) -> None:
        before, notified = self._value >> line & 1, self._notified[line]
        edges = 1 if level != before else 2 if notified else 0
        if notified >= BOUNCING:
            edges += (notified - edges) // 2 * 2
        self._notified[line] = 0
        if (edges - notified) % 2:
            self._unnotified[line] += 1
            self._unnotified_since[line] = now
        rises = (edges + (not before)) // 2
        self.counters[line] = (self.counters[line] + rises) % COUNTER_RANGE
