"""How often a PIN may be tried: after some wrong ones each is followed by a delay, and by a longer one the next time.

At a screen on which a person has logged in before, wrong PINs under that name count for that screen only. Elsewhere
they count by address, and over all addresses together, since an attacker may have many. So a person at a known screen
can only be delayed by someone who uses that screen.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping

import msgspec

from controller.console.screens import Screen
from controller.engine.state.events import LockLifted, SignedIn, SignInEvent, SignInRefused

FREE = 4  # wrong PINs of one name at one place that no delay follows
FREE_TOGETHER = 50  # from all addresses
FIRST_SECONDS = 60
LONGEST_SECONDS = 3600
COUNTED_SECONDS = 24 * 3600.0  # then a wrong PIN is forgotten
MOST_A_MINUTE = 10  # attempts under a name at a screen of that person, and all others together; each costs a hash
KEPT_A_MINUTE = 4  # further ones of all others, for names of persons that have not failed in the time that is counted
MINUTE = 60.0

_Key = tuple[str, str]
STRANGERS: _Key = ("", "")
TOGETHER = "addresses"


class PinTrialPlace(msgspec.Struct, frozen=True):
    """The client's address and the screen on which a PIN is tried."""

    address: str
    screen: Screen = Screen()

    def is_own(self, name: str) -> bool:
        """Whether the person of this name has logged in on this screen."""
        return name in self.screen.persons

    def counters(self, name: str) -> list[tuple[_Key, int]]:
        """The counters of a wrong PIN of this name, that of this place first, each with the number of failures without
        a delay.
        """
        if self.is_own(name):
            return [((f"screen {self.screen.id}", name), FREE)]
        return [((f"address {self.address}", name), FREE), ((TOGETHER, name), FREE_TOGETHER)]


class Throttle:
    """The attempts so far. `now` returns seconds and never goes back."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: dict[_Key, deque[float]] = {}
        self._lately: dict[_Key, deque[float]] = {}

    def resume(self, sign_ins: Iterable[tuple[float, SignInEvent]], pins_set: Mapping[str, float]) -> None:
        """Continue after a restart from the recorded sign-ins, oldest first, each with how many seconds ago it was.

        `pins_set` says how many seconds ago a person's PIN was set: earlier failures were with another PIN.
        """
        for ago, event in sign_ins:
            match event:
                case SignedIn(name=name, address=address, screen=screen, first_login=first):
                    self.succeeded(PinTrialPlace(address, Screen() if first else Screen(screen, (name,))), name)
                case LockLifted(name=name):
                    self.lift(name)
                case SignInRefused(name=str() as name, reason="wrong_pin", address=address):
                    if ago < pins_set.get(name, math.inf):
                        place = PinTrialPlace(address, Screen(event.screen, event.screen_persons))
                        # A wall clock that was set back must not make a delay longer.
                        self._count(place, name, self._now() - max(0.0, ago))

    def take(self, place: PinTrialPlace, name: str, is_person: bool) -> int:
        """Counts one attempt; returns the seconds to wait if there were too many: then the PIN is not tried."""
        now, key, most = self._now(), _attempts(place, name), MOST_A_MINUTE
        self._lately = {tried: times for tried, times in self._lately.items() if times[-1] > now - MINUTE}
        lately = self._lately.get(key, deque())
        while lately and lately[0] <= now - MINUTE:
            lately.popleft()
        if key == STRANGERS and is_person and not self._counted((TOGETHER, name)):
            most += KEPT_A_MINUTE
        if len(lately) >= most:
            return max(1, math.ceil(lately[len(lately) - most] + MINUTE - now))
        lately.append(now)
        self._lately[key] = lately
        return 0

    def delay(self, place: PinTrialPlace, name: str) -> int:
        """The number of seconds until the next PIN may be tried under this name at this place."""
        return max(self._delay(key, free) for key, free in place.counters(name))

    def failed(self, place: PinTrialPlace, name: str) -> tuple[int, int] | None:
        """Count a wrong PIN. If a delay follows, returns the number of failures at this place, and the seconds."""
        now = self._now()
        self._wrong = {key: times for key, times in self._wrong.items() if times[-1] > now - COUNTED_SECONDS}
        self._count(place, name, now)
        seconds = self.delay(place, name)
        at, _ = place.counters(name)[0]
        return (len(self._wrong[at]), seconds) if seconds else None

    def succeeded(self, place: PinTrialPlace, name: str) -> None:
        """The right PIN: earlier failures at this place are forgotten, and it does not count as an attempt of the
        minute.
        """
        at, _ = place.counters(name)[0]
        self._wrong.pop(at, None)
        key = _attempts(place, name)
        lately = self._lately.get(key, deque())
        if len(lately) > 1:
            lately.pop()
        else:
            self._lately.pop(key, None)

    def lift(self, name: str) -> bool:
        """End the lock of a name at all screens and addresses; returns whether a wrong PIN had been counted."""
        counted = [key for key in self._wrong if key[1] == name]
        for key in counted:
            del self._wrong[key]
        return bool(counted)

    def delayed(self) -> dict[str, int]:
        """The names with a delay somewhere, each with the longest wait in seconds."""
        longest: dict[str, int] = {}
        for key in list(self._wrong):
            free = FREE_TOGETHER if key[0] == TOGETHER else FREE
            longest[key[1]] = max(longest.get(key[1], 0), self._delay(key, free))
        return {name: seconds for name, seconds in longest.items() if seconds}

    def _count(self, place: PinTrialPlace, name: str, at: float) -> None:
        for key, _ in place.counters(name):
            self._wrong.setdefault(key, deque()).append(at)

    def _counted(self, key: _Key) -> deque[float]:
        """The times of the wrong PINs that count here, the oldest first."""
        wrong, now = self._wrong.get(key, deque()), self._now()
        while wrong and wrong[0] <= now - COUNTED_SECONDS:
            wrong.popleft()
        if not wrong:
            self._wrong.pop(key, None)
        return wrong

    def _delay(self, key: _Key, free: int) -> int:
        wrong = self._counted(key)
        if len(wrong) <= free:
            return 0
        seconds = min(FIRST_SECONDS << min(len(wrong) - free - 1, 16), LONGEST_SECONDS)
        return max(0, math.ceil(wrong[-1] + seconds - self._now()))


def _attempts(place: PinTrialPlace, name: str) -> _Key:
    """The attempts that count in the same minute as this one."""
    return (place.screen.id, name) if place.is_own(name) else STRANGERS
