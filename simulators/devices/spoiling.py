"""Faults that strike a number of times, each at the next occasion. No I/O here."""

from collections import Counter
from collections.abc import Callable

Report = Callable[[str, bool], None]
"""Gets a fault's kind, and whether it begins (true) or is over."""


def ignored(kind: str, on: bool) -> None:
    """Does nothing."""


class Spoiling:
    """`report` is called when a fault strikes."""

    def __init__(self) -> None:
        self.report: Report = ignored
        self._spoilt: Counter[str] = Counter()

    def spoil(self, kind: str, count: int = 1) -> None:
        """This strikes at the next `count` occasions."""
        self._spoilt[kind] += count

    def spare(self, kind: str) -> bool:
        """Cancel faults that have not struck yet; returns whether there were any."""
        return self._spoilt.pop(kind, 0) > 0

    def _strikes(self, kind: str) -> bool:
        if not self._spoilt[kind]:
            return False
        self._spoilt[kind] -= 1
        self.report(kind, True)
        return True
