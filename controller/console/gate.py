"""Who may act: log-in by PIN, and what an input needs before the table hears it."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import structlog

from controller.console.pins import PinHasher, PinsUnreadable, read_pins
from controller.console.sessions import SessionLimits, Sessions
from controller.console.throttle import Throttle
from controller.engine.inputs import Adjustment, FromPerson
from controller.engine.persons import SUPERVISOR
from controller.engine.sign_ins import LockedOut, Reason, SignInEvent, SignInRefused

SWEEP_SECONDS = 2.0
SET_A_PIN = "a PIN; it is set by `dealer-station pin NAME --config FILE`"
UNKNOWN = (-1,)  # the state of a file that was not looked at
NOBODY = "none"  # hashed for names that nobody has: the answer takes as long as for one that somebody has

log = structlog.get_logger()


class Reply(msgspec.Struct, frozen=True):
    """An HTTP status and what JSON says; `token` is the screen's, where it has a new one."""

    status: int
    body: dict[str, Any]
    token: str | None = None


class Gate:
    """The gate of one station's console. `report` is told of each sign-in, also of one refused.

    `people` are the names and roles of the configuration, `pins` the file of their PINs.
    """

    def __init__(
        self,
        people: dict[str, str],
        pins: Path,
        limits: SessionLimits,
        report: Callable[[SignInEvent], None],
        hasher: PinHasher | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._people = people
        self._pins = pins
        self._report = report
        self._hasher = PinHasher() if hasher is None else hasher
        self._nobody: str | None = None
        self._sessions = Sessions(limits, report, now)
        self.throttle = Throttle(now)
        self._one_at_a_time = asyncio.Lock()
        self._seen: tuple[int, ...] | None = UNKNOWN

    def why_closed(self) -> str | None:
        """Why nobody can log in now; None where somebody can."""
        try:
            return None if read_pins(self._pins).keys() & self._people.keys() else "no PIN is set"
        except PinsUnreadable as error:
            return str(error)

    async def log_in(self, token: str | None, name: str, pin: str, address: str) -> Reply:
        """Try a PIN. Wrong names cost as much as wrong PINs, and are answered alike."""
        wait = self.throttle.take()
        if wait:
            return Reply(429, {"error": "too_many", "seconds": wait})
        async with self._one_at_a_time:
            try:
                return await self._try(token, name, pin, address)
            except PinsUnreadable as error:
                log.error("PINs cannot be read", reason=str(error))
                return Reply(503, {"error": "pins_unreadable", "reason": str(error)})

    async def _try(self, token: str | None, name: str, pin: str, address: str) -> Reply:
        role = self._people.get(name)
        locked = self.throttle.locked(name)
        if locked:
            return Reply(429, {"error": "locked_out", "who": name, "seconds": locked})
        pins = await asyncio.to_thread(read_pins, self._pins)
        if not pins.keys() & self._people.keys():
            return Reply(403, {"error": "no_pins", "expected": SET_A_PIN})
        if self._nobody is None:
            self._nobody = await asyncio.to_thread(self._hasher.hash, NOBODY)
        kept = pins.get(name) if role is not None else None
        right = await asyncio.to_thread(self._hasher.verify, kept or self._nobody, pin)
        if right and role is not None and kept is not None:
            self.throttle.succeeded(name)
            fresh = self._sessions.sign_in(token, name, role, address, kept)
            self._seen = UNKNOWN  # the PIN may have been changed while this one was tried
            return Reply(200, self.who(fresh), fresh)
        reason: Reason = "unknown_name" if role is None else "no_pin" if kept is None else "wrong_pin"
        self._report(SignInRefused(name=name if role else None, role=role, address=address, reason=reason))
        if role is not None and kept is not None:
            out = self.throttle.failed(name)
            if out is not None:
                failures, seconds = out
                self._report(LockedOut(name=name, role=role, address=address, failures=failures, seconds=seconds))
                return Reply(429, {"error": "locked_out", "who": name, "seconds": seconds})
        return Reply(403, {"error": "wrong_pin", "expected": "a name of [people], and this person's PIN"})

    def who(self, token: str | None) -> dict[str, Any]:
        """Who is logged in on a screen, and for how many seconds without an act, as JSON has it."""
        persons = [
            {"name": one.name, "role": one.role, "ends_in": max(0, round(self._sessions.ends_in(one)))}
            for one in self._sessions.on(token)
        ]
        return {"pins": True, "persons": persons}

    def is_anybody_on(self, token: str | None) -> bool:
        """Whether anybody is logged in on a screen."""
        return bool(self._sessions.on(token))

    def log_out(self, token: str | None, name: str | None) -> dict[str, Any]:
        """Log out a person of a screen, or everybody there; who is left."""
        self._sessions.leave(token, name)
        return self.who(token)

    def refusal(self, token: str | None, inputs: Sequence[FromPerson]) -> Reply | None:
        """Why these inputs are not heard from this screen; None where everybody they name is logged in there."""
        named: list[str] = []
        for input in inputs:
            named += [input.actor, input.second] if isinstance(input, Adjustment) else [input.actor]
        here = {person.name for person in self._sessions.on(token)}
        for name in named:
            if name not in here:
                reason = f"{name} is not logged in on this screen"
                told = {"error": "log_in", "who": name, "reason": reason, "expected": "POST /session with name and PIN"}
                return Reply(403 if here else 401, told)
        self._sessions.acted(token, named)
        return None

    def supervisor(self, token: str | None) -> Reply | None:
        """Why this screen is not shown what is a supervisor's to see; None where one is logged in."""
        if any(person.role == SUPERVISOR for person in self._sessions.on(token)):
            return None
        return Reply(403, {"error": "log_in", "who": SUPERVISOR, "reason": "a supervisor must be logged in here"})

    async def keep(self) -> None:
        """Log out whose time is over or whose PIN was changed, until cancelled."""
        while True:
            self._sessions.sweep()
            try:
                seen = os.stat(self._pins)
                state: tuple[int, ...] | None = (seen.st_ino, seen.st_mtime_ns, seen.st_size)
            except OSError:
                state = None
            if state != self._seen:
                self._seen = state
                try:
                    self._sessions.end_where_changed(await asyncio.to_thread(read_pins, self._pins))
                except PinsUnreadable as error:
                    log.error("PINs cannot be read", reason=str(error))
            await asyncio.sleep(SWEEP_SECONDS)
