"""Changes of what was entered, and voids: at once or, if informed, once a supervisor approves them. No I/O here.

From which moment a change is informed, its game says. An informed change of a dealer waits: it is recorded, the round
goes on without it, and is confirmed when nothing waits any more.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.engine.decisions.decision import (
    Approval,
    Course,
    Input,
    Row,
    When,
    documented,
    require_second,
    require_supervisor,
)
from controller.engine.decisions.void import and_said, void
from controller.engine.reasons import Act, TableReason
from controller.engine.state.persons import (
    ChangeEntered,
    ChangeRejected,
    ChangesApproved,
    Changing,
    Correction,
    Exposed,
    PersonInput,
)
from controller.engine.state.table import Table
from controller.rulebook.corrected import corrected_by
from controller.rulebook.events import CardsExposed, InputCorrected, NetChange, RoundVoided
from controller.rulebook.moments import INFORMED, Moment, takes_two
from controller.rulebook.refusal import Reason, Refusal
from controller.rulebook.roles import SUPERVISOR

Decider = Callable[[Course, Any], None]
DeciderOf = Callable[[Table, Any], Decider]
"""How an input is decided where nobody has to approve it."""


class Changed(NetChange, frozen=True, kw_only=True):
    """What a change comes to: a void's article and reason, and the moment it comes after, if it is informed."""

    void: tuple[str, Reason] | None
    moment: Moment | None
    takes_two: bool


def enter(course: Course, input: Changing, decider_of: DeciderOf) -> None:
    """Decide a change at once, or record that it waits. Raises Refusal where it could not be approved either."""
    changed = _changed(course, input, decider_of)
    decide = decider_of(course.table, input)
    if changed is None or changed.moment is None:
        decide(course, input)
    elif course.role == SUPERVISOR and not changed.takes_two:
        documented(input.reason)
        course.approval = Approval(approved_by=(input.actor,))
        decide(course, input)
        course.approval = Approval()
    else:
        number, kept = course.table.changes + 1, replace(input, input_id="", step_id="")
        article, why = changed.void or (None, None)
        code, values = (why.code, why.values) if why is not None else (None, {})
        nets = {"net_before": changed.net_before, "net_after": changed.net_after}
        course.record(
            ChangeEntered(number, kept, input.actor, course.role, changed.takes_two, article, code, values, **nets)
        )


class ApproveChanges(PersonInput, frozen=True):
    """A supervisor approves changes that wait, by their numbers, in the order they were entered. Answers ``changes``.

    `second` is another person, who co-signs it; empty where none of them takes two persons.
    """

    changes: tuple[int, ...]
    reason: str
    second: str = ""


def approve(course: Course, input: ApproveChanges, decider_of: DeciderOf) -> None:
    """A supervisor approves changes that wait, in the order they were entered. Raises Refusal, naming the change."""
    reason, chosen = documented(input.reason), _chosen(course, input.changes)
    two = any(one.two_persons for one in chosen)
    if two or input.second:
        require_second(course.settings.people, input.actor, input.second, INFORMED)
    signed = (input.actor, input.second) if input.second else (input.actor,)
    second = input.second or None
    role = course.settings.people[input.second] if input.second else None
    course.record(ChangesApproved(tuple(one.change for one in chosen), input.actor, reason, second, role))
    for one in chosen:
        if course.round.void is not None:
            course.record(ChangeRejected(one.change, None, None, ""))
            continue
        course.approval, course.actor = Approval(one.change, signed), one.actor
        try:
            _approved(course, one, reason, decider_of, input)
        except Refusal as refusal:
            why = refusal.reason
            raise Refusal(
                f"change {one.change}", TableReason.CHANGE_REFUSED, refusal.article, change=one.change, why=why
            ) from None
    course.approval, course.actor = Approval(), input.actor


def _approved(course: Course, one: ChangeEntered, reason: str, decider_of: DeciderOf, input: ApproveChanges) -> None:
    """A change of the round as it has become. Raises Refusal where it takes two persons by now, and one approves it."""
    round, known = course.round, len(course.recorded)
    _carry_out(course, one, reason, decider_of)
    for event in course.recorded[known:]:
        if isinstance(event, InputCorrected) and takes_two(round, corrected_by(event)):
            require_second(course.settings.people, input.actor, input.second, INFORMED)


class RejectChanges(PersonInput, frozen=True):
    """A supervisor rejects changes that wait, with a reason, or the person who entered them withdraws them.

    Answers ``changes``.
    """

    changes: tuple[int, ...]
    reason: str = ""


