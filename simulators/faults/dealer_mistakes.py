"""Wanted mistakes of the hands: wishes, which dealer and players take when the moment comes. No I/O here."""

from collections import deque
from collections.abc import Callable

from simulators.faults.syntax import KINDS

AT_THE_SCREEN = frozenset({"slip_wager", "slip_seat", "slip_decision", "slip_dice", "miskey", "complaint", "no_bets"})
MISTAKES = frozenset(kind.name for kind in KINDS.values() if kind.device in ("dealer", "players"))


class DealerMistakes:
    """Each wish is taken once; `repaired` is called by the dealer who has made the deck whole.

    While a person enters what the dealer would, nothing is keyed in wrongly on purpose: those wishes wait.
    """

    def __init__(self) -> None:
        self.repaired: Callable[[], None] = lambda: None
        self.person_enters = False
        self._wishes: dict[str, deque[str]] = {kind: deque() for kind in MISTAKES}

    def wish(self, kind: str, value: str = "") -> None:
        """Wishes that someone does this, with this value or, if it is empty, with one of his choice."""
        self._wishes[kind].append(value)

    def take(self, kind: str) -> str | None:
        """Take the value of the oldest wish of this kind; None if there is none."""
        wishes = self._wishes[kind]
        if self.person_enters and kind in AT_THE_SCREEN:
            return None
        return wishes.popleft() if wishes else None

    def put_back(self, kind: str, value: str) -> None:
        """The wish could not be fulfilled now: it is put back before all others of its kind."""
        self._wishes[kind].appendleft(value)

    def withdraw(self, kind: str, value: str) -> bool:
        """Withdraw a wish; returns whether it was still open."""
        try:
            self._wishes[kind].remove(value)
        except ValueError:
            return False
        return True
