"""The stage of the play, to which the conditions of faults refer. No I/O here."""

from collections.abc import Callable

from simulators.faults.syntax import PHASES


class Stage:
    """The hands that play and the machines report to it; observers are called at once, in the order they were added.

    A machine reports `leaving` before a packet or card comes out of it, so that a fault can strike that very one; the
    hands report `card` when they have it.
    """

    def __init__(self) -> None:
        self.round_number = 0
        self.phase_now = "between"
        self.cards_left = 0  # packets or cards that have left the source in this round
        self.card_leaving = 0  # the one that is leaving it, or was the last to do so
        self._observers: list[Callable[[], None]] = []

    def watch(self, observer: Callable[[], None]) -> None:
        """Call `observer` after every change."""
        self._observers.append(observer)

    def round(self, number: int) -> None:
        """Round `number` begins."""
        self.round_number = number
        self.cards_left = self.card_leaving = 0
        self._notify()

    def phase(self, name: str) -> None:
        """The play is now in this phase. Raises ValueError for an unknown one."""
        if name not in PHASES:
            raise ValueError(f"{name!r} is no phase")
        if name != self.phase_now:
            self.phase_now = name
            self._notify()

    def leaving(self) -> None:
        """A packet, or one card, is about to leave the source."""
        self.card_leaving += 1
        self._notify()

    def card(self) -> None:
        """A packet, or one card, has left the source."""
        self.cards_left += 1
        self._notify()

    def _notify(self) -> None:
        for observer in self._observers:
            observer()
