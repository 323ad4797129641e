"""Who came to the console and who was not let in: what the journal keeps of it, and never a PIN. No I/O here."""

from typing import Literal, get_args

import msgspec

from controller.engine.state.persons import Role
from controller.rulebook.units import Seconds

Ending = Literal["logged_out", "idle", "too_long", "pin_changed"]
Reason = Literal["wrong_pin", "no_pin", "unknown_name", "too_many"]


class SignedIn(msgspec.Struct, frozen=True, tag_field="type", tag="entry_made"):
    """A person has logged in; `address` is where the request came from, `screen` names the screen.

    `first_login`: this person had not logged in on it before.
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

    With `too_many`, so many attempts of a minute or more were not tried, under any names and from anywhere.

    `screen` is empty where no one has logged in before; `screen_persons` are those who have logged in there.
    """

    name: str | None
    role: Role | None
    address: str
    reason: Reason
    screen: str = ""
    screen_persons: tuple[str, ...] = ()
    attempts: int = 1


class LockedOut(msgspec.Struct, frozen=True, tag_field="type", tag="entry_locked"):
    """After so many wrong PINs no one is admitted under this name for so many seconds, at this screen or address.

    `screen_persons` are those who have logged in on the screen.
    """

    name: str
    role: Role
    address: str
    failures: int
    seconds: Seconds
    screen: str = ""
    screen_persons: tuple[str, ...] = ()


class LockLifted(msgspec.Struct, frozen=True, tag_field="type", tag="entry_lifted"):
    """Nobody waits any more who has a PIN wrong under this name: `by` a supervisor, or empty, by another PIN."""

    name: str
    role: Role
    address: str
    actor: str


SignInEvent = SignedIn | SignedOut | SignInRefused | LockedOut | LockLifted
SIGN_IN_EVENTS = get_args(SignInEvent)
