"""Who may do what when: every input with its decider, the steps at which it is legal, and its person. No I/O here."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any, cast

from controller.engine.decisions import (
    alarms,
    bank,
    betting,
    cards,
    changes,
    complaints,
    corrections,
    deck,
    devices,
    hands,
    jackpot,
    link,
    prize_cards,
    session,
    tiles,
    void,
)
from controller.engine.decisions.decision import ROUNDS, Course, Input, Row
from controller.engine.state.changes import Changing
from controller.engine.state.table import Table
from controller.rulebook.packets import SpacesRound
from controller.rulebook.round import Play

ROWS: dict[type[Input], Row] = {
    **session.ROWS,
    **deck.ROWS,
    **cards.ROWS,
    **betting.ROWS,
    **bank.ROWS,
    **tiles.ROWS,
    **hands.ROWS,
    **void.ROWS,
    **corrections.ROWS,
    **changes.rows_of(lambda table, input: row_of(table, input).decider),
    **complaints.ROWS,
    **jackpot.ROWS,
    **prize_cards.ROWS,
    **link.ROWS,
    **devices.ROWS,
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