def reject(course: Course, input: RejectChanges) -> None:
    """A supervisor rejects changes that wait, with a reason, or the person who entered them withdraws them."""
    chosen = _chosen(course, input.changes)
    own = all(one.actor == input.actor for one in chosen)
    if not own:
        require_supervisor(course.role, Act.REJECTS_OTHERS)
    reason = input.reason.strip() if own and not input.reason.strip() else documented(input.reason)
    course.record(*(ChangeRejected(one.change, input.actor, course.role, reason) for one in chosen))


def foreseen(course: Course, decider_of: DeciderOf, until: int | None = None) -> Course:
    """The table as it would be with what waits, up to the change `until`; what could not be approved is left out.

    A void that waits is left out, too: what is entered after it counts where it is rejected.
    """
    for one in course.table.waiting:
        if one.change == until:
            break
        if isinstance(one.input, Correction):
            try:
                course = with_change(course, one, decider_of)
            except Refusal:
                continue
    return course


def with_change(course: Course, one: ChangeEntered, decider_of: DeciderOf) -> Course:
    """The table as it would be with a change that waits. Raises Refusal where it could not be approved."""
    return course.foreseen(lambda then: _carry_out(then, one, one.input.reason, decider_of))


def _carry_out(course: Course, one: ChangeEntered, reason: str, decider_of: DeciderOf) -> None:
    """What waited, now: a correction of the round as it has become, a void under the article of when it was entered."""
    if one.article is None or one.code is None:
        decider_of(course.table, one.input)(course, replace(one.input, reason=reason))
        return
    if isinstance(one.input, Exposed):
        course.record(CardsExposed(to=one.input.to, count=len(one.input.which) or one.input.count))
    void(course, one.article, and_said(Reason(one.code, one.values), reason))


def _changed(course: Course, input: Changing, decider_of: DeciderOf) -> Changed | None:
    """What the change would come to, beside what waits and without it; None where it neither corrects nor voids.

    Raises Refusal where it is refused beside what waits, and to a supervisor, who may want it instead, without it too.
    """

    def entered(then: Course) -> None:
        decider_of(then.table, input)(then, input)

    found, refused = list[Changed | None](), list[Refusal]()
    for before in (foreseen(course, decider_of), course) if course.table.waiting else (course,):
        try:
            found.append(_change_in(course, before, before.foreseen(entered)))
        except Refusal as refusal:
            refused.append(refusal)
            if course.role != SUPERVISOR and before is not course:
                break
    if not found:
        raise refused[0]
    every = [one for one in found if one is not None]
    if not every:
        return None
    moment = next((one.moment for one in every if one.moment is not None), None)
    return replace(every[0], moment=moment, takes_two=any(one.takes_two for one in every))


def _change_in(course: Course, before: Course, after: Course) -> Changed | None:
    """What a change has made of `before`."""
    for event in after.recorded:
        if isinstance(event, InputCorrected | RoundVoided):
            corrected, void = None, None
            if isinstance(event, InputCorrected):
                corrected = corrected_by(event)
            else:
                void = event.article, event.why
            return Changed(
                void=void,
                moment=course.game.informed(course.round, corrected) or course.game.informed(before.round, corrected),
                takes_two=takes_two(course.round, corrected),
                net_before=event.net_before,
                net_after=event.net_after,
            )
    return None


def _chosen(course: Course, numbers: tuple[int, ...]) -> list[ChangeEntered]:
    """Those that wait, in the order they were entered. Raises Refusal for a number that does not."""
    waiting = {one.change: one for one in course.table.waiting}
    astray = [number for number in numbers if number not in waiting]
    if astray or not numbers or len(set(numbers)) != len(numbers):
        listed = ", ".join(map(str, waiting)) or "-"
        raise Refusal("changes", TableReason.NOT_WAITING, INFORMED, waiting=listed)
    return [one for number, one in waiting.items() if number in numbers]


WAITING = When("while a change waits to be approved")


def rows_of(decider_of: DeciderOf) -> dict[type[Input], Row]:
    """How a change that waits is rejected, or approved and then decided by its `decider_of`."""
    return {
        ApproveChanges: Row(
            lambda course, input: approve(course, input, decider_of),
            WAITING,
            only=Act.APPROVES_CHANGES,
            answers="changes",
        ),
        RejectChanges: Row(reject, WAITING, answers="changes"),
    }
