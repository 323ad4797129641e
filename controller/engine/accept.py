"""An input decided together with the alarms that it raises or ends. No I/O here."""

from controller.engine.decisions.alarms import alarm_events, alarms
from controller.engine.decisions.decide import decide
from controller.engine.decisions.decision import Course, Decision, Input, Vault
from controller.engine.state.settings import Settings, game_at
from controller.engine.state.table import Table


def accept(table: Table, input: Input, settings: Settings, vault: Vault, time: str) -> Decision:
    """All events of an input that comes at a time, UTC. Raises Refusal.

    Behind what is decided are the events that bring the alarms on record to those of the table as it is then.
    """
    return with_alarms(table, decide(table, input, settings, vault), settings, time)


def with_alarms(table: Table, decision: Decision, settings: Settings, time: str) -> Decision:
    """A decision at this table, with the events that bring the alarms on record behind it."""
    after = decision.tables[-1] if decision.tables else table
    raised = list(alarm_events(after.alarms, alarms(after, game_at(after, settings)), time))
    if not raised:
        return decision
    course = Course(after, settings, {})
    course.record(*raised)
    alarmed = course.decision()
    return Decision((*decision.events, *alarmed.events), [*decision.tables, *alarmed.tables], decision.drawn)
