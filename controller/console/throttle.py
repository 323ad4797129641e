"""How often a PIN may be tried: five wrong ones lock a name out, and so many attempts a minute are heard in all."""

import math
from collections import deque
from collections.abc import Callable, Iterable

from controller.engine.sign_ins import LockedOut, SignedIn, SignInEvent, SignInRefused

FAILURES = 5  # wrong PINs of a person, one after the other
FIRST_SECONDS = 300
LONGEST_SECONDS = 24 * 3600
MOST_A_MINUTE = 10  # attempts of everybody together; each costs a hash
MINUTE = 60.0


class Throttle:
    """The attempts so far. `now` is a clock in seconds that never goes back."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._failures: dict[str, int] = {}
        self._until: dict[str, float] = {}
        self._lately: deque[float] = deque()

    def resume(self, sign_ins: Iterable[tuple[float, SignInEvent]]) -> None:
        """Go on where a station before this one stopped: its sign-ins, oldest first, each with how many seconds ago.

        A restart lifts no lock-out.
        """
        now = self._now()
        for ago, event in sign_ins:
            match event:
                case SignedIn(name=name):
                    self.succeeded(name)
                case SignInRefused(name=str() as name, reason="wrong_pin"):
                    self._failures[name] = self._failures.get(name, 0) + 1
                case LockedOut(name=name, failures=failures, seconds=seconds):
                    self._failures[name] = failures
                    # A wall clock that was set back must not make it longer.
                    self._until[name] = now + seconds - max(0.0, ago)

    def take(self) -> int:
        """Count one attempt of anybody; the seconds to wait where there were too many, and it is not heard."""
        now = self._now()
        while self._lately and self._lately[0] <= now - MINUTE:
            self._lately.popleft()
        if len(self._lately) >= MOST_A_MINUTE:
            return max(1, math.ceil(self._lately[0] + MINUTE - now))
        self._lately.append(now)
        return 0

    def locked(self, name: str) -> int:
        """For how many seconds more nobody is let in under this name."""
        return max(0, math.ceil(self._until.get(name, 0.0) - self._now())) if name in self._until else 0

    def failed(self, name: str) -> tuple[int, int] | None:
        """A wrong PIN. Where it locks the name out: how many there were, and for how many seconds."""
        failures = self._failures[name] = self._failures.get(name, 0) + 1
        if failures % FAILURES:
            return None
        times = failures // FAILURES - 1
        seconds = min(FIRST_SECONDS << min(times, 16), LONGEST_SECONDS)
        self._until[name] = self._now() + seconds
        return failures, seconds

    def succeeded(self, name: str) -> None:
        """The right PIN: what was wrong before is forgotten."""
        self._failures.pop(name, None)
        self._until.pop(name, None)
