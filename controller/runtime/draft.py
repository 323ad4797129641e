"""A batch before its commit: the table after it, and everything that becomes durable with it. No I/O here."""

from collections.abc import Callable

from controller.engine.decisions.decision import Decision, Input, Vault, vault_after
from controller.engine.outcomes import Outcome
from controller.engine.recorded import record_of
from controller.engine.state.applied import Event
from controller.engine.state.current import Settings
from controller.engine.state.table import Table
from controller.floor.messages import Publication
from controller.journal.records import DeviceMark, JournalEntry, OutboxRow
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.budgets import Expenses

Publish = Callable[[Event, Table, Table, int], list[Publication]]
"""The messages of an event: given the table before and after it, and the last sequence given out."""


class Draft:
    """Takes in decisions one after the other; none of them counts before the commit.

    The first event keeps the settings too, unless the journal has them (`settings_kept`).
    """

    def __init__(
        self, table: Table, vault: Vault, sequence: int, expenses: Expenses, settings: Settings, settings_kept: bool
    ) -> None:
        self.table, self.vault, self.sequence, self.expenses = table, vault, sequence, expenses
        self.settings, self.settings_kept = settings, settings_kept
        self.entries: list[JournalEntry] = []
        self.outbox: list[OutboxRow] = []
        self.outcomes: dict[str, Outcome] = {}
        self.marks: dict[DeviceName, DeviceMark] = {}

    def branch(self) -> "Draft":
        """A copy on which a list of inputs is tried: all or nothing."""
        copy = Draft(self.table, self.vault, self.sequence, self.expenses, self.settings, self.settings_kept)
        copy.entries, copy.outbox = list(self.entries), list(self.outbox)
        copy.outcomes, copy.marks = self.outcomes, self.marks
        return copy

    def absorb(self, decision: Decision, input: Input | None, publish: Publish) -> None:
        """Add a decision on this table: its cards are put into the vault, its messages queued.

        `input` is the decided input; None if the station itself records something.
        """
        if not decision.events:
            return
        kept = record_of(input, decision, self.settings, with_settings=not self.settings_kept)
        self.settings_kept = True
        first, *others = decision.events
        self.entries += [JournalEntry(first, decision.drawn, kept), *map(JournalEntry, others)]
        for event, after in zip(decision.events, decision.tables, strict=True):
            before, self.table = self.table, after
            for message in publish(event, before, self.table, self.sequence):
                self.outbox.append(OutboxRow(sequence=message.sequence, topic=message.topic, payload=message.payload))
                self.sequence = message.sequence
        self.vault = vault_after(self.vault, decision.events, decision.drawn)
