"""The version of its regulation by which a table plays; two persons schedule a change, which then takes effect.

An act is named by its number, ``94/2025``. No I/O here.
"""

import msgspec
from msgspec.structs import replace

from controller.rulebook.events import EventBase
from controller.rulebook.roles import Role


class RegulationApproved(EventBase, frozen=True):
    """One of the two persons approved that the table plays by the version of an act once that is in force."""

    act: str
    actor: str
    role: Role


class RegulationScheduled(EventBase, frozen=True):
    """Two persons approved it: from the day `in_force`, between two rounds, the table plays by the act."""

    act_before: str
    act_after: str
    in_force: str
    approved_by: tuple[str, ...]
    roles: tuple[Role, ...]


class RegulationChanged(EventBase, frozen=True):
    """The version is in force: the round that begins now is the first by it."""

    act_before: str
    act_after: str
    in_force: str


RegulationEvent = RegulationApproved | RegulationScheduled | RegulationChanged


class Law(msgspec.Struct, frozen=True):
    """`act` is that of the last round, empty before the first; `scheduled` the one agreed on, `in_force` its first day.

    `approving` is an act that one person has approved so far.
    """

    act: str = ""
    scheduled: str = ""
    in_force: str = ""
    approving: str = ""
    approved_by: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ()


def advance(law: Law, event: RegulationEvent) -> Law:
    """The law after an event."""
    match event:
        case RegulationApproved(act=act, actor=actor, role=role):
            same = act == law.approving
            by, roles = (law.approved_by, law.roles) if same else ((), ())
            return replace(law, approving=act, approved_by=(*by, actor), roles=(*roles, role))
        case RegulationScheduled(act_after=act, in_force=day):
            return Law(act=law.act, scheduled=act, in_force=day)
        case RegulationChanged(act_after=act):
            return Law(act=act)
