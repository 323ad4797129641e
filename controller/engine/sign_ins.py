"""Who came to the console and who was not let in: what the journal keeps of it, and never a PIN. No I/O here."""

from typing import Literal, get_args

import msgspec

Ending = Literal["logged_out", "idle", "too_long", "pin_changed"]
Reason = Literal["wrong_pin", "no_pin", "unknown_name"]


class SignedIn(msgspec.Struct, frozen=True, tag_field="type", tag="entry_made"):
    """A person has logged in; `address` is where the request came from."""

    name: str
    role: str
    address: str


class SignedOut(msgspec.Struct, frozen=True, tag_field="type", tag="entry_ended"):
    """A person is logged out: by a tap, idle too long, in too long, or because the PIN was changed or removed.

    A restart of the station logs everybody out, without this event.
    """

    name: str
    role: str
    address: str
    how: Ending


class SignInRefused(msgspec.Struct, frozen=True, tag_field="type", tag="entry_refused"):
    """A log-in failed. A name that nobody has is not kept: it may be a PIN that was typed there."""

    name: str | None
    role: str | None
    address: str
    reason: Reason


class LockedOut(msgspec.Struct, frozen=True, tag_field="type", tag="entry_locked"):
    """After so many wrong PINs, one after the other, nobody is let in under this name for so many seconds."""

    name: str
    role: str
    address: str
    failures: int
    seconds: int


SignInEvent = SignedIn | SignedOut | SignInRefused | LockedOut
SIGN_IN_EVENTS = get_args(SignInEvent)
