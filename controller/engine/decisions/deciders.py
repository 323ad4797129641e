"""Who may do what when: every input with its decider, the steps at which it is legal, and its person. No I/O here.

From which moment a change of what was entered is informed, its game decides. An informed change of a dealer waits: it
is recorded, the round continues without it, and is confirmed when no change waits any more.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, cast

from msgspec.structs import asdict, replace

from controller.engine.decisions import (
    alarms,
    betting,
    cards,
    corrections,
    devices,
    hands,
    jackpot,
    law,
    link,
    session,
    tiles,
)
from controller.engine.decisions.decision import (
    ROUNDS,
    Approval,
    Course,
    Decision,
    Input,
    Row,
    Vault,
    When,
    documented,
    require_second,
    require_supervisor,
)
from controller.engine.decisions.settling import void, with_words
from controller.engine.reasons import SupervisorAct, TableReason
from controller.engine.state.current import Settings
from controller.engine.state.persons import (
    ChangeEntered,
    ChangeRejected,
    ChangesApproved,
    Changing,
    CorrectingInput,
    Exposed,
    PersonInput,
)
from controller.engine.state.table import Table, next_step
from controller.rulebook.corrected import corrected_by
from controller.rulebook.events import CardsExposed, InputCorrected, NetChange, RoundVoided
from controller.rulebook.moments import INFORMED, Moment, takes_two
from controller.rulebook.packets import SpacesRound
from controller.rulebook.refusal import Reason, Refusal
from controller.rulebook.roles import AT_THE_TABLE, SUPERVISOR
from controller.rulebook.round import Play

# ---- changes that wait for a supervisor


class ChangeOutcome(NetChange, frozen=True, kw_only=True):
    """The effect of a change: a void's article and reason, and the moment from which it is informed, if it is."""

    void: tuple[str, Reason] | None
    moment: Moment | None
    takes_two: bool


