"""The time to wait for a device: only time in which this process ran. If the computer is too busy to listen, the
device is not silent.
"""

import time
from collections.abc import Callable

STEP_SECONDS = 0.05


class Patience:
    """Seconds to wait for an answer, in steps; a step in which the process was delayed counts as one step."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._left = seconds
        self._now = now
        self._since = now()

    def step(self) -> float:
        """The time to wait next; 0 when the time is over."""
        now = self._now()
        self._left -= min(now - self._since, STEP_SECONDS)
        self._since = now
        return max(0.0, min(self._left, STEP_SECONDS))
