"""How long a device is waited for: the time in which this process ran. A computer too busy to listen is no silence."""

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
        """How long to wait next; 0 when there was time enough."""
        now = self._now()
        self._left -= min(now - self._since, STEP_SECONDS)
        self._since = now
        return max(0.0, min(self._left, STEP_SECONDS))
