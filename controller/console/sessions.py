"""Who is logged in on which screen: kept in memory alone, so that a restart of the station logs everybody out.

A screen has one cookie and one key for all persons logged in on it: the dealer stays logged in while a supervisor
joins. Each person logs in by PIN and has a time limit, which only that person's acts extend.

A browser sends the cookie to every port of a computer; only the page knows the key.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable

import msgspec

from controller.engine.state.events import Ending, SignedIn, SignedOut, SignInEvent
from controller.rulebook.roles import DEALER, Role

TOKEN_BYTES = 32


class SessionLimits(msgspec.Struct, frozen=True):
    """How long a person stays logged in, in seconds: without an act, a dealer and anybody else; and at the longest."""

    dealer_idle: int
    idle: int
    longest: int


class ScreenSession(msgspec.Struct):
    """A person logged in on a screen; `kept` is the hash with which the PIN was compared."""

    name: str
    role: Role
    address: str
    kept: str
    since: float
    acted: float


class Credential(msgspec.Struct, frozen=True):
    """The credentials in a request: the cookie's token and the page's key; None for one that is missing."""

    token: str | None
    key: str | None


class ScreenLogIns(msgspec.Struct):
    """Who is logged in on a screen, by name; `key` is the hash of the page's."""

    key: bytes
    persons: dict[str, ScreenSession]


class ScreenSessions:
    """Everybody who is logged in. `report` is called with each login and its end; `now` never goes back."""

    def __init__(self, limits: SessionLimits, report: Callable[[SignInEvent], None], now: Callable[[], float]) -> None:
        self._limits = limits
        self._report = report
        self._now = now
        self._screens: dict[bytes, ScreenLogIns] = {}

    def sign_in(
        self,
        credential: Credential,
        name: str,
        role: Role,
        address: str,
        kept: str,
        screen: str = "",
        first: bool = True,
    ) -> Credential:
        """Add a person to a screen, or to a new one; returns the screen's new credential, which replaces the former."""
        self.sweep()
        before = self._of(credential)
        persons = {} if before is None else self._screens.pop(_hash(credential.token)).persons
        now = self._now()
        persons[name] = ScreenSession(name=name, role=role, address=address, kept=kept, since=now, acted=now)
        fresh = Credential(secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(TOKEN_BYTES))
        self._screens[_hash(fresh.token)] = ScreenLogIns(_hash(fresh.key), persons)
        self._report(SignedIn(name=name, role=role, address=address, screen=screen, first_login=first))
        return fresh

    def on(self, credential: Credential) -> list[ScreenSession]:
        """The persons who are logged in on a screen."""
        self.sweep()
        screen = self._of(credential)
        return [] if screen is None else list(screen.persons.values())

    def _of(self, credential: Credential) -> ScreenLogIns | None:
        screen = self._screens.get(_hash(credential.token))
        return screen if screen is not None and hmac.compare_digest(screen.key, _hash(credential.key)) else None

    def ends_in(self, person: ScreenSession) -> float:
        """After how many seconds without an act a person is logged out."""
        idle = self._limits.dealer_idle if person.role == DEALER else self._limits.idle
        return min(person.acted + idle, person.since + self._limits.longest) - self._now()

    def acted(self, credential: Credential, names: Iterable[str]) -> None:
        """These persons of a screen have acted: extend their logins."""
        for person in self.on(credential):
            if person.name in names:
                person.acted = self._now()

    def leave(self, credential: Credential, name: str | None) -> None:
        """Log a person of a screen out, or all of them."""
        for person in self.on(credential):
            if name in (None, person.name):
                self._end(_hash(credential.token), person, "logged_out")

    def sweep(self) -> None:
        """Log out whose time is over."""
        for key, person in self._everybody():
            if self.ends_in(person) <= 0:
                too_long = self._now() - person.since >= self._limits.longest
                self._end(key, person, "too_long" if too_long else "idle")

    def end_where_changed(self, pins: dict[str, str]) -> None:
        """Log out persons whose PIN was changed since they logged in."""
        for key, person in self._everybody():
            if pins.get(person.name) != person.kept:
                self._end(key, person, "pin_changed")

    def _everybody(self) -> list[tuple[bytes, ScreenSession]]:
        return [(at, person) for at, screen in self._screens.items() for person in screen.persons.values()]

    def _end(self, at: bytes, person: ScreenSession, how: Ending) -> None:
        persons = self._screens[at].persons
        del persons[person.name]
        if not persons:
            del self._screens[at]
        self._report(SignedOut(name=person.name, role=person.role, address=person.address, how=how))


def _hash(secret: str | None) -> bytes:
    # What is looked up is not the secret, so that the time it takes shows nothing of one.
    return hashlib.sha256((secret or "").encode(errors="replace")).digest()
