"""Who may do what when: every input with its decider, the steps at which it is legal, and its person. No I/O here."""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any, cast

from msgspec.structs import asdict

from controller.engine.decisions import (
    alarms,
    bank,
    betting,
    cards,
    changes,
    corrections,
    deck,
    devices,
    hands,
    jackpot,
    link,
    session,
    tiles,
    void,
)
from controller.engine.decisions.decision import ROUNDS, Course, Decision, Input, Row, Vault, require_supervisor
from controller.engine.reasons import TableReason
from controller.engine.state.current import Settings, game_at
from controller.engine.state.persons import Changing, PersonInput
from controller.engine.state.table import Table, next_step
from controller.rulebook.packets import SpacesRound
from controller.rulebook.refusal import Refusal
from controller.rulebook.roles import AT_THE_TABLE
from controller.rulebook.round import Play

ROWS: dict[type[Input], Row] = {
    **session.ROWS,  # the table opens and closes; rounds begin, and are cleared away
    **deck.ROWS,  # whole, shuffled, cut
    **cards.ROWS,  # dealt, counted, turned
    **betting.ROWS,  # chips, wagers, no more bets
    **bank.ROWS,
    **tiles.ROWS,
    **hands.ROWS,
    **void.ROWS,  # what is reported of a round, and what voids it
    **corrections.ROWS,  # what was entered wrongly, adjustments, complaints
    **changes.rows_of(lambda table, input: row_of(table, input).decider),
    **jackpot.ROWS,
    **link.ROWS,  # the pot that several tables share
    **devices.ROWS,  # links and their troubles; the outbox and the journal
    **alarms.ROWS,
}
"""What is decided at any table, topic by topic."""

OF_PLAY: dict[type[Play], dict[type[Input], Row]] = {
    SpacesRound: cards.AT_SPACES,
    hands.PLAY: hands.OTHERWISE,
    tiles.PLAY: tiles.OTHERWISE,
}
"""What is decided otherwise in a round of another kind of play than packets."""
_ANSWERS = {str(kind.__struct_config__.tag): row.answers for kind, row in ROWS.items() if row.answers}


def one_of(*bases: type[Input]) -> Any:
    """The type of any input of a kind, such as PersonInput, as a decoder takes it."""
    return reduce(or_, (kind for kind in ROWS if issubclass(kind, bases)))


def row_of(table: Table, input: Input) -> Row:
    """How an input is decided at this table."""
    kind = type(input)
    own = OF_PLAY.get(type(table.round.play), {}) if table.round is not None else {}
    return own.get(kind) or ROWS[kind]


def decider_of(table: Table, input: Input) -> Callable[[Course, Any], None]:
    """What decides an input once it is known that it may be decided."""
    return row_of(table, input).decider


def carry_out(course: Course, input: Input) -> None:
    """Decide an input; a change that is informed waits to be approved. Raises Refusal."""
    row = row_of(course.table, input)
    if row.changes:
        course.actor = cast(Changing, input).actor
        changes.enter(course, cast(Changing, input), decider_of)
    else:
        row.decider(course, input)


def step_ids(table: Table) -> dict[str, str]:
    """By the kind of input, the step id that one carries instead of the present step's; its fields are in braces."""
    return {kind: answers.replace(ROUNDS, str(table.rounds)) for kind, answers in _ANSWERS.items()}


class StaleStep(Exception):
    """An answer to a step that is no longer the table's; `current` is the one that is."""

    def __init__(self, current: str) -> None:
        super().__init__(current)
        self.current = current


def check_answers(table: Table, answers: Sequence[PersonInput], settings: Settings) -> None:
    """Raise StaleStep or Refusal where a person answers another step, or is nobody the configuration knows.

    All answers given together answer the step that the person saw, though the first of them may lead to the next.
    """
    for answer in answers:
        role = settings.people.get(answer.actor)
        if role is None:
            raise Refusal("actor", TableReason.NOBODY_KNOWN, "policy: named actors", actor=answer.actor)
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

    What is reported or corrected concerns the round and not the step it has come to: a packet that arrives while a
    person writes makes nothing stale.
    """
    answers = ROWS[type(answer)].answers
    return answers.format(rounds=table.rounds, **asdict(answer)) if answers else next_step(table).id


def decide(table: Table, input: Input, settings: Settings, vault: Vault) -> Decision:
    """The events an input causes. Raises Refusal. The vault is read only for a card that is shown by this input."""
    row = row_of(table, input)
    row.when.check(table)
    role = settings.people[input.actor] if isinstance(input, PersonInput) else None
    course = Course(table, settings, vault, role)
    if row.only is not None:
        require_supervisor(course.role, row.only)
    carry_out(course, input)
    if table.link is not None:
        link.tell_pit(course)
    return course.decision()


def accept(table: Table, input: Input, settings: Settings, vault: Vault, time: str) -> Decision:
    """All events of an input that comes at a time, UTC. Raises Refusal.

    Behind what is decided are the events that bring the alarms on record to those of the table as it is then.
    """
    return with_alarms(table, decide(table, input, settings, vault), settings, time)


def with_alarms(table: Table, decision: Decision, settings: Settings, time: str) -> Decision:
    """A decision at this table, with the events that bring the alarms on record behind it."""
    after = decision.tables[-1] if decision.tables else table
    raised = list(alarms.alarm_events(after.alarms, alarms.alarms(after, game_at(after, settings)), time))
    if not raised:
        return decision
    course = Course(after, settings, {})
    course.record(*raised)
    alarmed = course.decision()
    return Decision((*decision.events, *alarmed.events), [*decision.tables, *alarmed.tables], decision.drawn)
