"""Which version of the regulation decides a round; two persons schedule a new one. No I/O here."""

from datetime import datetime

from controller.engine.decisions.decision import Course, Input, Row
from controller.engine.reasons import TableReason
from controller.engine.state.law import RegulationApproved, RegulationChanged, RegulationScheduled
from controller.engine.state.persons import PersonInput
from controller.rulebook.refusal import Refusal
from controller.rulebook.roles import SUPERVISOR

POLICY = "policy: two persons schedule a regulation"
PERSONS = 2


def act_of_next_round(course: Course) -> str:
    """The act that decides a round beginning now; a change of it is recorded.

    Empty for a regulation without dates, and if no clock is read. Raises Refusal if no version is in force yet, or if
    two persons have not scheduled the one in force.
    """
    validity, law = course.game.legal_status.validity, course.table.law
    if not validity.versions or not course.time:
        return ""
    version = validity.at(datetime.fromisoformat(course.time), course.settings.terms.time_zone)
    if law.act in ("", version.key) or course.table.game != course.settings.terms.game:
        return version.key
    if law.scheduled != version.key:
        raise Refusal("table", TableReason.ACT_NOT_SCHEDULED, POLICY, act=version.key, since=version.in_force)
    course.record(RegulationChanged(law.act, version.key, version.in_force))
    return version.key


class ApproveRegulation(PersonInput, frozen=True):
    """One of two persons approves that the table plays by an act once it is in force. Answers ``regulation/<act>``."""

    act: str


def approve_regulation(course: Course, input: ApproveRegulation) -> None:
    """One person's approval; with the second, where either is a supervisor, the change is scheduled."""
    validity, law, who = course.game.legal_status.validity, course.table.law, f"act {input.act}"
    by_key = {version.key: version for version in validity.versions}
    if input.act not in by_key:
        raise Refusal(who, TableReason.NO_SUCH_ACT, POLICY, acts=", ".join(by_key) or "-")
    version, present = by_key[input.act], by_key.get(law.act)
    if present is None or version.in_force <= present.in_force or law.scheduled == input.act:
        raise Refusal(who, TableReason.NO_LATER_ACT, POLICY, act=law.act or "-", scheduled=law.scheduled or "-")
    same = law.approving == input.act
    by, roles = (law.approved_by, law.roles) if same else ((), ())
    if input.actor in by:
        raise Refusal(who, TableReason.APPROVED_ALREADY, POLICY, person=input.actor)
    by, roles = (*by, input.actor), (*roles, course.role)
    if len(roles) == PERSONS and SUPERVISOR not in roles:
        raise Refusal(who, TableReason.APPROVE_WITH_SUPERVISOR, POLICY)
    course.record(RegulationApproved(input.act, input.actor, course.role))
    if len(roles) == PERSONS:
        course.record(RegulationScheduled(law.act, input.act, version.in_force, by, roles))


ROWS: dict[type[Input], Row] = {ApproveRegulation: Row(approve_regulation, any_role=True, answers="regulation/{act}")}
