"""A batch in the making: the table after it, and all that is to become durable with it. No I/O here."""

from collections.abc import Callable

from controller.engine.decision import Decision
from controller.engine.events import Event, NobodyBet
from controller.engine.outcomes import Outcome
from controller.engine.table import Table
from controller.floor.messages import Publication
from controller.journal.records import DeviceMark, Entry, OutboxRow
from controller.rulebook.cards import Card
from controller.rulebook.events import ClaimsClosed, RoundBegun
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.repeats import Repeats

Publish = Callable[[Event, Table, Table, int], list[Publication]]
"""The messages of an event: given the table before and after it, and the last sequence given out."""


class Draft:
    """Decisions taken in one after the other; nothing of it is true until it is committed."""

    def __init__(self, table: Table, vault: dict[int, Card | None], sequence: int, repeats: Repeats) -> None:
        self.table, self.vault, self.sequence, self.repeats = table, vault, sequence, repeats
        self.entries: list[Entry] = []
        self.outbox: list[OutboxRow] = []
        self.outcomes: dict[str, Outcome] = {}
        self.marks: dict[DeviceName, DeviceMark] = {}

    def branch(self) -> "Draft":
        """A copy to try a list of inputs on: all or nothing."""
        copy = Draft(self.table, self.vault, self.sequence, self.repeats)
        copy.entries, copy.outbox = list(self.entries), list(self.outbox)
        copy.outcomes, copy.marks = self.outcomes, self.marks
        return copy

    def absorb(self, decision: Decision, publish: Publish) -> None:
        """Take in a decision on this table: its cards are put into the vault, its messages queued."""
        drawn = decision.drawn
        for event, after in zip(decision.events, decision.tables, strict=True):
            before, self.table = self.table, after
            self.entries.append(Entry(event=event, drawn=drawn))
            drawn = {}
            if isinstance(event, RoundBegun | ClaimsClosed | NobodyBet):
                self.vault = {}
            for told in publish(event, before, self.table, self.sequence):
                self.outbox.append(OutboxRow(sequence=told.sequence, topic=told.topic, payload=told.payload))
                self.sequence = told.sequence
        if decision.drawn:
            self.vault = {**self.vault, **decision.drawn}