def enter(course: Course, input: Changing) -> None:
    """Decides a change at once, or records that it waits. Raises Refusal if it could not be approved either."""
    changed = _changed(course, input)
    decide = row_of(course.table, input).decider
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

    `second` is another person, who co-signs it; empty if none of the changes needs two persons.
    """

    changes: tuple[int, ...]
    reason: str
    second: str = ""


def approve_changes(course: Course, input: ApproveChanges) -> None:
    """A supervisor approves changes that wait, in the order they were entered. Raises Refusal, naming the change."""
    reason, chosen = documented(input.reason), _chosen(course, input.changes)
    two = any(change.two_persons for change in chosen)
    if two or input.second:
        require_second(course.settings.people, input.actor, input.second, INFORMED)
    signed = (input.actor, input.second) if input.second else (input.actor,)
    second = input.second or None
    role = course.settings.people[input.second] if input.second else None
    course.record(ChangesApproved(tuple(change.change for change in chosen), input.actor, reason, second, role))
    for change in chosen:
        if course.round.void is not None:
            course.record(ChangeRejected(change.change, None, None, ""))
            continue
        course.approval, course.actor = Approval(change.change, signed), change.actor
        try:
            _approved(course, change, reason, input)
        except Refusal as refusal:
            why = refusal.reason
            raise Refusal(
                f"change {change.change}", TableReason.CHANGE_REFUSED, refusal.article, change=change.change, why=why
            ) from None
    course.approval, course.actor = Approval(), input.actor


def _approved(course: Course, change: ChangeEntered, reason: str, input: ApproveChanges) -> None:
    """A change of the round as it is now. Raises Refusal if it now needs two persons and only one approves it."""
    round, known = course.round, len(course.recorded)
    _carry_out(course, change, reason)
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
    own = all(change.actor == input.actor for change in chosen)
    if not own:
        require_supervisor(course.role, SupervisorAct.REJECTS_OTHERS)
    reason = input.reason.strip() if own and not input.reason.strip() else documented(input.reason)
    course.record(*(ChangeRejected(change.change, input.actor, course.role, reason) for change in chosen))


def foreseen(course: Course, until: int | None = None) -> Course:
    """The table with the waiting changes applied, up to the change `until`; those that could not be approved are left
    out.

    A waiting void is left out too: if it is rejected, later entries count.
    """
    for change in course.table.waiting:
        if change.change == until:
            break
        if isinstance(change.input, CorrectingInput):
            try:
                course = with_change(course, change)
            except Refusal:
                continue
    return course


def with_change(course: Course, change: ChangeEntered) -> Course:
    """The table with a waiting change applied. Raises Refusal if it could not be approved."""
    return course.foreseen(lambda then: _carry_out(then, change, change.input.reason))


def _carry_out(course: Course, change: ChangeEntered, reason: str) -> None:
    """Applies a change that waited: a correction to the round as it is now, a void under the article that applied when
    it was entered.
    """
    if change.article is None or change.code is None:
        row_of(course.table, change.input).decider(course, replace(change.input, reason=reason))
        return
    if isinstance(change.input, Exposed):
        course.record(CardsExposed(to=change.input.to, count=len(change.input.which) or change.input.count))
    void(course, change.article, with_words(Reason(change.code, change.values), reason))


def _changed(course: Course, input: Changing) -> ChangeOutcome | None:
    """The effect of the change, together with the changes that wait and without them; None if it neither corrects nor
    voids.

    Raises Refusal where it is refused beside what waits, and to a supervisor, who may want it instead, without it too.
    """

    def entered(then: Course) -> None:
        row_of(then.table, input).decider(then, input)

    found, refused = list[ChangeOutcome | None](), list[Refusal]()
    for before in (foreseen(course), course) if course.table.waiting else (course,):
        try:
            found.append(_change_in(course, before, before.foreseen(entered)))
        except Refusal as refusal:
            refused.append(refusal)
            if course.role != SUPERVISOR and before is not course:
                break
    if not found:
        raise refused[0]
    every = [outcome for outcome in found if outcome is not None]
    if not every:
        return None
    moment = next((outcome.moment for outcome in every if outcome.moment is not None), None)
    return replace(every[0], moment=moment, takes_two=any(outcome.takes_two for outcome in every))


def _change_in(course: Course, before: Course, after: Course) -> ChangeOutcome | None:
    """The difference between `before` and the round after a change."""
    for event in after.recorded:
        if isinstance(event, InputCorrected | RoundVoided):
            corrected, void = None, None
            if isinstance(event, InputCorrected):
                corrected = corrected_by(event)
            else:
                void = event.article, event.why
            return ChangeOutcome(
                void=void,
                moment=course.game.informed(course.round, corrected) or course.game.informed(before.round, corrected),
                takes_two=takes_two(course.round, corrected),
                net_before=event.net_before,
                net_after=event.net_after,
            )
    return None


def _chosen(course: Course, numbers: tuple[int, ...]) -> list[ChangeEntered]:
    """The waiting changes with these numbers, in the order they were entered. Raises Refusal for a number that does not
    wait.
    """
    waiting = {change.change: change for change in course.table.waiting}
    astray = [number for number in numbers if number not in waiting]
    if astray or not numbers or len(set(numbers)) != len(numbers):
        listed = ", ".join(map(str, waiting)) or "-"
        raise Refusal("changes", TableReason.NOT_WAITING, INFORMED, waiting=listed)
    return [change for number, change in waiting.items() if number in numbers]


WAITING = When("while a change waits to be approved")


# ---- every input

ROWS: dict[type[Input], Row] = {
    **session.ROWS,  # the table opens and closes; rounds begin, and are cleared away
    **cards.ROWS,  # the deck shuffled and cut; cards dealt, counted, turned
    **betting.ROWS,  # chips, wagers, no more bets
    **tiles.ROWS,
    **hands.ROWS,
    **corrections.ROWS,  # what is reported of a round, voids and corrects it; adjustments, complaints
    ApproveChanges: Row(approve_changes, WAITING, only=SupervisorAct.APPROVES_CHANGES, answers="changes"),
    RejectChanges: Row(reject, WAITING, answers="changes"),
    **jackpot.ROWS,
    **law.ROWS,  # by which version of its regulation it plays
    **link.ROWS,  # the pot that several tables share
    **devices.ROWS,  # links and their troubles; the outbox and the journal
    **alarms.ROWS,
}
"""The inputs of any table, topic by topic."""

OF_PLAY: dict[type[Play], dict[type[Input], Row]] = {
    SpacesRound: cards.AT_SPACES,
    hands.PLAY: {**hands.OTHERWISE, **corrections.rows_of(hands.CORRECTED)},
    tiles.PLAY: {**tiles.OTHERWISE, **corrections.rows_of(tiles.CORRECTED)},
}
"""The rows that differ in a round of another kind of play than packets."""
_ANSWERS = {str(kind.__struct_config__.tag): row.answers for kind, row in ROWS.items() if row.answers}


def union_of(*bases: type[Input]) -> Any:
    """The type of any input of a kind, such as PersonInput, as a decoder takes it."""
    return reduce(or_, (kind for kind in ROWS if issubclass(kind, bases)))


def row_of(table: Table, input: Input) -> Row:
    """The row of an input at this table.

    >>> approval = ApproveChanges(input_id="7f-1", step_id="changes", actor="ana", changes=(3,), reason="checked")
    >>> row_of(Table(), approval).answers
    'changes'
    """
    kind = type(input)
    own = OF_PLAY.get(type(table.round.play), {}) if table.round is not None else {}
    return own.get(kind) or ROWS[kind]


def carry_out(course: Course, input: Input) -> None:
    """Decides an input; an informed change waits for its approval. Raises Refusal."""
    row = row_of(course.table, input)
    if row.changes:
        course.actor = cast(Changing, input).actor
        enter(course, cast(Changing, input))
    else:
        row.decider(course, input)


def step_ids(table: Table) -> dict[str, str]:
    """The step id of each kind of input that does not carry the present step's; fields are in braces.

    >>> ids = step_ids(Table(rounds=12))
    >>> ids["void_round"], ids["decide_complaint"], ids.get("wager")
    ('12/report', 'complaint/{complaint}', None)
    """
    return {kind: answers.replace(ROUNDS, str(table.rounds)) for kind, answers in _ANSWERS.items()}


class StaleStep(Exception):
    """An answer to a step that is over; `current` is the present step."""

    def __init__(self, current: str) -> None:
        super().__init__(current)
        self.current = current


def check_answers(table: Table, answers: Sequence[PersonInput], settings: Settings) -> None:
    """Raise StaleStep or Refusal if a person answers another step, or is not in the configuration.

    All answers given together answer the step that the person saw, though the first of them may lead to the next.
    """
    for answer in answers:
        role = settings.people.get(answer.actor)
        if role is None:
            raise Refusal("actor", TableReason.UNKNOWN_PERSON, "policy: named actors", actor=answer.actor)
        row = ROWS[type(answer)]
        if role not in (*AT_THE_TABLE, *row.also) and not row.any_role:
            raise Refusal(
                "actor",
                TableReason.ANOTHER_ROLE,
                "policy: roles",
                actor=answer.actor,
                role=role,
                roles=" or ".join(AT_THE_TABLE),
            )
        step = step_answered(table, answer)
        if answer.step_id != step:
            raise StaleStep(step)


def step_answered(table: Table, answer: PersonInput) -> str:
    """The step id that an answer must carry.

    Reports and corrections concern the round, not its present step: a packet that arrives while a person types does not
    make them stale.
    """
    answers = ROWS[type(answer)].answers
    return answers.format(rounds=table.rounds, **asdict(answer)) if answers else next_step(table).id


def decide(table: Table, input: Input, settings: Settings, vault: Vault, time: str = "") -> Decision:
    """The events that an input at a time causes. Raises Refusal.

    The vault is read only for a card that is shown by this input.
    """
    row = row_of(table, input)
    row.when.check(table)
    row.refuse_another_play(table)
    role = settings.people[input.actor] if isinstance(input, PersonInput) else None
    course = Course(table, settings, vault, role, time)
    if row.only is not None:
        require_supervisor(course.role, row.only)
    carry_out(course, input)
    if table.link is not None:
        link.report_to_pit(course)
    return course.decision()


def decide_with_alarms(table: Table, input: Input, settings: Settings, vault: Vault, time: str) -> Decision:
    """All events of an input that comes at a time, UTC. Raises Refusal.

    The decision's events are followed by those that update the recorded alarms.
    """
    return with_alarms(table, decide(table, input, settings, vault, time), settings, time)


def with_alarms(table: Table, decision: Decision, settings: Settings, time: str) -> Decision:
    """A decision at this table, followed by the events that update the recorded alarms."""
    after = decision.tables[-1] if decision.tables else table
    raised = list(alarms.alarm_events(after.alarms, alarms.alarms(after, settings), time))
    if not raised:
        return decision
    course = Course(after, settings, {})
    course.record(*raised)
    alarmed = course.decision()
    return Decision((*decision.events, *alarmed.events), [*decision.tables, *alarmed.tables], decision.drawn)
