"""How often a PIN may be tried: after some wrong ones each is followed by a delay, and by a longer one the next time.

A screen on which somebody has logged in once counts for itself, and whoever asks from elsewhere by address: nobody
without a PIN can keep a person away from a screen that is known. What all screens have wrong under one name is counted
together too, and so is what all addresses have, for both can be had by the dozen.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping

import msgspec

from controller.engine.sign_ins import LockLifted, SignedIn, SignInEvent, SignInRefused

FREE = 4  # wrong PINs of one name at one place that no delay follows
FREE_TOGETHER = 50  # at all known screens, or from all addresses
FIRST_SECONDS = 60
LONGEST_SECONDS = 3600
COUNTED_SECONDS = 24 * 3600.0  # then a wrong PIN is forgotten
MOST_A_MINUTE = 10  # attempts at a known screen, and of everybody else together; each costs a hash
MINUTE = 60.0

Key = tuple[str, str]


class Place(msgspec.Struct, frozen=True):
    """Where a PIN is tried: the peer's address, and the screen where somebody has logged in there once, else empty."""

    address: str
    screen: str = ""

    def counters(self, name: str) -> tuple[tuple[Key, int], tuple[Key, int]]:
        """Where a wrong PIN of this name counts, first at this place alone, and how many of them no delay follows."""
        at, all_of = (f"screen {self.screen}", "screens") if self.screen else (f"address {self.address}", "addresses")
        return ((at, name), FREE), ((all_of, name), FREE_TOGETHER)


class Throttle:
    """The attempts so far. `now` is a clock in seconds that never goes back."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: dict[Key, deque[float]] = {}
        self._lately: dict[str, deque[float]] = {}

    def resume(self, sign_ins: Iterable[tuple[float, SignInEvent]], pins_set: Mapping[str, float]) -> None:
        """Go on where a station before this one stopped: its sign-ins, oldest first, each with how many seconds ago.

        `pins_set` says how many seconds ago a person's PIN was set: what was wrong before concerns another one.
        """
        for ago, event in sign_ins:
            match event:
                case SignedIn(name=name, address=address, screen=screen, first_login=first):
                    self.succeeded(Place(address, "" if first else screen), name)
                case LockLifted(name=name):
                    self.lift(name)
                case SignInRefused(name=str() as name, reason="wrong_pin", address=address, screen=screen):
                    if ago < pins_set.get(name, math.inf):
                        # A wall clock that was set back must not make a delay longer.
                        self._count(Place(address, screen), name, self._now() - max(0.0, ago))

    def take(self, place: Place) -> int:
        """Count one attempt, whoever's; the seconds to wait where there were too many, and it is not heard."""
        now = self._now()
        self._lately = {screen: times for screen, times in self._lately.items() if times[-1] > now - MINUTE}
        lately = self._lately.get(place.screen, deque())
        while lately and lately[0] <= now - MINUTE:
            lately.popleft()
        if len(lately) >= MOST_A_MINUTE:
            return max(1, math.ceil(lately[0] + MINUTE - now))
        lately.append(now)
        self._lately[place.screen] = lately
        return 0

    def delay(self, place: Place, name: str) -> int:
        """For how many seconds more no PIN is tried under this name at this place."""
        return max(self._delay(key, free) for key, free in place.counters(name))

    def failed(self, place: Place, name: str) -> tuple[int, int] | None:
        """A wrong PIN. Where a delay follows it: how many there were at this place, and for how many seconds."""
        now = self._now()
        self._wrong = {key: times for key, times in self._wrong.items() if times[-1] > now - COUNTED_SECONDS}
        self._count(place, name, now)
        seconds = self.delay(place, name)
        (at, _), _ = place.counters(name)
        return (len(self._wrong[at]), seconds) if seconds else None

    def succeeded(self, place: Place, name: str) -> None:
        """The right PIN: what was wrong at this place before is forgotten, and it is no attempt of the minute's."""
        (at, _), _ = place.counters(name)
        self._wrong.pop(at, None)
        lately = self._lately.get(place.screen, deque())
        if len(lately) > 1:
            lately.pop()
        else:
            self._lately.pop(place.screen, None)

    def lift(self, name: str) -> bool:
        """Nobody waits under this name any more, wherever it is; whether a wrong PIN had been counted."""
        counted = [key for key in self._wrong if key[1] == name]
        for key in counted:
            del self._wrong[key]
        return bool(counted)

    def delayed(self) -> dict[str, int]:
        """The names under which somebody waits somewhere, and for how many seconds at most."""
        longest: dict[str, int] = {}
        for key in list(self._wrong):
            free = FREE_TOGETHER if key[0] in ("screens", "addresses") else FREE
            longest[key[1]] = max(longest.get(key[1], 0), self._delay(key, free))
        return {name: seconds for name, seconds in longest.items() if seconds}

    def _count(self, place: Place, name: str, at: float) -> None:
        for key, _ in place.counters(name):
            self._wrong.setdefault(key, deque()).append(at)

    def _delay(self, key: Key, free: int) -> int:
        wrong, now = self._wrong.get(key, deque()), self._now()
        while wrong and wrong[0] <= now - COUNTED_SECONDS:
            wrong.popleft()
        if not wrong:
            self._wrong.pop(key, None)
        if len(wrong) <= free:
            return 0
        seconds = min(FIRST_SECONDS << min(len(wrong) - free - 1, 16), LONGEST_SECONDS)
        return max(0, math.ceil(wrong[-1] + seconds - now))
