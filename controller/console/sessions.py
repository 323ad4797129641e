"""Who is logged in on which screen: held in memory alone, so that a restart of the station logs everybody out.

A screen has one cookie, and any number of persons stand behind it: the dealer stays while a supervisor steps in. Each
of them is there by a PIN of his own and for a time of his own, which only his own acts prolong.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable

import msgspec

from controller.engine.sign_ins import Ending, SignedIn, SignedOut, SignInEvent

TOKEN_BYTES = 32


class SessionLimits(msgspec.Struct, frozen=True):
    """How long a person stays logged in, in seconds: without an act, a dealer and anybody else; and at the longest."""

    dealer_idle: int
    idle: int
    longest: int


class Session(msgspec.Struct):
    """A person logged in on a screen; `kept` is the hash that his PIN was held against."""

    name: str
    role: str
    address: str
    kept: str
    since: float
    acted: float


class Sessions:
    """Everybody who is logged in. `report` is told of each sign-in and each end; `now` never goes back."""

    def __init__(self, limits: SessionLimits, report: Callable[[SignInEvent], None], now: Callable[[], float]) -> None:
        self._limits = limits
        self._report = report
        self._now = now
        self._screens: dict[bytes, dict[str, Session]] = {}

    def sign_in(
        self, token: str | None, name: str, role: str, address: str, kept: str, screen: str = "", first: bool = True
    ) -> str:
        """Add a person to a screen, or to a new one; the screen's token from now on, which the old one is not."""
        self.sweep()
        persons = self._screens.pop(_key(token), {}) if token is not None else {}
        now = self._now()
        persons[name] = Session(name=name, role=role, address=address, kept=kept, since=now, acted=now)
        fresh = secrets.token_urlsafe(TOKEN_BYTES)
        self._screens[_key(fresh)] = persons
        self._report(SignedIn(name=name, role=role, address=address, screen=screen, first=first))
        return fresh

    def on(self, token: str | None) -> list[Session]:
        """Who is logged in on a screen."""
        self.sweep()
        return list(self._screens.get(_key(token), {}).values()) if token is not None else []

    def ends_in(self, person: Session) -> float:
        """After how many seconds without an act he is logged out."""
        idle = self._limits.dealer_idle if person.role == "dealer" else self._limits.idle
        return min(person.acted + idle, person.since + self._limits.longest) - self._now()

    def acted(self, token: str | None, names: Iterable[str]) -> None:
        """These persons of a screen have done something."""
        for person in self.on(token):
            if person.name in names:
                person.acted = self._now()

    def leave(self, token: str | None, name: str | None) -> None:
        """Log a person of a screen out, or all of them."""
        for person in self.on(token):
            if name in (None, person.name):
                self._end(_key(token or ""), person, "logged_out")

    def sweep(self) -> None:
        """Log out whose time is over."""
        for key, person in self._everybody():
            if self.ends_in(person) <= 0:
                too_long = self._now() - person.since >= self._limits.longest
                self._end(key, person, "too_long" if too_long else "idle")

    def end_where_changed(self, pins: dict[str, str]) -> None:
        """Log out whose PIN is no longer the one he came with."""
        for key, person in self._everybody():
            if pins.get(person.name) != person.kept:
                self._end(key, person, "pin_changed")

    def _everybody(self) -> list[tuple[bytes, Session]]:
        return [(key, person) for key, persons in self._screens.items() for person in persons.values()]

    def _end(self, key: bytes, person: Session, how: Ending) -> None:
        persons = self._screens[key]
        del persons[person.name]
        if not persons:
            del self._screens[key]
        self._report(SignedOut(name=person.name, role=person.role, address=person.address, how=how))


def _key(token: str) -> bytes:
    # What is looked up is not the secret, so that the time it takes tells nothing of one.
    return hashlib.sha256(token.encode(errors="replace")).digest()
