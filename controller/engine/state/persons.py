"""Persons, their roles, reasons and second persons, the fields of every answer, and log-ins. No I/O here.

The journal keeps who logged in and who was refused, and never a PIN.
"""

from typing import Final, Literal, get_args

import msgspec

from controller.engine.reasons import Act, TableReason
from controller.rulebook.events import EventBase, snake_case
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.units import Seconds

Role = Literal["dealer", "supervisor", "inspector", "technician"]
People = dict[str, Role]
"""The persons of the configuration, each with a role."""

SUPERVISOR: Final = "supervisor"
TECHNICIAN: Final = "technician"
INSPECTOR: Final = "inspector"  # of the table, the "fiscal de banca" (black-jack 8)
AT_THE_TABLE: tuple[Role, ...] = ("dealer", SUPERVISOR)
LONGEST_REASON = 200
MOST_ADJUSTED = 10**12  # minor units; far above any table, far below what a reader of JSON takes exactly


def require_supervisor(role: Role, act: Act) -> None:
    """Raises Refusal for anyone else."""
    if role != SUPERVISOR:
        raise Refusal("actor", TableReason.ONLY_SUPERVISOR, "policy: roles", what=because(act))


def require_second(people: People, actor: str, second: str, policy: str = "policy: two persons adjust") -> None:
    """Raises Refusal unless another person of the table co-signs what a supervisor does."""
    if people.get(second) not in AT_THE_TABLE:
        raise Refusal("second", TableReason.SECOND_PERSON, policy)
    if second == actor:
        raise Refusal("second", TableReason.SECOND_IS_FIRST, policy, person=second)


def documented(reason: str) -> str:
    """The reason a person gives. Raises Refusal where nothing is said, or what no printer prints."""
    if not (1 <= len(reason.strip()) <= LONGEST_REASON and reason.strip().isprintable()):
        raise Refusal("reason", TableReason.SAY_WHY, "policy: documented adjustment", most=LONGEST_REASON)
    return reason.strip()


def said(reason: str) -> str:
    """The reason of a change that is not informed, empty where none is given. Raises Refusal as `documented` does."""
    return documented(reason) if reason.strip() else ""


def refuse_no_amount(amount: int) -> None:
    """Raises Refusal for an adjustment of nothing, or beyond all bounds."""
    if not amount or abs(amount) > MOST_ADJUSTED:
        raise Refusal("amount", TableReason.NO_AMOUNT, "policy: documented adjustment", most=MOST_ADJUSTED)


class PersonInput(msgspec.Struct, frozen=True, tag_field="kind", tag=snake_case, forbid_unknown_fields=True):
    """Something a person answers on a screen. Its kind is its name, but for a few: ``open_table``.

    `input_id` is the client's own and makes a repeat harmless; `step_id` names the step the person saw; `actor` is a
    name from the configuration's [people].
    """

    input_id: str
    step_id: str
    actor: str


Ending = Literal["logged_out", "idle", "too_long", "pin_changed"]


Reason = Literal["wrong_pin", "no_pin", "unknown_name", "too_many"]


class SignedIn(EventBase, frozen=True, tag="entry_made"):
    """A person has logged in; `address` is where the request came from, `screen` names the screen.

    `first_login`: this person had not logged in on it before.
    """

    name: str
    role: Role
    address: str
    screen: str = ""
    first_login: bool = True


class SignedOut(EventBase, frozen=True, tag="entry_ended"):
    """A person is logged out: by a tap, idle too long, in too long, or because the PIN was changed or removed.

    A restart of the station logs everybody out, without this event.
    """

    name: str
    role: Role
    address: str
    how: Ending


class SignInRefused(EventBase, frozen=True, tag="entry_refused"):
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


class LockedOut(EventBase, frozen=True, tag="entry_locked"):
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


class LockLifted(EventBase, frozen=True, tag="entry_lifted"):
    """Nobody waits any more who has a PIN wrong under this name: `by` a supervisor, or empty, by another PIN."""

    name: str
    role: Role
    address: str
    actor: str


SignInEvent = SignedIn | SignedOut | SignInRefused | LockedOut | LockLifted


SIGN_IN_EVENTS = get_args(SignInEvent)
