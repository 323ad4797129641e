"""Tries a person's PIN: limits, counts and reports attempts, and makes the answer."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import structlog

from controller.console.pins import PinHasher, PinsUnreadable, read_pins
from controller.console.throttle import MINUTE, PinTrialPlace, Throttle
from controller.engine.state.events import LockedOut, LockLifted, SignInEvent, SignInFault, SignInRefused
from controller.rulebook.roles import People, Role

SET_A_PIN = "a PIN; it is set by `dealer-station pin NAME --config FILE`"
NO_ONE = "none"  # hashed for names that no one has: the answer takes as long as for one that a person has

log = structlog.get_logger()


class PinReply(msgspec.Struct, frozen=True):
    """An HTTP status and the JSON content; `token` is the screen's new token, if there is one."""

    status: int
    body: dict[str, Any]
    token: str | None = None


class PinTrial:
    """The PINs of one station's persons, tried one at a time. `report` is called for each wrong one."""

    def __init__(
        self,
        people: People,
        pins: Path,
        report: Callable[[SignInEvent], None],
        hasher: PinHasher | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._people = people
        self._pins = pins
        self._report = report
        self._hasher = PinHasher() if hasher is None else hasher
        self._hash_of_no_one: str | None = None
        self.throttle = Throttle(now)
        self._one_at_a_time = asyncio.Lock()
        self._known: dict[str, str] | None = None
        self._now = now
        self._untried, self._report_untried_at = 0, 0.0

    async def tried(self, name: str, pin: str, place: PinTrialPlace) -> PinReply | str:
        """The stored hash if the PIN is this person's, else the answer to send. A wrong name takes as long as a wrong
        PIN.
        """
        wait = self.throttle.take(place, name, name in self._people)
        if wait:
            if not self._untried:
                self._report_untried_at = self._now() + MINUTE
            self._untried += 1
            return PinReply(429, {"error": "too_many", "seconds": wait})
        async with self._one_at_a_time:
            try:
                return await self._try(name, pin, place)
            except PinsUnreadable as error:
                log.error("PINs cannot be read", reason=str(error))
                return PinReply(503, {"error": "pins_unreadable", "reason": str(error)})

    async def _try(self, name: str, pin: str, place: PinTrialPlace) -> PinReply | str:
        role = self._people.get(name)
        pins = await asyncio.to_thread(read_pins, self._pins)
        self.changed(pins)
        wait = self.throttle.delay(place, name)
        if wait:
            return PinReply(429, {"error": "locked_out", "who": name, "seconds": wait})
        if not pins.keys() & self._people.keys():
            return PinReply(403, {"error": "no_pins", "expected": SET_A_PIN})
        if self._hash_of_no_one is None:
            self._hash_of_no_one = await asyncio.to_thread(self._hasher.hash, NO_ONE)
        kept = pins.get(name) if role is not None else None
        right = await asyncio.to_thread(self._hasher.verify, kept or self._hash_of_no_one, pin)
        if right and kept is not None:
            self.throttle.succeeded(place, name)
            return kept
        reason: SignInFault = "unknown_name" if role is None else "no_pin" if kept is None else "wrong_pin"
        known_name, screen = name if role else None, place.screen
        self._report(SignInRefused(known_name, role, place.address, reason, screen.id, screen.persons))
        # A name that no one has is counted too: a delay does not show that someone has it.
        out = self.throttle.failed(place, name)
        if out is None:
            return PinReply(403, {"error": "wrong_pin", "expected": "a name of [people], and this person's PIN"})
        failures, seconds = out
        if role is not None:
            self._report(LockedOut(name, role, place.address, failures, seconds, screen.id, screen.persons))
        return PinReply(429, {"error": "locked_out", "who": name, "seconds": seconds})

    def report_untried(self) -> None:
        """Report once a minute how many attempts were not tried because there were too many."""
        if self._untried and self._now() >= self._report_untried_at:
            attempts, self._untried = self._untried, 0
            self._report(SignInRefused(None, None, "", "too_many", attempts=attempts))

    def changed(self, pins: dict[str, str]) -> None:
        """Take over the present PINs: a person with a new one is no longer locked out."""
        before, self._known = self._known, pins
        for name, role in self._people.items():
            if before is not None and pins.get(name) != before.get(name):
                self.lift(name, role, "", "")

    def lift(self, name: str, role: Role, address: str, by: str) -> None:
        """End the lock of this name."""
        if self.throttle.lift(name):
            self._report(LockLifted(name=name, role=role, address=address, actor=by))

    def delayed(self) -> list[dict[str, Any]]:
        """The locked names, each with the longest wait in seconds, as JSON."""
        return [
            {"name": name, "seconds": seconds}
            for name, seconds in self.throttle.delayed().items()
            if name in self._people
        ]
