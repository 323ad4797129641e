"""What an input means at the table as it stands: events, or a refusal with who, why and which article. No I/O here."""

from collections.abc import Sequence

from msgspec.structs import asdict

from controller.engine.decisions.deciders import ROWS, carry_out, row_of
from controller.engine.decisions.decision import Course, Decision, Input, Vault
from controller.engine.decisions.link import tell_pit
from controller.engine.reasons import TableReason
from controller.engine.state.persons import AT_THE_TABLE, PersonInput, require_supervisor
from controller.engine.state.settings import Settings
from controller.engine.state.table import Table, next_step
from controller.rulebook.refusal import Refusal


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
        tell_pit(course)
    return course.decision()
