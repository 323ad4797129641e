"""The numbers of a table's sessions with its broker: each is above those before it, also after a restart."""

from collections.abc import Callable
from contextlib import suppress

from controller.journal.records import JournalUnavailable

RESERVED = 1000  # at a time: a broker that is away is tried some hundred times an hour


class SessionNumbers:
    """Numbers for sessions. `reserve` takes some from the journal, durably; numbers left at the end are never used.

    While the journal cannot be written and none is left, numbers continue above the reserved ones: only a restart
    during such a failure can give a number a second time.
    """

    def __init__(self, reserve: Callable[[int], range]) -> None:
        """Raises JournalUnavailable."""
        self._reserve = reserve
        self._reserved = reserve(RESERVED)
        self.current = self._reserved.start - 1

    def begin(self) -> None:
        """Begins a session: `current` gets another number."""
        self.current += 1
        if self.current not in self._reserved:
            with suppress(JournalUnavailable):  # the loop notices it too
                self._reserved = self._reserve(RESERVED)
                self.current = max(self.current, self._reserved.start)
