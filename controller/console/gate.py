"""Log-in by PIN, and the session that an input needs before the table receives it."""

import asyncio
import hmac
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import structlog

from controller.console.pin_trial import PinReply, PinTrial
from controller.console.pins import PinHasher, PinsUnreadable, read_pins
from controller.console.screens import MARKS_FILE, Screens
from controller.console.sessions import Credential, ScreenSessions, SessionLimits
from controller.console.throttle import PinTrialPlace
from controller.console.two_persons import actors_of, pins_wanted
from controller.engine.state.events import SignInEvent
from controller.engine.state.persons import PersonInput
from controller.rulebook.roles import SUPERVISOR, TECHNICIAN, People

SWEEP_SECONDS = 2.0
UNKNOWN = (-1,)  # the state of a file that was not looked at

log = structlog.get_logger()


class Gate:
    """The gate of one station's console. `report` is called with each sign-in, accepted or refused.

    `people` are the names and roles of the configuration; `pins` is the file of their PINs, and the file of the known
    screens is in the same folder. Anyone who has the `metrics_token`, if there is one, reads the metrics without a
    log-in.
    """

    def __init__(
        self,
        people: People,
        pins: Path,
        limits: SessionLimits,
        report: Callable[[SignInEvent], None],
        hasher: PinHasher | None = None,
        now: Callable[[], float] = time.monotonic,
        metrics_token: str = "",
    ) -> None:
        self._people = people
        self._metrics_token = metrics_token
        self._pins = pins
        self._sessions = ScreenSessions(limits, report, now)
        self._trial = PinTrial(people, pins, report, hasher, now)
        self._screens = Screens(pins.with_name(MARKS_FILE), people)
        self.throttle = self._trial.throttle
        self.report_untried = self._trial.report_untried
        self._seen: tuple[int, ...] | None = UNKNOWN

    def why_closed(self) -> str | None:
        """The reason why no one can log in now; None if someone can."""
        try:
            return None if read_pins(self._pins).keys() & self._people.keys() else "no PIN is set"
        except PinsUnreadable as error:
            return str(error)

    async def log_in(
        self, credential: Credential, name: str, pin: str, address: str, shown: str | None = None
    ) -> PinReply:
        """Try a PIN; `shown` is the secret of the screen, and the answer's `screen` is the one to send from now on."""
        place = PinTrialPlace(address, self._screens.of(shown))
        first = not place.is_own(name)
        kept = await self._trial.tried(name, pin, place)
        if isinstance(kept, PinReply):
            return kept
        shown = await self._screens.mark(name, shown)
        known = self._screens.of(shown).id
        fresh = self._sessions.sign_in(credential, name, self._people[name], address, kept, known, first)
        self._seen = UNKNOWN  # the PIN may have been changed while this one was tried
        return PinReply(200, self.who(fresh) | {"screen": shown, "key": fresh.key}, fresh.token)

    def who(self, credential: Credential) -> dict[str, Any]:
        """Who is logged in on a screen, and for how many seconds without an act, as JSON has it.

        For a supervisor it also has the names that are locked after wrong PINs.
        """
        persons = [
            {"name": session.name, "role": session.role, "ends_in": max(0, round(self._sessions.ends_in(session)))}
            for session in self._sessions.on(credential)
        ]
        delayed = self._trial.delayed() if self.supervisor(credential) is None else []
        return {"pins": True, "persons": persons, "delayed": delayed}

    def lift(self, credential: Credential, name: str, address: str) -> PinReply:
        """End the lock of a name; only a supervisor who is logged in here may, and not for the same person."""
        for person in self._sessions.on(credential):
            if person.role == SUPERVISOR and person.name != name and name in self._people:
                self._trial.lift(name, self._people[name], address, person.name)
                return PinReply(200, self.who(credential))
        reason = "another person, a supervisor, must be logged in here"
        return PinReply(403, {"error": "log_in", "who": SUPERVISOR, "reason": reason})

    def names(self, credential: Credential) -> list[str]:
        """The persons who are logged in on a screen."""
        return [person.name for person in self._sessions.on(credential)]

    def log_out(self, credential: Credential, name: str | None) -> dict[str, Any]:
        """Log out a person of a screen, or everybody there; returns who is still logged in."""
        self._sessions.leave(credential, name)
        return self.who(credential)

    async def refusal(
        self,
        credential: Credential,
        inputs: Sequence[PersonInput],
        pins: dict[str, str],
        address: str,
        shown: str | None,
    ) -> PinReply | None:
        """Why these inputs are not accepted from this screen; None where they are.

        `pins` came with the inputs, as an act of two persons needs. Someone must be logged in on the screen, and so
        must every person whom the inputs name, except one whose PIN comes with the act.
        """
        wanted = pins_wanted(inputs, self._people)
        absent = self._absent(credential, inputs, wanted)
        if absent is not None or not wanted:
            return absent
        place = PinTrialPlace(address, self._screens.of(shown))
        for name in wanted:
            if name not in pins:
                return PinReply(
                    403, {"error": "pin", "who": name, "expected": "this person's PIN, with the act itself"}
                )
            kept = await self._trial.tried(name, pins[name], place)
            if isinstance(kept, PinReply):
                return PinReply(kept.status, {**kept.body, "who": name})
            if place.screen.persons:
                await self._screens.mark(name, shown)
        return self._absent(credential, inputs, wanted)  # a PIN takes its time, and a stay may be over meanwhile

    def _absent(
        self, credential: Credential, inputs: Sequence[PersonInput], with_pin: Sequence[str]
    ) -> PinReply | None:
        here = {person.name for person in self._sessions.on(credential)}
        for name in actors_of(inputs):
            if name not in here and not (here and name in with_pin):
                reason = f"{name} is not logged in on this screen"
                problem = {
                    "error": "log_in",
                    "who": name,
                    "reason": reason,
                    "expected": "POST /session with name and PIN",
                }
                return PinReply(403 if here else 401, problem)
        return None

    def accepted(self, credential: Credential, inputs: Sequence[PersonInput]) -> None:
        """The table has accepted these inputs: extends the logins of the persons who made them."""
        self._sessions.acted(credential, actors_of(inputs))

    def stranger(self, credential: Credential) -> PinReply | None:
        """Why this screen may see only the public table; None if a person is logged in on it."""
        if self._sessions.on(credential):
            return None
        reason, expected = "someone must be logged in on this screen", "POST /session with name and PIN"
        return PinReply(401, {"error": "log_in", "who": "", "reason": reason, "expected": expected})

    def knows(self, credential: Credential, shown: str | None) -> bool:
        """Whether someone is logged in on this screen, or has been once: it may know the persons' names."""
        return bool(self._sessions.on(credential) or self._screens.of(shown).persons)

    def may_measure(self, authorization: str | None) -> bool:
        """Whether this header has the token by which the metrics are read without a log-in."""
        scheme, _, token = (authorization or "").partition(" ")
        right = hmac.compare_digest(token.encode(errors="replace"), self._metrics_token.encode())
        return bool(self._metrics_token) and scheme.lower() == "bearer" and right

    def supervisor(self, credential: Credential) -> PinReply | None:
        """Why this screen may not see what is for supervisors; None if a supervisor is logged in on it."""
        if any(person.role == SUPERVISOR for person in self._sessions.on(credential)):
            return None
        return PinReply(403, {"error": "log_in", "who": SUPERVISOR, "reason": "a supervisor must be logged in here"})

    def technician(self, credential: Credential) -> str | PinReply:
        """The technician who is logged in on this screen, or why the screen may not see what is for technicians."""
        for person in self._sessions.on(credential):
            if person.role == TECHNICIAN:
                return person.name
        return PinReply(403, {"error": "log_in", "who": TECHNICIAN, "reason": "a technician must be logged in here"})

    async def keep(self) -> None:
        """Until cancelled, log out persons whose time is over or whose PIN was changed."""
        while True:
            self._sessions.sweep()
            self.report_untried()
            try:
                seen = os.stat(self._pins)
                state: tuple[int, ...] | None = (seen.st_ino, seen.st_mtime_ns, seen.st_size)
            except OSError:
                state = None
            if state != self._seen:
                self._seen = state
                try:
                    pins = await asyncio.to_thread(read_pins, self._pins)
                    self._sessions.end_where_changed(pins)
                    self._trial.changed(pins)
                except PinsUnreadable as error:
                    log.error("PINs cannot be read", reason=str(error))
            await asyncio.sleep(SWEEP_SECONDS)
