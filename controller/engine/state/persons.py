"""Persons and their roles, what one must say with an act, and what every answer of one has. No I/O here."""

from typing import Final, Literal

import msgspec

from controller.engine.reasons import Act, TableReason
from controller.rulebook.refusal import Refusal, because

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


class PersonInput(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Something a person answers on a screen.

    `input_id` is the client's own and makes a repeat harmless; `step_id` names the step the person saw; `actor` is a
    name from the configuration's [people].
    """

    input_id: str
    step_id: str
    actor: str
