"""Who came to the console and who was not let in: what the journal keeps of it, and never a PIN. No I/O here."""

from typing import Literal, get_args

import msgspec

from controller.engine.persons import Role

Ending = Literal["logged_out", "idle", "too_long", "pin_changed"]
Reason = Literal["wrong_pin", "no_pin", "unknown_name"]


class SignedIn(msgspec.Struct, frozen=True, tag_field="type", tag="entry_made"):
    """A person has logged in; `address` is where the request came from, `screen` names the screen.

    On it nobody had logged in before if `first`.
    """

    name: str
    role: Role
    address: str
    screen: str = ""
    first_login: bool = True


class SignedOut(msgspec.Struct, frozen=True, tag_field="type", tag="entry_ended"):
    """A person is logged out: by a tap, idle too long, in too long, or because the PIN was changed or removed.

    A restart of the station logs everybody out, without this event.
    """

    name: str
    role: Role
    address: str
    how: Ending


class SignInRefused(msgspec.Struct, frozen=True, tag_field="type", tag="entry_refused"):
    """A log-in failed. A name that nobody has is not kept: it may be a PIN that was typed there.

    `screen` is empty where nobody had logged in before.
    """

    name: str | None
    role: Role | None
    address: str
    reason: Reason
    screen: str = ""


class LockedOut(msgspec.Struct, frozen=True, tag_field="type", tag="entry_locked"):
    """After so many wrong PINs nobody is let in under this name for so many seconds, at this screen or address."""

    name: str
    role: Role
    address: str
    failures: int
    seconds: int
    screen: str = ""


class LockLifted(msgspec.Struct, frozen=True, tag_field="type", tag="entry_lifted"):
    """Nobody waits any more who has a PIN wrong under this name: `by` a supervisor, or empty, by another PIN."""

    name: str
    role: Role
    address: str
    actor: str


SignInEvent = SignedIn | SignedOut | SignInRefused | LockedOut | LockLifted
SIGN_IN_EVENTS = get_args(SignInEvent)
